// How long a frame's level of detail takes: laneColumns() of every CPU for a fixed tour of views.
//
//     lane_columns_bench [--cpus N] [--slices N] [--width N]
//
// Prints milliseconds a frame and the bytes that the index takes. Built with the tests, run by
// hand.
#include "model/lod/lane_columns.h"
#include "model/viewport.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace twolane;

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Bursts of short slices between long ones and idle times, as a busy server has them.
CpuTimeline generated(std::int32_t cpu, std::size_t count, Nanos length) {
    std::mt19937_64 random(static_cast<std::uint64_t>(cpu) + 1);
    std::vector<TimeRange> ranges(count);
    std::exponential_distribution<double> draw(1.0);
    Nanos at = 0;
    double burst = 1;
    for (TimeRange& range : ranges) {
        if (random() % 1000 == 0)
            burst = random() % 4 == 0 ? 20 : random() % 2 == 0 ? 1 : 0.2;
        const auto run = static_cast<Nanos>(20'000 * burst * draw(random));
        range = {at, at + run};
        at += run + (random() % 3 == 0 ? static_cast<Nanos>(30'000 * burst * draw(random)) : 0);
    }
    // All CPUs are recorded for the same time.
    const double scale = static_cast<double>(length) / static_cast<double>(at);
    CpuTimeline timeline;
    timeline.cpu = cpu;
    for (const TimeRange& range : ranges) {
        Timeslice slice;
        slice.range = {static_cast<Nanos>(static_cast<double>(range.begin) * scale),
                       static_cast<Nanos>(static_cast<double>(range.end) * scale)};
        slice.task = TaskId(static_cast<std::uint32_t>(random() % 500));
        timeline.slices.push(slice);
    }
    return timeline;
}

/// Whole trace, zooms by 2 down to 1 µs about three places with some pans at each, and jumps.
std::vector<Viewport> tour(TimeRange extent, std::int32_t width) {
    std::vector<Viewport> views;
    for (const std::int32_t anchor : {width / 3, width / 2, width - 7}) {
        Viewport view{extent, width};
        views.push_back(view);
        while (view.range.length() > 1000) {
            view = zoomedAbout(view, anchor, 2, extent);
            views.push_back(view);
            for (const std::int64_t pan : {1, 40, -200, width / 2})
                views.push_back(pannedBy(view, pan, extent));
        }
        for (int part = 1; part < 8; ++part) {
            const Nanos begin = extent.begin + extent.length() / 8 * part;
            views.push_back(clampedTo({{begin, begin + extent.length() / 16}, width}, extent));
        }
    }
    return views;
}

void report(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const auto rank = [&times](double share) {
        const auto n = static_cast<double>(times.size());
        return times[static_cast<std::size_t>(std::ceil(share * n)) - 1];
    };
    fmt::print("{:<28} p50 {:7.2f}   p99 {:7.2f}   max {:7.2f} ms a frame ({} frames)\n", what,
               rank(0.5), rank(0.99), times.back(), times.size());
}

} // namespace

int main(int argc, char** argv) {
    std::size_t cpus = 64;
    std::size_t slices = 10'000'000;
    std::int32_t width = 1900;
    for (int i = 1; i + 1 < argc; i += 2) {
        const long long value = std::atoll(argv[i + 1]);
        if (std::strcmp(argv[i], "--cpus") == 0)
            cpus = static_cast<std::size_t>(value);
        else if (std::strcmp(argv[i], "--slices") == 0)
            slices = static_cast<std::size_t>(value);
        else if (std::strcmp(argv[i], "--width") == 0)
            width = static_cast<std::int32_t>(value);
    }
    const std::size_t each = std::max<std::size_t>(slices / std::max<std::size_t>(cpus, 1), 1);
    const TimeRange extent{0, static_cast<Nanos>(each) * 40'000};

    std::vector<CpuTimeline> timelines;
    for (std::size_t cpu = 0; cpu < cpus; ++cpu)
        timelines.push_back(generated(static_cast<std::int32_t>(cpu), each, extent.end));
    const auto building = Clock::now();
    std::vector<LaneIndex> indexes;
    for (const CpuTimeline& timeline : timelines)
        indexes.emplace_back(timeline);
    fmt::print("{} CPUs, {} slices, {} pixels; index built in {:.0f} ms\n", cpus, each * cpus,
               width, millisecondsSince(building));
    std::size_t bytes = 0;
    for (const LaneIndex& index : indexes)
        bytes += index.bytes();
    fmt::print("index                        {:.2f} bytes a slice\n",
               static_cast<double>(bytes) / static_cast<double>(each * cpus));

    LaneColumns out;
    std::uint64_t sum = 0; // so that nothing is optimised away
    std::vector<double> all;
    std::vector<double> wide;
    std::vector<double> whole;
    for (int round = 0; round < 3; ++round) {
        for (const Viewport& view : tour(extent, width)) {
            const auto start = Clock::now();
            const std::vector<Nanos> edges = pixelEdges(view);
            for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
                laneColumns(timelines[cpu], indexes[cpu], edges, out);
                sum += out.columns[0].slices + out.runs.size();
            }
            all.push_back(millisecondsSince(start));
            if (view.range.length() > extent.length() / 64)
                wide.push_back(all.back());
            if (view.range == extent)
                whole.push_back(all.back());
        }
    }
    report("all views", all);
    report("above 1/64 of the trace", wide);
    report("the whole trace", whole);
    fmt::print("(checksum {})\n", sum);
    return 0;
}
