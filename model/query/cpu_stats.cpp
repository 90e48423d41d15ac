#include "model/query/cpu_stats.h"

#include <algorithm>

namespace twolane {
namespace {

/// How many stamps of an ascending list the window holds.
std::uint64_t countHeld(const ValueColumn<Nanos>& stamps, const Window& window) {
    const auto from = std::lower_bound(stamps.begin(), stamps.end(), window.range.begin);
    const auto to = window.includesEnd
                        ? std::upper_bound(stamps.begin(), stamps.end(), window.range.end)
                        : std::lower_bound(stamps.begin(), stamps.end(), window.range.end);
    return from < to ? static_cast<std::uint64_t>(to - from) : 0;
}

CpuStats statsOf(const Trace& trace, const CpuTimeline& timeline, const Selection& selection) {
    const Window& window = selection.window;
    CpuStats stats;
    stats.cpu = timeline.cpu;
    stats.switches = countHeld(timeline.switches, window);

    Nanos busyOfAll = 0;
    const SliceColumns& slices = timeline.slices;
    // The first slice that ends in the window or after it.
    auto i = static_cast<std::size_t>(
        std::lower_bound(slices.ends().begin(), slices.ends().end(), window.range.begin) -
        slices.ends().begin());
    for (; i < slices.size() && slices.range(i).begin <= window.range.end; ++i) {
        const TimeRange range = slices.range(i);
        const Nanos inside = range.clippedTo(window.range).length();
        busyOfAll += inside;
        const bool chosen = selection.tasks.all() || [&] {
            const Timeslice slice = slices[i];
            return selection.tasks.matches(slice.tid, trace.strings.text(slice.comm));
        }();
        if (!chosen)
            continue;
        stats.busy += inside;
        if (!window.holds(range.end))
            continue;
        if (slices.clipped(i))
            ++stats.clippedSlices;
        else
            stats.timeslices.add(range.length());
    }

    for (const TimeRange& unknown : timeline.unknown)
        stats.unknown += unknown.clippedTo(window.range).length();
    const Nanos known = window.range.length() - stats.unknown;
    stats.idle = known - busyOfAll;
    if (known > 0)
        stats.utilisation = static_cast<double>(stats.busy) / static_cast<double>(known);
    if (selection.tasks.all() && trace.wakeEdge != WakeEdge::none)
        stats.depth = depthOf(timeline, window.range);
    return stats;
}

} // namespace

std::vector<CpuStats> cpuStats(const Trace& trace, const Selection& selection) {
    std::vector<CpuStats> all;
    for (const CpuTimeline& timeline : trace.cpus)
        if (selection.cpus.matches(timeline.cpu))
            all.push_back(statsOf(trace, timeline, selection));

    const WaitColumns& waits = trace.waits;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (waits.kind(i) != WaitKind::wakeup)
            continue;
        const auto queuedCpu = waits.queuedCpu(i);
        if (!queuedCpu || !selection.window.holds(waits.wakeAt(i)))
            continue;
        if (!selection.tasks.all()) {
            const Wait wait = waits[i];
            if (!selection.tasks.matches(wait.tid, trace.strings.text(wait.comm)))
                continue;
        }
        const auto cpu =
            std::lower_bound(all.begin(), all.end(), *queuedCpu,
                             [](const CpuStats& s, std::int32_t number) { return s.cpu < number; });
        if (cpu != all.end() && cpu->cpu == *queuedCpu)
            ++cpu->wakeups;
    }
    return all;
}

} // namespace twolane
