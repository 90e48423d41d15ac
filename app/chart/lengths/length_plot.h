// Draws distributions of lengths into a QCustomPlot: both sides over each other.
#pragma once

#include "app/chart/lengths/length_curves.h"
#include "app/chart/theme.h"

#include <qcustomplot.h>

#include <array>
#include <optional>

namespace twolane::chart {

using SideCurves = std::array<std::optional<LengthCurves>, sideCount>;

/// The decades of ns that an axis spans; whole ones, at least one.
struct Decades {
    int first = 3;
    int last = 9;
};
Decades decadesOf(const SideCurves& curves);

/// "1 µs", "10", "100", "1 ms", …: a unit at every third power of ten or where wanted. Counts
/// are written out.
QString decadeLabel(int decade, bool nanoseconds, bool withUnit = false);

/// Why there are no axes to draw on: no side has a length, one counts time and the other something
/// else, or latencies begin with sched_waking on one side and sched_wakeup on the other. Empty
/// where both can be drawn.
QString noPlotReason(const SideCurves& curves);
/// What stands in place of the axes then. The layout that it is added to owns it.
QCPTextElement* noPlot(QCustomPlot& plot, const QString& reason, const QFont& font,
                       const Theme& theme);

/// The share of all lengths in each bin, as filled steps. Axes are of `rect`, which must be empty.
/// `logShares`: on a logarithmic axis, for tails.
void plotHistogram(QCustomPlot& plot, QCPAxisRect& rect, const SideCurves& curves,
                   const Theme& theme, bool logShares = false);
/// The share of all lengths up to each length.
void plotCumulative(QCustomPlot& plot, QCPAxisRect& rect, const SideCurves& curves,
                    const Theme& theme);
/// A logarithmic axis below: time over `decades`, or counts of a clock without a known unit.
void styleAxes(QCPAxisRect& rect, const Decades& decades, bool nanoseconds, const QFont& font,
               const Theme& theme);

} // namespace twolane::chart
