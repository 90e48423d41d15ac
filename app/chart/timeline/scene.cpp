#include "app/chart/timeline/scene.h"

#include "model/viewport.h"

#include <algorithm>

namespace twolane::chart {

std::uint32_t Scene::mostWaiting() const {
    std::uint32_t most = 0;
    for (const SideScene& side : sides)
        if (side.loaded)
            most = std::max(most, side.loaded->mostWaiting);
    return most;
}

TimeFormat Scene::times() const {
    TimeFormat format;
    bool first = true;
    for (const SideScene& side : sides) {
        if (!side.loaded)
            continue;
        const TimeFormat own = side.loaded->times();
        format.resolution = first ? own.resolution : std::min(format.resolution, own.resolution);
        format.nanoseconds = (first || format.nanoseconds) && own.nanoseconds;
        first = false;
    }
    return format;
}

std::optional<Error> clocksApart(const Trace& baseline, const Trace& candidate) {
    if (baseline.info.stampsAreNanoseconds == candidate.info.stampsAreNanoseconds)
        return std::nullopt;
    return Error{candidate.info.file,
                 "counts in another unit than the baseline: they have no common scale", "",
                 "look at each alone, or name the unit of integer stamps with --clock"};
}

std::vector<std::size_t> lanesOf(const Trace& trace, const CpuFilter& cpus) {
    std::vector<std::size_t> lanes;
    for (std::size_t i = 0; i < trace.cpus.size(); ++i)
        if (cpus.matches(trace.cpus[i].cpu))
            lanes.push_back(i);
    return lanes;
}

TimeRange extentOf(const Scene& scene) {
    Nanos longest = 1;
    for (const SideScene& side : scene.sides) // the last stamp is inside, so that its event is seen
        if (side.loaded)
            longest = std::max(longest, addSaturated(side.loaded->trace->range.length(), 1));
    return {0, longest};
}

} // namespace twolane::chart
