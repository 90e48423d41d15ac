// Packed inputs and pipes: they are read as if they were plain files.
#include "importers/common/open_input.h"
#include "importers/load.h"
#include "tests/importers/ftrace_text/text_support.h"

#include <lzma.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <chrono>
#include <fstream>
#include <thread>

using namespace twolane;
using namespace twolane::tests;

namespace {

std::string gzip(std::string_view text) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(out.size() - stream.avail_out);
    deflateEnd(&stream);
    return out;
}

std::string xz(std::string_view text) {
    std::string out(lzma_stream_buffer_bound(text.size()), '\0');
    std::size_t size = 0;
    REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(out.data()), &size,
                                    out.size()) == LZMA_OK);
    out.resize(size);
    return out;
}

std::string zstd(std::string_view text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3);
    REQUIRE(!ZSTD_isError(size));
    out.resize(size);
    return out;
}

using Pack = std::string (*)(std::string_view);
constexpr std::pair<const char*, Pack> packs[] = {{"gzip", gzip}, {"xz", xz}, {"zstd", zstd}};

std::string unpacked(std::string_view packed, std::vector<Oddity>* oddities = nullptr) {
    auto input = unpackInput(std::make_unique<MemorySource>(packed, "packed"), {}, {});
    REQUIRE(input);
    if (oddities)
        *oddities = input->oddities;
    std::string content(static_cast<std::size_t>(input->bytes->size()), '\0');
    const auto got = input->bytes->read(0, std::as_writable_bytes(std::span(content)));
    REQUIRE(got);
    CHECK(*got == content.size());
    CHECK(input->bytes->name() == "packed");
    return content;
}

std::string longText() {
    std::string text;
    for (int i = 0; i < 40'000; ++i)
        text += "line " + std::to_string(i * 7919) + "\n";
    return text;
}

constexpr std::string_view trace =
    "            alba-4101    [000] d..2.    21.000000: sched_switch: prev_comm=alba prev_pid=4101 "
    "prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
    "          <idle>-0       [000] d..2.    21.000400: sched_switch: prev_comm=swapper/0 "
    "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=alba next_pid=4101 next_prio=120\n";

std::filesystem::path newFifo() {
    const auto path =
        std::filesystem::temp_directory_path() / ("twolane-fifo-" + std::to_string(::getpid()));
    std::filesystem::remove(path);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    return path;
}

} // namespace

TEST_CASE("packed bytes come out as they went in, in one stream or several") {
    const std::string text = longText();
    for (const auto& [name, pack] : packs) {
        CAPTURE(name);
        std::vector<Oddity> oddities;
        CHECK(unpacked(pack(text), &oddities) == text);
        CHECK(oddities.empty());
        CHECK(unpacked(pack(text) + pack("") + pack("more\n"), &oddities) == text + "more\n");
        CHECK(oddities.empty());
    }
    // Zeros fill up whole blocks, on tapes for one.
    for (const auto& [name, pack] : packs) {
        std::vector<Oddity> oddities;
        CHECK(unpacked(pack("a") + std::string(8, '\0') + pack("b"), &oddities) == "ab");
        CHECK(unpacked(pack("a") + std::string(512, '\0'), &oddities) == "a");
        CHECK(oddities.empty());
    }
    // A frame to be skipped may come first, as pzstd writes it.
    CHECK(unpacked(std::string("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12) + zstd("text")) == "text");
    CHECK(unpacked("plain") == "plain");
}

TEST_CASE("what is cut short, damaged or followed by rubbish is kept as far as it goes, and told") {
    const std::string text = longText();
    for (const auto& [name, pack] : packs) {
        CAPTURE(name);
        const std::string packed = pack(text);
        std::vector<Oddity> oddities;
        const std::string half = unpacked(packed.substr(0, packed.size() - 20), &oddities);
        CHECK(text.starts_with(half));
        REQUIRE(oddities.size() == 1);
        CHECK(oddities[0].code == "packed_cut");
        CHECK(oddities[0].first == "byte " + std::to_string(packed.size() - 20));

        CHECK(unpacked(packed + "rubbish", &oddities) == text);
        REQUIRE(oddities.size() == 1);
        CHECK(oddities[0].code == "packed_rest");

        std::string broken = pack(text);
        for (std::size_t i = broken.size() / 2; i < broken.size() / 2 + 40; ++i)
            broken[i] = static_cast<char>(~broken[i]);
        auto input = unpackInput(std::make_unique<MemorySource>(broken), {}, {});
        if (input) { // xz may hold all of it back
            REQUIRE(input->oddities.size() == 1);
            CHECK(input->oddities[0].code == "packed_damaged");
        } else {
            CHECK(!input.error().remedy.empty());
        }
        const auto nothing = unpackInput(
            std::make_unique<MemorySource>(std::string_view(packed).substr(0, 7)), {}, {});
        REQUIRE(!nothing);
        CHECK(nothing.error().what.find(name) != std::string::npos);
    }
}

TEST_CASE("a file made to fill the disk is stopped") {
    // 600 MB of zeros in 20 kB: streams of zstd one after the other.
    const std::string zeros(std::size_t{20} << 20, '\0');
    const std::string one = zstd(zeros);
    std::string bomb;
    for (int i = 0; i < 30; ++i)
        bomb += one;
    CHECK(mostUnpacked(bomb.size()) < 600'000'000);
    const auto input = unpackInput(std::make_unique<MemorySource>(bomb, "bomb.zst"), {}, {});
    REQUIRE(!input);
    CHECK(input.error().file == "bomb.zst");
    CHECK(input.error().where.starts_with("byte "));
    CHECK(input.error().remedy.find("unzstd bomb.zst") != std::string::npos);
    CHECK(mostUnpacked(UINT64_MAX) == UINT64_MAX);
}

TEST_CASE("bzip2 is known by sight, and refused with what helps") {
    const auto input = unpackInput(std::make_unique<MemorySource>("BZh91AY&SYxx", "t.bz2"), {}, {});
    REQUIRE(!input);
    CHECK(input.error().remedy == "unpack it first: bunzip2 -k t.bz2");
    CHECK(unpacked("BZh is how this text begins") == "BZh is how this text begins");
}

TEST_CASE("a stream that wants more memory than is given is whole: unpacking it first helps") {
    ZSTD_CCtx* const context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 28);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
    const std::string text = longText();
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    ZSTD_outBuffer out{packed.data(), packed.size(), 0};
    // In two steps, or the size of the text would be the window's.
    REQUIRE(!ZSTD_isError(ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush)));
    REQUIRE(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end) == 0);
    ZSTD_freeCCtx(context);
    packed.resize(out.pos);
    const auto input = unpackInput(std::make_unique<MemorySource>(packed, "t.zst"), {}, {});
    REQUIRE(!input);
    CHECK(input.error().what.find("more memory") != std::string::npos);
    CHECK(input.error().remedy == "unpack it first: unzstd t.zst");
}

