#include "model/query/cpu_stats.h"
#include "model/query/depth.h"
#include "model/trace_builder.h"
#include "tests/support/random_recording.h"
#include "tests/support/story.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace twolane;
using twolane::tests::Events;
using twolane::tests::story;

namespace {

/// The depth at one instant; nothing where it is not known.
std::optional<std::uint32_t> depthAt(const CpuTimeline& cpu, Nanos t) {
    for (const TimeRange& unknown : cpu.unknown)
        if (unknown.contains(t))
            return std::nullopt;
    std::uint32_t depth = 0;
    for (std::size_t i = 0; i < cpu.queue.size(); ++i)
        if (cpu.queue.times()[i] <= t)
            depth = cpu.queue.waiting(i);
    for (std::size_t i = 0; i < cpu.slices.size(); ++i)
        if (cpu.slices.range(i).contains(t))
            ++depth;
    return depth;
}

/// Each instant's depth where it is known, and how many of them are lower bounds.
struct Instants {
    std::vector<std::uint32_t> depths;
    Nanos lowerBound = 0;
};

Instants look(const std::vector<const CpuTimeline*>& cpus, TimeRange window) {
    Instants instants;
    for (Nanos t = window.begin; t < window.end; ++t) {
        std::uint32_t sum = 0;
        bool known = true;
        bool least = false;
        for (const CpuTimeline* cpu : cpus) {
            const auto depth = depthAt(*cpu, t);
            known = known && depth;
            sum += depth.value_or(0);
            for (const TimeRange& range : cpu->queueLowerBound)
                least = least || range.contains(t);
        }
        if (!known)
            continue;
        instants.depths.push_back(sum);
        instants.lowerBound += least ? 1 : 0;
    }
    std::sort(instants.depths.begin(), instants.depths.end());
    return instants;
}

void checkSame(const DepthStats& got, const Instants& wanted) {
    const auto& depths = wanted.depths;
    REQUIRE(got.times.known() == static_cast<Nanos>(depths.size()));
    REQUIRE(got.lowerBound == wanted.lowerBound);
    if (depths.empty()) {
        REQUIRE_FALSE(got.times.mean());
        REQUIRE_FALSE(got.times.max());
        return;
    }
    const double sum = std::accumulate(depths.begin(), depths.end(), 0.0);
    REQUIRE(got.times.mean() == sum / static_cast<double>(depths.size()));
    REQUIRE(got.times.max() == depths.back());
    for (const std::uint32_t percent : {1U, 50U, 90U, 99U}) {
        const std::size_t rank = (percent * depths.size() + 99) / 100; // nearest rank of instants
        REQUIRE(got.times.percentile(percent) == depths[rank - 1]);
    }
}

} // namespace

TEST_CASE("depth counts who runs and who waits, each for its time") {
    const auto trace = story(R"(
        100 0 switch  idle R > a:1       # 1 for 20
        100 1 switch  p:9 S > idle       # 0 for 50
        120 0 waking  b:2 on 0 by 1      # 2 for 10
        130 0 waking  c:3 on 0 by 1      # 3 for 20
        150 0 switch  a:1 S > b:2        # 2 for 30
        150 1 waking  d:4 on 1 by 0      # idle, one waits: 1 for 50
        180 0 switch  b:2 S > c:3        # 1 for 10
        190 0 switch  c:3 S > idle       # 0 for 10
        200 0 other
        200 1 other
    )");
    const TimeRange whole{100, 200};
    const DepthStats zero = depthOf(*trace->cpu(0), whole);
    CHECK(zero.times.known() == 100);
    CHECK(zero.times.mean() == (1 * 20 + 2 * 10 + 3 * 20 + 2 * 30 + 1 * 10) / 100.0);
    CHECK(zero.times.max() == 3);
    CHECK(zero.times.percentile(99) == 3);
    CHECK(zero.times.percentile(80) == 2); // at most 2 for exactly 80 of 100
    CHECK(zero.times.percentile(40) == 1); // 0 or 1 for exactly 40
    CHECK(zero.times.percentile(41) == 2);
    CHECK(zero.lowerBound == 90); // idle for the first time at 190
    const DepthStats one = depthOf(*trace->cpu(1), whole);
    CHECK(one.times.mean() == 0.5);
    CHECK(one.times.max() == 1);

    const DepthStats all = depthOfAll(*trace, {}, whole);
    CHECK(all.times.max() == 3);
    CHECK(all.times.mean() == 1.7 + 0.5);
    CHECK(depthOf(*trace->cpu(0), {120, 140}).times.mean() == 2.5); // a window
    CHECK_FALSE(depthOf(*trace->cpu(0), {140, 140}).times.max());

    auto stats = cpuStats(*trace, {windowOf(*trace), {}, {}});
    REQUIRE(stats.at(0).depth);
    CHECK(stats[0].depth->times.max() == 3);
    CHECK_FALSE(cpuStats(*trace, {windowOf(*trace), {}, TaskFilter("a")}).at(0).depth);
}

TEST_CASE("no depth is told of unknown time, nor where no wakes were recorded") {
    const auto trace = story(R"(
        100 0 switch  a:1 S > idle
        110 0 waking  b:2 on 0 by 0
        120 0 lost    5 until 150
        150 0 switch  x:7 S > idle
        160 0 other
    )");
    const DepthStats depth = depthOf(*trace->cpu(0), {100, 160});
    CHECK(depth.times.known() == 30);
    CHECK(depth.times.mean() == 10 / 30.0);

    const auto wakeless = story("100 0 switch a:1 R > b:2\n120 0 switch b:2 S > a:1\n");
    CHECK_FALSE(cpuStats(*wakeless, {windowOf(*wakeless), {}, {}}).at(0).depth);
}

TEST_CASE("depths are those of a look at every instant") {
    for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
        CAPTURE(seed);
        const Events events = tests::randomRecording(seed);
        if (events.empty())
            continue;
        TraceBuilder builder;
        feed(events, builder);
        const auto trace = builder.finish({}, {});
        const Nanos third = trace->range.length() / 3;
        for (const TimeRange window :
             {trace->range, TimeRange{trace->range.begin + third, trace->range.end - third}}) {
            std::vector<const CpuTimeline*> all;
            for (const CpuTimeline& cpu : trace->cpus) {
                checkSame(depthOf(cpu, window), look({&cpu}, window));
                all.push_back(&cpu);
            }
            if (!all.empty())
                checkSame(depthOfAll(*trace, {}, window), look(all, window));
        }
    }
}
