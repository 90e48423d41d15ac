#include "model/lod/lane_columns.h"

#include "model/viewport.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace twolane;

namespace {

CpuTimeline timelineOf(const std::vector<TimeRange>& ranges, std::vector<TimeRange> unknown = {}) {
    CpuTimeline timeline;
    std::uint32_t task = 0;
    for (const TimeRange& range : ranges) {
        Timeslice slice;
        slice.range = range;
        slice.task = TaskId(task++);
        timeline.slices.push(slice);
    }
    timeline.unknown = std::move(unknown);
    return timeline;
}

bool touches(TimeRange slice, TimeRange pixel) {
    if (slice.begin == slice.end)
        return pixel.contains(slice.begin);
    return slice.begin < pixel.end && slice.end > pixel.begin;
}

/// Looks at every slice for every pixel; `edges` as for laneColumns().
LaneColumns bruteForce(const CpuTimeline& timeline, const std::vector<Nanos>& edges) {
    LaneColumns out;
    struct Extent {
        std::int32_t first, last;
        bool covers;
    };
    std::vector<Extent> extents(timeline.slices.size(), {0, 0, false});
    for (std::int32_t x = 0; x + 1 < static_cast<std::int32_t>(edges.size()); ++x) {
        const auto at = static_cast<std::size_t>(x);
        const TimeRange pixel{edges[at], std::max(edges[at + 1], addSaturated(edges[at], 1))};
        LaneColumn column;
        Nanos longest = -1;
        for (std::size_t i = 0; i < timeline.slices.size(); ++i) {
            const TimeRange range = timeline.slices.range(i);
            if (!touches(range, pixel))
                continue;
            const Nanos inside =
                std::min(range.end, pixel.end) - std::max(range.begin, pixel.begin);
            column.busy += inside;
            ++column.slices;
            if (inside > longest) {
                longest = inside;
                column.longest = static_cast<std::uint32_t>(i);
            }
            Extent& extent = extents[i];
            if (extent.first == extent.last)
                extent.first = x;
            extent.last = x + 1;
            if (range.begin <= pixel.begin && range.end >= pixel.end)
                extent.covers = true;
        }
        for (const TimeRange& gap : timeline.unknown)
            column.unknown +=
                std::max<Nanos>(0, std::min(gap.end, pixel.end) - std::max(gap.begin, pixel.begin));
        out.columns.push_back(column);
    }
    for (std::size_t i = 0; i < extents.size(); ++i)
        if (extents[i].covers)
            out.runs.push_back({static_cast<std::uint32_t>(i), extents[i].first, extents[i].last});
    return out;
}

LaneColumns computed(const CpuTimeline& timeline, const Viewport& view) {
    const LaneIndex index(timeline);
    LaneColumns out;
    laneColumns(timeline, index, pixelEdges(view), out);
    return out;
}

/// Every edge is the one that was asked for or, where pixels hold many slices, next to it.
void checkEdges(const CpuTimeline& timeline, const Viewport& view, const LaneColumns& got) {
    const std::vector<Nanos> asked = pixelEdges(view);
    REQUIRE(got.edges.size() == asked.size());
    const auto& begins = timeline.slices.begins();
    const auto inView = std::lower_bound(begins.begin(), begins.end(), view.range.end) -
                        std::lower_bound(begins.begin(), begins.end(), view.range.begin);
    const Nanos pixel = view.range.length() / view.width;
    const Nanos allowed = inView / view.width >= 32 ? pixel / 8 : 0;
    for (std::size_t x = 0; x < asked.size(); ++x) {
        CAPTURE(x);
        REQUIRE(std::abs(got.edges[x] - asked[x]) <= allowed);
    }
}

void checkSame(const CpuTimeline& timeline, const Viewport& view) {
    const LaneColumns got = computed(timeline, view);
    checkEdges(timeline, view, got);
    const LaneColumns wanted = bruteForce(timeline, got.edges);
    REQUIRE(got.columns.size() == wanted.columns.size());
    for (std::size_t x = 0; x < wanted.columns.size(); ++x) {
        CAPTURE(x);
        REQUIRE(got.columns[x].busy == wanted.columns[x].busy);
        REQUIRE(got.columns[x].unknown == wanted.columns[x].unknown);
        REQUIRE(got.columns[x].slices == wanted.columns[x].slices);
        if (wanted.columns[x].slices > 0)
            REQUIRE(got.columns[x].longest == wanted.columns[x].longest);
    }
    REQUIRE(got.runs == wanted.runs);
}

/// Slices, idle stretches and unknown ones in random order; some of 0 ns, some back to back.
CpuTimeline randomTimeline(std::mt19937_64& random, std::size_t count, Nanos start, Nanos scale) {
    std::vector<TimeRange> slices;
    std::vector<TimeRange> unknown;
    Nanos at = start;
    while (slices.size() < count) {
        const Nanos length = random() % 8 == 0 ? 0 : static_cast<Nanos>(random()) & (scale - 1);
        slices.push_back({at, at + length});
        at += length;
        switch (random() % 4) {
        case 0:
            at += static_cast<Nanos>(random()) & (scale * 4 - 1);
            break;
        case 1: {
            const Nanos gap = 1 + (static_cast<Nanos>(random()) & (scale - 1));
            unknown.push_back({at, at + gap});
            at += gap;
            break;
        }
        default:
            break;
        }
    }
    return timelineOf(slices, std::move(unknown));
}

} // namespace

