// Small histories with their answers worked out by hand.
#include "tests/support/story.h"

#include <doctest/doctest.h>

using namespace twolane;
using twolane::tests::story;

namespace {
Wait only(const Trace& trace) {
    REQUIRE(trace.waits.size() == 1);
    return trace.waits[0];
}
using Steps = std::vector<std::pair<Nanos, std::uint32_t>>;
Steps queue(const Trace& trace, std::int32_t cpu) {
    const QueueSteps& queue = trace.cpu(cpu)->queue;
    Steps steps;
    for (std::size_t i = 0; i < queue.size(); ++i)
        steps.emplace_back(queue.times()[i], queue.waiting(i));
    return steps;
}
std::string name(const Trace& trace, StringId id) {
    return std::string(trace.strings.text(id));
}
} // namespace

TEST_CASE("one sleep ends once: the waking starts the wait, the wakeup tells the queue") {
    const auto trace = story(R"(
        10 0 switch a:1 S > idle
        20 1 waking a:1 on 0 by 3
        23 1 wakeup a:1 on 2 by 3
        50 2 switch idle R > a:1
    )");
    const Wait wait = only(*trace);
    CHECK(wait.kind == WaitKind::wakeup);
    CHECK(wait.certainty == Certainty::exact);
    CHECK(wait.start == 20);
    CHECK(wait.end == 50);
    CHECK(wait.cpu == 2);
    CHECK(wait.wakerTid == 3);
    CHECK(wait.wakerCpu == 1);
    CHECK(wait.queuedCpu == 2);
    CHECK(wait.queuedAt == 23);
    CHECK(trace->wakeEdge == WakeEdge::waking);
    REQUIRE(trace->sleeps.size() == 1);
    CHECK(trace->sleeps[0].range == TimeRange{10, 20});
}

TEST_CASE("without sched_waking the wakeup is the wake") {
    const auto trace = story(R"(
        10 0 switch a:1 D > idle
        23 1 wakeup a:1 on 0 by 3
        50 0 switch idle R > a:1
    )");
    CHECK(only(*trace).start == 23);
    CHECK(only(*trace).certainty == Certainty::exact);
    CHECK(trace->wakeEdge == WakeEdge::wakeup);
    CHECK(trace->sleeps.at(0).state == TaskState::uninterruptible);
}

TEST_CASE("a wakeup whose waking is missing starts a doubtful wait") {
    const auto trace = story(R"(
        10 0 switch a:1 S > b:2
        20 1 waking c:3 on 0 by 4
        21 1 wakeup c:3 on 0 by 4
        30 1 wakeup a:1 on 0 by 4
        50 0 switch b:2 S > a:1
    )");
    REQUIRE(trace->waits.size() == 2);
    CHECK(trace->waits[1].tid == 1);
    CHECK(trace->waits[1].start == 30);
    CHECK(trace->waits[1].certainty == Certainty::doubtful);
    CHECK(trace->waits[0].certainty == Certainty::clipped); // c never ran
    CHECK(trace->diagnostics.count("wakeup_without_waking") == 1);
}

TEST_CASE("a preempted task waits from its switch-out") {
    const auto trace = story(R"(
        10 0 switch idle R > a:1
        20 0 switch a:1 R+ > b:2
        60 0 switch b:2 S > a:1
    )");
    const Wait wait = only(*trace);
    CHECK(wait.kind == WaitKind::preempted);
    CHECK(wait.start == 20);
    CHECK(wait.end == 60);
    CHECK(wait.queuedCpu == 0);
    CHECK_FALSE(wait.wakerTid);
}

TEST_CASE("a new task waits from its first wake and is born by its fork") {
    const auto trace = story(R"(
        10 0 switch idle R > p:1
        15 0 fork c:2 by p:1
        18 0 new c:2 on 1 by 1
        40 1 switch idle R > c:2
        50 1 switch c:2 X > idle
    )");
    const Wait wait = only(*trace);
    CHECK(wait.kind == WaitKind::fork);
    CHECK(wait.start == 18);
    CHECK(wait.end == 40);
    REQUIRE(trace->tasks.size() == 2);
    CHECK(trace->tasks[1].born);
    CHECK(trace->tasks[1].died);
    CHECK(trace->tasks[1].life == TimeRange{15, 50});
}

TEST_CASE("a tid is reused: two lives, and nothing measured from one to the other") {
    const auto trace = story(R"(
        10 0 switch idle R > a:1
        20 0 exit a:1
        30 0 switch a:1 D > idle       # the first sleep after exit is the death
        90 0 waking b:1 on 0 by 0
        95 0 switch idle R > b:1
    )");
    REQUIRE(trace->tasks.size() == 2);
    CHECK(trace->tasks[0].died);
    CHECK(trace->tasks[0].life == TimeRange{10, 30});
    CHECK(trace->tasks[1].life == TimeRange{90, 95});
    CHECK(trace->sleeps.empty());
    CHECK(only(*trace).start == 90);
    CHECK(only(*trace).certainty == Certainty::exact);
}

