#include "model/query/neighbour.h"
#include "model/trace_builder.h"
#include "tests/support/random_recording.h"
#include "tests/support/story.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

using namespace twolane;
using twolane::tests::Events;
using twolane::tests::story;

namespace {

std::string commAt(const Trace& trace, std::optional<SliceRef> slice) {
    if (!slice)
        return "-";
    const SliceColumns& slices = trace.cpus.at(slice->lane).slices;
    const TimeRange range = slices.range(slice->row);
    return std::string(trace.strings.text(slices.comm(slice->row))) + " " +
           std::to_string(range.begin) + "-" + std::to_string(range.end);
}

/// All slices, in the order in which a task had them.
std::vector<SliceRef> allSlices(const Trace& trace) {
    std::vector<SliceRef> all;
    for (std::size_t lane = 0; lane < trace.cpus.size(); ++lane)
        for (std::size_t row = 0; row < trace.cpus[lane].slices.size(); ++row)
            all.push_back({lane, row});
    std::stable_sort(all.begin(), all.end(), [&](SliceRef a, SliceRef b) {
        const TimeRange left = trace.cpus[a.lane].slices.range(a.row);
        const TimeRange right = trace.cpus[b.lane].slices.range(b.row);
        return std::tie(left.begin, left.end) < std::tie(right.begin, right.end);
    });
    return all;
}

/// Looks at every slice and every wait for every question about a trace.
void checkAll(const Trace& trace) {
    const NeighbourIndex index(trace);
    const std::vector<SliceRef> all = allSlices(trace);
    const auto timeslice = [&](SliceRef s) { return trace.cpus[s.lane].slices[s.row]; };

    for (std::size_t i = 0; i < all.size(); ++i) {
        const TaskId task = timeslice(all[i]).task;
        std::optional<SliceRef> previous;
        std::optional<SliceRef> next;
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (timeslice(all[k]).task != task || k == i)
                continue;
            if (k < i)
                previous = all[k];
            else if (!next)
                next = all[k];
        }
        REQUIRE(previousOfTask(trace, index, all[i]) == previous);
        REQUIRE(nextOfTask(trace, index, all[i]) == next);
        const SliceRef self = all[i];
        REQUIRE(previousOnCpu(trace, self).has_value() == (self.row > 0));
        REQUIRE(nextOnCpu(trace, self).has_value() ==
                (self.row + 1 < trace.cpus[self.lane].slices.size()));
    }

    // A switch-in that was seen and the wait that ends in it name each other; where stamps are
    // not all alike there is no doubt which belong together.
    for (const SliceRef s : all) {
        const Timeslice slice = timeslice(s);
        std::vector<WaitRow> ended;
        for (WaitRow row = 0; row < trace.waits.size(); ++row) {
            const Wait wait = trace.waits[row];
            if (wait.task == slice.task && wait.end == slice.range.begin &&
                wait.cpu == trace.cpus[s.lane].cpu)
                ended.push_back(row);
        }
        const auto found = waitBefore(trace, index, s);
        if (found) {
            REQUIRE(std::find(ended.begin(), ended.end(), *found) != ended.end());
            REQUIRE_FALSE(slice.openLeft);
            REQUIRE(sliceAfter(trace, index, *found) == s);
            REQUIRE(sliceBefore(trace, index, *found) == previousOfTask(trace, index, s));
        }
        const auto twins = std::count_if(all.begin(), all.end(), [&](SliceRef other) {
            return timeslice(other).task == slice.task && other.lane == s.lane &&
                   timeslice(other).range.begin == slice.range.begin;
        });
        if (twins == 1 && !slice.openLeft && ended.size() == 1)
            REQUIRE(found == ended[0]);
        if (ended.empty())
            REQUIRE_FALSE(found);
    }
    for (WaitRow row = 0; row < trace.waits.size(); ++row)
        if (trace.waits.certainty(row) == Certainty::clipped)
            REQUIRE_FALSE(sliceAfter(trace, index, row));

