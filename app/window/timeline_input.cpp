// What the pointer does in the timeline.
#include "app/chart/timeline/overview.h"
#include "app/window/timeline_view.h"

#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace twolane::window {
using namespace chart;
namespace {

constexpr double clickSlack = 3;  // logical pixels that a click may move
constexpr double brushHandle = 5; // on either side of the brush's edges

} // namespace

std::int64_t TimelineView::pixelUnder(const QPointF& point, std::optional<std::size_t> side) const {
    return static_cast<std::int64_t>(std::floor(point.x() * m_layout.ratio)) -
           m_layout.plotLeft(side.value_or(sideAt(point.toPoint())));
}

std::optional<TimelineView::Under> TimelineView::under(const QPointF& point) const {
    const std::int64_t x = pixelUnder(point);
    if (x < 0 || x >= m_view.view().width)
        return std::nullopt;
    const std::size_t side = sideAt(point.toPoint());
    const SideScene& scene = m_scene.sides[side];
    if (!scene.loaded)
        return std::nullopt;
    const int y = static_cast<int>(std::floor(point.y() * m_layout.ratio));
    const auto lane = area(side).laneAt(y);
    if (!lane)
        return std::nullopt;
    return Under{side, scene.lanes[*lane],
                 onClock(*scene.loaded->trace, timesOfPixel(m_view.view(), x)),
                 area(side).inStrip(y)};
}

std::optional<Picked> TimelineView::pickable(const Under& at) const {
    const LoadedTrace& loaded = *m_scene.sides[at.side].loaded;
    const Trace& trace = *loaded.trace;
    if (at.strip) {
        const auto waits = waitingAt(trace, loaded.neighbours, at.lane, at.pixel.begin);
        if (!waits.empty())
            return Picked{at.side, waits.front()};
        return std::nullopt;
    }
    const LaneColumn column = laneColumn(trace.cpus[at.lane], loaded.lanes[at.lane], at.pixel);
    if (column.slices == 0)
        return std::nullopt;
    return Picked{at.side, SliceRef{at.lane, column.longest}};
}

/// What a press there would begin; nothing where it does nothing.
std::optional<TimelineView::Drag::Kind> TimelineView::dragAt(const QPointF& point) const {
    if (!m_scene.sides[0].loaded && !m_scene.sides[1].loaded)
        return std::nullopt;
    for (std::size_t i = 0; i < sideCount; ++i) {
        const SidePlace& place = m_layout.sides[i];
        if (place.ruler.contains(point.toPoint()))
            return Drag::Kind::range;
        if (!m_scene.sides[i].loaded || !place.overview.contains(point.toPoint()))
            continue;
        const QRectF brush = brushOf(place.overview, m_scene);
        // Handles reach further outwards than inwards, or a narrow brush could not be moved.
        const double inner = std::min(brushHandle, brush.width() / 4);
        if (!m_view.fitted() && point.x() > brush.left() - brushHandle &&
            point.x() < brush.left() + inner)
            return Drag::Kind::brushBegin;
        if (!m_view.fitted() && point.x() > brush.right() - inner &&
            point.x() < brush.right() + brushHandle)
            return Drag::Kind::brushEnd;
        return Drag::Kind::brush;
    }
    return Drag::Kind::pan;
}

TimeRange TimelineView::draggedRange() const {
    const std::int64_t width = m_view.view().width;
    const std::int64_t a =
        std::clamp<std::int64_t>(pixelUnder(m_drag->from, m_drag->side), 0, width);
    const std::int64_t b = std::clamp<std::int64_t>(
        pixelUnder(m_pointer.value_or(m_drag->from), m_drag->side), 0, width);
    const Nanos begin = timeAt(m_view.view(), std::min(a, b));
    return {begin, std::max(timeAt(m_view.view(), std::max(a, b)), addSaturated(begin, 1))};
}

