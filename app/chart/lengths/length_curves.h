// The lengths of one trace's timeslices or waits, ready to be drawn.
#pragma once

#include "app/chart/text.h"
#include "model/query/lengths.h"

#include <QString>
#include <QStringList>

#include <array>
#include <optional>
#include <vector>

namespace twolane::chart {

/// What is measured.
enum class LengthKind : std::uint8_t { timeslices, wakeupLatency };

/// Const after its making.
struct LengthCurves {
    QString label;
    LogHistogram histogram;
    std::vector<CumulativePoint> cumulative;
    std::uint64_t n = 0;
    std::uint64_t clipped = 0; ///< left out
    std::uint64_t doubtful = 0;
    std::optional<Nanos> p50;
    std::optional<Nanos> p99;
    std::optional<Nanos> max;
    TimeFormat times;
    /// Of a wakeup latency: the event that it begins with; none: there can be no latency.
    std::optional<WakeEdge> wakeEdge;

    /// "n 1 204", "p50 2.910 ms", "p99 11.800 ms" (of 100 lengths or more), "max 41.000 ms", and
    /// how many of them are 0 if any are; why there is nothing where n is 0.
    QStringList facts(LengthKind kind) const;
    /// The same as one text, with " · " between.
    QString numbers(LengthKind kind) const { return facts(kind).join(QStringLiteral(" · ")); }
    /// "12 clipped, 3 doubtful left out"; empty where nothing was.
    QString leftOut() const;
};

/// Nothing after a stop request.
std::optional<LengthCurves> lengthCurves(const Trace& trace, const Selection& selection,
                                         LengthKind kind, const std::stop_token& stop = {});

} // namespace twolane::chart
