#include "importers/common/constant_expression.h"
#include "importers/common/event_format.h"
#include "importers/common/prev_state_format.h"
#include "tests/support/trace_dat_writer.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace twolane;

namespace {

std::string repeated(std::string_view text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i)
        result += text;
    return result;
}

std::string stateOf(const PrevStateDecoder& decoder, std::uint64_t raw) {
    return toString(decoder.fromRaw(raw));
}

} // namespace

TEST_CASE("constants are computed as C does") {
    CHECK(evaluateConstant("2048") == 2048);
    CHECK(evaluateConstant("(2048)") == 2048);
    CHECK(evaluateConstant(" ( (0x10UL | 1) + 1 ) << 1 ") == 36);
    CHECK(evaluateConstant("(((0x0000 | 0x0001 | 0x0040) + 1) << 1) - 1") == 131);
    CHECK(evaluateConstant("1 + 2 * 3") == 7);
    CHECK(evaluateConstant("1ULL << 63") == 0x8000'0000'0000'0000);
    CHECK(evaluateConstant("~0x1") == ~std::uint64_t{1});
    CHECK(evaluateConstant("-1") == ~std::uint64_t{0});
    CHECK(evaluateConstant("7 & 6 | 8") == 14);
}

TEST_CASE("what is no constant is refused") {
    for (const char* text : {"", " ", "(", ")", "1 +", "1 1", "(1", "1)", "REC->x", "0x", "1 << 64",
                             "1 << -1", "99999999999999999999", "sizeof(int)", "1 ? 2 : 3"})
        CHECK_MESSAGE(!evaluateConstant(text), text);
    CHECK_FALSE(evaluateConstant(repeated("(", 100'000) + "1" + repeated(")", 100'000)));
    CHECK(evaluateConstant(repeated("-", 100'000) + "1") == 1);
}

TEST_CASE("fields are read with place, size and sign") {
    const auto format =
        parseEventFormat("name: x\nID: 7\nformat:\n"
                         "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                         "\n"
                         "\tfield:char comm[32];\toffset:8;\tsize:16;\tsigned:1;\n"
                         "\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:1;\n"
                         "\tfield:__rel_loc char[] path;\toffset:28;\tsize:4;\tsigned:1;\n"
                         "\tfield:const char * text;\toffset:32;\tsize:8;\tsigned:0;\n"
                         "\tfield:unsigned long args[6];\toffset:40;\tsize:48;\tsigned:0;\n"
                         "\tfield:u64 stamp;\toffset:88;\tsize:8;\n"
                         "\tfield:pid_t pid;\toffset:96;\tsize:4;\n"
                         "\tfield:struct s thing;\toffset:100;\tsize:12;\tsigned:0;\n"
                         "\nprint fmt: \"%s\", REC->comm\n");
    REQUIRE(format);
    CHECK(format->name == "x");
    CHECK(format->id == 7);
    CHECK(format->printFormat == " \"%s\", REC->comm\n");
    using Kind = FieldFormat::Kind;
    REQUIRE(format->field("comm"));
    CHECK(format->field("comm")->kind == Kind::text);
    CHECK(format->field("comm")->size == 16); // what is recorded, whatever the declaration says
    CHECK(format->field("name")->kind == Kind::dynamicText);
    CHECK(format->field("path")->kind == Kind::relativeText);
    CHECK(format->field("text")->isPointer);
    CHECK(format->field("args")->kind == Kind::array);
    CHECK(format->field("args")->elementSize == 8);
    CHECK_FALSE(format->field("stamp")->isSigned); // old kernels did not write it
    CHECK(format->field("pid")->isSigned);
    CHECK(format->field("thing")->kind == Kind::bytes);
    CHECK(format->field("common_type")->isCommon);
    CHECK(format->field("nothing") == nullptr);
}

TEST_CASE("hostile format texts end in linear time and are read by their fields") {
    const std::string head =
        "name: x\nID: 7\nformat:\n\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n";
    for (const std::string& text :
         {head + "print fmt: \"x\\", head + "\nprint fmt: " + repeated("(", 100'000),
          head + repeated("\tfield:;\n", 1000),
          head + "\tfield:int b;\toffset:99999999999;\tsize:4;\tsigned:1;\n",
          head + "\tfield:int b;\toffset:4294967295;\tsize:4294967295;\tsigned:1;\n",
          head + "\tfield:char c[99999999999999999999];\toffset:8;\tsize:16;\tsigned:1;\n",
          head + "\tfield:]b;\toffset:8;\tsize:4;\n\tfield:[;offset:8;size:4;\n\tfield:a;offset:8;"
                 "size:4"}) {
        const auto format = parseEventFormat(text);
        REQUIRE(format);
        REQUIRE(format->field("a"));
        CHECK(format->field("a")->offset == 8);
    }
    CHECK_FALSE(parseEventFormat(""));
    CHECK_FALSE(parseEventFormat("name: x\n"));
    CHECK_FALSE(parseEventFormat("name: x\nID: nine\n"));
    CHECK_FALSE(parseEventFormat("ID: 9\n"));
}

TEST_CASE("the file's own table explains prev_state") {
    const auto now = prevStateFromPrintFormat(tests::switchPrintFormat());
    REQUIRE(now);
    CHECK(stateOf(*now, 0) == "R");
    CHECK(stateOf(*now, 0x100) == "R+");
    CHECK(stateOf(*now, 1) == "S");
    CHECK(stateOf(*now, 2) == "D");
    CHECK(stateOf(*now, 0x80) == "I");
    CHECK(stateOf(*now, 0x20) == "Z");
    CHECK(stateOf(*now, 0x2000) == "0x2000");

    // 3.9, with its own mask and the missing space of the kernel's macro
    const auto old = prevStateFromPrintFormat(
        R"( "x=%s%s", REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & (1024-1), "|", { 1, "S"} , { 2, "D" }, { 4, "T" }, { 8, "t" }, { 16, "Z" }, { 32, "X" }, { 64, "x" }, { 128, "K" }, { 256, "W" }, { 512, "P" }) : "R", REC->prev_state & 1024 ? "+" : "", REC->next_comm)");
    REQUIRE(old);
    CHECK(stateOf(*old, 1024) == "R+");
    CHECK(stateOf(*old, 16) == "Z");
    CHECK(stateOf(*old, 512) == "P");

    const auto without = prevStateFromPrintFormat(
        R"("x=%s", REC->prev_state ? __print_flags(REC->prev_state, "|", { 1, "S" }, { 2, "D" }) : "R")");
    REQUIRE(without);
    CHECK(stateOf(*without, 1) == "S");
}

TEST_CASE("a table that is not understood is not used in part") {
    const std::string good = R"(__print_flags(REC->prev_state, "|", { 1, "S" }, { 2, "D" }) : "R")";
    CHECK(prevStateFromPrintFormat(good));
    for (const char* bad :
         {R"(__print_flags(REC->prev_state, "|", { 1, "S" } { 2, "D" }) : "R")",
          R"(__print_flags(REC->prev_state, "|", { 1 "S" }))",
          R"(__print_flags(REC->prev_state, "|", { 1, "S" }, { 2, "D )",
          R"(__print_flags(REC->prev_state, "|", { 1 << 64, "S" }))",
          R"(__print_flags(REC->prev_state, "|", { 1, "S\)",
          R"(__print_flags(REC->prev_state, "|",)", R"(__print_flags()",
          R"(__print_flags(REC->other, "|", { 1, "S" }))", R"("%d", REC->prev_state)", "", R"("x\)",
          R"(__print_flags(REC->prev_state, "|", { 1, "S" }), REC->prev_state & (1 ? "+" : "")"})
        CHECK_MESSAGE(!prevStateFromPrintFormat(bad), bad);
    CHECK_FALSE(prevStateFromPrintFormat(good + ", REC->prev_state & " + repeated("(", 100'000) +
                                         " ? \"+\" : \"\""));
    const auto begin = std::chrono::steady_clock::now();
    prevStateFromPrintFormat("__print_flags(REC->prev_state, \"|\", " +
                             repeated("{ 1, \"S\" }, ", 500'000));
    prevStateFromPrintFormat(repeated("__print_flags(", 500'000) + repeated("\"+\" ?", 500'000));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}