TEST_CASE("a packed trace is the plain one, in text and in binary") {
    const auto plain = loadText(trace);
    for (const auto& [name, pack] : packs) {
        CAPTURE(name);
        const auto packed = loadText(pack(trace));
        CHECK(packed->info.format == "ftrace text");
        CHECK(packed->eventCount == plain->eventCount);
        CHECK(packed->range == plain->range);
        CHECK(packed->diagnostics.all().size() == plain->diagnostics.all().size());
        const TemporaryFile file(pack(trace));
        auto reader = openEvents(file.path(), {});
        REQUIRE(reader);
        REQUIRE((*reader)->count() == 2);
        CHECK((*reader)->at(1)->task == "<idle>");
        const auto buffers = listBuffers(file.path(), {});
        REQUIRE(buffers);
        CHECK(buffers->size() == 1);
    }
    std::ifstream in(std::filesystem::path(TWOLANE_EXAMPLE_DIR) / "linux-6.12-interactive.dat",
                     std::ios::binary);
    const std::string dat((std::istreambuf_iterator<char>(in)), {});
    REQUIRE(!dat.empty());
    const auto binary = loadText(dat);
    for (const auto& [name, pack] : packs) {
        CAPTURE(name);
        const auto packed = loadText(pack(dat));
        CHECK(packed->info.format == "trace.dat");
        CHECK(packed->eventCount == binary->eventCount);
        CHECK(packed->waits.size() == binary->waits.size());
        CHECK(packed->range == binary->range);
    }
}

TEST_CASE("case 32: a pipe is read to its end") {
    const auto path = newFifo();
    std::thread writer([&path] {
        std::ofstream out(path, std::ios::binary);
        out << gzip(trace);
    });
    const auto loaded = load(path, {});
    writer.join();
    std::filesystem::remove(path);
    REQUIRE(loaded);
    CHECK((*loaded)->eventCount == 2);
}

TEST_CASE("case 11: a pipe that nobody writes to can be left") {
    const auto path = newFifo();
    std::stop_source stop;
    std::thread canceller([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request_stop();
    });
    const auto loaded = load(path, {}, stop.get_token());
    canceller.join();
    std::filesystem::remove(path);
    REQUIRE(!loaded);
    CHECK(loaded.error().interrupted);
}

TEST_CASE("a stop is heeded while unpacking") {
    const std::string packed = gzip(longText());
    std::stop_source stop;
    stop.request_stop();
    const auto input = unpackInput(std::make_unique<MemorySource>(packed), stop.get_token(), {});
    REQUIRE(!input);
    CHECK(input.error().interrupted);
}