void TimelineView::dragBrush(const QPointF& point) {
    const SidePlace& place = m_layout.sides[m_drag->side];
    const Viewport whole{m_view.extent(), place.area.plot.width()};
    const auto timeUnder = [&](const QPointF& at) {
        return timeAt(whole, static_cast<std::int64_t>(std::floor(at.x() * m_layout.ratio)) -
                                 place.area.plot.left());
    };
    const TimeRange start = m_drag->view.range;
    // Both lie in or near the extent, which begins at 0: no overflow.
    const Nanos moved = timeUnder(point) - timeUnder(m_drag->from);
    switch (m_drag->kind) {
    case Drag::Kind::brushBegin:
        m_view.drag(
            {std::clamp(addSaturated(start.begin, moved), m_view.extent().begin, start.end - 1),
             start.end});
        break;
    case Drag::Kind::brushEnd:
        m_view.drag({start.begin, std::clamp(addSaturated(start.end, moved), start.begin + 1,
                                             m_view.extent().end)});
        break;
    default:
        m_view.drag({addSaturated(start.begin, moved), addSaturated(start.end, moved)});
        break;
    }
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    const bool sideways = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    const double steps =
        (std::abs(turned.y()) >= std::abs(turned.x()) ? turned.y() : turned.x()) / 120.0;
    const std::int64_t x = pixelUnder(event->position());
    event->accept();
    if (steps == 0)
        return;
    if (sideways || std::abs(turned.x()) > std::abs(turned.y())) {
        m_view.panBy(-std::llround(steps * m_view.view().width / 10.0));
    } else if (x < 0) { // over the names of the lanes
        QScrollBar* bar = m_sides[sideAt(event->position().toPoint())].scrollBar;
        bar->setValue(bar->value() - static_cast<int>(std::lround(steps * 3 * bar->singleStep())));
    } else {
        m_view.zoomAbout(std::min<std::int64_t>(x, m_view.view().width - 1), std::pow(1.25, steps));
    }
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const QPointF point = event->position();
    const auto kind = dragAt(point);
    if (!kind)
        return;
    const std::size_t side = sideAt(point.toPoint());
    m_view.endGesture();
    if (*kind == Drag::Kind::brush && !brushOf(m_layout.sides[side].overview, m_scene)
                                           .adjusted(-brushHandle, 0, brushHandle, 0)
                                           .contains(point)) {
        // Beside the brush: it comes to the pointer.
        const SidePlace& place = m_layout.sides[side];
        const Viewport whole{m_view.extent(), place.area.plot.width()};
        const Nanos middle =
            timeAt(whole, static_cast<std::int64_t>(std::floor(point.x() * m_layout.ratio)) -
                              place.area.plot.left());
        const Nanos half = m_view.view().range.length() / 2;
        m_view.show({addSaturated(middle, -half),
                     addSaturated(addSaturated(middle, -half), m_view.view().range.length())});
    }
    m_drag = Drag{*kind, point, m_view.view(), side, m_sides[side].scrollBar->value()};
    m_pointer = point;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF point = event->position();
    if (m_drag) {
        const QPointF moved = point - m_drag->from;
        m_drag->moved = m_drag->moved || moved.manhattanLength() > clickSlack;
        if (m_drag->moved && m_drag->kind == Drag::Kind::pan) {
            setCursor(Qt::ClosedHandCursor);
            m_view.panFrom(m_drag->view, -std::llround(moved.x() * m_layout.ratio));
            m_sides[m_drag->side].scrollBar->setValue(m_drag->scroll -
                                                      deviceLength(moved.y(), m_layout.ratio));
        } else if (m_drag->moved && m_drag->kind != Drag::Kind::range) {
            dragBrush(point);
        }
    } else {
        const auto kind = dragAt(point);
        if (kind == Drag::Kind::brushBegin || kind == Drag::Kind::brushEnd)
            setCursor(Qt::SizeHorCursor);
        else if (kind == Drag::Kind::range)
            setCursor(Qt::IBeamCursor);
        else
            unsetCursor();
    }
    setPointer(point);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_drag)
        return;
    const Drag drag = *m_drag;
    m_pointer = event->position();
    const TimeRange range = drag.kind == Drag::Kind::range ? draggedRange() : TimeRange();
    m_drag.reset();
    if (drag.kind == Drag::Kind::range && drag.moved) {
        m_view.show(range);
    } else if (!drag.moved) {
        const QPoint point = drag.from.toPoint();
        if (m_scene.sides[drag.side].loaded && m_parts.trust[drag.side].contains(point)) {
            Q_EMIT doubtsWanted(drag.side);
        } else if (drag.kind == Drag::Kind::pan) {
            const auto at = under(drag.from);
            pick(at ? pickable(*at) : std::nullopt);
        }
    }
    m_view.endGesture();
    unsetCursor();
    update();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const auto at = under(event->position());
    const auto picked = at ? pickable(*at) : std::nullopt;
    if (!picked) {
        m_view.fit();
        return;
    }
    // The slice or wait with a little of what surrounds it.
    pick(picked);
    const TimeRange range = rangeOf(*picked);
    const Nanos margin = std::max<Nanos>(range.length() / 8, 1);
    m_view.show({addSaturated(range.begin, -margin), addSaturated(range.end, margin)});
}

void TimelineView::leaveEvent(QEvent*) {
    setPointer(std::nullopt);
}

} // namespace twolane::window
