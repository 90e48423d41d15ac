#include "app/window/timeline_view.h"

#include "app/chart/timeline/header.h"
#include "app/chart/timeline/overview.h"
#include "app/window/hover_card.h"
#include "app/window/side_card.h"
#include "app/window/tooltip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace twolane::window {
using namespace chart;

TimelineView::TimelineView(ViewState& view, QWidget* parent)
    : QWidget(parent)
    , m_view(view) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent); // the picture covers everything
    setAccessibleName(QStringLiteral("Timeline"));
    for (std::size_t i = 0; i < sideCount; ++i) {
        Side& side = m_sides[i];
        side.card = new SideCard(i, this);
        side.scrollBar = new QScrollBar(Qt::Vertical, this);
        side.scrollBar->hide();
        connect(side.scrollBar, &QScrollBar::valueChanged, this, [this, i](int value) {
            m_layout.sides[i].area.scroll = value;
            redraw();
        });
    }
    connect(&m_view, &ViewState::changed, this, &TimelineView::redraw);
    applyPalette();
}

void TimelineView::setSide(std::size_t index, std::shared_ptr<const LoadedTrace> trace,
                           bool small) {
    SideScene& side = m_scene.sides[index];
    m_sides[index].smallCard = small;
    if (m_picked && m_picked->side == index && side.loaded != trace)
        pick(std::nullopt);
    if (side.loaded != trace) {
        side = {};
        side.loaded = std::move(trace);
        if (side.loaded) {
            side.colours = SliceColours(*side.loaded->trace, m_scene.theme, m_tasks);
            side.lanes = lanesOf(*side.loaded->trace, m_cpus);
        }
    }
    m_view.setLength(extentOf(m_scene).length());
    relayout();
    redraw();
}

void TimelineView::setArrangement(Arrangement arrangement) {
    m_arrangement = arrangement;
    relayout();
    redraw();
}

void TimelineView::setFilter(const CpuFilter& cpus, const TaskFilter& tasks) {
    m_cpus = cpus;
    m_tasks = tasks;
    for (SideScene& side : m_scene.sides)
        if (side.loaded)
            side.lanes = lanesOf(*side.loaded->trace, m_cpus);
    recolour();
    relayout();
    redraw();
}

void TimelineView::pick(std::optional<Picked> picked) {
    if (picked == m_picked)
        return;
    m_picked = std::move(picked);
    if (m_picked) {
        // Its lane, if it lies outside the plot.
        const QRectF box = rectOf(*m_picked);
        const LaneArea& area = m_layout.sides[m_picked->side].area;
        QScrollBar* bar = m_sides[m_picked->side].scrollBar;
        if (box.top() * m_layout.ratio < area.plot.top())
            bar->setValue(bar->value() + static_cast<int>(box.top() * m_layout.ratio) -
                          area.plot.top() - area.rowHeight / 4);
        else if (box.bottom() * m_layout.ratio > area.plot.bottom())
            bar->setValue(bar->value() + static_cast<int>(box.bottom() * m_layout.ratio) -
                          area.plot.bottom() + area.rowHeight / 4);
    }
    update();
    Q_EMIT pickedChanged();
}

TimeRange TimelineView::rangeOf(const Picked& picked) const {
    const Trace& trace = *m_scene.sides[picked.side].loaded->trace;
    TimeRange range;
    if (const auto* slice = std::get_if<SliceRef>(&picked.what)) {
        range = trace.cpus[slice->lane].slices.range(slice->row);
    } else {
        const Wait wait = trace.waits[std::get<WaitRow>(picked.what)];
        range = {wait.start.value_or(wait.end), wait.end};
    }
    return {TimeRange{trace.range.begin, range.begin}.length(),
            TimeRange{trace.range.begin, range.end}.length()};
}

std::size_t TimelineView::sideAt(const QPoint& point) const {
    return m_layout.sides[1].frame.contains(point) || (m_arrangement == Arrangement::stacked &&
                                                       point.y() >= m_layout.sides[1].frame.top() &&
                                                       !m_layout.sides[1].frame.isEmpty())
               ? 1
               : 0;
}

