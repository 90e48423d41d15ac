// Versions, codecs, buffers, options.
#include "importers/trace_dat/trace_dat_importer.h"
#include "tests/importers/trace_dat/import.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

using namespace twolane;
using namespace twolane::tests;

namespace {

std::string option64(std::uint64_t value) {
    std::string data;
    put64(data, value);
    return data;
}

TraceDatWriter oneEvent(std::uint64_t time) {
    TraceDatWriter writer;
    const EventShape shape = switchShape();
    writer.events = {shape};
    writer.record(0, {{0, time, switchRecord(shape, "a", 1, 1, "b", 2)}});
    return writer;
}

/// A file on disk that goes away again.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& bytes)
        : m_path(std::filesystem::temp_directory_path() /
                 fmt::format("twolane-test-{}.dat",
                             std::hash<std::thread::id>{}(std::this_thread::get_id()) ^
                                 static_cast<std::size_t>(getpid()))) {
        std::ofstream(m_path, std::ios::binary) << bytes;
    }
    ~TemporaryFile() { std::filesystem::remove(m_path); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace

TEST_CASE("one recording as version 6 and as version 7 with each codec gives one list of events") {
    TraceDatWriter writer = smallRecording();
    writer.version = 6;
    const auto six = importBytes(writer.bytes());
    REQUIRE(six->status);
    CHECK(six->sink.headers.size() == 300);
    CHECK(six->info.formatDetail == "version 6");
    CHECK(six->diagnostics.empty());
    writer.version = 7;
    for (const auto& [codec, name] :
         {std::pair{Codec::none, "none"}, std::pair{Codec::zlib, "zlib"},
          std::pair{Codec::zstd, "zstd"}}) {
        writer.codec = codec;
        const auto seven = importBytes(writer.bytes());
        REQUIRE(seven->status);
        CHECK(seven->sink.lines == six->sink.lines);
        CHECK(seven->info.formatDetail == fmt::format("version 7, {}", name));
        CHECK(seven->info.events.size() == six->info.events.size());
        CHECK(seven->diagnostics.empty());
    }
    for (const int version : {6, 7}) {
        writer.version = version;
        writer.options = {{900, "twelve bytes"}};
        const auto more = importBytes(writer.bytes());
        REQUIRE(more->status);
        CHECK(more->sink.lines == six->sink.lines);
        const Oddity* note = more->diagnostics.find("unknown_option");
        REQUIRE(note);
        CHECK(note->severity == Severity::info);
        CHECK(note->what == "option 900 skipped");
    }
}

TEST_CASE("what the file tells of the machine") {
    for (const int version : {6, 7}) {
        TraceDatWriter writer = smallRecording();
        writer.version = version;
        writer.uname = "Linux lab-6-1 6.1.0-57-cloud-amd64 x86_64";
        const auto import = importBytes(writer.bytes());
        REQUIRE(import->status);
        CHECK(import->info.host == "lab-6-1");
        CHECK(import->info.kernel == "6.1.0-57-cloud-amd64");
        CHECK(import->info.clock == "mono");
        CHECK(import->info.resolution == 1);
        CHECK(import->info.stampsAreNanoseconds);
        CHECK(import->info.cpuCount == 4);
        CHECK(import->info.buffer.empty());
    }
}

TEST_CASE("clocks that do not count nanoseconds are said to be so") {
    for (const char* clock : {"counter", "uptime", "x86-tsc", "ppc-tb"}) {
        TraceDatWriter writer = oneEvent(1000);
        writer.buffers[0].clock = clock;
        const auto import = importBytes(writer.bytes());
        CHECK(import->info.clock == clock);
        CHECK_FALSE(import->info.stampsAreNanoseconds);
        CHECK(import->sink.headers.at(0).time == 1000);
    }
}

TEST_CASE("the TSC is scaled in 128 bits where the file tells how") {
    TraceDatWriter writer = oneEvent(9'000'000'000'000'000'000);
    writer.buffers[0].clock = "x86-tsc";
    std::string scale;
    put32(scale, 1'500'000'000);
    put32(scale, 32);
    put64(scale, 0);
    writer.options = {{14, scale}};
    const auto import = importBytes(writer.bytes());
    CHECK(import->info.stampsAreNanoseconds);
    CHECK(import->sink.headers.at(0).time == 3'143'213'689'327'239'990);
}

TEST_CASE("DATE and OFFSET move all stamps") {
    for (const int version : {6, 7}) {
        TraceDatWriter writer = oneEvent(5'000'000);
        writer.version = version;
        writer.options = {{1, std::string("0x10\0", 5)}};
        CHECK(importBytes(writer.bytes())->sink.headers.at(0).time == 5'016'000);
        writer.options.emplace_back(7, std::string("-1000\0", 6));
        CHECK(importBytes(writer.bytes())->sink.headers.at(0).time == 5'015'000);
        writer.options = {{7, "none"}};
        const auto bad = importBytes(writer.bytes());
        CHECK(bad->sink.headers.at(0).time == 5'000'000);
        CHECK(bad->diagnostics.count("bad_option") == 1);
    }
}

TEST_CASE("an option 8 that is no number of CPUs is ignored") {
    for (const int version : {6, 7}) {
        TraceDatWriter writer = smallRecording();
        writer.version = version;
        writer.options = {{8, std::string(1047, '4')},
                          {8, ""},
                          {8, std::string(4, '\xff')},
                          {8, std::string(4, '\0')}};
        const auto import = importBytes(writer.bytes());
        REQUIRE(import->status);
        CHECK(import->sink.headers.size() == 300);
        CHECK(import->diagnostics.count("bad_option") == 4);
    }
}

TEST_CASE("several buffers: the one with scheduler events, or the one asked for") {
    for (const int version : {6, 7}) {
        TraceDatWriter writer;
        writer.version = version;
        const EventShape switches = switchShape();
        EventShape idle("power", "cpu_idle", 40);
        idle.integer("u32", "state", 4, false);
        writer.events = {switches, idle};
        writer.buffers = {{"", "local", {}}, {"irqs", "boot", {}}, {"sched", "mono", {}}};
        writer.record(1, {{0, 10, idle.record(0, {1})}});
        writer.record(
            2, {{1, 20, switchRecord(switches, "a", 1, 1, "b", 2)}, {1, 30, idle.record(0, {1})}});
        const std::string bytes = writer.bytes();

        const auto best = importBytes(bytes);
        REQUIRE(best->status);
        CHECK(best->info.buffer == "sched");
        CHECK(best->sink.headers.size() == 2);
        LoadOptions options;
        options.buffer = "irqs";
        const auto asked = importBytes(bytes, options);
        REQUIRE(asked->status);
        CHECK(asked->info.buffer == "irqs");
        CHECK(asked->sink.lines == std::vector<std::string>{"10 0 0 0 other"});
        if (version == 7) {
            CHECK(best->info.clock == "mono");
            CHECK(asked->info.clock == "boot");
        }
        options.buffer = "";
        const auto top = importBytes(bytes, options);
        REQUIRE(top->status);
        CHECK(top->sink.lines.empty());
        options.buffer = "none such";
        const auto error = importBytes(bytes, options);
        REQUIRE_FALSE(error->status);
        CHECK(error->status.error().remedy == "its buffers are '', 'irqs', 'sched'");

        const TemporaryFile file(bytes);
        const auto buffers = TraceDatImporter().buffers(file.path());
        REQUIRE(buffers);
        REQUIRE(buffers->size() == 3);
        CHECK((*buffers)[0].name.empty());
        CHECK((*buffers)[0].bytes == 0);
        CHECK_FALSE((*buffers)[1].hasSchedulerEvents);
        CHECK((*buffers)[2].name == "sched");
        CHECK((*buffers)[2].hasSchedulerEvents);
    }
}

TEST_CASE("losses that no page tells are told from the statistics, once") {
    const auto withStatistics = [](std::uint64_t told, const std::string& statistics) {
        TraceDatWriter writer;
        const EventShape shape = switchShape();
        writer.events = {shape};
        PageWriter first(10);
        first.event(10, switchRecord(shape, "a", 1, 1, "b", 2));
        PageWriter second(20);
        second.missed(told).event(20, switchRecord(shape, "b", 2, 1, "a", 1));
        writer.buffers[0].pages[3] = {first.bytes(), second.bytes()};
        writer.options = {{2, "CPU: 0\nentries: 0\noverrun: 0\ndropped events: 0\n"},
                          {2, statistics}};
        return importBytes(writer.bytes());
    };
    const std::string overrun =
        "CPU: 3\nentries: 0\noverrun: 82\ncommit overrun: 0\ndropped events: 3\n";
    const auto all = withStatistics(85, overrun);
    CHECK(all->diagnostics.count("lost_events") == 0);
    const auto some = withStatistics(80, overrun);
    CHECK(some->diagnostics.count("lost_events") == 5);
    CHECK(some->diagnostics.find("lost_events")->first == "CPU 3");
    CHECK(some->info.lostElsewhere == 5);
    CHECK(withStatistics(0, overrun)->diagnostics.count("lost_events") == 0); // not told how many
    CHECK(withStatistics(1, "\nBuffer: other\n\n")->diagnostics.empty());
}

TEST_CASE("what cannot be read is refused with place and remedy") {
    const auto errorOf = [](const std::string& bytes) {
        const auto import = importBytes(bytes);
        REQUIRE_FALSE(import->status);
        CHECK_FALSE(import->status.error().what.empty());
        CHECK_FALSE(import->status.error().remedy.empty());
        return import->status.error();
    };
    std::string bytes = smallRecording().bytes();
    std::string bigEndian = bytes;
    bigEndian[12] = 1;
    CHECK(errorOf(bigEndian).where.find("byte") != std::string::npos); // its numbers are not
    std::string version = bytes;
    version[10] = '8';
    CHECK(errorOf(version).what == "is of trace.dat version '8', which is not known");
    std::string codec = bytes;
    codec.replace(18, 4, "lzma");
    const Error error = errorOf(codec);
    CHECK(error.what == "is compressed with 'lzma', which is not known");
    CHECK(error.where == "byte 18");
    std::string page = bytes;
    page.replace(14, 4, std::string("\xff\xff\xff\xff"));
    errorOf(page);
    errorOf("");
    errorOf("\x17\x08\x44");
    errorOf("no trace at all");
}

TEST_CASE("a stop request ends the load as an interruption; progress counts the buffer's bytes") {
    const std::string bytes = smallRecording().bytes();
    Import import;
    std::stop_source stop;
    stop.request_stop();
    ImportContext context{import.sink, import.info, import.diagnostics, stop.get_token(), {}};
    const Status status = readTraceDat(*sourceOf(bytes), {}, context);
    REQUIRE_FALSE(status);
    CHECK(status.error().interrupted);

    std::uint64_t done = 0;
    std::uint64_t total = 0;
    ImportContext again{
        import.sink, import.info, import.diagnostics, {}, [&](std::uint64_t d, std::uint64_t t) {
            done = d;
            total = t;
        }};
    REQUIRE(readTraceDat(*sourceOf(bytes), {}, again));
    CHECK(done == total);
    CHECK(total > 0);
}

TEST_CASE("the importer recognises its files and names them in errors") {
    const TraceDatImporter importer;
    const std::string bytes = smallRecording().bytes();
    SourceProbe probe;
    probe.head = std::as_bytes(std::span(bytes));
    CHECK(importer.sniff(probe) == Confidence::certain);
    probe.head = probe.head.subspan(0, 9);
    CHECK(importer.sniff(probe) == Confidence::none);
    CHECK(importer.format().name == "trace.dat");

    const TemporaryFile file(bytes.substr(0, 100));
    Import import;
    ImportContext context{import.sink, import.info, import.diagnostics, {}, {}};
    const Status status = importer.read(file.path(), {}, context);
    REQUIRE_FALSE(status);
    CHECK(status.error().file == file.path().string());
    CHECK_FALSE(importer.openEvents(file.path(), {}));
    CHECK_FALSE(importer.buffers("/nowhere/at/all.dat"));
}

TEST_CASE("a file that is cut short while it is read ends as a truncated one") {
    TraceDatWriter writer = smallRecording();
    writer.codec = Codec::none;
    const std::string bytes = writer.bytes();
    const TemporaryFile file(bytes);
    auto source = FileSource::open(file.path());
    REQUIRE(source);
    std::filesystem::resize_file(file.path(), bytes.size() - 3 * 4096 - 1000);
    Import import;
    ImportContext context{import.sink, import.info, import.diagnostics, {}, {}};
    // The options at the end are gone.
    CHECK_FALSE(readTraceDat(**source, {}, context));

    writer.version = 6;
    const std::string older = writer.bytes();
    const TemporaryFile again(older);
    auto second = FileSource::open(again.path());
    std::filesystem::resize_file(again.path(), older.size() - 4096);
    Import six;
    ImportContext sixth{six.sink, six.info, six.diagnostics, {}, {}};
    REQUIRE(readTraceDat(**second, {}, sixth));
    CHECK(six.sink.headers.size() > 200);
    CHECK(six.sink.headers.size() < 300);
    CHECK(six.diagnostics.count("truncated") == 1);
}

TEST_CASE("sections and options that lead in circles end") {
    TraceDatWriter writer = smallRecording();
    std::string bytes = writer.bytes();
    // The last DONE option leads to the first section of options, whose place is in the header.
    bytes.replace(bytes.size() - 8, 8, bytes.substr(25, 8));
    const auto import = importBytes(bytes);
    REQUIRE(import->status);
    CHECK(import->sink.headers.size() == 300);
    CHECK(import->diagnostics.count("option_loop") == 1);
    bytes.replace(bytes.size() - 8, 8, option64(UINT64_MAX));
    CHECK(importBytes(bytes)->sink.headers.size() == 300);
    bytes.replace(bytes.size() - 8, 8, option64(25));
    CHECK(importBytes(bytes)->sink.headers.size() == 300);
}
