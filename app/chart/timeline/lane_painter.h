// Lanes as rows of pixels: one colour a column, computed once and copied down the lane's height.
#pragma once

#include "app/chart/loaded_trace.h"
#include "app/chart/theme.h"
#include "model/viewport.h"

#include <QImage>
#include <QRect>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace twolane::chart {

/// Where one side's lanes lie, in device pixels of the picture.
struct LaneArea {
    QRect plot;
    int rowHeight = 1; ///< from one lane to the next
    int barHeight = 1; ///< what is painted of it
    int scroll = 0;    ///< rows of pixels above the plot
    std::size_t lanes = 0;

    int barTop(std::size_t lane) const {
        return plot.top() + static_cast<int>(lane) * rowHeight - scroll +
               (rowHeight - barHeight) / 2;
    }
    /// The lanes of which a pixel is inside the plot: [first, last).
    std::size_t firstVisible() const;
    std::size_t lastVisible() const;
    /// The lane at a row of pixels of the picture, gaps between bars included.
    std::optional<std::size_t> laneAt(int y) const;
};

/// What is painted there.
struct LanePicture {
    const LoadedTrace& loaded;
    std::span<const QRgb> colours; ///< by StringId of the trace
    const Theme& theme;
    const Viewport& view; ///< from the trace's start
    int hairline = 1;     ///< device pixels of a one-pixel line
};

/// A slice wide enough to carry its name.
struct PaintedRun {
    std::size_t lane = 0;
    LaneRun run;
};

/// The colours by StringId that paintLanes() takes.
std::vector<QRgb> commColours(const Trace& trace, const Theme& theme);

/// The part of a view on the trace's own clock.
TimeRange onClock(const Trace& trace, TimeRange fromStart);

/// Paints the visible lanes; a function of its arguments alone. Where bars are at least
/// `labelHeight` device pixels high, the runs of at least `labelWidth` are appended to `runs`.
void paintLanes(QImage& image, const LaneArea& area, const LanePicture& picture, int labelHeight,
                int labelWidth, std::vector<PaintedRun>& runs);

} // namespace twolane::chart