    for (std::size_t lane = 0; lane < trace.cpus.size(); ++lane) {
        const SliceColumns& slices = trace.cpus[lane].slices;
        for (Nanos at = trace.range.begin - 1; at <= trace.range.end + 1; ++at) {
            std::optional<SliceRef> running;
            for (std::size_t row = 0; row < slices.size(); ++row) {
                const TimeRange range = slices.range(row);
                if (range.contains(at) || range == TimeRange{at, at})
                    running = SliceRef{lane, row}; // one that is not empty is the last of these
            }
            REQUIRE(sliceAt(trace, lane, at) == running);

            std::vector<WaitRow> waiting;
            for (WaitRow row = 0; row < trace.waits.size(); ++row) {
                const Wait wait = trace.waits[row];
                if (wait.start && *wait.start <= at && at < wait.end &&
                    trace.waits.queuedOn(row, at) == trace.cpus[lane].cpu)
                    waiting.push_back(row);
            }
            REQUIRE(waitingAt(trace, index, lane, at) == waiting);
        }
    }
}

} // namespace

TEST_CASE("what stands beside a slice, on its CPU and of its task") {
    const auto trace = story(R"(
        100 0 switch  idle R > a:1
        110 0 switch  a:1 S > b:2
        115 1 waking  a:1 on 0 by 9
        116 1 wakeup  a:1 on 1 by 9
        120 1 switch  idle R > a:1       # waited from 115
        130 0 switch  b:2 R > c:3        # b waits from here on
        140 1 switch  a:1 R > d:4        # a waits from here on
        150 0 switch  c:3 S > b:2
        160 0 switch  b:2 S > a:1
        170 0 switch  a:1 S > idle
    )");
    const NeighbourIndex index(*trace);
    const auto b = sliceAt(*trace, 0, 129);
    REQUIRE(b);
    CHECK(commAt(*trace, b) == "b 110-130");
    CHECK(commAt(*trace, previousOnCpu(*trace, *b)) == "a 100-110");
    CHECK(commAt(*trace, nextOnCpu(*trace, *b)) == "c 130-150");
    CHECK(commAt(*trace, nextOfTask(*trace, index, *b)) == "b 150-160");
    CHECK(commAt(*trace, previousOfTask(*trace, index, *b)) == "-");
    CHECK_FALSE(waitBefore(*trace, index, *b)); // first seen at its switch-in

    const auto a = sliceAt(*trace, 1, 120);
    REQUIRE(a);
    CHECK(commAt(*trace, previousOfTask(*trace, index, *a)) == "a 100-110");
    CHECK(commAt(*trace, nextOfTask(*trace, index, *a)) == "a 160-170");
    const auto wait = waitBefore(*trace, index, *a);
    REQUIRE(wait);
    CHECK(trace->waits[*wait].start == 115);
    CHECK(sliceAfter(*trace, index, *wait) == a);
    CHECK(commAt(*trace, sliceBefore(*trace, index, *wait)) == "a 100-110");

    // At 145 a waits for CPU 1, where it was preempted; b since 130 for CPU 0.
    const auto onZero = waitingAt(*trace, index, 0, 145);
    REQUIRE(onZero.size() == 1);
    CHECK(trace->waits[onZero[0]].start == 130);
    const auto onOne = waitingAt(*trace, index, 1, 145);
    REQUIRE(onOne.size() == 1);
    CHECK(trace->waits[onOne[0]].start == 140);
    CHECK(waitingAt(*trace, index, 0, 150).empty());
    CHECK_FALSE(sliceAt(*trace, 0, 99));
    CHECK_FALSE(sliceAt(*trace, 0, 170)); // idle
}

