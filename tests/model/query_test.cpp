#include "model/query/cpu_stats.h"
#include "model/query/distribution.h"
#include "model/query/tables.h"
#include "model/query/task_stats.h"
#include "tests/support/story.h"

#include <doctest/doctest.h>

using namespace twolane;
using twolane::tests::story;

namespace {
Selection whole(const Trace& trace) {
    return {windowOf(trace), {}, {}};
}
TaskStats statsOf(const std::vector<TaskStats>& all, std::string_view comm) {
    for (const TaskStats& s : all)
        if (s.comm == comm)
            return s;
    FAIL("no such comm");
    return {};
}
} // namespace

TEST_CASE("percentiles are nearest ranks of values that occurred") {
    Distribution d;
    for (Nanos v : {50, 10, 40, 20, 30})
        d.add(v);
    CHECK(d.percentile(50) == 30); // rank ceil(2.5) = 3
    CHECK(d.percentile(99) == 50);
    CHECK(d.percentile(20) == 10); // rank 1
    CHECK(d.percentile(21) == 20); // rank ceil(1.05) = 2
    CHECK(d.max() == 50);
    CHECK(d.mean() == 30);
    CHECK_FALSE(Distribution().percentile(50));
    CHECK_FALSE(Distribution().mean());
    Distribution thousand;
    for (Nanos v = 1; v <= 1000; ++v)
        thousand.add(v);
    CHECK(thousand.permille(999) == 999);
    CHECK(thousand.percentile(99) == 990);
}

TEST_CASE("case 24: a window sees what runs across its edges, and no data stays no data") {
    // Times of the case in ms.
    const auto trace = story(R"(
        200000 0 switch idle R > alba:4101
        205000 1 switch idle R > brezo:4103
        210000 0 switch alba:4101 S > idle
        212000 0 switch idle R > alba:4101
    )");
    const Selection window{windowOf(*trace, 4000, 6000), {}, {}};
    auto cpus = cpuStats(*trace, window);
    REQUIRE(cpus.size() == 2);
    CHECK(cpus[0].busy == 2000);
    CHECK(cpus[0].utilisation == 1.0);
    CHECK(cpus[1].busy == 1000);
    CHECK(cpus[1].unknown == 1000);
    CHECK(cpus[1].idle == 0);
    auto all = statsByTask(*trace, whole(*trace));
    CHECK(statsOf(all, "alba").cpuTime == 10000);
    CHECK(statsOf(all, "brezo").cpuTime == 7000);
    CHECK(statsOf(all, "brezo").timeslices.n() == 0);
    CHECK(statsOf(all, "brezo").clippedSlices == 1);
    for (const CpuStats& s : cpuStats(*trace, whole(*trace)))
        CHECK(s.busy + s.idle + s.unknown == 12000);
}

TEST_CASE("case 18: by name the run splits at the rename") {
    const auto trace = story(R"(
        80000 0 switch idle R > sh:4101
        80010 0 rename 4101 sh > brezo
        80030 0 switch brezo:4101 S > idle
    )");
    auto comms = statsByComm(*trace, whole(*trace));
    REQUIRE(comms.size() == 2);
    CHECK(statsOf(comms, "sh").cpuTime == 10);
    CHECK(statsOf(comms, "brezo").cpuTime == 20);
    CHECK(statsOf(comms, "brezo").timeslices.n() == 1);
    CHECK(statsOf(comms, "sh").timeslices.n() == 0);
    CHECK(statsOf(comms, "sh").tasks.size() == 1);
    auto tasks = statsByTask(*trace, whole(*trace));
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0].comm == "brezo");
    CHECK(tasks[0].cpuTime == 30);
    CHECK(std::string(trace->commAt(TaskId(0), 80005)) == "sh");
}

TEST_CASE("case 7: idle is in no statistic") {
    const auto trace = story(R"(
        50000000 0 switch idle R > alba:4101
        50000010 1 switch idle R > brezo:4103
        50000100 0 switch alba:4101 S > idle
        50000200 1 switch brezo:4103 S > idle
        50000300 0 switch idle R > alba:4101
    )");
    auto tasks = statsByTask(*trace, whole(*trace));
    CHECK(tasks.size() == 2);
    for (const TaskStats& s : tasks) {
        CHECK(s.voluntary == 1);
        CHECK(s.involuntary == 0);
    }
    CHECK(trace->waits.empty());
    auto cpus = cpuStats(*trace, whole(*trace));
    CHECK(cpus[0].idle == 200);
    CHECK(cpus[1].idle == 100);
    CHECK(cpus[0].switches == 3);
}

