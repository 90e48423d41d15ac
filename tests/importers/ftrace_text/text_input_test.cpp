// What comes in beside good lines: foreign lines, cut files, buffers, clocks, other dresses.
#include "tests/importers/ftrace_text/text_support.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

using namespace twolane;
using namespace twolane::tests;

namespace {

const std::string goodSwitch = "            alba-4101    [000] d..2.    12.000100: sched_switch: "
                               "prev_comm=alba prev_pid=4101 prev_prio=120 "
                               "prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n";
const std::string goodWaking = "           brezo-4103    [001] d..4.    20.000100: sched_waking: "
                               "comm=alba pid=4101 prio=120 target_cpu=000\n";

Confidence sniff(std::string_view text) {
    SourceProbe probe;
    probe.path = "any.name";
    probe.head = std::as_bytes(std::span(text.data(), text.size()));
    return FtraceTextImporter().sniff(probe);
}

/// A text that begins with comment lines without end, and is not stored anywhere.
class HugeText final : public ByteSource {
public:
    HugeText(std::uint64_t commentBytes, std::string tail)
        : m_comments(commentBytes)
        , m_tail(std::move(tail)) {}

    const std::string& name() const override { return m_name; }
    std::uint64_t size() const override { return m_comments + m_tail.size(); }
    Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> into) override {
        std::size_t done = 0;
        while (done < into.size() && offset + done < size()) {
            const std::uint64_t at = offset + done;
            const std::string& part = at < m_comments ? m_line : m_tail;
            const std::uint64_t begin = at < m_comments ? at % m_line.size() : at - m_comments;
            done += part.copy(reinterpret_cast<char*>(into.data()) + done, into.size() - done,
                              static_cast<std::size_t>(begin));
        }
        return done;
    }
    std::uint64_t lineLength() const { return m_line.size(); }

private:
    std::uint64_t m_comments;
    std::string m_tail;
    std::string m_name = "huge.txt";
    std::string m_line = "#" + std::string((std::size_t{32} << 10) - 2, 'x') + "\n";
};

