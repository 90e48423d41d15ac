// Where the lanes of one side lie, in device pixels.
#pragma once

#include <QRect>

#include <cstddef>
#include <optional>

namespace twolane::chart {

/// Rows of equal height below each other. A row holds a bar, what ran, and below it where there is
/// room a strip, what waited.
struct LaneArea {
    QRect plot;
    int rowHeight = 1;   ///< from one lane to the next
    int barHeight = 1;   ///< what ran
    int stripHeight = 0; ///< what waited; 0: no room
    int stripGap = 0;    ///< between the two
    int scroll = 0;      ///< rows of pixels above the plot
    std::size_t lanes = 0;

    int barTop(std::size_t lane) const {
        return plot.top() + static_cast<int>(lane) * rowHeight - scroll +
               (rowHeight - barHeight - stripGap - stripHeight) / 2;
    }
    int stripTop(std::size_t lane) const { return barTop(lane) + barHeight + stripGap; }
    /// The lanes of which a pixel is inside the plot: [first, last).
    std::size_t firstVisible() const;
    std::size_t lastVisible() const;
    /// The lane at a row of pixels, gaps between bars included.
    std::optional<std::size_t> laneAt(int y) const;
    /// Whether that row of pixels belongs to the strip of its lane, the gap above it included.
    bool inStrip(int y) const;
    /// Rows of pixels that do not fit into the plot.
    int overflow() const;
};

/// Shares a row between bar, strip and the gap to the next lane. `ratio`: device pixels a pixel.
void divideRow(LaneArea& area, int rowHeight, double ratio);

/// Logical to device pixels, rounded.
int deviceLength(double logical, double ratio);

} // namespace twolane::chart
