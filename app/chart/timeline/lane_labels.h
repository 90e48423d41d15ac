// The words over the lanes: CPUs at the left, names inside slices.
#pragma once

#include "app/chart/timeline/lane_painter.h"

#include <QFontMetrics>
#include <QPainter>
#include <QString>

#include <span>
#include <vector>

namespace twolane::chart {

/// The name of a lane, and how busy it was in the view where there is room to say so.
struct LaneLabel {
    std::size_t lane = 0;
    QString name;
    QString utilisation; ///< empty where there is no room
};

/// The labels of the visible lanes. Where lanes are lower than a line of text, only every 2nd, 4th,
/// 8th … lane is named. `lineHeight` in device pixels.
std::vector<LaneLabel> laneLabels(const LaneArea& area, const LanePicture& picture, int lineHeight);

/// Both paint in logical coordinates on a picture of `ratio` device pixels each.
/// `gutter`: logical, the labels end at its right edge.
void paintLaneLabels(QPainter& painter, const QRectF& gutter, const LaneArea& area,
                     const std::vector<LaneLabel>& labels, const Theme& theme, double ratio);
void paintSliceNames(QPainter& painter, const LaneArea& area, std::span<const PaintedRun> runs,
                     const LanePicture& picture, double ratio);

/// The font of what stands in second place: utilisation, ruler, counts.
QFont smallFont(const QFont& font);

} // namespace twolane::chart