std::int64_t TimelineView::anchorPixel() const {
    const std::int64_t width = m_view.view().width;
    if (!m_pointer)
        return width / 2;
    const std::int64_t x = pixelUnder(*m_pointer);
    return x >= 0 && x < width ? x : width / 2;
}

void TimelineView::scrollLanes(int lines) {
    const std::size_t index = m_pointer ? sideAt(m_pointer->toPoint()) : 0;
    for (std::size_t i = 0; i < sideCount; ++i) {
        QScrollBar* bar = m_sides[i].scrollBar;
        if (i == index || !m_pointer)
            bar->setValue(bar->value() + lines * bar->singleStep());
    }
}

void TimelineView::setPointer(std::optional<QPointF> point) {
    m_pointer = point;
    update();
    Q_EMIT pointerMoved();
}

LanePicture TimelineView::pictureOf(std::size_t index) const {
    const SideScene& side = m_scene.sides[index];
    return {*side.loaded,  side.lanes, side.colours,         m_scene.theme,
            m_view.view(), 1,          m_scene.mostWaiting()};
}

std::vector<LaneLabel> TimelineView::labels(std::size_t index) const {
    if (!m_scene.sides[index].loaded)
        return {};
    return laneLabels(area(index), pictureOf(index),
                      deviceLength(fontMetrics().height(), m_layout.ratio));
}

std::optional<Facts> TimelineView::hover() const {
    if (!m_pointer)
        return std::nullopt;
    const auto at = under(*m_pointer);
    if (!at)
        return std::nullopt;
    const LoadedTrace& loaded = *m_scene.sides[at->side].loaded;
    return at->strip ? queueText(loaded, at->lane, at->pixel)
                     : hoverText(loaded, at->lane, at->pixel);
}

std::optional<Nanos> TimelineView::pointerTime() const {
    if (!m_pointer)
        return std::nullopt;
    const std::int64_t x = pixelUnder(*m_pointer);
    if (x < 0 || x >= m_view.view().width)
        return std::nullopt;
    return timeAt(m_view.view(), x);
}

void TimelineView::applyPalette() {
    m_scene.theme = themeOf(palette());
    for (Side& side : m_sides)
        side.card->setTheme(m_scene.theme);
    recolour();
    redraw();
}

void TimelineView::recolour() {
    for (SideScene& side : m_scene.sides)
        if (side.loaded)
            side.colours = SliceColours(*side.loaded->trace, m_scene.theme, m_tasks);
}

void TimelineView::relayout() {
    LayoutNeeds needs;
    needs.size = size();
    needs.ratio = devicePixelRatioF();
    needs.font = font();
    needs.arrangement = m_arrangement;
    needs.scrollBarWidth = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    for (std::size_t i = 0; i < sideCount; ++i) {
        const SideScene& scene = m_scene.sides[i];
        SideNeeds& side = needs.sides[i];
        side.present = true;
        side.lanes = scene.loaded ? scene.lanes.size() : 0;
        if (side.lanes > 0)
            side.lastCpu = scene.loaded->trace->cpus[scene.lanes.back()].cpu;
        side.cardHeight = m_sides[i].card->sizeHint().height();
        side.smallCard = m_sides[i].smallCard;
        side.scroll = m_sides[i].scrollBar->value();
    }
    m_layout = layOut(needs);

    for (std::size_t i = 0; i < sideCount; ++i) {
        Side& side = m_sides[i];
        const SidePlace& place = m_layout.sides[i];
        const LaneArea& lanes = place.area;
        side.card->setVisible(!m_scene.sides[i].loaded);
        side.card->setGeometry(
            QRect(QPoint(place.frame.left(), place.header.top()), place.body.bottomRight()));
        const QSignalBlocker quiet(side.scrollBar);
        side.scrollBar->setRange(0, lanes.lanes > 0 ? lanes.overflow() : 0);
        side.scrollBar->setPageStep(std::max(1, lanes.plot.height()));
        side.scrollBar->setSingleStep(std::max(lanes.rowHeight, deviceLength(24, m_layout.ratio)));
        side.scrollBar->setValue(lanes.scroll);
        side.scrollBar->setGeometry(place.frame.right() + 1 - needs.scrollBarWidth,
                                    place.body.top(), needs.scrollBarWidth, place.body.height());
        side.scrollBar->setVisible(place.scrolls);
    }
    m_profilesStale = true;
    m_view.setWidth(m_layout.columns);
    m_stale = true;
}

