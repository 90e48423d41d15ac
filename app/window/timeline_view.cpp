#include "app/window/timeline_view.h"

#include "app/chart/timeline/ruler.h"
#include "app/window/side_card.h"
#include "app/window/side_header.h"

#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace twolane::window {
using namespace chart;
namespace {

constexpr int accentWidth = 5;
constexpr int lowestRow = 3; // logical pixels
constexpr int highestRow = 96;
constexpr int highestBar = 60;
constexpr int lanePadding = 8; // above and below a side's lanes
constexpr int rightMargin = 12;

int device(double logical, double ratio) {
    return static_cast<int>(std::lround(logical * ratio));
}

/// The bar inside a row; the rest keeps neighbours apart.
int barOf(int row, double ratio) {
    const int gap =
        row < device(12, ratio) ? std::max(1, row / 5) : std::max(device(3, ratio), row / 6);
    return std::clamp(row - gap, 1, device(highestBar, ratio));
}

} // namespace

TimelineView::TimelineView(ViewState& view, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
    , m_theme(themeOf(palette())) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent); // the picture covers everything
    setAccessibleName(QStringLiteral("Timeline"));
    for (std::size_t i = 0; i < sideCount; ++i) {
        Side& side = m_sides[i];
        side.header = new SideHeader(i, this);
        side.card = new SideCard(i, this);
        side.scrollBar = new QScrollBar(Qt::Vertical, this);
        side.scrollBar->hide();
        connect(side.scrollBar, &QScrollBar::valueChanged, this, [this, i](int value) {
            m_sides[i].area.scroll = value;
            redraw();
        });
    }
    connect(&m_view, &ViewState::changed, this, &TimelineView::redraw);
    applyPalette();
}

void TimelineView::setSide(std::size_t index, std::shared_ptr<const LoadedTrace> trace,
                           bool small) {
    Side& side = m_sides[index];
    side.trace = std::move(trace);
    side.smallCard = small;
    side.colours = side.trace ? commColours(*side.trace->trace, m_theme) : std::vector<QRgb>();
    Nanos longest = 0;
    for (const Side& each : m_sides) // the last stamp is inside, so that its event is seen
        if (each.trace)
            longest = std::max(longest, addSaturated(each.trace->trace->range.length(), 1));
    m_view.setLength(longest);
    relayout();
    redraw();
}

TimeFormat TimelineView::times() const {
    TimeFormat format;
    bool first = true;
    for (const Side& side : m_sides) {
        if (!side.trace)
            continue;
        const TimeFormat own = side.trace->times();
        format.resolution = first ? own.resolution : std::min(format.resolution, own.resolution);
        format.nanoseconds = (first || format.nanoseconds) && own.nanoseconds;
        first = false;
    }
    return format;
}

std::size_t TimelineView::sideAt(const QPoint& point) const {
    return point.y() < m_sides[1].header->geometry().top() ? 0 : 1;
}

