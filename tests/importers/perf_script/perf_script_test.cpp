// The text of perf script in all its column sets, and the faults that readers of it had. Tests that
// answer a known fault carry the number of its case.
#include "importers/perf_script/perf_line.h"
#include "importers/perf_script/perf_script_importer.h"
#include "tests/importers/ftrace_text/text_support.h"
#include "tests/support/shared.h"

#include <cstring>
#include <fstream>
#include <iterator>

using namespace twolane;
using namespace twolane::tests;

namespace {

/// What a line is, and its parts.
struct Parsed {
    explicit Parsed(std::string_view line, CpuColumn column = CpuColumn::brackets)
        : kind(PerfLineParser(column).parse(line, parts)) {}
    EventLine parts;
    LineKind kind;
};

constexpr const char* goodSwitch =
    "            alba  4101 [002]    12.000100: sched:sched_switch: prev_comm=alba prev_pid=4101 "
    "prev_prio=120 prev_state=S ==> next_comm=swapper/2 next_pid=0 next_prio=120\n";

std::string headerLines() {
    std::string lines;
    for (int i = 0; i < 8; ++i)
        lines += "# comment " + std::to_string(i) + "\n";
    return lines + "# hostname : lab\n# os release : 6.1.0-57-cloud-amd64\n"
                   "# nrcpus online : 4\n";
}

/// Comment lines of over 2 GiB, made as they are read, then two events and an odd line.
class Long final : public ByteSource {
public:
    const std::string& name() const override { return m_name; }
    std::uint64_t size() const override { return comments + m_tail.size(); }
    Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> to) override {
        std::size_t got = 0;
        while (got < to.size() && offset + got < size()) {
            // The rest of a comment line, or of the tail.
            const std::uint64_t at = offset + got;
            const std::string& from = at < comments ? m_comment : m_tail;
            const std::size_t begin = at < comments ? at % line : at - comments;
            const std::size_t count = std::min(to.size() - got, from.size() - begin);
            std::memcpy(to.data() + got, from.data() + begin, count);
            got += count;
        }
        return got;
    }
    static constexpr std::uint64_t line = 32768;
    static constexpr std::uint64_t comments = (std::uint64_t{1} << 31) / line * line + line;

private:
    std::string m_name = "long.txt";
    std::string m_comment = "#" + std::string(line - 2, 'x') + "\n";
    std::string m_tail = std::string(goodSwitch) + goodSwitch + "odd\n";
};

std::uint64_t countOf(const Trace& trace, const char* event) {
    for (const EventCount& count : trace.info.events)
        if (count.event == event)
            return count.count;
    return 0;
}

} // namespace