void TimelineView::redraw() {
    m_scene.range = m_view.view().range;
    if (m_scene.extent != m_view.extent()) {
        m_scene.extent = m_view.extent();
        m_profilesStale = true;
    }
    m_stale = true;
    update();
    Q_EMIT pointerMoved();
}

void TimelineView::paintEvent(QPaintEvent*) {
    if (devicePixelRatioF() != m_layout.ratio)
        relayout(); // moved to another screen
    if (m_profilesStale) {
        m_profiles = busyProfiles(m_scene, m_layout);
        m_profilesStale = false;
        m_stale = true;
    }
    if (m_stale) {
        paintTimeline(m_picture, m_scene, m_layout, m_profiles, size(), font(), &m_parts);
        m_stale = false;
    }
    QPainter painter(this);
    painter.drawImage(QPointF(0, 0), m_picture);
    paintPicked(painter);
    paintDraggedRange(painter);
    paintPointer(painter);
}

void TimelineView::paintPointer(QPainter& painter) {
    if (!m_pointer || m_drag)
        return;
    const std::int64_t x = pixelUnder(*m_pointer);
    if (x < 0 || x >= m_view.view().width || !(m_scene.sides[0].loaded || m_scene.sides[1].loaded))
        return;
    QColor line(theme().text);
    line.setAlpha(110);
    const double ratio = m_layout.ratio;
    const double width = std::max(1.0, std::floor(ratio)) / ratio;
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!m_scene.sides[i].loaded)
            continue;
        const SidePlace& place = m_layout.sides[i];
        const double at = static_cast<double>(m_layout.plotLeft(i) + x) / ratio;
        painter.fillRect(QRectF(at, place.body.top(), width, place.body.height()), line);
        painter.fillRect(QRectF(at, place.ruler.top(), width, place.ruler.height()), line);
    }
    if (const auto place = under(*m_pointer)) {
        const Facts text = *hover();
        const QRgb swatch =
            text.comm ? m_scene.sides[place->side].colours.ofComm(*text.comm) : theme().unnamed;
        paintHoverCard(painter, text, swatch, *m_pointer, rect(), theme());
    }
}

QRectF TimelineView::rectOf(const Picked& picked) const {
    const SideScene& side = m_scene.sides[picked.side];
    const LaneArea& lanes = area(picked.side);
    const TimeRange range = rangeOf(picked);
    std::size_t row = 0;
    bool strip = false;
    if (const auto* slice = std::get_if<SliceRef>(&picked.what)) {
        row = slice->lane;
    } else {
        const Wait wait = side.loaded->trace->waits[std::get<WaitRow>(picked.what)];
        const std::int32_t cpu = wait.cpu.value_or(wait.queuedCpu.value_or(-1));
        const auto& cpus = side.loaded->trace->cpus;
        row = static_cast<std::size_t>(
            std::partition_point(cpus.begin(), cpus.end(),
                                 [cpu](const CpuTimeline& each) { return each.cpu < cpu; }) -
            cpus.begin());
        strip = true;
    }
    const auto shown = std::find(side.lanes.begin(), side.lanes.end(), row);
    if (shown == side.lanes.end())
        return {};
    const auto lane = static_cast<std::size_t>(shown - side.lanes.begin());
    // Cut in time first: a slice may be many views long.
    const TimeRange view = m_view.view().range;
    const Nanos margin = std::max<Nanos>(view.length() / 8, 1);
    const TimeRange cut =
        range.clippedTo({addSaturated(view.begin, -margin), addSaturated(view.end, margin)});
    const double left = lanes.plot.left() + positionOf(m_view.view(), cut.begin);
    const double right = lanes.plot.left() + positionOf(m_view.view(), cut.end);
    const bool inStrip = strip && lanes.stripHeight > 0;
    const double ratio = m_layout.ratio;
    return {left / ratio, (inStrip ? lanes.stripTop(lane) : lanes.barTop(lane)) / ratio,
            std::max(right - left, ratio) / ratio,
            (inStrip ? lanes.stripHeight : lanes.barHeight) / ratio};
}

