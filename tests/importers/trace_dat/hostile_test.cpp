// Files that lie about sizes and counts, and files that end early.
#include "tests/importers/trace_dat/import.h"

#include <doctest/doctest.h>

#include <chrono>

using namespace twolane;
using namespace twolane::tests;

namespace {

std::string number32(std::uint32_t value) {
    std::string bytes;
    put32(bytes, value);
    return bytes;
}
std::string number64(std::uint64_t value) {
    std::string bytes;
    put64(bytes, value);
    return bytes;
}

/// Imports, and opens the single events; neither may fail in any other way than by its result.
std::unique_ptr<Import> survive(const std::string& bytes) {
    auto import = importBytes(bytes);
    auto reader = DatEventReader::open(sourceOf(bytes), {});
    if (reader)
        for (std::uint64_t i = 0; i < (*reader)->count(); i += (*reader)->count() / 3 + 1)
            (void)(*reader)->at(i);
    return import;
}

} // namespace

TEST_CASE("a file cut at any byte gives the events of whole pages or an error") {
    for (const int version : {6, 7})
        for (const Codec codec : {Codec::zstd, Codec::none}) {
            if (version == 6 && codec == Codec::zstd)
                continue;
            TraceDatWriter writer = smallRecording();
            writer.version = version;
            writer.codec = codec;
            writer.pageSize = 512;
            writer.buffers[0].pages.clear();
            const EventShape& shape = writer.events[0];
            std::vector<Recorded> records;
            for (int i = 0; i < 40; ++i)
                records.push_back({i % 2, 100 + static_cast<std::uint64_t>(i),
                                   switchRecord(shape, "a", 1, 1, "b", 2)});
            writer.record(0, records, 5);
            const std::string bytes = writer.bytes();
            const auto whole = importBytes(bytes);
            REQUIRE(whole->sink.headers.size() == 40);
            std::size_t readable = 0;
            for (std::size_t size = 0; size < bytes.size(); ++size) {
                const auto import = importBytes(bytes.substr(0, size));
                if (!import->status)
                    continue;
                ++readable;
                CHECK(import->sink.headers.size() <= 40);
                if (import->sink.headers.size() < 40) {
                    CHECK(import->diagnostics.count("truncated") > 0);
                    CHECK(import->diagnostics.find("truncated")
                              ->first.find(fmt::format("cut off at byte {}", size)) == 0);
                }
            }
            if (version == 6)
                CHECK(readable > 2000);
        }
}

TEST_CASE("the data of a file whose end is missing are found again") {
    for (const Codec codec : {Codec::none, Codec::zlib, Codec::zstd}) {
        TraceDatWriter writer = smallRecording();
        writer.codec = codec;
        writer.pagesInChunk = 1;
        writer.buffers[0].pages.erase(1);
        for (std::int32_t cpu = 0; cpu < 4; ++cpu)
            writer.options.emplace_back(
                2, fmt::format("CPU: {}\nentries: 0\noverrun: 0\nread events: {}\n", cpu,
                               cpu == 1 ? 0 : 75));
        const std::string bytes = writer.bytes();
        const auto whole = importBytes(bytes);
        REQUIRE(whole->sink.headers.size() == 225);
        const auto cut =
            importBytes(bytes.substr(0, bytes.size() - 30)); // the table of buffers is gone
        REQUIRE(cut->status);
        // Of plain pages nothing tells where the last CPU's end; those behind it are not pages.
        std::vector<std::string> lines = cut->sink.lines;
        std::erase_if(lines, [](const std::string& line) {
            return line.find(" lost ") != std::string::npos;
        });
        CHECK(lines == whole->sink.lines);
        CHECK(cut->diagnostics.count("truncated") >= 1);

        const auto more = importBytes(bytes.substr(0, bytes.size() - 6000));
        REQUIRE(more->status);
        CHECK(more->sink.headers.size() < 225);
        CHECK(more->sink.headers.size() > 50);
    }
}

TEST_CASE("a CPU without data is not truncated, wherever its offset lies") {
    TraceDatWriter writer = smallRecording();
    writer.version = 6;
    writer.buffers[0].pages.erase(3);
    const std::string bytes = writer.bytes(); // the last offset is the end of the file
    const auto import = importBytes(bytes);
    REQUIRE(import->status);
    CHECK(import->diagnostics.empty());
    CHECK(import->sink.headers.size() == 225);
}