TEST_CASE("case 19: with and without CPU, pid/tid pairs, nanoseconds and header lines") {
    const std::string plain = "alba  4101 [002]    12.000100: sched:sched_switch: alba:4101 [120] "
                              "S ==> swapper/2:0 [120]\n";
    const std::string pairs = "alba  4100/4101  [002]    12.000100123: sched:sched_switch: "
                              "alba:4101 [120] S ==> swapper/2:0 [120]\n";
    for (const std::string& front : {std::string(), headerLines()}) {
        const auto first = loadText(front + plain);
        REQUIRE(first->cpus.size() == 1);
        CHECK(first->cpus[0].cpu == 2);
        CHECK(first->range.begin == 12'000'100'000);
        CHECK(first->tasks[0].tid == 4101);
        CHECK(first->info.resolution == 1000);
        CHECK(first->info.kernel == (front.empty() ? "" : "6.1.0-57-cloud-amd64"));
        CHECK(first->info.host == (front.empty() ? "" : "lab"));
        CHECK(first->info.cpuCount == (front.empty() ? 0 : 4));

        const auto second = loadText(front + pairs);
        REQUIRE(second->cpus.size() == 1);
        CHECK(second->cpus[0].cpu == 2);
        CHECK(second->range.begin == 12'000'100'123);
        CHECK(second->tasks[0].tid == 4101);
        CHECK(second->info.resolution == 1);
        CHECK(second->diagnostics.count("plugin_text") == 1);
    }
}

TEST_CASE("case 19: an event without a CPU is counted, not placed, and told once") {
    const std::string text = "alba  4101    12.000200: sched:sched_switch: alba:4101 [120] S ==> "
                             "swapper/2:0 [120]\n";
    const Parsed line(std::string_view(text).substr(0, text.size() - 1));
    CHECK(line.kind == LineKind::unplaced);
    CHECK(line.parts.pid == 4101);
    CHECK(line.parts.time == 12'000'200'000);
    const auto trace = loadText(headerLines() + text + text + goodSwitch);
    REQUIRE(trace->cpus.size() == 1); // the one that is told: neither 12 nor 0
    CHECK(trace->cpus[0].cpu == 2);
    CHECK(trace->cpus[0].switches.size() == 1);
    CHECK(countOf(*trace, "sched_switch") == 3);
    const Oddity* oddity = trace->diagnostics.find("no_cpu");
    REQUIRE(oddity);
    CHECK(oddity->count == 2);
    CHECK(oddity->first == "line 12");
    CHECK(oddity->advice.find("perf record -a") != std::string::npos);
}

TEST_CASE("the columns of -F misc, of the period and of -L") {
    const Parsed misc("  :26641 26641 [000] K      1567.429038: sched:sched_switch:      payload");
    CHECK(misc.kind == LineKind::event);
    CHECK(misc.parts.event == "sched_switch");
    CHECK(misc.parts.payload == "payload");
    CHECK(misc.parts.comm() == ":26641");
    CHECK(misc.parts.time == 1567'429'038'000);
    const Parsed period("  alba 7/8 [011]  1.000000001:          1 sched:sched_waking: comm=x");
    CHECK(period.kind == LineKind::event);
    CHECK(period.parts.cpu == 11);
    CHECK(period.parts.tgid == 7);
    CHECK(period.parts.pid == 8);
    CHECK(period.parts.event == "sched_waking");
    const Parsed latency("  my 9 26641   3  1567.429034: sched:sched_switch: x", CpuColumn::bare);
    CHECK(latency.kind == LineKind::event);
    CHECK(latency.parts.cpu == 3);
    CHECK(latency.parts.pid == 26641);
    CHECK(latency.parts.comm() == "my 9");
    const Parsed gone("             :-1    -1 [001]  1567.462665197: sched:sched_switch: x");
    CHECK(gone.kind == LineKind::event);
    CHECK(gone.parts.pid == -1);
    const Parsed bare("  alba 7 [001]  1.000000: sched_switch: x");
    CHECK(bare.parts.event == "sched_switch");
    const Parsed hardware("  alba 7 [001]  1.000000:     250000 cycles:u:  ffffffff810 schedule");
    CHECK(hardware.kind == LineKind::event);
    CHECK(hardware.parts.event == "cycles:u");
    CHECK(Parsed("  alba 7 [001]  0.000000: PERF_RECORD_COMM exec: alba:7/7").kind ==
          LineKind::blank);
}

TEST_CASE("comms that look like a line's other parts") {
    for (const char* comm : {"my task:1", "a==>b c=1", "x-123", "<...>", "[000] d..2",
                             "[001] 12.5:", "prio=3 next_pid", "(weird) {x}", "tab\there", "7",
                             "-7", "1.000000:", "caf\xe9"}) {
        const std::string line = std::string("  ") + comm +
                                 " 4101 [002]    12.000100: sched:sched_waking: comm=q pid=4 "
                                 "prio=120 target_cpu=001";
        CAPTURE(comm);
        const Parsed parsed(line);
        CHECK(parsed.kind == LineKind::event);
        CHECK(parsed.parts.comm() == comm);
        CHECK(parsed.parts.pid == 4101);
        CHECK(parsed.parts.cpu == 2);
        CHECK(parsed.parts.time == 12'000'100'000);
    }
}

TEST_CASE("case 22: every digit of a stamp is kept, in integers") {
    CHECK(Parsed("a 1 [000] 17584.921558: x:y: z").parts.time == 17'584'921'558'000);
    CHECK(Parsed("a 1 [000] 2218816.767894977: x:y: z").parts.time == 2'218'816'767'894'977);
    CHECK(Parsed("a 1 [000] 9223372035.854775807: x:y: z").parts.time == INT64_MAX - 1'000'000'000);
    CHECK(Parsed("a 1 [000] 9223372037.000000000: x:y: z").kind == LineKind::foreign);
}

TEST_CASE("case 30: frames of call chains belong to the event before") {
    const auto trace = loadText(std::string(goodSwitch) +
                                "\tffffffff8107 __schedule+0x1 ([kernel.kallsyms])\n"
                                "\tffffffff8108 schedule ([kernel.kallsyms])\n\n" +
                                "         swapper     0 [002]    12.000500: sched:sched_switch: "
                                "prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> "
                                "next_comm=alba next_pid=4101 next_prio=120\n"
                                "\tffffffff8109 cpu_startup_entry ([kernel.kallsyms])\n");
    CHECK(trace->eventCount == 2);
    CHECK(trace->diagnostics.count("rejected_lines") == 0);
}

TEST_CASE("case 31: foreign, empty, huge and half lines") {
    const std::string text = std::string(goodSwitch) + "Was the recorder stopped properly?\n\n" +
                             std::string(20 << 20, 'a') + "\n" +
                             "  alba 4101 [002]    12.000200: some:unknown_event: a=1\n"
                             "  alba 4101 [002]    12.000300: sched:sched_switch: prev_comm=al";
    const auto trace = loadText(text);
    CHECK(countOf(*trace, "sched_switch") == 1);
    CHECK(countOf(*trace, "unknown_event") == 1);
    CHECK(trace->diagnostics.count("rejected_lines") == 2);
    CHECK(trace->diagnostics.find("rejected_lines")->first == "line 2");
    CHECK(trace->diagnostics.count("cut_off") == 1);

    const TemporaryFile nonsense("# perf version : 6.1\n# captured on : now\nno event\nnone\n");
    const auto failed = load(nonsense.path(), {});
    REQUIRE(!failed);
    CHECK(failed.error().where == "line 3");
    CHECK(!failed.error().remedy.empty());
}

TEST_CASE("losses are gaps on their CPU; samples lost somewhere are told") {
    const auto trace = loadText(
        std::string(goodSwitch) +
        "       hackbench   268 [002]    12.000700: PERF_RECORD_LOST lost 22\n"
        "         swapper     0 [002]    12.000900: sched:sched_switch: prev_comm=swapper/2 "
        "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=alba next_pid=4101 next_prio=120\n"
        "         swapper     0 [000]     0.000000: PERF_RECORD_LOST_SAMPLES lost samples 5\n");
    CHECK(trace->lostEvents == 22);
    REQUIRE(trace->losses.size() == 1);
    CHECK(trace->losses[0].cpu == 2);
    CHECK(trace->losses[0].range == TimeRange{12'000'100'000, 12'000'900'000});
    CHECK(trace->diagnostics.count("lost_samples") == 5);
}

TEST_CASE("case 32: offsets beyond 2 GiB, in little memory") {
    Long source;
    CollectingSink sink;
    TraceInfo info;
    Diagnostics diagnostics;
    std::uint64_t furthest = 0;
    ImportContext context{
        sink, info, diagnostics, {}, [&furthest](std::uint64_t done, std::uint64_t) {
            furthest = std::max(furthest, done);
        }};
    REQUIRE(PerfScriptImporter().read(source, {}, context));
    REQUIRE(info.events.size() == 1);
    CHECK(info.events[0].count == 2);
    CHECK(furthest == source.size());
    CHECK(diagnostics.find("rejected_lines")->first ==
          "line " + std::to_string(Long::comments / Long::line + 3));
}

TEST_CASE("case 50: arrows and key look-alikes inside names") {
    const auto trace = loadText(
        "         a ==> b  4242 [003]    43.000000: sched:sched_switch: prev_comm=a ==> b "
        "prev_pid=4242 prev_prio=120 prev_state=S ==> next_comm=q prev_pid=9 next_pid=4243 "
        "next_prio=120\n"
        " a:1 [120] S ==>  4244 [002]    43.000100: sched:sched_switch: a:1 [120] S ==>:4244 [120] "
        "S ==> swapper/2:0 [120]\n");
    CHECK(trace->commAt(taskOf(*trace, 4242), 43'000'000'000) == "a ==> b");
    CHECK(trace->commAt(taskOf(*trace, 4243), 43'000'000'000) == "q prev_pid=9");
    CHECK(trace->commAt(taskOf(*trace, 4244), 43'000'100'000) == "a:1 [120] S ==>");
    CHECK(trace->tasks.size() == 3);
}

TEST_CASE("case 51: names that are no UTF-8 are two names") {
    std::string text;
    for (const char* name : {"caf\xe9", "caf\xe8"}) {
        const std::string tid = name[3] == '\xe9' ? "4301" : "4302";
        text += std::string("  ") + name + "  " + tid + " [00" + tid.back() +
                "]    1.000000: " + "sched:sched_switch: prev_comm=" + name + " prev_pid=" + tid +
                " prev_prio=120 prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120\n";
    }
    const auto trace = loadText(text);
    CHECK(trace->commAt(taskOf(*trace, 4301), 1'000'000'000) == "caf\xe9");
    CHECK(trace->commAt(taskOf(*trace, 4302), 1'000'000'000) == "caf\xe8");
}

TEST_CASE("case 52: CR LF, a byte-order mark and no newline at the end") {
    std::string windows = "\xEF\xBB\xBF";
    for (const char* c = goodSwitch; *c; ++c)
        windows += *c == '\n' ? std::string("\r\n") : std::string(1, *c);
    const std::string open(goodSwitch, std::string_view(goodSwitch).size() - 1);
    for (const std::string& text : {windows, open, windows.substr(0, windows.size() - 2)}) {
        const auto trace = loadText(text);
        CHECK(trace->eventCount == 1);
        CHECK(trace->tasks.size() == 1);
        CHECK(trace->diagnostics.count("rejected_lines") == 0);
        CHECK(trace->diagnostics.count("cut_off") == 0);
    }
}

TEST_CASE("single events are read again with their own fields") {
    auto reader = PerfScriptImporter().openEvents(
        std::make_unique<MemorySource>(std::string_view(goodSwitch)), {});
    REQUIRE(reader);
    REQUIRE((*reader)->count() == 1);
    const auto event = (*reader)->at(0);
    REQUIRE(event);
    CHECK(event->name == "sched_switch");
    CHECK(event->task == "alba");
    CHECK(event->header.cpu == 2);
    CHECK(event->fields.front() == std::pair<std::string, std::string>("prev_comm", "alba"));
    CHECK(!(*reader)->at(1));
}

TEST_CASE("one recording in all its dresses is one model") {
    const auto folder = shared("samples/own/perf-script-text");
    if (!folder)
        return;
    const auto exact = load(*folder / "ns.txt", {});
    REQUIRE(exact);
    CHECK((*exact)->eventCount == 1081);
    for (const char* name : {"default", "F-misc", "F-pid-tid", "latency-L", "reltime"}) {
        CAPTURE(name);
        const auto trace = load(*folder / (std::string(name) + ".txt"), {});
        REQUIRE(trace);
        CHECK((*trace)->info.format == "perf script");
        CHECK((*trace)->eventCount == (*exact)->eventCount);
        CHECK((*trace)->diagnostics.count("rejected_lines") == 0);
        REQUIRE((*trace)->cpus.size() == (*exact)->cpus.size());
        const bool relative = std::string_view(name) == "reltime";
        for (std::size_t i = 0; i < (*trace)->cpus.size(); ++i) {
            const SliceColumns& ours = (*trace)->cpus[i].slices;
            const SliceColumns& theirs = (*exact)->cpus[i].slices;
            REQUIRE(ours.size() == theirs.size());
            for (std::size_t row = 0; row < ours.size(); ++row) {
                CHECK(ours[row].tid == theirs[row].tid);
                if (!relative)
                    CHECK(ours[row].range.end == theirs[row].range.end / 1000 * 1000);
            }
        }
    }
}
