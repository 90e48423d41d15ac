// Files of big-endian machines, and the text of latency tracers in a file.
#include "importers/trace_dat/trace_dat_importer.h"
#include "tests/importers/trace_dat/import.h"

#include <doctest/doctest.h>

using namespace twolane;
using namespace twolane::tests;

namespace {

using Lines = std::vector<std::string>;

/// All events of a file with their fields.
Lines rendered(const std::string& bytes) {
    auto reader = DatEventReader::open(sourceOf(bytes), {});
    REQUIRE(reader.ok());
    Lines lines;
    for (std::uint64_t i = 0; i < (*reader)->count(); ++i) {
        const auto event = (*reader)->at(i);
        REQUIRE(event.ok());
        std::string line = fmt::format("{} {} {} {} {}", event->header.time, event->header.cpu,
                                       event->header.pid, event->name, event->task);
        for (const auto& [name, value] : event->fields)
            line += fmt::format(" {}={}", name, value);
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace

TEST_CASE("case 60: both orders of bytes give one list of events") {
    for (const int version : {6, 7})
        for (const Codec codec : {Codec::none, Codec::zlib, Codec::zstd})
            for (const std::uint32_t longSize : {4U, 8U}) {
                CAPTURE(version);
                CAPTURE(longSize);
                TraceDatWriter little = smallRecording(ByteOrder::little, longSize);
                TraceDatWriter big = smallRecording(ByteOrder::big, longSize);
                for (TraceDatWriter* writer : {&little, &big}) {
                    writer->version = version;
                    writer->codec = codec;
                }
                REQUIRE(little.bytes() != big.bytes());
                const auto left = importBytes(little.bytes());
                const auto right = importBytes(big.bytes());
                REQUIRE(left->status);
                REQUIRE(right->status);
                CHECK(left->sink.lines.size() == 300);
                CHECK(right->sink.lines == left->sink.lines);
                CHECK(right->diagnostics.empty());
                CHECK(right->info.kernel == "6.1.0-test");
                CHECK(right->info.clock == "mono");
                CHECK(rendered(big.bytes()) == rendered(little.bytes()));
            }
}

TEST_CASE("case 60: sizes of the header, of prev_state and of long, on big-endian machines") {
    for (const std::uint32_t header : {8U, 12U})
        for (const std::uint32_t state : {0U, 4U, 8U})
            for (const std::uint32_t longSize : {4U, 8U}) {
                TraceDatWriter writer;
                writer.byteOrder = ByteOrder::big;
                writer.longSize = longSize;
                const EventShape shape = switchShape(header, state).order(ByteOrder::big);
                writer.events = {shape};
                writer.record(0, {{2, 5000, switchRecord(shape, "alba", 41, 256, "cedro", 42)}});
                const auto import = importBytes(writer.bytes());
                REQUIRE(import->status);
                CHECK(import->sink.lines ==
                      Lines{fmt::format("5000 2 41 0 switch alba:41:120 {} => "
                                        "cedro:42:120",
                                        state == 0 ? "?" : "R+")});
            }
}

TEST_CASE("every kind of record in a big-endian page") {
    EventShape mark("power", "cpu_idle", 40);
    mark.integer("u32", "state", 4, false).order(ByteOrder::big);
    const std::string record = mark.record(0, {1});
    for (const std::uint32_t wordSize : {4U, 8U}) {
        PageWriter first(1000, wordSize, ByteOrder::big);
        first.event(1000, record).event(20'000'000'000, record); // needs an extend
        first.discarded(7, 24).event(20'000'000'107, record);
        first.absolute(20'000'005'000).event(20'000'005'001, record);
        first.largeEvent(20'000'005'002, record + std::string(200, '\0'));
        first.paddingToEnd();
        PageWriter second(20'000'006'000, wordSize, ByteOrder::big);
        second.event(20'000'006'000, record).missed(17);
        PageWriter third(20'000'007'000, wordSize, ByteOrder::big);
        third.event(20'000'007'000, record).missed(0);
        TraceDatWriter writer;
        writer.byteOrder = ByteOrder::big;
        writer.longSize = wordSize;
        writer.events = {mark};
        writer.buffers[0].pages = {{1, {first.bytes(), second.bytes(), third.bytes()}}};
        const auto import = importBytes(writer.bytes());
        REQUIRE(import->status);
        std::vector<Nanos> times;
        for (const EventHeader& header : import->sink.headers)
            times.push_back(header.time);
        CHECK(times == std::vector<Nanos>{1000, 20'000'000'000, 20'000'000'107, 20'000'005'001,
                                          20'000'005'002, 20'000'006'000, 20'000'007'000});
        REQUIRE(import->sink.losses.size() == 2);
        CHECK(import->sink.losses[0].count == 17);
        CHECK(import->sink.losses[1].count == -1);
        CHECK(import->diagnostics.empty());
    }
}

TEST_CASE("binary options of big-endian machines") {
    // TSC2NSEC: multiplier 3, shift 1, offset 0.
    std::string scale;
    put32(scale, 3, ByteOrder::big);
    put32(scale, 1, ByteOrder::big);
    put64(scale, 0, ByteOrder::big);
    TraceDatWriter writer;
    writer.byteOrder = ByteOrder::big;
    writer.clocks = "local [x86-tsc]";
    writer.buffers[0].clock = "x86-tsc";
    writer.options = {{14, scale}};
    const EventShape shape = switchShape().order(ByteOrder::big);
    writer.events = {shape};
    writer.record(0, {{0, 5000, switchRecord(shape, "alba", 41, 1, "cedro", 42)}});
    const auto import = importBytes(writer.bytes());
    REQUIRE(import->status);
    CHECK(import->sink.headers.at(0).time == 7500);
    CHECK(import->info.cpuCount == 4);
}

TEST_CASE("a big-endian file of version 7 that is cut short") {
    TraceDatWriter writer = smallRecording(ByteOrder::big);
    writer.codec = Codec::none;
    const std::string bytes = writer.bytes();
    TraceDatWriter other = smallRecording(ByteOrder::little);
    other.codec = Codec::none;
    const std::string same = other.bytes();
    REQUIRE(same.size() == bytes.size());
    for (std::size_t size = 0; size < bytes.size(); size += 97) {
        const auto left = importBytes(same.substr(0, size));
        const auto right = importBytes(bytes.substr(0, size));
        CHECK(left->status.ok() == right->status.ok());
        CHECK(left->sink.lines == right->sink.lines);
    }
}
