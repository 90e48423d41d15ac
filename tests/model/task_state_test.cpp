#include "model/task_state.h"

#include <doctest/doctest.h>

using namespace twolane;

namespace {
std::string raw(const PrevStateDecoder& decoder, std::uint64_t value) {
    return toString(decoder.fromRaw(value));
}
std::string letters(std::string_view text) {
    const auto state = PrevStateDecoder::fromLetters(text);
    return state ? toString(*state) : "refused";
}
} // namespace

TEST_CASE("case 4: the preempted flag is runnable in every generation of kernels") {
    CHECK(raw(*PrevStateDecoder::forRelease("3.8.13"), 0) == "R");
    CHECK(raw(*PrevStateDecoder::forRelease("3.10.0-1160.el7"), 1024) == "R+");
    CHECK(raw(*PrevStateDecoder::forRelease("4.4.302"), 2048) == "R+");
    CHECK(raw(*PrevStateDecoder::forRelease("4.9.337"), 4096) == "R+");
    CHECK(raw(*PrevStateDecoder::forRelease("6.1.0-57-cloud-amd64"), 256) == "R+");
    CHECK(PrevStateDecoder().fromRaw(256).runnable());
}

TEST_CASE("case 9: letters and numbers of several kernel generations") {
    CHECK(letters("I") == "I");
    CHECK(letters("D|K") == "D");
    CHECK(raw(PrevStateDecoder(), 128) == "I");
    CHECK(raw(PrevStateDecoder(), 8192) == "0x2000");
    CHECK_FALSE(PrevStateDecoder().fromRaw(8192).runnable());
    CHECK(letters("0x2000") == "0x2000");
}

TEST_CASE("dead and zombie changed places in 4.14") {
    CHECK(raw(*PrevStateDecoder::forRelease("4.13.0"), 16) == "Z");
    CHECK(raw(*PrevStateDecoder::forRelease("4.14.0"), 16) == "X");
    CHECK(raw(*PrevStateDecoder::forRelease("4.13.0"), 64) == "X"); // TASK_DEAD prints as x
    CHECK(PrevStateDecoder().fromRaw(32).dead());
}

TEST_CASE("a modifier beside a state does not hide it") {
    const auto old = *PrevStateDecoder::forRelease("4.9.0");
    CHECK(raw(old, 2 | 128) == "D");
    CHECK(raw(old, 1 | 128) == "S");
    CHECK(raw(old, 2 | 1024) == "I"); // an idle kernel thread before 4.14
    CHECK(letters("D|N") == "I");
    CHECK(raw(old, 2048) == "0x800");
}

TEST_CASE("a file's own table is used") {
    const PrevStateDecoder decoder({{1, "S"}, {2, "D"}, {0x80, "I"}}, 0x200);
    CHECK(raw(decoder, 0x200) == "R+");
    CHECK(raw(decoder, 0x80) == "I");
    CHECK(raw(decoder, 0x100) == "0x100");
}

TEST_CASE("what is no state and no release is refused") {
    for (const char* text :
         {"", "+", "Q", "S|", "|S", "SD", "0x", "0x0", "0xzz", "S ", "D|", "==>"})
        CHECK(letters(text) == "refused");
    CHECK(letters("R+") == "R+");
    for (const char* text : {"", "6", "x.y", "v6.1", "6."})
        CHECK_FALSE(PrevStateDecoder::forRelease(text));
}
