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

/// The share of all lengths in each bin, as filled steps. Axes are of `rect`, which must be empty.
/// `logShares`: on a logarithmic axis, for tails.
void plotHistogram(QCustomPlot& plot, QCPAxisRect& rect, const SideCurves& curves,
                   const Theme& theme, bool logShares = false);
/// The share of all lengths up to each length.
void plotCumulative(QCustomPlot& plot, QCPAxisRect& rect, const SideCurves& curves,
                    const Theme& theme);
/// A logarithmic axis below: time over `decades`.
void styleAxes(QCPAxisRect& rect, const Decades& decades, bool nanoseconds, const QFont& font,
               const Theme& theme);

} // namespace twolane::chart
