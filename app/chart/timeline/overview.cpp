#include "app/chart/timeline/overview.h"

#include "app/chart/timeline/lane_bands.h"

#include <algorithm>
#include <cmath>

namespace twolane::chart {

std::vector<float> busyProfile(const SideScene& side, TimeRange extent, int width) {
    const auto columns = static_cast<std::size_t>(std::max(width, 1));
    std::vector<float> profile(columns, -1);
    if (!side.loaded)
        return profile;
    const Trace& trace = *side.loaded->trace;
    const auto edges = pixelEdges({onClock(trace, extent), static_cast<std::int32_t>(columns)});
    std::vector<double> busy(columns);
    std::vector<double> known(columns);
    LaneColumns lane;
    for (const std::size_t row : side.lanes) {
        laneColumns(trace.cpus[row], side.loaded->lanes[row], edges, lane);
        for (std::size_t x = 0; x < columns; ++x) {
            // No more of the pixel than was recorded.
            const TimeRange pixel =
                TimeRange{lane.edges[x],
                          std::max(lane.edges[x + 1], addSaturated(lane.edges[x], 1))}
                    .clippedTo({trace.range.begin, addSaturated(trace.range.end, 1)});
            if (pixel.empty())
                continue;
            busy[x] += static_cast<double>(lane.columns[x].busy);
            known[x] += static_cast<double>(pixel.length() - lane.columns[x].unknown);
        }
    }
    for (std::size_t x = 0; x < columns; ++x)
        if (known[x] > 0)
            profile[x] = static_cast<float>(std::clamp(busy[x] / known[x], 0.0, 1.0));
    return profile;
}

QRectF brushOf(const QRectF& box, const Scene& scene) {
    const double all = static_cast<double>(scene.extent.length());
    const double from = static_cast<double>(scene.range.begin - scene.extent.begin) / all;
    const double to = static_cast<double>(scene.range.end - scene.extent.begin) / all;
    QRectF brush(box.left() + from * box.width(), box.top(), (to - from) * box.width(),
                 box.height());
    if (brush.width() < 2)
        brush =
            QRectF(std::min(brush.center().x() - 1, box.right() - 2), box.top(), 2, box.height());
    return brush;
}

void paintOverview(QPainter& painter, const QRectF& box, const Scene& scene, std::size_t side,
                   const std::vector<float>& profile) {
    const Theme& theme = scene.theme;
    const QRgb accent = theme.accents[side];
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(box, QColor(theme.lane));
    // Columns of one height are one bar: filling a path of that many corners takes longer than all
    // the lanes. Heights are whole device pixels, of which a column is one.
    const double pixel = box.width() / static_cast<double>(profile.size());
    const double rows = std::floor(box.height() / pixel);
    const auto heightOf = [rows](float share) {
        return share > 0 ? std::max(std::round(static_cast<double>(share) * rows), 1.0) : 0.0;
    };
    const QColor fill(mixed(theme.base, accent, theme.dark ? 130 : 96));
    for (std::size_t x = 0; x < profile.size();) {
        const double height = heightOf(profile[x]);
        std::size_t end = x + 1;
        while (end < profile.size() && heightOf(profile[end]) == height)
            ++end;
        if (height > 0)
            painter.fillRect(QRectF(box.left() + static_cast<double>(x) * pixel,
                                    box.bottom() - height * pixel,
                                    static_cast<double>(end - x) * pixel, height * pixel),
                             fill);
        x = end;
    }
    if (scene.range != scene.extent) {
        const QRectF brush = brushOf(box, scene);
        QColor veil(theme.base);
        veil.setAlpha(140);
        painter.fillRect(QRectF(box.topLeft(), QPointF(brush.left(), box.bottom())), veil);
        painter.fillRect(QRectF(QPointF(brush.right(), box.top()), box.bottomRight()), veil);
        painter.setPen(QPen(QColor(accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(brush.adjusted(0, 0, -1, -1));
    }
    painter.restore();
}

} // namespace twolane::chart
