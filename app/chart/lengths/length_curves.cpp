#include "app/chart/lengths/length_curves.h"

#include <algorithm>

namespace twolane::chart {
namespace {

/// Enough for any screen, few enough to draw at once.
constexpr std::size_t curvePoints = 600;

/// Of fewer lengths the 99th percentile is the largest one, or nearly.
constexpr std::uint64_t leastForP99 = 100;

} // namespace

QStringList LengthCurves::facts(LengthKind kind) const {
    if (n == 0) {
        if (kind == LengthKind::timeslices)
            return {QStringLiteral("no exact timeslice ends here")};
        return {wakeEdge != WakeEdge::none ? QStringLiteral("no exact wakeup latency ends here")
                                           : QStringLiteral("no wakes were recorded")};
    }
    QStringList texts{QStringLiteral("n ") + countText(n),
                      QStringLiteral("p50 ") + durationText(*p50, times)};
    if (n >= leastForP99)
        texts << QStringLiteral("p99 ") + durationText(*p99, times);
    texts << QStringLiteral("max ") + durationText(*max, times);
    if (histogram.zeros > 0) // no bin of a logarithmic axis shows them
        texts << countText(histogram.zeros) + QStringLiteral(" of ") + durationText(0, times);
    return texts;
}

QString LengthCurves::leftOut() const {
    QStringList parts;
    if (clipped > 0)
        parts << countText(clipped) + QStringLiteral(" clipped");
    if (doubtful > 0)
        parts << countText(doubtful) + QStringLiteral(" doubtful");
    return parts.isEmpty() ? QString()
                           : parts.join(QStringLiteral(", ")) + QStringLiteral(" left out");
}

std::optional<LengthCurves> lengthCurves(const Trace& trace, const Selection& selection,
                                         LengthKind kind, const std::stop_token& stop) {
    auto lengths = kind == LengthKind::timeslices
                       ? timesliceLengths(trace, selection, stop)
                       : waitLengths(trace, selection, WaitKind::wakeup, stop);
    if (!lengths)
        return std::nullopt;
    LengthCurves curves;
    curves.times = {std::max<Nanos>(trace.info.resolution, 1), trace.info.stampsAreNanoseconds};
    if (kind == LengthKind::wakeupLatency)
        curves.wakeEdge = trace.wakeEdge;
    curves.n = lengths->exact.n();
    curves.clipped = lengths->clipped;
    curves.doubtful = lengths->doubtful;
    curves.histogram = logHistogram(lengths->exact);
    if (stop.stop_requested())
        return std::nullopt;
    curves.cumulative = cumulative(lengths->exact, curvePoints);
    curves.p50 = lengths->exact.percentile(50);
    curves.p99 = lengths->exact.percentile(99);
    curves.max = lengths->exact.max();
    return curves;
}

} // namespace twolane::chart