TEST_CASE("columns equal a look at every slice") {
    std::mt19937_64 random(4);
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round);
        const Nanos start = round % 3 == 0 ? 0 : 1'651'097'314'396'951'318;
        const std::size_t count = 1 + random() % 3000;
        const CpuTimeline timeline = randomTimeline(random, count, start, Nanos{1} << (round % 12));
        const Nanos length = std::max<Nanos>(1, timeline.slices.ends().back() - start);
        for (const std::int32_t width : {1, 17, 100, 101}) {
            checkSame(timeline, {{start, start + length}, width});
            const Nanos from =
                start + static_cast<Nanos>(random() % static_cast<std::uint64_t>(length));
            const Nanos span =
                1 + static_cast<Nanos>(random() % static_cast<std::uint64_t>(length));
            checkSame(timeline, {{from, from + span}, width});
            checkSame(timeline, {{from, from + 1 + span / 1000}, width});
            checkSame(timeline, {{from - 2 * span, from}, width});
        }
    }
}

TEST_CASE("columns of slices of minutes, and of bursts in one bin, equal a look at every slice") {
    std::mt19937_64 random(6);
    for (int round = 0; round < 10; ++round) {
        CAPTURE(round);
        const CpuTimeline hours = randomTimeline(random, 3000, -5, Nanos{1} << 36);
        for (const std::int32_t width : {1, 13, 100})
            checkSame(hours, {{-5, hours.slices.ends().back()}, width});
        // Almost all slices within a millionth of the time.
        std::vector<TimeRange> ranges;
        Nanos at = 0;
        for (int i = 0; i < 3000; ++i) {
            const auto length = static_cast<Nanos>(random() % 100);
            ranges.push_back({at, at + length});
            at += length + (i % 1000 == 999 ? 100'000'000'000 : 0);
        }
        const CpuTimeline bursts = timelineOf(ranges);
        for (const std::int32_t width : {1, 13, 100}) {
            checkSame(bursts, {{0, at}, width});
            checkSame(bursts, {{100'000'000'000, 100'000'060'000}, width});
        }
    }
}

TEST_CASE("the columns of a view add up to the view") {
    std::mt19937_64 random(5);
    const CpuTimeline timeline = randomTimeline(random, 100'000, -777, 256);
    const LaneIndex index(timeline);
    const TimeRange whole{-777, timeline.slices.ends().back()};
    CHECK(laneColumn(timeline, index, whole).slices == 100'000);
    for (const std::int32_t width : {1, 64, 999, 1900}) {
        const LaneColumns columns = computed(timeline, {whole, width});
        Nanos busy = 0;
        Nanos unknown = 0;
        for (const LaneColumn& column : columns.columns) {
            busy += column.busy;
            unknown += column.unknown;
        }
        const LaneColumn all =
            laneColumn(timeline, index, {columns.edges.front(), columns.edges.back()});
        CHECK(busy == all.busy);
        CHECK(unknown == all.unknown);
    }
}

TEST_CASE("edges move only where pixels hold many slices, and to the same places on all CPUs") {
    std::mt19937_64 random(8);
    const CpuTimeline one = randomTimeline(random, 100'000, 0, 256);
    const CpuTimeline other = randomTimeline(random, 100'000, 0, 256);
    const Nanos end = std::min(one.slices.ends().back(), other.slices.ends().back()) - 5000;
    const Viewport wide{{10'000, end}, 800};
    const std::vector<Nanos> asked = pixelEdges(wide);
    const LaneColumns first = computed(one, wide);
    CHECK(first.edges != asked);
    CHECK(computed(other, wide).edges == first.edges);
    checkSame(one, wide);

    const Viewport narrow{{10'000, 10'000 + end / 16}, 800};
    CHECK(computed(one, narrow).edges == pixelEdges(narrow));
}

TEST_CASE("many slices a pixel among slices of seconds and minutes") {
    // 32 bits hold no length above 4.3 s.
    std::mt19937_64 random(9);
    std::vector<TimeRange> ranges;
    Nanos at = -1'000'000'000'000;
    for (int i = 0; i < 20'000; ++i) {
        const bool huge = random() % 2000 == 0;
        const Nanos length = huge ? static_cast<Nanos>(random() % 200'000'000'000)
                                  : static_cast<Nanos>(random() % 100'000'000);
        ranges.push_back({at, at + length});
        at += length + (random() % 3 == 0 ? 1'000'000 : 0);
    }
    const CpuTimeline timeline = timelineOf(ranges, {{at, at + 5'000'000'000}});
    for (const std::int32_t width : {1, 7, 50, 300, 600}) {
        CAPTURE(width);
        checkSame(timeline, {{ranges.front().begin, at + 10'000'000'000}, width});
        checkSame(timeline, {{-900'000'000'000, -300'000'000'000}, width});
    }
}

TEST_CASE("short runs mark their pixel and no other, at any width") {
    std::vector<TimeRange> runs;
    for (Nanos i = 0; i < 1000; ++i)
        runs.push_back({i * 100'000'000 + 40'000'000, i * 100'000'000 + 40'010'000});
    const TimeRange span{0, 100'000'000'000};
    const CpuTimeline thousand = timelineOf(runs);
    for (const LaneColumn& column : computed(thousand, {span, 1000}).columns) {
        CHECK(column.slices == 1);
        CHECK(column.busy == 10'000);
    }
    const CpuTimeline single = timelineOf({{50'000'000'123, 50'000'010'123}});
    for (const std::int32_t width : {1000, 1001, 1, 3840}) {
        const LaneColumns columns = computed(single, {span, width});
        CHECK(std::count_if(columns.columns.begin(), columns.columns.end(),
                            [](const LaneColumn& c) { return c.slices > 0; }) == 1);
        CHECK(columns.runs.empty());
    }
}

TEST_CASE("a run of an hour fills a view of ten nanoseconds") {
    constexpr Nanos hour = 3'600'000'000'000;
    const CpuTimeline timeline = timelineOf({{0, hour}});
    const LaneColumns inside = computed(timeline, {{hour / 2, hour / 2 + 10}, 2000});
    for (const LaneColumn& column : inside.columns)
        REQUIRE(column.busy == 1);
    CHECK(inside.runs == std::vector<LaneRun>{{0, 0, 2000}});

    const LaneColumns end = computed(timeline, {{hour - 5, hour + 5}, 2000});
    CHECK(end.runs == std::vector<LaneRun>{{0, 0, 1000}});
    CHECK(end.columns[999].busy == 1);
    CHECK(end.columns[1000].busy == 0);
    CHECK(end.columns[1000].slices == 0);
}

TEST_CASE("a CPU without slices, and one that is unknown throughout") {
    const LaneColumns empty = computed(timelineOf({}), {{0, 1000}, 10});
    CHECK(empty.columns == std::vector<LaneColumn>(10));
    const LaneColumns unknown = computed(timelineOf({}, {{0, 1000}}), {{0, 1000}, 10});
    for (const LaneColumn& column : unknown.columns)
        CHECK(column.unknown == 100);
}

TEST_CASE("extreme times do not overflow") {
    const CpuTimeline timeline = timelineOf({{INT64_MIN, INT64_MAX}});
    const LaneColumns columns = computed(timeline, {{INT64_MAX - 10, INT64_MAX}, 100});
    CHECK(columns.runs == std::vector<LaneRun>{{0, 0, 100}});
    CHECK(laneColumn(timeline, LaneIndex(timeline), {INT64_MIN, INT64_MAX}).busy == INT64_MAX);
}