TEST_CASE("case 26: half busy is 50 %, on twelve CPUs too") {
    std::string lines;
    for (int cpu = 0; cpu < 12; ++cpu)
        lines +=
            "0 " + std::to_string(cpu) + " switch idle R > t:" + std::to_string(100 + cpu) + "\n";
    for (int cpu = 0; cpu < 12; ++cpu)
        lines +=
            "500 " + std::to_string(cpu) + " switch t:" + std::to_string(100 + cpu) + " S > idle\n";
    lines += "1000 0 other\n";
    const auto trace = story(lines);
    for (const CpuStats& s : cpuStats(*trace, whole(*trace)))
        CHECK(s.utilisation == 0.5);
}

TEST_CASE("where the time of a task went adds up to its life") {
    const auto trace = story(R"(
        0   0 switch idle R > a:1
        10  0 switch a:1 S > idle       # runs 10
        30  1 waking a:1 on 0 by 9      # sleeps 20
        37  0 switch idle R > a:1       # waits 7
        50  0 switch a:1 R > b:2        # runs 13
        55  0 switch b:2 D > a:1        # waits 5, preempted
        60  0 switch a:1 D > idle       # runs 5
        90  0 switch idle R > a:1       # no wake: 30 unknown
        100 0 switch a:1 D > idle       # runs 10
        140 0 other                     # blocked 40
    )");
    const TaskStats a = statsOf(statsByTask(*trace, whole(*trace)), "a");
    CHECK(a.cpuTime == 38);
    CHECK(a.sleep == 20);
    CHECK(a.block == 40);
    CHECK(a.runqueueWait == 12);
    CHECK(a.preemptedWait == 5);
    CHECK(a.unknown == 30);
    CHECK(a.wakeups == 1);
    CHECK(a.latencyMax == 7);
    CHECK(a.latencyMaxAt == 30);
    CHECK(a.cpuTime + a.sleep + a.block + a.runqueueWait + a.unknown == 140);
}

TEST_CASE("a wait belongs to the window in which it ends, with its full length") {
    const auto trace = story(R"(
        0   0 switch a:1 S > idle
        10  0 waking a:1 on 0 by 0
        50  0 switch idle R > a:1
        100 0 switch a:1 S > idle
    )");
    TaskStats late = statsByTask(*trace, {windowOf(*trace, 40, 60), {}, {}}).at(0);
    CHECK(late.latencies.n() == 1);
    CHECK(late.latencies.max() == 40);
    CHECK(late.runqueueWait == 10);
    CHECK(late.wakeups == 0);
    TaskStats early = statsByTask(*trace, {windowOf(*trace, 0, 40), {}, {}}).at(0);
    CHECK(early.latencies.n() == 0);
    CHECK(early.wakeups == 1);
    CHECK(early.runqueueWait == 30);
}

TEST_CASE("filters: by tid, by pattern, by CPU list; none is not all") {
    CHECK(TaskFilter("4101").matches(4101, "x"));
    CHECK_FALSE(TaskFilter("4101").matches(410, "x"));
    CHECK(TaskFilter("post*").matches(1, "postgres"));
    CHECK_FALSE(TaskFilter("post").matches(1, "postgres"));
    CHECK(CpuFilter::parse("0,2-5")->matches(4));
    CHECK_FALSE(CpuFilter::parse("0,2-5")->matches(1));
    for (const char* bad : {"", ",", "1-", "-1", "a", "3-2", "1,,2"})
        CHECK_FALSE(CpuFilter::parse(bad));
    const auto trace = story("0 0 switch a:1 S > idle\n10 1 switch b:2 S > idle");
    CHECK(cpuStats(*trace, {windowOf(*trace), *CpuFilter::parse("7"), {}}).empty());
    CHECK(sliceTable(*trace, {windowOf(*trace), {}, TaskFilter("b")}, Origin::clock).rows.size() ==
          1);
}
