#include "model/lod/depth_columns.h"

#include "model/viewport.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace twolane;

namespace {

CpuTimeline randomQueue(std::mt19937_64& random, std::size_t changes, Nanos begin, Nanos scale) {
    CpuTimeline timeline;
    Nanos at = begin;
    std::int32_t waiting = 0;
    for (std::size_t i = 0; i < changes; ++i) {
        at += static_cast<Nanos>(random() % static_cast<std::uint64_t>(scale)); // 0 too
        const std::int32_t by = waiting > 0 && random() % 2 == 0 ? -1 : 1;
        waiting += by;
        timeline.queue.change(at, by);
    }
    const auto ranges = [&](std::vector<TimeRange>& out) {
        for (Nanos from = begin; from < at;) {
            from += static_cast<Nanos>(random() % static_cast<std::uint64_t>(20 * scale));
            const Nanos to = from + 1 + static_cast<Nanos>(random() % 30);
            out.push_back({from, to});
            from = to + 1;
        }
    };
    if (random() % 2 == 0)
        ranges(timeline.unknown);
    if (random() % 2 == 0)
        ranges(timeline.queueLowerBound);
    return timeline;
}

bool inAny(const std::vector<TimeRange>& ranges, Nanos t) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [t](const TimeRange& range) { return range.contains(t); });
}

/// Looks at every nanosecond of the pixel.
DepthColumn look(const CpuTimeline& timeline, TimeRange pixel) {
    DepthColumn column;
    std::uint64_t sum = 0;
    std::uint64_t known = 0;
    const auto& times = timeline.queue.times();
    for (Nanos t = pixel.begin; t < pixel.end; ++t) {
        if (inAny(timeline.unknown, t))
            continue;
        ++known;
        const auto steps = std::upper_bound(times.begin(), times.end(), t) - times.begin();
        const std::uint32_t waiting =
            steps == 0 ? 0 : timeline.queue.waiting(static_cast<std::size_t>(steps - 1));
        sum += waiting;
        column.most = std::max(column.most, waiting);
        column.lowerBound = column.lowerBound || inAny(timeline.queueLowerBound, t);
    }
    column.known = known > 0;
    if (known > 0)
        column.mean = static_cast<float>(static_cast<double>(sum) / static_cast<double>(known));
    return column;
}

std::vector<DepthColumn> computed(const CpuTimeline& timeline, const Viewport& view) {
    std::vector<DepthColumn> out;
    depthColumns(timeline, DepthIndex(timeline), pixelEdges(view), out);
    return out;
}

void checkSame(const CpuTimeline& timeline, const Viewport& view) {
    const std::vector<DepthColumn> got = computed(timeline, view);
    REQUIRE(got.size() == static_cast<std::size_t>(view.width));
    for (std::int32_t x = 0; x < view.width; ++x) {
        CAPTURE(x);
        REQUIRE(got[static_cast<std::size_t>(x)] == look(timeline, timesOfPixel(view, x)));
    }
}

} // namespace

TEST_CASE("queue columns equal a look at every nanosecond") {
    std::mt19937_64 random(8);
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round);
        const Nanos start = round % 3 == 0 ? 0 : 1'651'097'314'396'951'318;
        const CpuTimeline timeline =
            randomQueue(random, 1 + random() % 2000, start, Nanos{1} << (1 + round % 4));
        const Nanos length = std::max<Nanos>(1, timeline.queue.times().back() + 5 - start);
        for (const std::int32_t width : {1, 7, 100}) {
            checkSame(timeline, {{start, start + length}, width});
            const auto from =
                start + static_cast<Nanos>(random() % static_cast<std::uint64_t>(length));
            checkSame(timeline, {{from, from + 1 + length / 3}, width});
            checkSame(timeline, {{from, from + 10}, width}); // several pixels a nanosecond
        }
    }
}

TEST_CASE("panning a queue in steps equals drawing it anew") {
    std::mt19937_64 random(9);
    const CpuTimeline timeline = randomQueue(random, 50'000, 0, 16);
    const DepthIndex index(timeline);
    const TimeRange extent{0, timeline.queue.times().back() + 1};
    Viewport view{{0, 100'000}, 500};
    std::vector<DepthColumn> before;
    depthColumns(timeline, index, pixelEdges(view), before);
    for (int i = 0; i < 20; ++i) {
        view = pannedBy(view, 40, extent);
        const std::vector<DepthColumn> now = computed(timeline, view);
        REQUIRE(std::equal(before.begin() + 40, before.end(), now.begin()));
        before = now;
    }
}

TEST_CASE("an empty queue, one step, and numbers that need more than 64 bits") {
    CpuTimeline timeline;
    CHECK(DepthIndex(timeline).most() == 0);
    for (const DepthColumn& column : computed(timeline, {{0, 100}, 10}))
        CHECK(column == DepthColumn{0, 0, true, false});
    timeline.queue.change(50, 3);
    const auto columns = computed(timeline, {{0, 100}, 4});
    CHECK(columns[1].most == 0);
    CHECK(columns[2].mean == 3);
    CHECK(DepthIndex(timeline).most() == 3);

    CpuTimeline large;
    for (Nanos i = 0; i < 100; ++i)
        large.queue.change(i * 90'000'000'000'000'000, i % 2 == 0 ? 1'000'000'000 : -999'999'999);
    const auto single = computed(large, {{0, 100 * Nanos{90'000'000'000'000'000}}, 1});
    CHECK(single[0].most == 1'000'000'049);
    // Half the time i, half the time 1,000,000,000 + i, for i from 0 to 49.
    CHECK(single[0].mean == doctest::Approx(500'000'025.0));
}