TEST_CASE("runs of 0 ns at one stamp find their own waits") {
    const auto trace = story(R"(
        100 0 switch  a:1 R > b:2
        110 0 switch  b:2 S > a:1        # waited 10
        110 0 switch  a:1 R > c:3
        110 0 switch  c:3 S > a:1        # waited 0
        120 0 switch  a:1 S > idle
    )");
    const NeighbourIndex index(*trace);
    REQUIRE(trace->waits.size() == 2);
    const auto long_ = sliceAt(*trace, 0, 115);
    REQUIRE(long_);
    CHECK(waitBefore(*trace, index, *long_) == WaitRow{1});
    const auto none = previousOfTask(*trace, index, *long_);
    REQUIRE(none);
    CHECK(waitBefore(*trace, index, *none) == WaitRow{0});
    CHECK(commAt(*trace, sliceBefore(*trace, index, 1)) == "a 110-110");
    CHECK(commAt(*trace, sliceAt(*trace, 0, 110)) == "a 110-120");
}

TEST_CASE("several waiters come longest waiting first") {
    const auto trace = story(R"(
        100 0 other
        110 1 waking  c:3 on 0 by 0
        120 1 waking  a:1 on 0 by 0
        130 1 waking  b:2 on 0 by 0
        140 1 waking  d:4 on 1 by 0
        150 0 switch  idle R > a:1
        200 0 other
    )");
    const NeighbourIndex index(*trace);
    const auto tids = [&](std::size_t lane, Nanos at) {
        std::vector<std::int32_t> found;
        for (const WaitRow row : waitingAt(*trace, index, lane, at))
            found.push_back(trace->waits.tid(row));
        return found;
    };
    CHECK(tids(0, 149) == std::vector<std::int32_t>{3, 1, 2});
    CHECK(tids(0, 150) == std::vector<std::int32_t>{3, 2});
    CHECK(tids(0, 115) == std::vector<std::int32_t>{3});
    CHECK(tids(1, 150) == std::vector<std::int32_t>{4});
}

TEST_CASE("a trace without slices or waits has no neighbours") {
    const auto trace = story("100 0 other\n");
    const NeighbourIndex index(*trace);
    CHECK_FALSE(sliceAt(*trace, 0, 100));
    CHECK(waitingAt(*trace, index, 0, 100).empty());
    CHECK(index.slicesOf(TaskId(0)).empty());
}

TEST_CASE("neighbours are those that a look at every row finds") {
    for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
        CAPTURE(seed);
        const Events events = tests::randomRecording(seed);
        if (events.empty())
            continue;
        TraceBuilder builder;
        feed(events, builder);
        checkAll(*builder.finish({}, {}));
    }
}

TEST_CASE("many waits at once are found through all levels of the index") {
    TraceBuilder builder;
    std::uint64_t index = 0;
    for (std::int32_t tid = 1; tid <= 5000; ++tid) {
        SchedWake wake;
        wake.header = {tid, tid % 2, 0, index++};
        wake.comm = "w";
        wake.pid = tid;
        wake.target_cpu = tid % 3;
        builder.schedWaking(wake);
    }
    std::int32_t prev = 0;
    for (std::int32_t i = 1; i < 5003; ++i) {
        const std::int32_t tid = i * 7919 % 5003; // each from 1 to 5002 once
        builder.schedSwitch({{6000 + i, 0, 0, index++}, "w", prev, 0, {}, "w", tid, 0});
        prev = tid;
    }
    const auto trace = builder.finish({}, {});
    const NeighbourIndex neighbours(*trace);
    for (const Nanos at : {0, 1, 100, 3000, 5000, 5999, 7000, 9000, 10999, 12000}) {
        std::vector<WaitRow> wanted;
        for (WaitRow row = 0; row < trace->waits.size(); ++row)
            if (*trace->waits.start(row) <= at && at < trace->waits.end(row) &&
                trace->waits.queuedCpu(row) == 1)
                wanted.push_back(row);
        CHECK(waitingAt(*trace, neighbours, 1, at) == wanted);
    }
}
