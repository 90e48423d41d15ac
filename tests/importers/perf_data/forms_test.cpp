// One recording in all the forms that perf writes, and files that are damaged. Tests that answer a
// known fault carry the number of its case.
#include "importers/load.h"
#include "tests/importers/perf_data/import.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace twolane;
using namespace twolane::tests;

namespace {

/// A record's bytes, with another size in its header.
std::string withSize(std::string bytes, std::size_t place, std::uint16_t size) {
    bytes[place + 6] = static_cast<char>(size & 0xff);
    bytes[place + 7] = static_cast<char>(size >> 8);
    return bytes;
}

/// Where the data section begins.
std::size_t dataOf(const std::string& file) {
    return static_cast<std::size_t>(loadNumber<std::uint64_t>(
        reinterpret_cast<const std::byte*>(file.data()) + 40, ByteOrder::little));
}

} // namespace

TEST_CASE("what the small recording holds, worked out by hand") {
    const auto import = importBytes(smallPerfRecording().file());
    REQUIRE(import->status);
    CHECK(import->sink.lines.size() == 100);
    // CPU 0 before CPU 1, 7 ns later; the file has them the other way round.
    CHECK(import->sink.lines[0] == "1000000 0 0 0 waking alba:101:120 on 0");
    CHECK(import->sink.lines[1] == "1000007 1 0 1 waking cedro:102:120 on 1");
    CHECK(import->sink.lines[2] == "1001000 0 0 2 switch swapper:0:120 R => alba:101:120");
    CHECK(import->sink.lines[6] == "1003000 0 101 6 switch alba:101:120 S => swapper:0:120");
    CHECK(import->sink.lines[99] == "1409007 1 0 99 switch swapper:0:120 R => cedro:102:120");
    CHECK(import->info.host == "lab");
    CHECK(import->info.kernel == "6.1.0-test");
    CHECK(import->info.cpuCount == 4);
    CHECK(import->info.clock == "mono");
    CHECK(import->info.resolution == 1);
    REQUIRE(import->info.events.size() == 2);
    CHECK(import->info.events[0].event == "sched_switch");
    CHECK(import->info.events[0].count == 50);
    CHECK(import->info.events[1].count == 50);
    CHECK(import->diagnostics.all().empty());
}