void TimelineView::paintPicked(QPainter& painter) {
    if (!m_picked)
        return;
    const TimeRange range = rangeOf(*m_picked);
    const TimeRange view = m_view.view().range;
    if (range.end < view.begin || range.begin > view.end)
        return;
    const QRect plot = area(m_picked->side).plot;
    const double ratio = m_layout.ratio;
    painter.save();
    painter.setClipRect(QRectF(plot.left() / ratio - 2, plot.top() / ratio - 2,
                               plot.width() / ratio + 4, plot.height() / ratio + 4));
    const QRectF box = rectOf(*m_picked);
    if (!box.isNull()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(QColor(theme().base), 4));
        painter.drawRect(box);
        painter.setPen(QPen(QColor(theme().text), 2));
        painter.drawRect(box);
    }
    painter.restore();
}

void TimelineView::paintDraggedRange(QPainter& painter) {
    if (!m_drag || m_drag->kind != Drag::Kind::range || !m_drag->moved)
        return;
    const TimeRange range = draggedRange();
    QColor fill = palette().color(QPalette::Highlight);
    fill.setAlpha(50);
    const QString text = durationText(range.length(), m_scene.times());
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!m_scene.sides[i].loaded)
            continue;
        const SidePlace& place = m_layout.sides[i];
        const double left =
            (m_layout.plotLeft(i) + positionOf(m_view.view(), range.begin)) / m_layout.ratio;
        const double right =
            (m_layout.plotLeft(i) + positionOf(m_view.view(), range.end)) / m_layout.ratio;
        painter.fillRect(QRectF(left, place.body.top(), right - left, place.body.height()), fill);
        painter.fillRect(QRectF(left, place.ruler.top(), right - left, place.ruler.height()), fill);
        if (place.ruler.isEmpty())
            continue;
        const QFontMetrics metrics(font());
        QRectF label(0, 0, metrics.horizontalAdvance(text) + 20, metrics.height() + 6);
        label.moveCenter(QPointF((left + right) / 2, place.ruler.center().y()));
        label.moveLeft(std::clamp(label.left(), static_cast<double>(place.ruler.left()),
                                  place.ruler.right() - label.width()));
        painter.setPen(QColor(theme().dim));
        painter.setBrush(QColor(theme().base));
        painter.drawRoundedRect(label, 4, 4);
        painter.setPen(QColor(theme().text));
        painter.drawText(label, Qt::AlignCenter | Qt::TextSingleLine, text);
    }
}

void TimelineView::resizeEvent(QResizeEvent*) {
    relayout();
}

void TimelineView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
        applyPalette();
        break;
    case QEvent::FontChange:
    case QEvent::StyleChange:
        relayout();
        redraw();
        break;
    default:
        break;
    }
}

bool TimelineView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < sideCount; ++i) {
        const SideScene& side = m_scene.sides[i];
        if (!side.loaded || !m_layout.sides[i].header.contains(help->pos()))
            continue;
        const QString text = m_parts.trust[i].contains(help->pos())
                                 ? side.loaded->oddities()
                                 : headerText(*side.loaded, side.label).details;
        QToolTip::showText(help->globalPos(), asTooltip(text), this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

} // namespace twolane::window
