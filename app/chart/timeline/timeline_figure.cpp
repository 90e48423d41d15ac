#include "app/chart/timeline/timeline_figure.h"

#include "app/chart/timeline/timeline_picture.h"
#include "model/viewport.h"

#include <QFontMetrics>

#include <cmath>

namespace twolane::chart {
namespace {

constexpr int titlePadding = 8;

QFont titleFont(QFont font) {
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.15);
    return font;
}

} // namespace

Scene sceneOf(const std::array<SideChoice, sideCount>& sides, const Theme& theme,
              std::optional<TimeRange> range) {
    Scene scene;
    scene.theme = theme;
    for (std::size_t i = 0; i < sideCount; ++i) {
        const SideChoice& chosen = sides[i];
        if (!chosen.loaded)
            continue;
        const Trace& trace = *chosen.loaded->trace;
        scene.sides[i] = {chosen.loaded, chosen.label, SliceColours(trace, theme, chosen.tasks),
                          lanesOf(trace, chosen.cpus)};
    }
    scene.extent = extentOf(scene);
    scene.range = scene.extent;
    if (range)
        scene.range = clampedTo({*range, 1}, scene.extent).range;
    return scene;
}

int TimelineFigure::titleHeight() const {
    return m_options.title.isEmpty()
               ? 0
               : QFontMetrics(titleFont(m_options.font)).height() + 2 * titlePadding;
}

Layout TimelineFigure::layoutFor(const FigureSize& size) const {
    LayoutNeeds needs;
    needs.size = size.logical - QSize(0, titleHeight());
    needs.ratio = size.scale;
    needs.font = m_options.font;
    needs.arrangement = m_options.arrangement;
    needs.lowestRow = 1;
    for (std::size_t i = 0; i < sideCount; ++i) {
        const SideScene& side = m_scene.sides[i];
        if (!side.loaded)
            continue;
        needs.sides[i].present = true;
        needs.sides[i].lanes = side.lanes.size();
        if (!side.lanes.empty())
            needs.sides[i].lastCpu = side.loaded->trace->cpus[side.lanes.back()].cpu;
    }
    return layOut(needs);
}

std::size_t TimelineFigure::lanesWithoutRoom(const FigureSize& size) const {
    std::size_t count = 0;
    for (const SidePlace& side : layoutFor(size).sides)
        count += side.area.lanes - side.area.lastVisible();
    return count;
}

void TimelineFigure::paintTitle(QPainter& painter, int width) const {
    if (m_options.title.isEmpty())
        return;
    painter.save();
    painter.setFont(titleFont(m_options.font));
    painter.fillRect(QRect(0, 0, width, titleHeight()), QColor(m_scene.theme.base));
    painter.setPen(QColor(m_scene.theme.text));
    painter.drawText(
        QRect(12, 0, width - 24, titleHeight()),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(painter.font()).elidedText(m_options.title, Qt::ElideRight, width - 24));
    painter.restore();
}

QImage TimelineFigure::raster(const FigureSize& size) const {
    const Layout layout = layoutFor(size);
    const QSize room = size.logical - QSize(0, titleHeight());
    QImage lanes;
    paintTimeline(lanes, m_scene, layout, busyProfiles(m_scene, layout), room, m_options.font);
    if (m_options.title.isEmpty())
        return lanes;
    QImage image(static_cast<int>(std::ceil(size.logical.width() * size.scale)),
                 static_cast<int>(std::ceil(size.logical.height() * size.scale)),
                 QImage::Format_RGB32);
    image.setDevicePixelRatio(size.scale);
    QPainter painter(&image);
    paintTitle(painter, size.logical.width());
    painter.drawImage(QPointF(0, titleHeight()), lanes);
    return image;
}

void TimelineFigure::vector(QPaintDevice& device, const FigureSize& size) const {
    QPainter painter(&device);
    const Layout layout = layoutFor(size);
    paintTitle(painter, size.logical.width());
    painter.translate(0, titleHeight());
    drawTimeline(painter, m_scene, layout, busyProfiles(m_scene, layout),
                 size.logical - QSize(0, titleHeight()), m_options.font);
}

} // namespace twolane::chart