TEST_CASE("case 34: file, pipe, compressed, and the other byte order: one list of events") {
    const PerfDataWriter writer = smallPerfRecording();
    const auto plain = importBytes(writer.file());
    REQUIRE(plain->status);
    for (const std::string& bytes :
         {writer.pipe(), writer.compressed(), writer.compressed(1), writer.compressed(60'000),
          writer.compressed2(), writer.compressed2(3), writer.compressed2(500, true),
          smallPerfRecording(ByteOrder::big).file(), smallPerfRecording(ByteOrder::big).pipe(),
          smallPerfRecording(ByteOrder::big).compressed2(64)}) {
        const auto other = importBytes(bytes);
        REQUIRE(other->status);
        CHECK(other->sink.lines == plain->sink.lines);
        CHECK(other->info.host == "lab");
        CHECK(other->info.cpuCount == 4);
        CHECK(other->info.clock == "mono");
        CHECK(other->diagnostics.all().empty());
    }
    CHECK(importBytes(writer.pipe())->info.formatDetail == "pipe");
    CHECK(importBytes(writer.compressed())->info.formatDetail == "file, zstd");
}

TEST_CASE("a directory: a head, and a file of records for each of the recorder's threads") {
    PerfDataWriter writer = smallPerfRecording();
    const auto plain = importBytes(writer.file());
    const std::string records = writer.records;
    writer.directory = true;
    // Cut at the end of a round.
    std::size_t middle = 0;
    while (middle < records.size() / 2 || records.compare(middle, 4, std::string("\x44\0\0\0", 4)))
        middle += loadNumber<std::uint16_t>(
            reinterpret_cast<const std::byte*>(records.data()) + middle + 6, ByteOrder::little);
    writer.records = records.substr(0, 24); // a name from before
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("perf_data_test." + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const auto write = [&](const char* name, const std::string& bytes) {
        std::ofstream(folder / name, std::ios::binary) << bytes;
    };
    write("data", writer.file());
    const auto missing = load(folder, {});
    CHECK(!missing);
    write("data.0", records.substr(0, middle));
    write("data.1", records.substr(middle));
    const auto trace = load(folder, {});
    REQUIRE(trace);
    CHECK((*trace)->eventCount == plain->sink.headers.size());
    CHECK((*trace)->info.formatDetail == "directory");
    CHECK((*trace)->info.file == folder.string());
    const auto reader = openEvents(folder, {});
    REQUIRE(reader);
    const auto last = (*reader)->at(99);
    REQUIRE(last);
    CHECK(last->header.time == 1'409'007);
    std::filesystem::remove_all(folder);
}

TEST_CASE("case 34: events of several layouts, chosen by id") {
    PerfDataWriter writer = smallPerfRecording();
    const auto plain = importBytes(writer.file());
    // The same switches with counts and a call chain in between; cycles beside them.
    PerfDataWriter mixed = smallPerfRecording();
    mixed.records.clear();
    mixed.events[0].sampleType |= perfSampleRead | perfSampleCallchain;
    mixed.events[0].readFormat =
        perfReadGroup | perfReadId | perfReadLost | perfReadEnabled | perfReadRunning;
    PerfEventShape cycles;
    cycles.type = 0;
    cycles.sampleType =
        perfSampleIdentifier | perfSampleIp | perfSampleTid | perfSampleTime | perfSampleCpu;
    cycles.ids = {99};
    cycles.name = "cycles";
    mixed.events.push_back(cycles);
    const EventShape& switches = mixed.formats[0];
    std::string counts;
    put64(counts, 2, mixed.order); // a group of two: times, then value, id, lost of each
    for (const std::uint64_t value : {900, 901, 1, 11, 0, 2, 0x7fffffff, 5})
        put64(counts, value, mixed.order);
    std::string chain;
    put64(chain, 3, mixed.order);
    for (const std::uint64_t frame : {1, 2, 3})
        put64(chain, frame, mixed.order);
    mixed.sample(0, {1'001'000, 0, 0}, switchRecord(switches, "swapper", 0, 0, "alba", 101), counts,
                 chain);
    mixed.sample(2, {1'002'000, 0, 101}, {});
    mixed.sample(1, {1'002'500, 1, 0}, mixed.formats[1].record(0, {"cedro", 102, 120, 1}));
    mixed.sample(0, {1'003'000, 0, 101}, switchRecord(switches, "alba", 101, 1, "swapper", 0),
                 counts, chain);
    const auto import = importBytes(mixed.file());
    REQUIRE(import->status);
    CHECK(import->sink.lines ==
          std::vector<std::string>{"1001000 0 0 0 switch swapper:0:120 R => alba:101:120",
                                   "1002000 0 101 1 other",
                                   "1002500 1 0 2 waking cedro:102:120 on 1",
                                   "1003000 0 101 3 switch alba:101:120 S => swapper:0:120"});
    REQUIRE(import->info.events.size() == 3);
    CHECK(import->info.events[0].event == "cycles");
    // A file newer than any that is known.
    for (PerfEventShape& event : writer.events)
        event.attrSize = 144;
    CHECK(importBytes(writer.file())->sink.lines == plain->sink.lines);
    CHECK(importBytes(writer.pipe())->sink.lines == plain->sink.lines);
    // And one of the oldest.
    for (PerfEventShape& event : writer.events) {
        event.attrSize = 64;
        event.clock.reset();
    }
    CHECK(importBytes(writer.file())->sink.lines == plain->sink.lines);
}

TEST_CASE("ids where samples tell none but ID, and where there is one event without any") {
    PerfDataWriter writer = smallPerfRecording();
    const auto plain = importBytes(writer.file());
    PerfDataWriter byId = smallPerfRecording();
    byId.records.clear();
    for (PerfEventShape& event : byId.events)
        event.sampleType = (event.sampleType & ~perfSampleIdentifier) | perfSampleId;
    const std::string waking = byId.formats[1].record(0, {"alba", 101, 120, 0});
    byId.sample(1, {1'000'000, 0, 0}, waking);
    byId.sample(0, {1'001'000, 0, 0}, switchRecord(byId.formats[0], "swapper", 0, 0, "alba", 101));
    auto import = importBytes(byId.file());
    CHECK(import->sink.lines == std::vector<std::string>{plain->sink.lines[0],
                                                         "1001000 0 0 1 switch swapper:0:120 R => "
                                                         "alba:101:120"});
    byId.records.clear();
    byId.events.resize(1);
    byId.events[0].sampleType &= ~perfSampleId;
    byId.events[0].ids.clear();
    byId.sample(0, {1'001'000, 0, 0}, switchRecord(byId.formats[0], "swapper", 0, 0, "alba", 101));
    import = importBytes(byId.file());
    CHECK(import->sink.lines.size() == 1);
    CHECK(import->sink.switches.size() == 1);
}

TEST_CASE("records out of order on one CPU are sorted, equal ones stay as they are") {
    PerfDataWriter writer = smallPerfRecording();
    writer.records.clear();
    const EventShape& waking = writer.formats[1];
    writer.sample(1, {500, 0, 0}, waking.record(0, {"c", 3, 120, 0}));
    writer.sample(1, {100, 0, 0}, waking.record(0, {"a", 1, 120, 0}));
    writer.sample(1, {500, 0, 0}, waking.record(0, {"d", 4, 120, 0}));
    writer.sample(1, {200, 0, 0}, waking.record(0, {"b", 2, 120, 0}));
    const auto import = importBytes(writer.file());
    CHECK(import->sink.lines == std::vector<std::string>{"100 0 0 0 waking a:1:120 on 0",
                                                         "200 0 0 1 waking b:2:120 on 0",
                                                         "500 0 0 2 waking c:3:120 on 0",
                                                         "500 0 0 3 waking d:4:120 on 0"});
    CHECK(import->diagnostics.count("late_events") == 2);
}

TEST_CASE("losses are gaps on their CPU; counts at the end hold them too") {
    PerfDataWriter writer = smallPerfRecording();
    writer.records.clear();
    const EventShape& waking = writer.formats[1];
    const auto wake = [&](std::uint64_t time, std::int32_t cpu) {
        writer.sample(1, {time, cpu, 0}, waking.record(0, {"a", 1, 120, cpu}));
    };
    writer.lost({90, 1, 0}, 4); // nothing was known of that CPU yet
    wake(100, 0);
    wake(150, 1);
    writer.lost({210, 0, 0}, 7); // stamped later than the event behind it
    writer.lost({211, 0, 0}, 1);
    wake(205, 0);
    wake(300, 1);
    writer.lost({400, 1, 0}, 2); // nothing follows
    writer.lostSamples(10);
    writer.lostSamples(30);
    writer.lostSamples(1000, perfMiscLostSamplesBpf); // a filter of the user's
    const auto import = importBytes(writer.file());
    CHECK(import->sink.lines ==
          std::vector<std::string>{"100 0 0 0 waking a:1:120 on 0", "100..205 0 lost 8",
                                   "150..150 1 lost 4", "150 1 0 1 waking a:1:120 on 1",
                                   "205 0 0 2 waking a:1:120 on 0", "300 1 0 3 waking a:1:120 on 1",
                                   "300..301 1 lost 2"});
    CHECK(import->info.lostElsewhere == 40 - 14);
    CHECK(import->diagnostics.count("lost_samples") == 26);
}

TEST_CASE("records of tasks: those without a stamp are from before") {
    PerfDataWriter writer = smallPerfRecording();
    const EventShape& switches = writer.formats[0];
    writer.records.clear();
    writer.comm({}, 201, "before");
    writer.fork({}, 201, 1);
    writer.comm({10, 0, 201}, 201, "early"); // ahead of every sample
    writer.sample(0, {100, 0, 0}, switchRecord(switches, "swapper", 0, 0, "olmo", 201));
    writer.fork({110, 0, 201}, 202, 201);
    writer.comm({120, 0, 201}, 201, "renamed");
    writer.exit({130, 0, 201}, 201);
    writer.sample(0, {140, 0, 201}, switchRecord(switches, "renamed", 201, 16, "swapper", 0));
    const auto import = importBytes(writer.file());
    CHECK(import->sink.lines ==
          std::vector<std::string>{
              "10 0 201 0 other", "100 0 0 1 switch swapper:0:120 R => olmo:201:120",
              "110 0 201 2 fork :201 => early:202", "120 0 201 3 rename 201  => renamed",
              "130 0 201 4 exit :201:0", "140 0 201 5 switch renamed:201:120 X => swapper:0:120"});
    CHECK(import->sink.headers[2].sideBand);
    CHECK(!import->sink.headers[1].sideBand);
}

TEST_CASE("case 63: switch records alone, and beside sched_switch") {
    PerfDataWriter writer = smallPerfRecording();
    writer.records.clear();
    writer.comm({}, 4101, "alba");
    writer.comm({}, 4103, "cedro");
    writer.taskSwitch({600'000'000'000, 1, 4101}, true, true, 4103);
    writer.taskSwitch({600'000'002'000, 1, 4103}, false, false, 4101);
    writer.taskSwitch({600'000'009'000, 1, 4103}, true, false, -1);
    CHECK(importBytes(writer.file())->sink.lines ==
          std::vector<std::string>{"600000000000 1 4101 0 record alba:4101 out preempted 4103",
                                   "600000002000 1 4103 1 record cedro:4103 in 4101",
                                   "600000009000 1 4103 2 record cedro:4103 out -1"});
    writer.sample(0, {600'000'001'000, 1, 4101},
                  switchRecord(writer.formats[0], "alba", 4101, 0, "cedro", 4103));
    const auto both = importBytes(writer.file());
    CHECK(both->sink.switches.size() == 1);
    CHECK(std::count_if(both->sink.lines.begin(), both->sink.lines.end(),
                        [](const auto& line) { return line.ends_with("other"); }) == 3);
    CHECK(both->diagnostics.count("switch_records_unused") == 3);
}

TEST_CASE("case 33: killed, cut off, and records of no length") {
    const PerfDataWriter writer = smallPerfRecording();
    const auto whole = importBytes(writer.file());

    for (const std::string& bytes :
         {std::string(), std::string("\n"), std::string("PERFILE2"), writer.file().substr(0, 60)}) {
        const auto import = importBytes(bytes);
        CHECK(!import->status);
        CHECK(import->sink.lines.empty());
    }

    // The recorder writes the size, and all that stands behind the records, when it ends.
    std::string killed = writer.file();
    const std::size_t data = dataOf(killed);
    killed.replace(48, 8, std::string(8, '\0'));
    killed.resize(data + writer.records.size());
    auto import = importBytes(killed);
    REQUIRE(import->status);
    CHECK(import->sink.lines.size() == 100);
    CHECK(import->sink.switches.empty()); // the formats are not there
    CHECK(import->diagnostics.count("recorder_killed") == 1);
    CHECK(import->diagnostics.count("no_formats") == 100);

    // In a pipe they come first.
    std::string cut = writer.pipe();
    cut.resize(cut.size() - writer.records.size() / 2 - 3);
    import = importBytes(cut);
    REQUIRE(import->status);
    CHECK(import->sink.lines.size() > 40);
    CHECK(import->sink.lines.size() < 60);
    for (std::size_t i = 0; i < 10; ++i)
        CHECK(import->sink.lines[i] == whole->sink.lines[i]);
    REQUIRE(import->diagnostics.count("cut_off") == 1);

    std::string still = writer.pipe();
    const std::size_t at = still.size() - writer.records.size() / 2;
    // Of the record that lies there.
    std::size_t place = still.size() - writer.records.size();
    while (place < at)
        place += loadNumber<std::uint16_t>(
            reinterpret_cast<const std::byte*>(still.data()) + place + 6, ByteOrder::little);
    for (const std::uint16_t size : {std::uint16_t{0}, std::uint16_t{7}}) {
        import = importBytes(withSize(still, place, size));
        REQUIRE(import->status);
        CHECK(import->sink.lines.size() > 40);
        CHECK(import->diagnostics.count("cut_off") == 1);
        CHECK(import->diagnostics.all().front().first == "byte " + std::to_string(place));
    }
}

TEST_CASE("unknown records are passed over, and what follows AUXTRACE is none") {
    PerfDataWriter writer = smallPerfRecording();
    const auto plain = importBytes(writer.file());
    const std::string records = writer.records;
    writer.records.clear();
    writer.add(static_cast<PerfType>(1000), "whatever it is: 24 bytes");
    std::string aux;
    put64(aux, 64, writer.order);
    aux.resize(40);
    writer.add(PerfType::auxtrace, aux);
    writer.records += std::string(64, '\xff');
    writer.records += records;
    CHECK(importBytes(writer.file())->sink.lines == plain->sink.lines);
    CHECK(importBytes(writer.pipe())->sink.lines == plain->sink.lines);
}

TEST_CASE("samples that tell too little are counted") {
    PerfDataWriter writer = smallPerfRecording();
    writer.records.clear();
    const std::string waking = writer.formats[1].record(0, {"a", 1, 120, 0});
    writer.events[0].sampleType &= ~perfSampleCpu;
    writer.sample(0, {100, 0, 0}, waking);
    writer.events[1].ids = {500};
    writer.sample(1, {100, 0, 0}, waking);
    const std::string file = writer.file();
    auto import = importBytes(file);
    CHECK(import->diagnostics.count("no_cpu") == 1);
    CHECK(import->sink.lines.size() == 1);
    // An id that no event has.
    std::string other = file;
    const auto id = other.find(std::string("\xf4\x01\0\0\0\0\0\0", 8), dataOf(file));
    REQUIRE(id != std::string::npos);
    other[id] = '\x77';
    import = importBytes(other);
    CHECK(import->diagnostics.count("unknown_event") == 1);
    CHECK(import->sink.lines.empty());
}

TEST_CASE("case 62: lengths and counts of damaged files allocate nothing") {
    const std::string file = smallPerfRecording().file();
    // Every word of 4 bytes in turn becomes far too large; the header and the attrs among them.
    for (std::size_t at = 8; at + 4 <= file.size(); at += 4) {
        std::string bytes = file;
        bytes.replace(at, 4, "\xfe\xff\xff\x7f");
        const auto import = importBytes(bytes);
        CHECK(import->sink.lines.size() <= 101);
    }
}

TEST_CASE("single events are read again with their own fields") {
    PerfDataWriter writer = smallPerfRecording();
    writer.taskSwitch({1'000'500, 0, 0}, true, true, 101);
    for (const std::string& bytes : {writer.file(), writer.pipe(), writer.compressed()}) {
        auto reader = PerfEventReader::open(sourceOf(bytes));
        REQUIRE(reader);
        REQUIRE((*reader)->count() == 101);
        auto event = (*reader)->at(3);
        REQUIRE(event);
        CHECK(event->name == "sched_switch");
        CHECK(event->header.time == 1'001'000);
        CHECK(event->task == "<idle>");
        REQUIRE(event->fields.size() == 7);
        CHECK(event->fields[4] == std::pair<std::string, std::string>("next_comm", "alba"));
        CHECK(event->fields[5] == std::pair<std::string, std::string>("next_pid", "101"));
        event = (*reader)->at(2);
        REQUIRE(event);
        CHECK(event->name == "PERF_RECORD_SWITCH_CPU_WIDE");
        CHECK(event->fields.back() ==
              std::pair<std::string, std::string>("direction", "out, preempted"));
        event = (*reader)->at(7);
        REQUIRE(event);
        CHECK(event->task == "alba");
        CHECK(!(*reader)->at(101));
    }
}
