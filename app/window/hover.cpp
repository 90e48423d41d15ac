#include "app/window/hover.h"

#include "app/chart/timeline/lane_labels.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>

namespace twolane::window {
using namespace chart;
namespace {

QString nameOf(const Trace& trace, const Timeslice& slice) {
    return slice.comm.valid() ? printable(trace.strings.text(slice.comm))
                              : QStringLiteral("tid %1, never named").arg(slice.tid);
}

/// Differences saturate: a trace may span more than Nanos can hold.
QString sinceStart(const Trace& trace, Nanos time, const TimeFormat& times) {
    return instantText(TimeRange{trace.range.begin, time}.length(), times);
}

QString endText(const Timeslice& slice) {
    if (!slice.endState)
        return QStringLiteral("not seen");
    const auto letter = QString::fromStdString(toString(*slice.endState));
    const auto word = printable(describe(slice.endState->state));
    return letter.isEmpty() ? word : QStringLiteral("%1 (%2)").arg(word, letter);
}

QString clippedText(const Timeslice& slice) {
    if (slice.openLeft && slice.openRight)
        return QStringLiteral("start and end not seen: lasted longer");
    return slice.openLeft ? QStringLiteral("start not seen: lasted longer")
                          : QStringLiteral("end not seen: may have lasted longer");
}

HoverText sliceText(const LoadedTrace& loaded, const CpuTimeline& timeline, std::size_t row) {
    const Trace& trace = *loaded.trace;
    const TimeFormat times = loaded.times();
    const Timeslice slice = timeline.slices[row];
    HoverText text;
    text.title = nameOf(trace, slice);
    text.comm = slice.comm;
    text.rows = {{QStringLiteral("tid"), QString::number(slice.tid)},
                 {QStringLiteral("CPU"), QString::number(timeline.cpu)},
                 {QStringLiteral("start"), sinceStart(trace, slice.range.begin, times)},
                 {QStringLiteral("length"), durationText(slice.range.length(), times)},
                 {QStringLiteral("left the CPU"), endText(slice)},
                 {QStringLiteral("priority"), QString::number(slice.prio)}};
    if (slice.clipped())
        text.rows.emplace_back(QStringLiteral("clipped"), clippedText(slice));
    if (slice.migrated)
        text.rows.emplace_back(QStringLiteral("migrated"),
                               QStringLiteral("ran on another CPU before"));
    return text;
}

HoverText severalText(const LoadedTrace& loaded, const CpuTimeline& timeline,
                      const LaneColumn& column, TimeRange pixel) {
    const Trace& trace = *loaded.trace;
    const TimeFormat times = loaded.times();
    const Timeslice longest = timeline.slices[column.longest];
    HoverText text;
    text.title = countText(column.slices, "run", "runs");
    text.comm = longest.comm;
    text.rows = {
        {QStringLiteral("CPU"), QString::number(timeline.cpu)},
        {QStringLiteral("within"),
         QStringLiteral("%1 from %2")
             .arg(durationText(pixel.length(), times), sinceStart(trace, pixel.begin, times))},
        {QStringLiteral("busy"),
         shareText(static_cast<double>(column.busy) / static_cast<double>(pixel.length()))},
        {QStringLiteral("longest"), QStringLiteral("%1 (tid %2), %3")
                                        .arg(nameOf(trace, longest), QString::number(longest.tid),
                                             durationText(longest.range.length(), times))}};
    if (column.unknown > 0)
        text.rows.emplace_back(QStringLiteral("unknown"), durationText(column.unknown, times));
    return text;
}

HoverText unknownText(const LoadedTrace& loaded, const CpuTimeline& timeline, TimeRange pixel) {
    const Trace& trace = *loaded.trace;
    const auto gap =
        std::partition_point(timeline.unknown.begin(), timeline.unknown.end(),
                             [pixel](const TimeRange& range) { return range.end <= pixel.begin; });
    const auto loss =
        std::find_if(trace.losses.begin(), trace.losses.end(), [&](const LostEvents& lost) {
            return lost.cpu == timeline.cpu && lost.range.begin < pixel.end &&
                   lost.range.end > pixel.begin;
        });
    HoverText text;
    text.title =
        loss != trace.losses.end() ? QStringLiteral("events lost") : QStringLiteral("no data");
    text.rows = {{QStringLiteral("CPU"), QString::number(timeline.cpu)},
                 {QStringLiteral("start"), sinceStart(trace, gap->begin, loaded.times())},
                 {QStringLiteral("length"), durationText(gap->length(), loaded.times())}};
    if (loss != trace.losses.end())
        text.rows.emplace_back(
            QStringLiteral("lost"),
            loss->count >= 0 ? countText(static_cast<std::uint64_t>(loss->count), "event", "events")
                             : QStringLiteral("a number that the file does not tell"));
    return text;
}

HoverText idleText(const LoadedTrace& loaded, const CpuTimeline& timeline, Nanos at) {
    const Trace& trace = *loaded.trace;
    TimeRange idle = trace.range;
    const auto& begins = timeline.slices.begins();
    const auto next = static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), at) -
                                               begins.begin());
    if (next > 0)
        idle.begin = std::max(idle.begin, timeline.slices.ends()[next - 1]);
    if (next < begins.size())
        idle.end = std::min(idle.end, begins[next]);
    const auto gap =
        std::partition_point(timeline.unknown.begin(), timeline.unknown.end(),
                             [at](const TimeRange& range) { return range.begin <= at; });
    if (gap != timeline.unknown.begin())
        idle.begin = std::max(idle.begin, std::prev(gap)->end);
    if (gap != timeline.unknown.end())
        idle.end = std::min(idle.end, gap->begin);
    HoverText text;
    text.title = QStringLiteral("idle");
    text.rows = {
        {QStringLiteral("CPU"), QString::number(timeline.cpu)},
        {QStringLiteral("start"), sinceStart(trace, idle.begin, loaded.times())},
        {QStringLiteral("length"), durationText(idle.clippedTo(idle).length(), loaded.times())}};
    return text;
}

} // namespace