TEST_CASE("a loss ends what runs and what is queued on its CPU, clipped") {
    const auto trace = story(R"(
        10 0 switch idle R > a:1
        20 0 switch a:1 R > b:2
        20 0 lost 7 until 100
        100 0 switch c:3 S > idle
    )");
    const CpuTimeline& cpu = *trace->cpu(0);
    REQUIRE(cpu.slices.size() == 3);
    CHECK(cpu.slices[1].range == TimeRange{20, 20});
    CHECK(cpu.slices[1].openRight);
    CHECK(cpu.slices[2].openLeft);
    CHECK(cpu.slices[2].range == TimeRange{100, 100});
    REQUIRE(cpu.unknown.size() == 1);
    CHECK(cpu.unknown[0] == TimeRange{20, 100});
    CHECK(only(*trace).certainty == Certainty::clipped);
    CHECK(only(*trace).start == 20);
    CHECK(only(*trace).end == 20);
    CHECK(trace->lostEvents == 7);
}

TEST_CASE("a loss between two events of one stamp is a loss too") {
    const auto trace = story(R"(
        10 0 switch idle R > a:1
        20 0 other
        20 0 lost 1 until 20
        20 0 other
        30 0 switch b:2 S > idle
    )");
    const SliceColumns& slices = trace->cpu(0)->slices;
    REQUIRE(slices.size() == 2);
    CHECK(slices[0].range == TimeRange{10, 20});
    CHECK(slices[0].openRight);
    CHECK(slices[1].range == TimeRange{20, 30});
    CHECK(slices[1].openLeft);
    CHECK(trace->cpu(0)->unknown.empty());
}

TEST_CASE("a wait and a sleep that overlap another CPU's gap are not certain") {
    const auto trace = story(R"(
        5  1 other
        10 0 switch a:1 S > b:2
        12 0 waking a:1 on 0 by 2
        15 1 lost ? until 40
        30 0 switch b:2 S > a:1
        50 1 other
        60 0 waking b:2 on 0 by 1
    )");
    REQUIRE(trace->waits.size() == 2);
    CHECK(trace->waits[0].certainty == Certainty::doubtful);
    REQUIRE(trace->sleeps.size() == 1); // b fell asleep inside the gap: nothing of that is known
    CHECK(trace->sleeps[0].range == TimeRange{10, 12});
    CHECK(trace->lostUncounted);
}

TEST_CASE("a queue holds who waits for its CPU, from the wake to the switch-in") {
    const auto trace = story(R"(
        100 0 switch  idle R > a:1
        100 1 other
        110 1 waking  b:2 on 1 by 0      # slept on CPU 1,
        112 1 wakeup  b:2 on 0 by 0      # goes to CPU 0
        120 1 waking  c:3 on 0 by 0
        121 1 wakeup  c:3 on 0 by 0
        130 0 switch  a:1 R > b:2        # one leaves the queue, one joins it: no step
        140 1 migrate c:3 0 > 1
        150 1 switch  idle R > c:3
        160 0 switch  b:2 S > a:1
        170 1 waking  b:2 on 0 by 3      # no sched_wakeup comes
        175 1 migrate b:2 0 > 1
        180 1 switch  c:3 S > b:2
        190 0 switch  a:1 S > idle
    )");
    CHECK(queue(*trace, 0) == Steps{{110, 1}, {120, 2}, {140, 1}, {160, 0}});
    CHECK(queue(*trace, 1) == Steps{{140, 1}, {150, 0}, {170, 1}, {180, 0}});
    // CPU 0 is idle at 190 only, which is the end; of CPU 1 the first switch tells that it was.
    CHECK(trace->cpu(0)->queueLowerBound == std::vector<TimeRange>{{100, 190}});
    CHECK(trace->cpu(1)->queueLowerBound.empty());
    CHECK(trace->waits.queuedOn(0, 139) == 0);
    REQUIRE(trace->waits.moves().size() == 1);
    const std::size_t moved = trace->waits.moves()[0].wait;
    CHECK(trace->waits.tid(moved) == 3);
    CHECK(trace->waits.queuedOn(moved, 139) == 0);
    CHECK(trace->waits.queuedOn(moved, 140) == 1);
}

