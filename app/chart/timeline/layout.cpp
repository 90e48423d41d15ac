#include "app/chart/timeline/layout.h"

#include <QFontMetrics>

#include <algorithm>

namespace twolane::chart {
namespace {

// Logical pixels.
constexpr int highestRow = 96;
constexpr int lanePadding = 8; // above and below a side's lanes
constexpr int rightMargin = 12;
constexpr int overviewHeight = 24;
constexpr int leastForOverview = 150; // of a side
constexpr int paneGap = 6;            // between sides beside each other

int gutterWidth(const LayoutNeeds& needs) {
    const QFontMetrics metrics(needs.font);
    int widest = metrics.horizontalAdvance(QStringLiteral("CPU 888"));
    for (const SideNeeds& side : needs.sides)
        if (side.lanes > 0)
            widest = std::max(
                widest, metrics.horizontalAdvance(QStringLiteral("CPU %1").arg(side.lastCpu)));
    return accentWidth + 14 + widest + 10;
}

/// Each side gets what its lanes or its card can use, at most half of the room where both want
/// more.
std::array<int, sideCount> shareHeights(const LayoutNeeds& needs, int available) {
    std::array<int, sideCount> wanted{};
    for (std::size_t i = 0; i < sideCount; ++i) {
        const SideNeeds& side = needs.sides[i];
        if (!side.present)
            wanted[i] = 0;
        else if (side.lanes > 0)
            wanted[i] = static_cast<int>(std::min<std::size_t>(side.lanes, 100'000)) * highestRow +
                        2 * lanePadding + overviewHeight;
        else
            wanted[i] = side.cardHeight + (side.smallCard ? 0 : 40);
    }
    const auto lanes = [&needs](std::size_t i) {
        return needs.sides[i].present && needs.sides[i].lanes > 0;
    };
    const auto card = [&needs, &lanes](std::size_t i) {
        return needs.sides[i].present && !lanes(i) && !needs.sides[i].smallCard;
    };
    const int half = available / 2;
    std::array<int, sideCount> heights = wanted;
    if (wanted[0] + wanted[1] > available) {
        if (wanted[0] <= half)
            heights[1] = available - wanted[0];
        else if (wanted[1] <= half)
            heights[0] = available - wanted[1];
        else
            heights = {half, available - half};
    } else if ((lanes(0) && card(1)) || (card(0) && lanes(1)) || (card(0) && card(1))) {
        // Nothing jumps when a load turns into lanes.
        heights = {half, available - half};
    } else {
        // What is left over goes to both sides in equal parts, or stays below: the scale stands
        // right below the lanes.
        const int rest = available - wanted[0] - wanted[1];
        if (lanes(0) == lanes(1))
            heights[0] += lanes(0) ? rest / 2 : rest;
        heights[1] = available - heights[0];
    }
    return {std::max(heights[0], 0), std::max(heights[1], 0)};
}

/// Lanes, overview and gutter inside `frame` minus its header.
void fill(SidePlace& place, const SideNeeds& side, const LayoutNeeds& needs, int gutter,
          int rightRoom) {
    const double ratio = needs.ratio;
    QRect body = place.body;
    LaneArea& area = place.area;
    area = {};
    area.lanes = side.lanes;
    const int left = deviceLength(body.left() + gutter, ratio);
    const int right = deviceLength(body.right() + 1 - rightRoom, ratio);
    if (side.lanes == 0) {
        area.plot = QRect(left, 0, std::max(1, right - left), 0);
        return;
    }
    if (body.height() >= leastForOverview) {
        place.overview = QRect(body.left() + gutter, body.top() + 2,
                               std::max(1, body.width() - gutter - rightRoom), overviewHeight);
        body.setTop(place.overview.bottom() + 1);
    }
    const int padding = body.height() > 4 * lanePadding ? lanePadding : 0;
    const int top = deviceLength(body.top() + padding, ratio);
    const int bottom = deviceLength(body.bottom() + 1 - padding, ratio);
    area.plot = QRect(left, top, std::max(1, right - left), std::max(0, bottom - top));
    divideRow(area,
              std::clamp(area.plot.height() /
                             static_cast<int>(std::min<std::size_t>(side.lanes, 1'000'000)),
                         std::max(1, deviceLength(needs.lowestRow, ratio)),
                         deviceLength(highestRow, ratio)),
              ratio);
    area.scroll = std::clamp(side.scroll, 0, area.overflow());
    place.body = body;
    place.gutter =
        QRect(body.left() + accentWidth, body.top(), gutter - accentWidth - 10, body.height());
}

} // namespace

Layout layOut(const LayoutNeeds& needs) {
    const QFontMetrics metrics(needs.font);
    const int header = metrics.height() + 14;
    const int ruler = metrics.height() + 14;
    const QRect all(QPoint(0, 0), needs.size);
    Layout layout;
    layout.ratio = needs.ratio;
    auto& sides = layout.sides;

    const auto headed = [&](std::size_t i, QRect frame) {
        sides[i].frame = frame;
        sides[i].header = QRect(frame.left(), frame.top(), frame.width(), header);
        sides[i].body = frame.adjusted(0, header, 0, 0);
    };
    const bool both = needs.sides[0].present && needs.sides[1].present;
    const bool beside = needs.arrangement == Arrangement::sideBySide && both &&
                        !(needs.sides[0].lanes == 0 && needs.sides[0].smallCard) &&
                        !(needs.sides[1].lanes == 0 && needs.sides[1].smallCard);
    if (beside) {
        const int half = (all.width() - paneGap) / 2;
        headed(0, QRect(0, 0, half, all.height()));
        headed(1, QRect(half + paneGap, 0, half, all.height()));
        // The scale stands right below the lanes, for both sides at one height.
        int bodies = all.height() - header - ruler;
        if (needs.sides[0].lanes > 0 && needs.sides[1].lanes > 0) {
            const std::size_t lanes =
                std::min<std::size_t>(std::max(needs.sides[0].lanes, needs.sides[1].lanes), 10'000);
            bodies = std::min(bodies, static_cast<int>(lanes) * highestRow + 2 * lanePadding +
                                          overviewHeight + 4);
        }
        for (SidePlace& side : sides) {
            side.ruler = QRect(side.frame.left(), side.header.bottom() + 1 + std::max(bodies, 0),
                               side.frame.width(), ruler);
            side.body.setBottom(side.ruler.top() - 1);
        }
    } else {
        const int headers = header * (needs.sides[0].present + needs.sides[1].present);
        const auto heights = shareHeights(needs, all.height() - headers - ruler);
        int y = 0;
        for (std::size_t i = 0; i < sideCount; ++i) {
            if (!needs.sides[i].present)
                continue;
            headed(i, QRect(0, y, all.width(), header + heights[i]));
            y += header + heights[i];
            if (i == 0 || !needs.sides[0].present) {
                sides[0].ruler = QRect(0, y, all.width(), ruler);
                y += ruler;
            }
        }
    }

    // One scale: both sides keep room for a scroll bar when one of them needs it.
    const int gutter = gutterWidth(needs);
    bool scrolls = false;
    const auto fillAll = [&](int rightRoom) {
        for (std::size_t i = 0; i < sideCount; ++i) {
            if (!needs.sides[i].present)
                continue;
            SidePlace& side = sides[i];
            side.overview = {};
            side.body = QRect(
                QPoint(side.frame.left(), side.header.bottom() + 1),
                QPoint(side.frame.right(), beside ? side.ruler.top() - 1 : side.frame.bottom()));
            fill(side, needs.sides[i], needs, gutter, rightRoom);
            side.scrolls = side.area.overflow() > 0;
            scrolls = scrolls || side.scrolls;
        }
    };
    fillAll(rightMargin);
    if (scrolls && needs.scrollBarWidth > 0)
        fillAll(needs.scrollBarWidth + 4);
    layout.columns = 1;
    for (std::size_t i = 0; i < sideCount; ++i)
        if (needs.sides[i].present)
            layout.columns = layout.columns == 1
                                 ? sides[i].area.plot.width()
                                 : std::min(layout.columns, sides[i].area.plot.width());
    for (SidePlace& side : sides)
        side.area.plot.setWidth(layout.columns);
    return layout;
}

} // namespace twolane::chart