/// Says what a text is refused with.
std::string refusal(std::string_view text) {
    const auto reading = readText(text);
    REQUIRE(reading->error);
    CHECK_FALSE(reading->error->remedy.empty());
    return reading->error->message();
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("foreign, empty, huge and half lines do not end the import (case 31)") {
    // The case counts the empty line as a third rejected one; blank lines are fine here, as the
    // writers of such texts put them between parts.
    const std::string text =
        goodSwitch + "Was the recorder stopped properly?\n\n" +
        std::string(std::size_t{20} << 20, 'a') + "\n" +
        "            alba-4101    [000] .....    12.000200: new_event: a=1 b=2\n" +
        goodSwitch.substr(0, 120);
    const auto reading = readText(text);
    REQUIRE_FALSE(reading->error);
    CHECK(reading->sink.calls ==
          std::vector<std::string>{"switch alba:4101:120 S > swapper/0:0:120", "other"});
    CHECK(reading->diagnostics.count("rejected_lines") == 2);
    CHECK(reading->diagnostics.find("rejected_lines")->first == "line 2");
    CHECK(reading->diagnostics.find("rejected_lines")->severity == Severity::error);
    CHECK(reading->diagnostics.count("cut_off") == 1);
    CHECK(reading->diagnostics.find("cut_off")->first == "line 6");
    CHECK(reading->diagnostics.count("mostly_rejected") == 0);
    REQUIRE(reading->info.events.size() == 2);
    CHECK(reading->info.events[0].event == "new_event");
    CHECK(reading->info.events[1].event == "sched_switch");
}

TEST_CASE("a long line without an end is skipped") {
    const auto reading = readText(goodSwitch + std::string(300000, 'a'));
    CHECK(reading->sink.calls.size() == 1);
    CHECK(reading->diagnostics.count("rejected_lines") == 1);
}

TEST_CASE("lines of every length around the bound and the buffer's size") {
    for (const std::size_t length :
         {std::size_t{65535}, std::size_t{65536}, std::size_t{65537}, std::size_t{262143},
          std::size_t{262144}, std::size_t{262145}, std::size_t{327680}, std::size_t{524288}}) {
        CAPTURE(length);
        const std::string line = "            alba-4101    [000] .....     1.000000: mark: ";
        const std::string text = line + std::string(length - line.size(), 'x') + "\n" + goodSwitch;
        const auto reading = readText(text);
        CHECK(reading->sink.calls.size() == (length <= 65536 ? 2 : 1));
        CHECK(reading->sink.calls.back() == "switch alba:4101:120 S > swapper/0:0:120");
    }
}

TEST_CASE("texts beyond 2 GiB have right offsets and line numbers (case 32)") {
    constexpr std::uint64_t comments = (std::uint64_t{2} << 30) + (std::uint64_t{64} << 20);
    const std::string tail =
        goodSwitch + "foreign\n" + goodWaking +
        "            alba-4101    [000] d..2.    21.000000: sched_switch: prev_comm=alba\n" +
        goodSwitch;
    HugeText source(comments, tail);
    const std::uint64_t lines = comments / source.lineLength();
    Reading reading;
    bool inRange = true;
    ImportContext context{reading.sink,
                          reading.info,
                          reading.diagnostics,
                          {},
                          [&](std::uint64_t done, std::uint64_t total) {
                              inRange = inRange && done <= total && total == comments + tail.size();
                          }};
    REQUIRE(FtraceTextImporter().read(source, {}, context).ok());
    CHECK(inRange);
    CHECK(reading.sink.calls == std::vector<std::string>{"switch alba:4101:120 S > swapper/0:0:120",
                                                         "switch alba:4101:120 S > swapper/0:0:120",
                                                         "waking alba:4101:120 cpu0", "other"});
    CHECK(reading.diagnostics.find("rejected_lines")->first == fmt::format("line {}", lines + 2));
    CHECK(reading.diagnostics.find("unreadable_events")->first ==
          fmt::format("line {}", lines + 4));
    CHECK(reading.diagnostics.count("late_events") == 1);

    auto events = FtraceTextImporter().openEvents(
        std::make_unique<HugeText>(comments, goodSwitch + goodWaking), {});
    REQUIRE(events.ok());
    REQUIRE((*events)->count() == 2);
    CHECK((*events)->at(1)->name == "sched_waking");
}

TEST_CASE("a file with more foreign lines than events says so aloud") {
    const auto reading = readText("some\nother\ntext\n" + goodSwitch);
    CHECK(reading->diagnostics.count("rejected_lines") == 3);
    CHECK(reading->diagnostics.find("mostly_rejected")->severity == Severity::error);
}

TEST_CASE("a file of foreign lines alone is an error with a place") {
    CHECK(contains(refusal("# tracer: nop\nsome text\n"), "line 2"));
    CHECK(contains(refusal("half"), "line 1"));
}

TEST_CASE("a recording without events is no error of this reader") {
    const auto reading =
        readText("# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0   #P:4\n#\n");
    CHECK_FALSE(reading->error);
    CHECK(reading->sink.calls.empty());
    CHECK(reading->info.cpuCount == 4);
}

TEST_CASE("a byte-order mark, CR LF and a missing last line feed change nothing (case 52)") {
    const auto expected = readText(goodSwitch + goodWaking)->sink.calls;
    const auto withCr = [](std::string text) {
        for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
            text.replace(at, 1, "\r\n");
        return text;
    };
    const std::string both = goodSwitch + goodWaking;
    for (const std::string& text :
         {"\xEF\xBB\xBF" + withCr(both), both.substr(0, both.size() - 1), "\xEF\xBB\xBF" + both,
          withCr(both).substr(0, withCr(both).size() - 1), "\n\n" + both + "\n\n"}) {
        const auto reading = readText(text);
        CHECK(reading->sink.calls == expected);
        CHECK(reading->diagnostics.empty());
    }
}

TEST_CASE("a last line without its line feed is kept where it is whole") {
    const std::string text = goodWaking + goodSwitch;
    for (std::size_t cut = 1; cut < goodSwitch.size(); ++cut) {
        const auto reading = readText(text.substr(0, text.size() - cut));
        REQUIRE_FALSE(reading->error);
        // Cut inside its last number a line cannot be told from a whole one.
        const bool whole = cut <= 3;
        CHECK(reading->sink.calls.size() == (whole ? 2 : 1));
        CHECK(reading->diagnostics.count("rejected_lines") == 0);
        CHECK(reading->diagnostics.count("cut_off") ==
              (whole || cut > goodSwitch.size() - 13 ? 0 : 1));
    }
}

TEST_CASE("frames of a stack belong to the event before (case 30)") {
    const auto reading =
        readText(goodSwitch +
                 "            alba-4101    [000] d..2.    12.000100: <stack trace>: \n"
                 " => __schedule\n => schedule\n" +
                 goodWaking);
    CHECK(reading->sink.calls.size() == 2);
    CHECK(reading->diagnostics.empty());
}

TEST_CASE("names that are no UTF-8 are kept byte for byte (case 51)") {
    const auto reading =
        readText("          caf\xe9-4301    [000] d..2.    12.000100: sched_switch: "
                 "prev_comm=caf\xe9 prev_pid=4301 "
                 "prev_prio=120 prev_state=S ==> next_comm=caf\xe8 next_pid=4302 next_prio=120\n");
    CHECK(reading->sink.calls.at(0) == "switch caf\xe9:4301:120 S > caf\xe8:4302:120");
}

TEST_CASE("a scheduler event whose fields cannot be read still tells that its CPU recorded") {
    const auto reading = readText(
        goodWaking +
        "            alba-4101    [000] d..2.    21.000000: sched_switch: prev_comm=alba\n");
    CHECK(reading->sink.calls.at(1) == "other");
    CHECK(reading->diagnostics.find("unreadable_events")->first == "line 2");
}

TEST_CASE("the forms of one file are told, and what they do not tell") {
    const std::string plugin = "            alba-4101  [000]    12.000100: sched_switch:         "
                               "alba:4101 [120] S ==> swapper/0:0 [120]\n";
    const std::string raw = "            alba-4101  [000]    12.000100: sched_switch:          "
                            "prev_comm=alba prev_pid=4101 prev_prio=120 "
                            "prev_state=1 next_comm=swapper/0 next_pid=0 next_prio=120\n";
    const std::string named =
        "            alba-4101  [000]    12.000100123: sched_switch:         " +
        goodSwitch.substr(goodSwitch.find("prev_comm"));
    auto reading = readText("cpus=4\n" + plugin + plugin);
    CHECK(reading->info.formatDetail == "trace-cmd report");
    CHECK(reading->info.cpuCount == 4);
    CHECK(reading->info.resolution == 1000);
    CHECK(reading->diagnostics.find("plugin_text")->severity == Severity::info);
    CHECK(reading->diagnostics.all().size() == 1);
    reading = readText("version = 6\nCPU 0 is empty\ncpus=4\n" + raw);
    CHECK(reading->info.formatDetail == "trace-cmd report -R");
    CHECK(reading->diagnostics.count("state_table_assumed") == 1);
    reading = readText(named);
    CHECK(reading->info.formatDetail == "trace-cmd report -N -t");
    CHECK(reading->info.resolution == 1);
    reading = readText("# tracer: nop\n" + goodSwitch);
    CHECK(reading->info.formatDetail == "trace");
    reading = readText(goodSwitch);
    CHECK(reading->info.formatDetail == "trace_pipe");
    CHECK(reading->diagnostics.empty());
    // Both forms in one file: by line (case 8).
    reading = readText(named + plugin + raw);
    CHECK(reading->sink.calls ==
          std::vector<std::string>(3, "switch alba:4101:120 S > swapper/0:0:120"));
    CHECK(reading->info.resolution == 1000); // the coarsest one
}

TEST_CASE("integer stamps: the unit is told, or assumed with a word (case 22)") {
    const auto line = [](const std::string& stamp) {
        return "            alba-4101    [000] ..... " + stamp + ": mark: x\n";
    };
    LoadOptions options;
    auto reading = readText(line("99176715281005"), options);
    CHECK(reading->sink.headers[0].time == 99176715281005);
    CHECK(reading->info.stampsAreNanoseconds);
    CHECK(reading->info.resolution == 1);
    REQUIRE(reading->diagnostics.find("clock_assumed"));
    CHECK(contains(reading->diagnostics.find("clock_assumed")->advice, "--clock"));
    reading = readText(line("           3") + line("           4"), options);
    CHECK_FALSE(reading->info.stampsAreNanoseconds);
    CHECK(reading->sink.headers[0].time == 3);
    CHECK(reading->diagnostics.count("clock_assumed") == 1);

    options.clock = StampUnit::microseconds;
    reading = readText(line("99176715281"), options);
    CHECK(reading->sink.headers[0].time == 99176715281000);
    CHECK(reading->info.resolution == 1000);
    CHECK(reading->diagnostics.empty());
    options.clock = StampUnit::ticks;
    reading = readText(line("99176715281005"), options);
    CHECK(reading->sink.headers[0].time == 99176715281005);
    CHECK_FALSE(reading->info.stampsAreNanoseconds);
    // Counts have no unit anywhere.
    reading = readText(line("7004") + line("3"), options);
    REQUIRE(reading->diagnostics.find("cpu_time_backward"));
    CHECK(contains(reading->diagnostics.find("cpu_time_backward")->what, "by 7001 at most"));
    options.clock = StampUnit::nanoseconds;
    reading = readText(line("3"), options);
    CHECK(reading->info.stampsAreNanoseconds);
    CHECK(reading->diagnostics.empty());
    options.clock = StampUnit::ticks; // speaks of integers only
    reading = readText(line("12.000001"), options);
    CHECK(reading->info.stampsAreNanoseconds);
    CHECK(reading->sink.headers[0].time == 12000001000);
}

TEST_CASE("one buffer of several is read (case 55)") {
    std::string text;
    for (const std::string& line : {goodSwitch, goodWaking})
        text += line + "foo: " + line;
    text += "foo: CPU:0 [3 EVENTS DROPPED]\n";
    text += "bar:             alba-4101    [000] .....    99.000000: mark: x\n";
    auto reading = readText(text);
    CHECK(reading->info.buffer == "");
    CHECK(reading->sink.calls.size() == 2);
    LoadOptions options;
    options.buffer = "foo";
    reading = readText(text, options);
    CHECK(reading->info.buffer == "foo");
    CHECK(reading->sink.calls.size() == 3);
    CHECK(reading->sink.losses.size() == 1);
    options.buffer = "bar";
    CHECK(readText(text, options)->sink.calls.size() == 1);
    options.buffer = "nix";
    REQUIRE(readText(text, options)->error);
    CHECK(contains(readText(text, options)->error->remedy, "'foo'"));

    MemorySource source(text);
    const auto buffers = FtraceTextImporter().buffers(source);
    REQUIRE(buffers.ok());
    REQUIRE(buffers->size() == 3);
    CHECK((*buffers)[0].name == "");
    CHECK((*buffers)[1].name == "foo");
    CHECK((*buffers)[1].hasSchedulerEvents);
    CHECK_FALSE((*buffers)[2].hasSchedulerEvents);

    // Without scheduler events in the top buffer the named one is taken.
    reading =
        readText("            alba-4101    [000] .....     9.000000: mark: x\nfoo: " + goodSwitch);
    CHECK(reading->info.buffer == "foo");
}

TEST_CASE("recognised by content alone") {
    CHECK(sniff("# tracer: nop\n#\n") == Confidence::certain);
    CHECK(sniff("\xEF\xBB\xBF# tracer: nop\r\n") == Confidence::certain);
    CHECK(sniff(goodSwitch) == Confidence::likely);
    CHECK(sniff("cpus=4\n" + goodWaking) == Confidence::likely);
    CHECK(sniff("some\nother\ntext\n" + goodSwitch) == Confidence::possible);
    CHECK(sniff("") == Confidence::none);
    CHECK(sniff("hello\nworld\n") == Confidence::none);
    CHECK(sniff(std::string_view("\x89PNG\r\n\x1a\n\0\0\0", 11)) == Confidence::none);
    CHECK(sniff("alba  4101 [002]    12.000100: sched:sched_switch: alba:4101 [120] S ==> "
                "swapper/2:0 [120]\n") == Confidence::none);
    CHECK(
        sniff(
            "x-1    -1 [008]    15.000000: sched:sched_switch: prev_comm=cedro prev_pid=4102\n") ==
        Confidence::none);
}

TEST_CASE("other dresses are named, with what to do") {
    CHECK(contains(refusal("# tracer: nop\n#\nsched_switch: prev_comm=run.sh prev_pid=15605\n"),
                   "context"));
    CHECK(contains(refusal("<!DOCTYPE html>\n<html>\n" + goodSwitch), "systrace"));
    CHECK(contains(refusal("alba  4101 [002]    12.000100: sched:sched_switch: alba:4101 [120] S "
                           "==> swapper/2:0 [120]\n"),
                   "perf script"));
}

TEST_CASE("single events with their own fields") {
    const std::string text =
        "            alba-4101    [000] .....    13.000000: new_event: a=1 b=x y c=\n" +
        goodSwitch +
        "            bash-159     [000] .....    14.000000: tracing_mark_write: B|159|a b\n" +
        "          a c=1-4105     [000] .....    15.000000: sched_waking: comm=a c=1 pid=4105 "
        "prio=120 target_cpu=000\n";
    auto reader = FtraceTextImporter().openEvents(std::make_unique<MemorySource>(text), {});
    REQUIRE(reader.ok());
    EventReader& events = **reader;
    REQUIRE(events.count() == 4);
    using Fields = std::vector<std::pair<std::string, std::string>>;
    RecordedEvent event = *events.at(1);
    CHECK(event.name == "new_event");
    CHECK(event.task == "alba");
    CHECK(event.header.time == sec(13));
    CHECK(event.header.pid == 4101);
    CHECK(event.fields == Fields{{"a", "1"}, {"b", "x y"}, {"c", ""}});
    CHECK(events.at(0)->fields == Fields{{"prev_comm", "alba"},
                                         {"prev_pid", "4101"},
                                         {"prev_prio", "120"},
                                         {"prev_state", "S"},
                                         {"next_comm", "swapper/0"},
                                         {"next_pid", "0"},
                                         {"next_prio", "120"}});
    CHECK(events.at(2)->fields == Fields{{"text", "B|159|a b"}});
    CHECK(events.at(3)->task == "a c=1");
    CHECK(events.at(3)->fields ==
          Fields{{"comm", "a c=1"}, {"pid", "4105"}, {"prio", "120"}, {"target_cpu", "0"}});
    CHECK_FALSE(events.at(4).ok());
}

TEST_CASE("progress reaches the file's size, and a stop ends the reading at once") {
    std::string text;
    for (int i = 0; i < 20000; ++i)
        text += goodWaking;
    const TemporaryFile file(text);
    CollectingSink sink;
    TraceInfo info;
    Diagnostics diagnostics;
    std::uint64_t last = 0;
    bool ascending = true;
    ImportContext context{
        sink, info, diagnostics, {}, [&](std::uint64_t done, std::uint64_t total) {
            ascending = ascending && done >= last && done <= total && total == text.size();
            last = done;
        }};
    REQUIRE(FtraceTextImporter().read(file.path(), {}, context).ok());
    CHECK(ascending);
    CHECK(last == text.size());

    for (const std::uint64_t at : {text.size() / 10, text.size() / 2}) {
        CollectingSink partial;
        std::stop_source stop;
        ImportContext stopped{partial, info, diagnostics, stop.get_token(),
                              [&](std::uint64_t done, std::uint64_t) {
                                  if (done >= at)
                                      stop.request_stop();
                              }};
        const Status status = FtraceTextImporter().read(file.path(), {}, stopped);
        REQUIRE_FALSE(status.ok());
        CHECK(status.error().interrupted);
        CHECK(partial.calls.size() < 20000);
    }
}

TEST_CASE("a file that shrinks between the passes does no harm") {
    std::string text;
    for (int i = 0; i < 20000; ++i)
        text += i % 3 ? goodWaking : goodSwitch;
    const TemporaryFile file(text);
    CollectingSink sink;
    TraceInfo info;
    Diagnostics diagnostics;
    bool cut = false;
    ImportContext context{
        sink, info, diagnostics, {}, [&](std::uint64_t done, std::uint64_t total) {
            if (!cut && done > total / 3) {
                std::filesystem::resize_file(file.path(), text.size() / 4);
                cut = true;
            }
        }};
    static_cast<void>(FtraceTextImporter().read(file.path(), {}, context));
    CHECK(cut);
    CHECK(sink.calls.size() < 20000);
}

TEST_CASE("a missing file and a folder are errors") {
    CHECK_FALSE(FtraceTextImporter().buffers("/nonexistent/file").ok());
    CHECK_FALSE(FtraceTextImporter().openEvents(std::filesystem::temp_directory_path(), {}).ok());
}
