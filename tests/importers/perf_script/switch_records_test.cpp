// What perf script prints of perf's own records: switches, names, forks and exits.
#include "tests/importers/ftrace_text/text_support.h"
#include "tests/support/shared.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <string>

using namespace twolane;
using namespace twolane::tests;

namespace {

constexpr const char* records =
    "  :4101  4101 [001]   600.000000: PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid:  "
    "4100/4103  \n"
    "  cedro  4103 [001]   600.000002: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:  "
    "4100/4101  \n";
constexpr const char* tracepoint =
    "  alba  4101 [001]   600.000001: sched:sched_switch: prev_comm=alba prev_pid=4101 "
    "prev_prio=120 prev_state=R ==> next_comm=cedro next_pid=4103 next_prio=120\n";

} // namespace

TEST_CASE("case 63: the two records of a switch are one switch") {
    const auto trace = loadText(records);
    REQUIRE(trace->cpu(1)->switches.size() == 1);
    const auto out = slicesOf(*trace, 4101);
    REQUIRE(out.size() == 1);
    CHECK(out[0].range.end == 600'000'000'000);
    REQUIRE(out[0].endState);
    CHECK(out[0].endState->state == TaskState::runnable);
    const auto in = slicesOf(*trace, 4103);
    REQUIRE(in.size() == 1);
    CHECK(in[0].range.begin == 600'000'002'000);
    CHECK(!in[0].openLeft);
    CHECK(trace->strings.text(in[0].comm) == "cedro");
    CHECK(trace->tasks.size() == 2);
    CHECK(trace->diagnostics.count("switch_records") == 2);
}

TEST_CASE("case 63: beside the tracepoint the records are not needed") {
    const std::string text = records;
    const std::size_t second = text.find('\n') + 1;
    for (const std::string& both :
         {text.substr(0, second) + tracepoint + text.substr(second), tracepoint + text}) {
        const auto trace = loadText(both);
        REQUIRE(trace->cpu(1)->switches.size() == 1);
        CHECK(trace->cpu(1)->switches[0] == 600'000'001'000);
        REQUIRE(slicesOf(*trace, 4103).size() == 1);
        CHECK(slicesOf(*trace, 4103)[0].range.begin == 600'000'001'000);
        CHECK(trace->cpu(1)->slices.size() == 2);
        CHECK(trace->diagnostics.count("switch_records") == 0);
        CHECK(trace->diagnostics.count("switch_records_unused") == 2);
        CHECK(trace->eventCount == 3);
    }
}

TEST_CASE("names, forks and exits; what bears no stamp is from before the recording") {
    const auto trace =
        loadText("  perf     0 [000]     0.000000: PERF_RECORD_COMM: perf:7/7\n"
                 "  olmo   201 [000]     1.000000: PERF_RECORD_SWITCH IN \n"
                 "  olmo   201 [000]     1.000010: PERF_RECORD_FORK(201:202):(201:201)\n"
                 "  olmo   201 [000]     1.000020: PERF_RECORD_COMM: a==>b: c=1:201/201\n"
                 "  a==>b: c=1   201 [000]     1.000030: PERF_RECORD_SWITCH OUT preempt \n"
                 "  olmo   202 [001]     1.000040: PERF_RECORD_COMM exec: ls:201/202\n"
                 "  ls     202 [001]     1.000045: PERF_RECORD_SWITCH IN \n"
                 "  ls     202 [001]     1.000050: PERF_RECORD_EXIT(201:202):(201:201)\n"
                 "  ls     202 [001]     1.000060: PERF_RECORD_SWITCH OUT\n");
    CHECK(trace->range == TimeRange{1'000'000'000, 1'000'060'000});
    CHECK(trace->tasks.size() == 2);
    const auto parent = slicesOf(*trace, 201);
    REQUIRE(parent.size() == 1);
    CHECK(parent[0].range == TimeRange{1'000'000'000, 1'000'030'000});
    CHECK(trace->strings.text(parent[0].comm) == "a==>b: c=1");
    const Task& child = trace->tasks[taskOf(*trace, 202).value()];
    CHECK(child.died);
    CHECK(child.life == TimeRange{1'000'010'000, 1'000'060'000});
    REQUIRE(slicesOf(*trace, 202).size() == 1);
    CHECK(trace->strings.text(slicesOf(*trace, 202)[0].comm) == "ls");
    // The child had its parent's name until exec.
    std::vector<std::string> names;
    for (const CommChange& change : trace->comms)
        if (change.task == taskOf(*trace, 202))
            names.emplace_back(trace->strings.text(change.comm));
    CHECK(names == std::vector<std::string>{"olmo", "ls"});
    CHECK(trace->diagnostics.count("unreadable_events") == 0);
}

TEST_CASE("records beside the scheduler's events tell of tasks, not of CPUs") {
    // perf switches its events on one after the other, and these records first.
    const auto trace = loadText(
        std::string("  cedro   4103 [001]   599.000000: PERF_RECORD_COMM: noce:4103/4103\n"
                    "  alba   4101 [001]   599.000001: PERF_RECORD_FORK(4101:4109):(4101:4101)\n") +
        tracepoint +
        "  cedro   4103 [000]   600.000002: PERF_RECORD_COMM: pino:4103/4103\n"
        "  cedro   4103 [000]   600.000004: sched:sched_waking: comm=alba pid=4101 prio=120 "
        "target_cpu=001\n"
        "  cedro   4103 [001]   601.000000: PERF_RECORD_EXIT(4103:4103):(1:1)\n");
    CHECK(trace->range == TimeRange{600'000'001'000, 600'000'004'000});
    CHECK(trace->eventCount == 6);
    CHECK(trace->tasks.size() == 2); // not the one that was forked before
    CHECK(trace->cpu(0)->events == TimeRange{600'000'004'000, 600'000'004'000});
    CHECK(trace->cpu(1)->events == TimeRange{600'000'001'000, 600'000'001'000});
    REQUIRE(slicesOf(*trace, 4101).size() == 1);
    CHECK(slicesOf(*trace, 4101)[0].range.begin == 600'000'001'000);
    const CommChange last = trace->commsOf(taskOf(*trace, 4103)).back();
    CHECK(trace->strings.text(last.comm) == "pino");
}

TEST_CASE("records that are cut or hold rubbish are counted, not believed") {
    const auto trace = loadText(
        std::string(records) + "  olmo   201 [000]   600.100000: PERF_RECORD_SWITCH_CPU_WIDE OUT "
                               "preempt  next pid/tid: x/1\n"
                               "  olmo   201 [000]   600.100001: PERF_RECORD_SWITCH_CPU_WIDE BOTH\n"
                               "  olmo   201 [000]   600.100002: PERF_RECORD_FORK(201:202)\n"
                               "  olmo   201 [000]   600.100003: PERF_RECORD_COMM: ls\n"
                               "  olmo   201 [000]   600.100004: PERF_RECORD_MMAP2 whatever\n");
    CHECK(trace->diagnostics.count("unreadable_events") == 4);
    CHECK(trace->tasks.size() == 2);
}

TEST_CASE("every run of a real recording lies between an in and the out behind it") {
    const auto path = shared("samples/own/perf-script-text/switch-events.txt");
    if (!path)
        return;
    // Read apart by the columns alone. Dying tasks have no tid any more, and idle's own records
    // are missing here but for two.
    struct Run {
        long tid;
        Nanos begin;
        Nanos end;
        bool operator==(const Run&) const = default;
    };
    std::map<int, std::vector<Run>> wanted;
    std::map<int, std::pair<long, Nanos>> open;
    std::ifstream file(*path);
    for (std::string line; std::getline(file, line);) {
        const auto at = line.find(": PERF_RECORD_SWITCH_CPU_WIDE ");
        if (at == std::string::npos)
            continue;
        const auto bracket = line.rfind('[', at); // of the CPU
        const auto tidEnd = line.find_last_of("0123456789", bracket);
        const auto tidBegin = line.rfind(' ', tidEnd);
        const long tid = std::stol(line.substr(tidBegin));
        const int cpu = std::stoi(line.substr(bracket + 1));
        long seconds = 0;
        long micros = 0;
        REQUIRE(std::sscanf(line.c_str() + line.find(']', bracket) + 1, "%ld.%ld", &seconds,
                            &micros) == 2);
        const Nanos time = seconds * 1'000'000'000 + micros * 1000;
        if (line.compare(at + 30, 2, "IN") == 0) {
            open[cpu] = {tid, time};
        } else if (open.count(cpu) > 0) {
            CHECK((tid == -1 || open[cpu].first == tid));
            if (tid != 0)
                wanted[cpu].push_back({open[cpu].first, open[cpu].second, time});
            open.erase(cpu);
        }
    }
    const auto trace = load(*path, {});
    REQUIRE(trace);
    std::size_t count = 0;
    for (const CpuTimeline& cpu : (*trace)->cpus) {
        std::vector<Run> runs;
        for (std::size_t i = 0; i < cpu.slices.size(); ++i)
            if (!cpu.slices.clipped(i))
                runs.push_back(
                    {cpu.slices.tid(i), cpu.slices.range(i).begin, cpu.slices.range(i).end});
        CHECK(runs == wanted[cpu.cpu]);
        count += runs.size();
    }
    CHECK(count > 400);
    CHECK((*trace)->diagnostics.count("switch_records") == 972);
    CHECK((*trace)->diagnostics.count("switch_record_missing") == 0);
}