TEST_CASE("a loss empties the queue of its CPU; every queue may then hold more until it is idle") {
    const auto trace = story(R"(
        100 0 switch  a:1 S > idle       # idle: nobody else waits
        100 1 switch  p:9 S > idle
        110 0 waking  b:2 on 0 by 0
        110 1 waking  c:3 on 1 by 0
        120 0 lost    5 until 150
        150 0 switch  x:7 S > y:8
        160 1 switch  idle S > c:3
        170 0 switch  y:8 S > idle
        180 1 switch  c:3 S > idle
        200 1 other
    )");
    CHECK(queue(*trace, 0) == Steps{{110, 1}, {120, 0}});
    CHECK(queue(*trace, 1) == Steps{{110, 1}, {160, 0}});
    CHECK(trace->cpu(0)->queueLowerBound == std::vector<TimeRange>{{120, 170}});
    // Idle at 150, when the loss is over.
    CHECK(trace->cpu(1)->queueLowerBound == std::vector<TimeRange>{{120, 150}});
}

TEST_CASE("without wakes every depth is a lower bound") {
    const auto trace = story(R"(
        100 0 switch  a:1 R > b:2
        120 0 switch  b:2 S > a:1
        130 0 switch  a:1 S > idle
        140 0 other
    )");
    CHECK(queue(*trace, 0) == Steps{{100, 1}, {120, 0}});
    CHECK(trace->cpu(0)->queueLowerBound == std::vector<TimeRange>{{100, 140}});
}

TEST_CASE("a thread that calls exec goes on under the leader's tid") {
    const auto trace = story(R"(
        10 0 switch idle R > thr:7
        20 0 exec /usr/bin/new-program-name 6 old 7
        30 0 switch new-program-nam:6 S > idle
    )");
    REQUIRE(trace->tasks.size() == 1);
    CHECK(trace->tasks[0].tid == 6);
    REQUIRE(trace->cpu(0)->slices.size() == 1);
    CHECK(trace->cpu(0)->slices[0].tid == 6);
    CHECK(std::string(trace->commAt(TaskId(0), 15)) == "thr");
    CHECK(std::string(trace->commAt(TaskId(0), 25)) == "new-program-nam");
}

TEST_CASE("a migration is a switch-in elsewhere with nothing unknown between") {
    const auto trace = story(R"(
        10 0 switch idle R > a:1
        11 1 other
        20 0 switch a:1 R > idle
        30 1 switch idle R > a:1
        40 1 switch a:1 S > idle
        50 0 switch idle R > a:1      # no wake: its state between is unknown
    )");
    CHECK(trace->cpu(1)->slices[0].migrated);
    CHECK_FALSE(trace->cpu(0)->slices[1].migrated);
    CHECK_FALSE(trace->cpu(0)->slices[0].migrated);
}

TEST_CASE("no event, one event, equal stamps, and a first stamp of 0") {
    CHECK(story("")->cpus.empty());
    const auto one = story("0 0 switch a:1 S > idle");
    CHECK(one->range == TimeRange{0, 0});
    CHECK(one->cpu(0)->slices.size() == 1);
    const auto equal = story(R"(
        10 0 switch idle R > a:1
        10 0 switch a:1 S > b:2
        12 0 switch b:2 S > idle
    )");
    REQUIRE(equal->cpu(0)->slices.size() == 2);
    CHECK(equal->cpu(0)->slices[0].range.length() == 0);
    CHECK(equal->cpu(0)->slices[1].range.length() == 2);
    CHECK_FALSE(equal->cpu(0)->slices[0].clipped());
}

TEST_CASE("odd numbers of CPUs and tids cost no memory of their size") {
    const auto trace = story("10 2147483647 switch a:2147483647 S > b:2147483646");
    CHECK(trace->cpus.at(0).cpu == 2147483647);
    CHECK(name(*trace, trace->cpus[0].slices[0].comm) == "a");
}

TEST_CASE("an oddity is counted, and its first place has the digits that the trace has") {
    const auto trace = story(R"(
        10 0 switch a:1 S > idle
        20 0 switch idle R > a:1     # no wake
        30 0 switch a:1 S > idle
        35 0 waking b:2 on 0 by 0
        40 0 switch idle R > a:1     # again
    )");
    const Oddity* oddity = trace->diagnostics.find("switch_in_without_wake");
    REQUIRE(oddity);
    CHECK(oddity->count == 2);
    CHECK(oddity->first == "a tid 1, 0.000000020 s");
    CHECK(oddity->message().find("(2 in all, first at a tid 1, ") != std::string::npos);
    const auto switchesOnly = story("10 0 switch a:1 S > idle\n20 0 switch idle R > a:1");
    CHECK(switchesOnly->diagnostics.count("switch_in_without_wake") == 0);
    CHECK(switchesOnly->diagnostics.count("no_wake_events") == 1);
}
