// Lanes as rows of pixels: one colour a column, computed once and copied down the lane's height.
#pragma once

#include "app/chart/timeline/lane_area.h"
#include "app/chart/timeline/lane_bands.h"

#include <QImage>
#include <QPainter>

#include <vector>

namespace twolane::chart {

/// A slice wide enough to carry its name.
struct PaintedRun {
    std::size_t lane = 0; ///< into LanePicture::lanes
    LaneRun run;
};

/// The least size of a run that is named, in device pixels.
struct NameRoom {
    int height = 0; ///< of the bars
    int width = 0;
};

/// Paints the visible lanes; a function of its arguments alone. Where bars are high enough the
/// runs that have room for a name are appended to `runs`.
void paintLanes(QImage& image, const LaneArea& area, const LanePicture& picture, NameRoom room,
                std::vector<PaintedRun>& runs);

/// The same as rectangles, in logical coordinates of `ratio` device pixels: runs of pixels of one
/// colour are one rectangle.
void drawLanes(QPainter& painter, const LaneArea& area, const LanePicture& picture, NameRoom room,
               double ratio, std::vector<PaintedRun>& runs);

} // namespace twolane::chart
