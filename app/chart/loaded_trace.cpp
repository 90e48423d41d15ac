#include "app/chart/loaded_trace.h"

#include <QStringList>

#include <algorithm>

namespace twolane::chart {

TimeFormat LoadedTrace::times() const {
    return {std::max<Nanos>(trace->info.resolution, 1), trace->info.stampsAreNanoseconds};
}

QString LoadedTrace::lossText() const {
    QStringList parts;
    if (trace->lostEvents > 0) {
        parts << countText(trace->lostEvents) +
                     (trace->lostUncounted ? QStringLiteral(" or more") : QString()) +
                     (trace->lostEvents == 1 && !trace->lostUncounted
                          ? QStringLiteral(" event lost")
                          : QStringLiteral(" events lost"));
    } else if (trace->lostUncounted) {
        parts << QStringLiteral("events lost");
    }
    if (exactness.doubtfulWaits > 0)
        parts << countText(exactness.doubtfulWaits, "wait doubtful", "waits doubtful");
    if (trace->wakeEdge == WakeEdge::none)
        parts << QStringLiteral("no wakes recorded");
    const auto& all = trace->diagnostics.all();
    const auto errors = std::count_if(all.begin(), all.end(), [](const Oddity& oddity) {
        return oddity.severity == Severity::error;
    });
    if (errors > 0)
        parts << countText(static_cast<std::uint64_t>(errors), "problem", "problems");
    if (!parts.isEmpty())
        return parts.join(QStringLiteral(", "));
    const auto doubts = std::count_if(all.begin(), all.end(), [](const Oddity& oddity) {
        return oddity.severity == Severity::dataLoss;
    });
    return doubts == 0 ? QStringLiteral("nothing lost")
                       : QStringLiteral("nothing lost, ") +
                             countText(static_cast<std::uint64_t>(doubts), "remark", "remarks");
}

bool LoadedTrace::lossy() const {
    const auto& all = trace->diagnostics.all();
    return trace->wakeEdge == WakeEdge::none || trace->lostEvents > 0 || trace->lostUncounted ||
           exactness.doubtfulWaits > 0 ||
           std::any_of(all.begin(), all.end(),
                       [](const Oddity& oddity) { return oddity.severity != Severity::info; });
}

QString LoadedTrace::oddities() const {
    QStringList lines;
    for (const Oddity& oddity : trace->diagnostics.all())
        lines << printable(oddity.message());
    return lines.isEmpty() ? QStringLiteral("Nothing was lost and nothing was odd.")
                           : lines.join(QLatin1Char('\n'));
}

std::shared_ptr<const LoadedTrace> prepare(std::shared_ptr<const Trace> trace) {
    auto loaded = std::make_shared<LoadedTrace>();
    loaded->lanes.reserve(trace->cpus.size());
    loaded->queues.reserve(trace->cpus.size());
    for (const CpuTimeline& cpu : trace->cpus) {
        loaded->lanes.emplace_back(cpu);
        loaded->queues.emplace_back(cpu);
        loaded->mostWaiting = std::max(loaded->mostWaiting, loaded->queues.back().most());
    }
    loaded->exactness = exactness(*trace, {windowOf(*trace), {}, {}});
    loaded->neighbours = NeighbourIndex(*trace);
    loaded->trace = std::move(trace);
    return loaded;
}

} // namespace twolane::chart
