#include "app/chart/timeline/timeline_picture.h"

#include "app/chart/timeline/header.h"
#include "app/chart/timeline/lane_labels.h"
#include "app/chart/timeline/lane_painter.h"
#include "app/chart/timeline/overview.h"
#include "app/chart/timeline/ruler.h"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>

namespace twolane::chart {
namespace {

using Runs = std::array<std::vector<PaintedRun>, sideCount>;

int hairline(double ratio) {
    return std::max(1, static_cast<int>(std::floor(ratio)));
}

LanePicture pictureOf(const Scene& scene, std::size_t side, const Viewport& view, double ratio) {
    const SideScene& shown = scene.sides[side];
    return {*shown.loaded, shown.lanes,     shown.colours,      scene.theme,
            view,          hairline(ratio), scene.mostWaiting()};
}

NameRoom nameRoom(const QFont& font, double ratio) {
    return {deviceLength(QFontMetrics(font).height() - 2, ratio), deviceLength(30, ratio)};
}

/// Faint lines between the lanes where these are high enough to need none for their own sake.
void drawSeparators(QPainter& painter, const SidePlace& place, double ratio, const Theme& theme) {
    const LaneArea& area = place.area;
    if (area.stripHeight == 0)
        return;
    QColor line(theme.line);
    line.setAlpha(110);
    for (std::size_t lane = std::max<std::size_t>(area.firstVisible(), 1);
         lane < area.lastVisible(); ++lane) {
        const int y = area.plot.top() + static_cast<int>(lane) * area.rowHeight - area.scroll;
        if (y > area.plot.top())
            painter.fillRect(QRectF(place.gutter.left() + 6, y / ratio,
                                    (area.plot.right() + 1) / ratio - place.gutter.left() - 6,
                                    hairline(ratio) / ratio),
                             line);
    }
}

/// Everything but the lanes' own colours.
void decorate(QPainter& painter, const Scene& scene, const Layout& layout,
              const BusyProfiles& profiles, const Runs& runs, PictureParts* parts) {
    const double ratio = layout.ratio;
    const Viewport view = viewportOf(scene, layout);
    for (std::size_t i = 0; i < sideCount; ++i) {
        const SideScene& side = scene.sides[i];
        const SidePlace& place = layout.sides[i];
        painter.fillRect(
            QRect(place.frame.left(), place.frame.top(), accentWidth, place.frame.height()),
            QColor(scene.theme.accents[i]));
        if (!side.loaded)
            continue;
        const QRect trust = paintHeader(painter, place.header, i,
                                        headerText(*side.loaded, side.label), scene.theme);
        if (parts)
            parts->trust[i] = trust;
        if (!place.overview.isEmpty()) {
            // As wide as the plot, to the device pixel.
            const QRectF box(place.area.plot.left() / ratio, place.overview.top(),
                             layout.columns / ratio, place.overview.height());
            paintOverview(painter, box, scene, i, profiles[i]);
        }
        drawSeparators(painter, place, ratio, scene.theme);
        const LanePicture picture = pictureOf(scene, i, view, ratio);
        const QFontMetrics metrics(painter.font());
        paintLaneLabels(painter, place.gutter, place.area,
                        laneLabels(place.area, picture, deviceLength(metrics.height(), ratio)),
                        scene.theme, ratio);
        paintSliceNames(painter, place.area, runs[i], picture, ratio);
    }
    for (std::size_t i = 0; i < sideCount; ++i) {
        const QRect& ruler = layout.sides[i].ruler;
        if (ruler.isEmpty())
            continue;
        painter.fillRect(ruler, QColor(scene.theme.panel));
        if (!scene.sides[0].loaded && !scene.sides[1].loaded)
            continue;
        // A ruler that both sides share follows the plot that there is.
        const std::size_t plot =
            layout.sides[i].frame.isEmpty() || !scene.sides[i].loaded ? 1 - i : i;
        const bool beside = !layout.sides[0].ruler.isEmpty() && !layout.sides[1].ruler.isEmpty();
        const double left = layout.plotLeft(beside ? i : plot) / ratio;
        paintRuler(painter, QRectF(left, ruler.top(), layout.columns / ratio, ruler.height()), view,
                   ratio, scene.times(), scene.theme);
    }
}

} // namespace

BusyProfiles busyProfiles(const Scene& scene, const Layout& layout) {
    BusyProfiles profiles;
    for (std::size_t i = 0; i < sideCount; ++i)
        if (scene.sides[i].loaded && !layout.sides[i].overview.isEmpty())
            profiles[i] = busyProfile(scene.sides[i], scene.extent, layout.columns);
    return profiles;
}

void paintTimeline(QImage& image, const Scene& scene, const Layout& layout,
                   const BusyProfiles& profiles, QSize size, const QFont& font,
                   PictureParts* parts) {
    const double ratio = layout.ratio;
    const QSize pixels(static_cast<int>(std::ceil(size.width() * ratio)),
                       static_cast<int>(std::ceil(size.height() * ratio)));
    if (image.size() != pixels)
        image = QImage(pixels, QImage::Format_RGB32);
    image.setDevicePixelRatio(1);
    image.fill(scene.theme.base);
    const Viewport view = viewportOf(scene, layout);
    Runs runs;
    for (std::size_t i = 0; i < sideCount; ++i)
        if (scene.sides[i].loaded)
            paintLanes(image, layout.sides[i].area, pictureOf(scene, i, view, ratio),
                       nameRoom(font, ratio), runs[i]);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    painter.setFont(font);
    decorate(painter, scene, layout, profiles, runs, parts);
}

void drawTimeline(QPainter& painter, const Scene& scene, const Layout& layout,
                  const BusyProfiles& profiles, QSize size, const QFont& font) {
    painter.save();
    painter.fillRect(QRect(QPoint(0, 0), size), QColor(scene.theme.base));
    painter.setFont(font);
    const Viewport view = viewportOf(scene, layout);
    Runs runs;
    for (std::size_t i = 0; i < sideCount; ++i)
        if (scene.sides[i].loaded)
            drawLanes(painter, layout.sides[i].area, pictureOf(scene, i, view, layout.ratio),
                      nameRoom(font, layout.ratio), layout.ratio, runs[i]);
    decorate(painter, scene, layout, profiles, runs, nullptr);
    painter.restore();
}

} // namespace twolane::chart
