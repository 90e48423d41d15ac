// Runs told by perf's switch records, with their answers worked out by hand.
#include "tests/support/story.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace twolane;
using twolane::tests::story;

namespace {

/// "10..20 a" of each slice of a CPU, with "<" and ">" where it is open, and its state.
std::vector<std::string> runs(const Trace& trace, std::int32_t cpu) {
    std::vector<std::string> lines;
    const SliceColumns& slices = trace.cpu(cpu)->slices;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const Timeslice slice = slices[i];
        lines.push_back((slice.openLeft ? "<" : "") + std::to_string(slice.range.begin) + ".." +
                        std::to_string(slice.range.end) + (slice.openRight ? ">" : "") + " " +
                        std::string(trace.strings.text(slice.comm)) + " " +
                        (slice.endState ? toString(*slice.endState) : "-"));
        CHECK(!slice.prio);
    }
    return lines;
}

using Lines = std::vector<std::string>;
using Ranges = std::vector<TimeRange>;

} // namespace

TEST_CASE("an out ends a run, an in begins one, and between them nobody is known to run") {
    const auto trace = story(R"(
        10 0 in  a:1  after idle
        30 0 out a:1  R for b:2
        32 0 in  b:2  after a:1
        50 0 out b:2  S for idle
        51 0 in  idle after b:2
        80 0 out idle R for a:1
        83 0 in  a:1  after idle
        90 0 other
    )");
    CHECK(runs(*trace, 0) == Lines{"10..30 a R", "32..50 b ", "83..90> a -"});
    CHECK(trace->cpu(0)->unknown == Ranges{{30, 32}, {80, 83}});
    CHECK(trace->cpu(0)->switches.size() == 4);
    REQUIRE(trace->waits.size() == 1); // a was preempted
    CHECK(trace->waits[0].kind == WaitKind::preempted);
    CHECK(trace->waits[0].certainty == Certainty::exact);
    CHECK(trace->waits[0].start == 30);
    CHECK(trace->waits[0].end == 83);
    CHECK(trace->sleeps.size() == 0);
    CHECK(trace->wakeEdge == WakeEdge::none);
    CHECK(trace->diagnostics.count("switch_records") == 7);
    CHECK(trace->diagnostics.count("no_wake_events") == 1);
    CHECK(trace->diagnostics.count("switch_record_missing") == 0);
}

TEST_CASE("idle needs no records of its own, a dying task no tid") {
    const auto trace = story(R"(
        10 0 in    a:1  after idle
        30 0 out   a:1  S for idle
        70 0 in    b:2  after idle
        75 0 exit  b:2
        80 0 out   ?:-1 S for c:3
        82 0 in    c:3  after ?:-1
        90 0 out   c:3  S for idle
        95 0 other
    )");
    CHECK(runs(*trace, 0) == Lines{"10..30 a ", "70..80 b ", "82..90 c "});
    CHECK(trace->cpu(0)->unknown == Ranges{{80, 82}});
    CHECK(trace->cpu(0)->switches.size() == 5);
    CHECK(trace->tasks[trace->cpu(0)->slices[1].task.value()].died);
    CHECK(trace->tasks.size() == 3);
    CHECK(trace->diagnostics.count("switch_record_missing") == 0);
}

TEST_CASE("the first out of a CPU tells who ran since its first event") {
    const auto trace = story(R"(
        10 0 other
        30 0 out a:1 S for b:2
        32 0 in  b:2 after a:1
        40 1 out c:3 R for ?
    )");
    CHECK(runs(*trace, 0) == Lines{"<10..30 a ", "32..40> b -"});
    CHECK(runs(*trace, 1) == Lines{"<40..40 c R"});
}

TEST_CASE("records of some tasks only leave the CPU unknown where these do not run") {
    const auto trace = story(R"(
        10 0 in  a:1 after ?
        20 0 out a:1 S for ?
        70 0 in  a:1 after ?
        90 0 out a:1 R for ?
    )");
    CHECK(runs(*trace, 0) == Lines{"10..20 a ", "70..90 a R"});
    CHECK(trace->cpu(0)->unknown == Ranges{{20, 70}});
    CHECK(trace->diagnostics.count("switch_record_missing") == 0);
}

TEST_CASE("a task that comes where one runs: that one's end was not seen") {
    const auto trace = story(R"(
        10 0 in    a:1 after idle
        20 0 other
        50 0 in    b:2 after c:3
        60 0 out   b:2 S for idle
    )");
    CHECK(runs(*trace, 0) == Lines{"10..20> a -", "50..60 b "});
    CHECK(trace->cpu(0)->unknown == Ranges{{20, 50}});
    CHECK(trace->diagnostics.count("switch_record_missing") == 1);
}

TEST_CASE("a task that leaves where another was announced: it was not seen to come") {
    const auto trace = story(R"(
        10 0 in    a:1 after idle
        20 0 out   a:1 S for b:2
        50 0 out   b:2 R for c:3
        55 0 in    d:4 after b:2
        60 0 out   d:4 S for idle
    )");
    // Nor did c come, who was announced.
    CHECK(runs(*trace, 0) == Lines{"10..20 a ", "<50..50 b R", "55..60 d "});
    CHECK(trace->cpu(0)->unknown == Ranges{{20, 55}});
    CHECK(trace->diagnostics.count("switch_record_missing") == 2);
}

TEST_CASE("a task that leaves where another one is current") {
    const auto trace = story(R"(
        10 0 in    a:1 after idle
        20 0 other
        50 0 out   b:2 S for a:1
        52 0 in    a:1 after b:2
    )");
    CHECK(runs(*trace, 0) == Lines{"10..20> a -", "<50..50 b ", "52..52> a -"});
    CHECK(trace->diagnostics.count("switch_record_missing") == 1);
}

TEST_CASE("a loss between out and in") {
    const auto trace = story(R"(
        10 0 in    a:1 after idle
        20 0 out   a:1 S for b:2
        20 0 lost  5 until 40
        40 0 out   c:3 R for a:1
        41 0 in    a:1 after c:3
        50 0 out   a:1 S for idle
    )");
    CHECK(runs(*trace, 0) == Lines{"10..20 a ", "<40..40 c R", "41..50 a "});
    CHECK(trace->diagnostics.count("switch_record_missing") == 0);
}

TEST_CASE("a preempted task that comes to another CPU has migrated; a dead one is a new task") {
    const auto trace = story(R"(
        10 0 in    a:1 after idle
        20 0 out   a:1 R for b:2
        21 0 in    b:2 after a:1
        30 1 in    a:1 after idle
        35 1 exit  a:1
        40 1 out   a:1 S for idle
        70 0 out   b:2 R for a:1
        71 0 in    a:1 after b:2
    )");
    CHECK(trace->cpu(1)->slices[0].migrated);
    CHECK(trace->tasks.size() == 3);
}
