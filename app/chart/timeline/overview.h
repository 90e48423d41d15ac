// The whole trace in one line: how busy the shown CPUs were, and which part the lanes show.
#pragma once

#include "app/chart/timeline/scene.h"

#include <QPainter>
#include <QRectF>

#include <vector>

namespace twolane::chart {

/// How busy the shown lanes were in each of `width` columns of the extent, from 0 to 1: busy time
/// over known time; negative where nothing is known.
std::vector<float> busyProfile(const SideScene& side, TimeRange extent, int width);

/// Where the brush lies in the overview: the part of the extent that the lanes show, at least 2
/// pixels wide.
QRectF brushOf(const QRectF& box, const Scene& scene);

/// Paints in logical coordinates.
void paintOverview(QPainter& painter, const QRectF& box, const Scene& scene, std::size_t side,
                   const std::vector<float>& profile);

} // namespace twolane::chart
