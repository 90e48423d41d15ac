// The text of latency tracers in files of trace-cmd.
#include "importers/trace_dat/trace_dat_importer.h"
#include "tests/importers/trace_dat/import.h"

#include <doctest/doctest.h>

using namespace twolane;
using namespace twolane::tests;

namespace {

using Lines = std::vector<std::string>;

const std::string tracerText =
    "# tracer: wakeup\n#\n# wakeup latency trace v1.1.5 on 3.2.0-test\n"
    "# latency: 15 us, #2/2, CPU#3 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:4)\n"
    "  <idle>-0       3d.h4    1us+:      0:120:R   + [003]    2448: 94:S alba\n"
    "  <idle>-0       3d..3   15us :      0:120:R ==> [003]    2448: 94:R alba\n";

std::string fileOf(ByteOrder order, int version, Codec codec) {
    TraceDatWriter writer = smallRecording(order);
    writer.version = version;
    writer.codec = codec;
    writer.latencyText = tracerText;
    return writer.bytes();
}

std::uint64_t countOfEvents(const std::string& bytes) {
    auto reader = DatEventReader::open(sourceOf(bytes), {});
    REQUIRE(reader.ok());
    return (*reader)->count();
}

} // namespace

TEST_CASE("the text of a latency tracer in a file of either version") {
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
        for (const auto& [version, codec] :
             {std::pair{6, Codec::none}, std::pair{7, Codec::none}, std::pair{7, Codec::zlib},
              std::pair{7, Codec::zstd}}) {
            const std::string bytes = fileOf(order, version, codec);
            const auto import = importBytes(bytes);
            REQUIRE_MESSAGE(import->status, import->status.error().message());
            CHECK(import->sink.lines == Lines{"1000 3 0 0 wakeup alba:2448:94 on 3",
                                              "15000 3 0 1 switch :0:120 R => alba:2448:94"});
            CHECK(import->info.formatDetail ==
                  fmt::format("version {}, text: trace, option latency-format, sched_switch tracer",
                              version));
            CHECK(import->info.kernel == "3.2.0-test");
            CHECK(import->info.host == "host");
            CHECK(import->info.cpuCount == 4);
            CHECK(countOfEvents(bytes) == 2);
        }
}

TEST_CASE("such files that are cut short or damaged keep what is whole") {
    for (const auto& [version, codec] :
         {std::pair{6, Codec::none}, std::pair{7, Codec::zlib}, std::pair{7, Codec::zstd}}) {
        const std::string bytes = fileOf(ByteOrder::little, version, codec);
        for (std::size_t size = 0; size < bytes.size(); size += 13) {
            const auto import = importBytes(bytes.substr(0, size));
            if (!import->status)
                CHECK_FALSE(import->status.error().remedy.empty());
            CHECK(import->sink.lines.size() <= 2);
        }
    }
    // Some of the damages hit a chunk, and the text before it is kept.
    const std::string whole = fileOf(ByteOrder::little, 7, Codec::zlib);
    std::size_t keptInPart = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(~bytes[at]);
        const auto import = importBytes(bytes);
        keptInPart += import->status && import->diagnostics.count("truncated") == 1 &&
                      import->info.kernel == "3.2.0-test";
    }
    CHECK(keptInPart > 0);
}