TEST_CASE("counts and sizes of 0xffffffff in every place") {
    for (const int version : {6, 7})
        for (const Codec codec : {Codec::none, Codec::zlib, Codec::zstd}) {
            if (version == 6 && codec != Codec::none)
                continue;
            TraceDatWriter writer = smallRecording();
            writer.version = version;
            writer.codec = codec;
            const std::string bytes = writer.bytes();
            const std::size_t end = bytes.find("field: u64 timestamp") == std::string::npos
                                        ? std::min<std::size_t>(bytes.size(), 3000)
                                        : std::min<std::size_t>(bytes.size(), 5000);
            const auto begin = std::chrono::steady_clock::now();
            for (std::size_t at = 10; at < end; ++at) {
                std::string changed = bytes;
                changed.replace(at, 4, number32(0xffffffff), 0,
                                std::min<std::size_t>(4, bytes.size() - at));
                importBytes(changed);
            }
            // The table of buffers is at the end.
            for (std::size_t at = bytes.size() - 200; at + 8 <= bytes.size(); ++at) {
                std::string changed = bytes;
                for (const std::uint64_t value : {std::uint64_t{0xffffffff}, UINT64_MAX,
                                                  std::uint64_t{0}, std::uint64_t{1} << 63}) {
                    changed.replace(at, 8, number64(value));
                    survive(changed);
                }
            }
            CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
        }
}

TEST_CASE("chunks that hold more or less than they say are left out as a loss") {
    for (const Codec codec : {Codec::zlib, Codec::zstd}) {
        TraceDatWriter writer = smallRecording();
        writer.codec = codec;
        writer.pagesInChunk = 1;
        writer.buffers[0].pages.erase(1);
        writer.buffers[0].pages.erase(2);
        writer.buffers[0].pages.erase(3);
        const std::string bytes = writer.bytes();
        // The first CPU's area begins at the second page of the file that has one.
        std::size_t area = 0;
        for (std::size_t at = 4096; at + 12 < bytes.size(); at += 4096)
            if (bytes.substr(at, 4) == number32(4) && bytes.substr(at + 8, 4) == number32(4096))
                area = at;
        REQUIRE(area > 0);
        const std::size_t all = importBytes(bytes)->sink.headers.size();
        for (const std::uint32_t size : {0U, 4092U, 8192U, 1U << 20, 0xffffffffU}) {
            std::string changed = bytes;
            changed.replace(area + 8, 4, number32(size));
            const auto import = survive(changed);
            REQUIRE(import->status);
            CHECK(import->diagnostics.count("broken_chunk") == 1);
            CHECK(import->sink.headers.size() == all - 20);
            CHECK(import->sink.losses.size() == 1);
        }
    }
}

TEST_CASE("a small file cannot ask for much memory or time") {
    // 60,000 CPUs that all claim the same bytes.
    TraceDatWriter writer = smallRecording();
    writer.version = 6;
    writer.cpus = 60'000;
    std::string bytes = writer.bytes();
    const std::size_t table = bytes.find("flyrecord") + 10;
    std::string entry;
    put64(entry, 4096);
    put64(entry, bytes.size() - 4096);
    for (std::uint32_t cpu = 0; cpu < writer.cpus; ++cpu)
        bytes.replace(table + cpu * 16U, 16, entry);
    const auto begin = std::chrono::steady_clock::now();
    const auto import = importBytes(bytes);
    CHECK(import->diagnostics.count("overlapping_data") == writer.cpus - 1);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}

TEST_CASE("hostile format texts leave the events readable by their fields") {
    for (const std::string& print :
         {std::string("\"x\\"),
          std::string(
              "__print_flags(REC->prev_state, \"|\", { 1 << 63, \"S\" }, { 1 << 64, \"D\" })"),
          std::string(100'000, '('),
          std::string("__print_flags(REC->prev_state, \"|\", { 1, \"S\" } { 2, \"D\" })"),
          std::string(1000, '\xff')}) {
        TraceDatWriter writer;
        EventShape shape = switchShape();
        shape.print(print);
        writer.events = {shape};
        writer.record(0, {{0, 10, switchRecord(shape, "a", 1, 1, "b", 2)}});
        const auto import = survive(writer.bytes());
        REQUIRE(import->sink.switches.size() == 1);
        CHECK(toString(import->sink.switches[0].prev_state) == "S");
        CHECK(import->sink.switches[0].next_comm == "b");
    }
}
