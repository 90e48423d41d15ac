#include "app/chart/timeline/lane_labels.h"

#include <cmath>

namespace twolane::chart {
namespace {

QString utilisation(const LoadedTrace& loaded, std::size_t lane, const Viewport& view) {
    const Trace& trace = *loaded.trace;
    const TimeRange span = onClock(trace, view.range).clippedTo(trace.range);
    if (span.empty())
        return {};
    const LaneColumn all = laneColumn(trace.cpus[lane], loaded.lanes[lane], span);
    const Nanos known = span.length() - all.unknown;
    if (known <= 0)
        return QStringLiteral("no data");
    const double share = static_cast<double>(all.busy) / static_cast<double>(known);
    if (share > 0 && share < 0.01)
        return QStringLiteral("< 1 %");
    return QStringLiteral("%1 %").arg(static_cast<int>(std::floor(share * 100)));
}

QRectF logical(const QRect& device, double ratio) {
    return {device.left() / ratio, device.top() / ratio, device.width() / ratio,
            device.height() / ratio};
}

} // namespace

QFont smallFont(const QFont& font) {
    QFont small = font;
    if (font.pointSizeF() > 0)
        small.setPointSizeF(font.pointSizeF() * 0.86);
    else
        small.setPixelSize(std::max(8, font.pixelSize() * 86 / 100));
    return small;
}

std::vector<LaneLabel> laneLabels(const LaneArea& area, const LanePicture& picture,
                                  int lineHeight) {
    std::vector<LaneLabel> labels;
    std::size_t step = 1;
    while (static_cast<std::size_t>(area.rowHeight) * step < static_cast<std::size_t>(lineHeight))
        step *= 2;
    for (std::size_t lane = area.firstVisible(); lane < area.lastVisible(); ++lane) {
        if (lane % step != 0)
            continue;
        LaneLabel label{
            lane,
            QStringLiteral("CPU %1").arg(picture.loaded.trace->cpus[picture.lanes[lane]].cpu),
            {}};
        if (area.rowHeight >= 2 * lineHeight)
            label.utilisation = utilisation(picture.loaded, picture.lanes[lane], picture.view);
        labels.push_back(std::move(label));
    }
    return labels;
}

void paintLaneLabels(QPainter& painter, const QRectF& gutter, const LaneArea& area,
                     const std::vector<LaneLabel>& labels, const Theme& theme, double ratio) {
    painter.save();
    painter.setClipRect(
        QRectF(gutter.left(), area.plot.top() / ratio, gutter.width(), area.plot.height() / ratio));
    const QFont font = painter.font();
    const QFont small = smallFont(font);
    const QFontMetricsF metrics(font);
    const QFontMetricsF smallMetrics(small);
    for (const LaneLabel& label : labels) {
        const double middle = (area.barTop(label.lane) + area.barHeight / 2.0) / ratio;
        const double height =
            metrics.height() + (label.utilisation.isEmpty() ? 0 : smallMetrics.height());
        QRectF box(gutter.left(), middle - height / 2, gutter.width(), metrics.height());
        // Half a first or last line tells nothing: move it inside where its lane is low.
        if (area.rowHeight < metrics.height() * ratio && box.top() < area.plot.top() / ratio)
            box.moveTop(area.plot.top() / ratio);
        else if (area.rowHeight < metrics.height() * ratio &&
                 box.bottom() > (area.plot.bottom() + 1) / ratio)
            continue;
        painter.setFont(area.rowHeight < metrics.height() * ratio ? small : font);
        painter.setPen(QColor(theme.text));
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, label.name);
        if (label.utilisation.isEmpty())
            continue;
        box.moveTop(box.bottom());
        box.setHeight(smallMetrics.height());
        painter.setFont(small);
        painter.setPen(QColor(theme.dim));
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                         label.utilisation);
    }
    painter.restore();
}

void paintSliceNames(QPainter& painter, const LaneArea& area, std::span<const PaintedRun> runs,
                     const LanePicture& picture, double ratio) {
    painter.save();
    painter.setClipRect(logical(area.plot, ratio));
    const Trace& trace = *picture.loaded.trace;
    const QFont font = painter.font();
    const QFont small = smallFont(font);
    const QFontMetricsF metrics(font);
    const QFontMetricsF smallMetrics(small);
    const double padding = 5;
    const bool twoLines = area.barHeight / ratio >= metrics.height() + smallMetrics.height() + 2;
    const TimeFormat times = picture.loaded.times();

    const auto draw = [&](const QRectF& box, const QString& text, const QFontMetricsF& textMetrics,
                          bool elide) {
        const QString shown =
            elide ? textMetrics.elidedText(text, Qt::ElideRight, box.width()) : text;
        // An ellipsis with a letter or two is noise.
        if (shown != text && (!elide || shown.size() < 4))
            return false;
        if (!elide && textMetrics.horizontalAdvance(text) > box.width())
            return false;
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
        return true;
    };

    for (const PaintedRun& painted : runs) {
        const SliceColumns& slices = trace.cpus[picture.lanes[painted.lane]].slices;
        const StringId comm = slices.comm(painted.run.slice);
        const QRgb colour = picture.colours.of(slices, painted.run.slice);
        const QRgb ink = textOn(colour);
        const QString name = comm.valid()
                                 ? printable(trace.strings.text(comm))
                                 : QStringLiteral("tid %1").arg(slices[painted.run.slice].tid);
        QRectF box((area.plot.left() + painted.run.first) / ratio + padding,
                   area.barTop(painted.lane) / ratio,
                   (painted.run.last - painted.run.first) / ratio - 2 * padding,
                   area.barHeight / ratio);
        painter.setFont(font);
        painter.setPen(QColor(ink));
        if (!twoLines) {
            draw(box, name, metrics, true);
            continue;
        }
        const double top = box.center().y() - (metrics.height() + smallMetrics.height()) / 2;
        const QRectF first(box.left(), top, box.width(), metrics.height());
        if (!draw(first, name, metrics, true))
            continue;
        painter.setFont(small);
        draw({box.left(), first.bottom(), box.width(), smallMetrics.height()},
             durationText(slices.range(painted.run.slice).length(), times), smallMetrics, false);
    }
    painter.restore();
}

} // namespace twolane::chart