std::int64_t TimelineView::anchorPixel() const {
    const std::int64_t width = m_view.view().width;
    if (!m_pointer)
        return width / 2;
    const std::int64_t x = pixelUnder(m_pointer->x());
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

std::vector<LaneLabel> TimelineView::labels(std::size_t index) const {
    const Side& side = m_sides[index];
    if (!side.trace)
        return {};
    return laneLabels(side.area, *side.trace, m_view.view(),
                      device(fontMetrics().height(), m_ratio));
}

std::optional<HoverText> TimelineView::hover() const {
    const auto at = under();
    if (!at)
        return std::nullopt;
    return hoverText(*m_sides[at->side].trace, at->lane, at->pixel);
}

std::optional<Nanos> TimelineView::pointerTime() const {
    if (!m_pointer)
        return std::nullopt;
    const std::int64_t x = pixelUnder(m_pointer->x());
    if (x < 0 || x >= m_view.view().width)
        return std::nullopt;
    return timeAt(m_view.view(), x);
}

void TimelineView::applyPalette() {
    m_theme = themeOf(palette());
    for (Side& side : m_sides) {
        side.header->setTheme(m_theme);
        side.card->setTheme(m_theme);
        if (side.trace)
            side.colours = commColours(*side.trace->trace, m_theme);
    }
    redraw();
}

int TimelineView::gutterWidth() const {
    int widest = 0;
    for (const Side& side : m_sides) {
        if (!side.trace || side.trace->trace->cpus.empty())
            continue;
        // Numbers ascend: the last one is the widest.
        widest = std::max(widest, fontMetrics().horizontalAdvance(QStringLiteral("CPU %1").arg(
                                      side.trace->trace->cpus.back().cpu)));
    }
    return accentWidth + 14 +
           std::max(widest, fontMetrics().horizontalAdvance(QStringLiteral("CPU 888"))) + 10;
}

/// Each side gets what its lanes or its card can use, at most half of the room where both want
/// more.
std::array<int, sideCount> TimelineView::shareHeights(int available) const {
    std::array<int, sideCount> wanted{};
    for (std::size_t i = 0; i < sideCount; ++i) {
        const Side& side = m_sides[i];
        if (side.trace)
            wanted[i] =
                static_cast<int>(std::min<std::size_t>(side.trace->trace->cpus.size(), 100'000)) *
                    highestRow +
                2 * lanePadding;
        else
            wanted[i] = side.card->sizeHint().height() + (side.smallCard ? 0 : 40);
    }
    const int half = available / 2;
    std::array<int, sideCount> heights = wanted;
    if (wanted[0] + wanted[1] > available) {
        if (wanted[0] <= half)
            heights[1] = available - wanted[0];
        else if (wanted[1] <= half)
            heights[0] = available - wanted[1];
        else
            heights = {half, available - half};
    } else if ((m_sides[0].trace || !m_sides[0].smallCard) &&
               (m_sides[1].trace || !m_sides[1].smallCard) &&
               !(m_sides[0].trace && m_sides[1].trace)) {
        // Nothing jumps when a load turns into lanes.
        heights = {half, available - half};
    } else {
        // What is left over goes to the lanes, in equal parts.
        const int rest = available - wanted[0] - wanted[1];
        const bool first = m_sides[0].trace || !m_sides[1].trace;
        const bool second = m_sides[1].trace != nullptr;
        if (first && second)
            heights[0] += rest / 2;
        else if (first)
            heights[0] += rest;
        heights[1] = available - heights[0];
    }
    return {std::max(heights[0], 0), std::max(heights[1], 0)};
}

void TimelineView::relayout() {
    const double ratio = devicePixelRatioF();
    m_ratio = ratio;
    const int headerHeight = m_sides[0].header->sizeHint().height();
    const int rulerHeight = fontMetrics().height() + 14;
    const auto heights = shareHeights(height() - 2 * headerHeight - rulerHeight);

    int y = 0;
    for (std::size_t i = 0; i < sideCount; ++i) {
        Side& side = m_sides[i];
        side.header->setGeometry(0, y, width(), headerHeight);
        side.place = QRect(0, y + headerHeight, width(), heights[i]);
        y += headerHeight + heights[i];
        if (i == 0) {
            m_ruler = QRect(0, y, width(), rulerHeight);
            y += rulerHeight;
        }
        side.card->setVisible(!side.trace);
        side.card->setGeometry(side.place);
    }

    // One scale: both sides keep room for a scroll bar when one of them needs it.
    const int barWidth = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int left = device(gutterWidth(), ratio);
    for (Side& side : m_sides)
        placeLanes(side, ratio, left, device(width() - rightMargin, ratio));
    bool scrolls = false;
    for (const Side& side : m_sides)
        scrolls = scrolls || side.scrollBar->maximum() > 0;
    if (scrolls)
        for (Side& side : m_sides)
            placeLanes(side, ratio, left, device(width() - barWidth - 4, ratio));
    for (Side& side : m_sides) {
        side.scrollBar->setGeometry(width() - barWidth, side.place.top(), barWidth,
                                    side.place.height());
        side.scrollBar->setVisible(side.trace && side.scrollBar->maximum() > 0);
    }
    m_plotLeft = left;
    m_view.setWidth(
        std::max(1, device(width() - (scrolls ? barWidth + 4 : rightMargin), ratio) - left));
    m_stale = true;
}

void TimelineView::placeLanes(Side& side, double ratio, int left, int right) {
    LaneArea& area = side.area;
    area.lanes = side.trace ? side.trace->trace->cpus.size() : 0;
    if (area.lanes == 0) {
        area.plot = QRect();
        side.scrollBar->setRange(0, 0);
        return;
    }
    const int padding = side.place.height() > 4 * lanePadding ? lanePadding : 0;
    const int top = device(side.place.top() + padding, ratio);
    const int bottom = device(side.place.bottom() + 1 - padding, ratio);
    area.plot = QRect(left, top, std::max(1, right - left), std::max(0, bottom - top));
    const int count = static_cast<int>(area.lanes);
    area.rowHeight =
        std::clamp(area.plot.height() / count, device(lowestRow, ratio), device(highestRow, ratio));
    area.barHeight = barOf(area.rowHeight, ratio);
    side.scrollBar->setRange(0, std::max(0, count * area.rowHeight - area.plot.height()));
    side.scrollBar->setPageStep(area.plot.height());
    side.scrollBar->setSingleStep(std::max(area.rowHeight, device(24, ratio)));
    area.scroll = side.scrollBar->value();
}

int TimelineView::hairline(double ratio) const {
    return std::max(1, static_cast<int>(std::floor(ratio)));
}

LanePicture TimelineView::pictureOf(const Side& side, double ratio) const {
    return {*side.trace, side.colours, m_theme, m_view.view(), hairline(ratio)};
}

void TimelineView::redraw() {
    m_stale = true;
    update();
    Q_EMIT pointerMoved();
}

void TimelineView::makePicture(double ratio) {
    const QSize size(static_cast<int>(std::ceil(width() * ratio)),
                     static_cast<int>(std::ceil(height() * ratio)));
    if (m_picture.size() != size)
        m_picture = QImage(size, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(1);
    m_picture.fill(m_theme.base);

    std::array<std::vector<PaintedRun>, sideCount> runs;
    for (std::size_t i = 0; i < sideCount; ++i) {
        const Side& side = m_sides[i];
        if (!side.trace)
            continue;
        paintLanes(m_picture, side.area, pictureOf(side, ratio),
                   device(fontMetrics().height() - 2, ratio), device(30, ratio), runs[i]);
    }

    m_picture.setDevicePixelRatio(ratio);
    QPainter painter(&m_picture);
    painter.setFont(font());
    for (std::size_t i = 0; i < sideCount; ++i) {
        const Side& side = m_sides[i];
        painter.fillRect(QRect(0, side.place.top(), accentWidth, side.place.height()),
                         QColor(m_theme.accents[i]));
        if (!side.trace)
            continue;
        const QRectF gutter(accentWidth, side.place.top(), gutterWidth() - accentWidth - 10,
                            side.place.height());
        paintLaneLabels(painter, gutter, side.area, labels(i), m_theme, ratio);
        paintSliceNames(painter, side.area, runs[i], pictureOf(side, ratio), ratio);
    }
    painter.fillRect(m_ruler, QColor(m_theme.panel));
    if (m_sides[0].trace || m_sides[1].trace) {
        const double left = m_plotLeft / ratio;
        paintRuler(painter,
                   QRectF(left, m_ruler.top(), m_view.view().width / ratio, m_ruler.height()),
                   m_view.view(), ratio, times(), m_theme);
    }
}

void TimelineView::paintEvent(QPaintEvent*) {
    const double ratio = devicePixelRatioF();
    if (ratio != m_ratio)
        relayout(); // moved to another screen
    if (m_stale || m_picture.devicePixelRatio() != ratio) {
        makePicture(ratio);
        m_stale = false;
    }
    QPainter painter(this);
    painter.drawImage(QPointF(0, 0), m_picture);

    if (!m_pointer || m_drag)
        return;
    const std::int64_t x = pixelUnder(m_pointer->x());
    if (x < 0 || x >= m_view.view().width || !(m_sides[0].trace || m_sides[1].trace))
        return;
    QColor line(m_theme.text);
    line.setAlpha(110);
    const double at = static_cast<double>(m_plotLeft + x) / ratio;
    for (const Side& side : m_sides)
        if (side.trace)
            painter.fillRect(
                QRectF(at, side.place.top(), hairline(ratio) / ratio, side.place.height()), line);
    painter.fillRect(QRectF(at, m_ruler.top(), hairline(ratio) / ratio, m_ruler.height()), line);
    if (const auto place = under()) {
        const Side& side = m_sides[place->side];
        const HoverText text = hoverText(*side.trace, place->lane, place->pixel);
        const QRgb swatch =
            text.comm && text.comm->valid() ? side.colours[text.comm->value()] : m_theme.unnamed;
        paintHoverCard(painter, text, swatch, *m_pointer, rect(), m_theme);
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

std::int64_t TimelineView::pixelUnder(double x) const {
    return static_cast<std::int64_t>(std::floor(x * m_ratio)) - m_plotLeft;
}

std::optional<TimelineView::Under> TimelineView::under() const {
    if (!m_pointer)
        return std::nullopt;
    const std::int64_t x = pixelUnder(m_pointer->x());
    if (x < 0 || x >= m_view.view().width)
        return std::nullopt;
    const int y = static_cast<int>(std::floor(m_pointer->y() * m_ratio));
    for (std::size_t i = 0; i < sideCount; ++i) {
        const Side& side = m_sides[i];
        if (!side.trace)
            continue;
        const auto lane = side.area.laneAt(y);
        if (!lane)
            continue;
        return Under{i, *lane, onClock(*side.trace->trace, timesOfPixel(m_view.view(), x))};
    }
    return std::nullopt;
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    const bool sideways = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    const double steps =
        (std::abs(turned.y()) >= std::abs(turned.x()) ? turned.y() : turned.x()) / 120.0;
    const std::int64_t x = pixelUnder(event->position().x());
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
    const std::size_t side = sideAt(event->position().toPoint());
    m_drag = Drag{event->position(), m_view.view(), side, m_sides[side].scrollBar->value()};
    m_view.endGesture();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (m_drag) {
        const QPointF moved = event->position() - m_drag->from;
        if (moved.manhattanLength() > 2)
            setCursor(Qt::ClosedHandCursor);
        m_view.panFrom(m_drag->view, -std::llround(moved.x() * m_ratio));
        m_sides[m_drag->side].scrollBar->setValue(m_drag->scroll - device(moved.y(), m_ratio));
    }
    setPointer(event->position());
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_drag.reset();
    m_view.endGesture();
    unsetCursor();
    update();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        m_view.fit();
}

void TimelineView::leaveEvent(QEvent*) {
    setPointer(std::nullopt);
}

} // namespace twolane::window
