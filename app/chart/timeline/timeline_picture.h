// Draws a scene into pixels, or as rectangles and text.
#pragma once

#include "app/chart/timeline/layout.h"
#include "app/chart/timeline/scene.h"
#include "model/viewport.h"

#include <QFont>
#include <QImage>
#include <QPainter>
#include <QRect>

#include <array>
#include <vector>

namespace twolane::chart {

/// The overviews' profiles, which outlive many pictures: they depend on the extent alone.
using BusyProfiles = std::array<std::vector<float>, sideCount>;
BusyProfiles busyProfiles(const Scene& scene, const Layout& layout);

/// What the picture tells about itself, for the pointer.
struct PictureParts {
    std::array<QRect, sideCount> trust; ///< where a header speaks of losses; logical
};

/// All of the picture, as `size * layout.ratio` pixels, into `image`: what it held is painted over,
/// its memory used again where it is as large. The image's device pixel ratio is set.
void paintTimeline(QImage& image, const Scene& scene, const Layout& layout,
                   const BusyProfiles& profiles, QSize size, const QFont& font,
                   PictureParts* parts = nullptr);

/// The same in logical coordinates.
void drawTimeline(QPainter& painter, const Scene& scene, const Layout& layout,
                  const BusyProfiles& profiles, QSize size, const QFont& font);

/// The view of both sides in device pixels.
inline Viewport viewportOf(const Scene& scene, const Layout& layout) {
    return {scene.range, layout.columns};
}

} // namespace twolane::chart