QString HoverText::plain() const {
    QString out = title;
    for (const auto& [what, value] : rows)
        out += QStringLiteral("\n%1: %2").arg(what, value);
    return out;
}

HoverText hoverText(const LoadedTrace& loaded, std::size_t lane, TimeRange pixel) {
    const Trace& trace = *loaded.trace;
    const CpuTimeline& timeline = trace.cpus[lane];
    if (pixel.end <= trace.range.begin || pixel.begin > trace.range.end) {
        HoverText text;
        text.title = QStringLiteral("after the recording's end");
        text.rows = {
            {QStringLiteral("recorded"), durationText(trace.range.length(), loaded.times())}};
        return text;
    }
    const LaneColumn column = laneColumn(timeline, loaded.lanes[lane], pixel);
    if (column.slices == 0)
        return column.unknown > 0 ? unknownText(loaded, timeline, pixel)
                                  : idleText(loaded, timeline, pixel.begin);
    // The edge of a wide slice is that slice, not "2 runs".
    if (column.slices == 1 || timeline.slices.range(column.longest).length() / 2 >= pixel.length())
        return sliceText(loaded, timeline, column.longest);
    return severalText(loaded, timeline, column, pixel);
}

void paintHoverCard(QPainter& painter, const HoverText& text, QRgb swatch, const QPointF& pointer,
                    const QRectF& bounds, const Theme& theme) {
    painter.save();
    const QFont font = painter.font();
    QFont bold = font;
    bold.setBold(true);
    const QFontMetricsF metrics(font);
    const QFontMetricsF boldMetrics(bold);
    const double padding = 10;
    const double gap = 12;
    const double swatchWidth = text.comm ? metrics.ascent() + 4 : 0;
    double names = 0;
    double values = 0;
    for (const auto& [what, value] : text.rows) {
        names = std::max(names, metrics.horizontalAdvance(what));
        values = std::max(values, metrics.horizontalAdvance(value));
    }
    const double line = metrics.height() + 2;
    const QSizeF size(
        2 * padding +
            std::max(boldMetrics.horizontalAdvance(text.title) + swatchWidth, names + gap + values),
        2 * padding + boldMetrics.height() + 4 + line * static_cast<double>(text.rows.size()));
    QRectF card(pointer + QPointF(16, 18), size);
    if (card.right() > bounds.right() - 4)
        card.moveRight(pointer.x() - 14);
    if (card.bottom() > bounds.bottom() - 4)
        card.moveBottom(pointer.y() - 12);
    card.moveLeft(std::max(card.left(), bounds.left() + 4));
    card.moveTop(std::max(card.top(), bounds.top() + 4));
    card.moveTopLeft(card.topLeft().toPoint()); // whole pixels: text stays sharp

    QPainterPath shape;
    shape.addRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(shape.translated(0, 2), QColor(0, 0, 0, theme.dark ? 90 : 34));
    painter.fillPath(shape, QColor(theme.dark ? mixed(theme.base, theme.text, 22) : theme.base));
    painter.setPen(QColor(mixed(theme.base, theme.text, 80)));
    painter.drawPath(shape);

    QPointF at = card.topLeft() + QPointF(padding, padding);
    if (text.comm) {
        const double side = metrics.ascent() - 2;
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(swatch));
        painter.drawRoundedRect(
            QRectF(at.x(), at.y() + (boldMetrics.height() - side) / 2, side, side), 2, 2);
    }
    painter.setFont(bold);
    painter.setPen(QColor(theme.text));
    painter.drawText(QRectF(at.x() + swatchWidth, at.y(), size.width(), boldMetrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text.title);
    at.ry() += boldMetrics.height() + 4;
    painter.setFont(font);
    for (const auto& [what, value] : text.rows) {
        painter.setPen(QColor(theme.dim));
        painter.drawText(QRectF(at.x(), at.y(), names, line),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, what);
        painter.setPen(QColor(theme.text));
        painter.drawText(QRectF(at.x() + names + gap, at.y(), values + 1, line),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, value);
        at.ry() += line;
    }
    painter.restore();
}

} // namespace twolane::window
