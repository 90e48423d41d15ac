// Where the parts of a picture of one or two traces lie.
#pragma once

#include "app/chart/timeline/lane_area.h"
#include "app/chart/timeline/scene.h"

#include <QFont>
#include <QRect>
#include <QSize>

#include <array>

namespace twolane::chart {

/// What the layout of one side depends on.
struct SideNeeds {
    bool present = false;     ///< has a place at all
    std::size_t lanes = 0;    ///< 0: a card in place of lanes
    std::int32_t lastCpu = 0; ///< the largest number among the lanes
    int cardHeight = 0;       ///< logical; what the card wants
    bool smallCard = false;   ///< the card leaves the room to the other side
    int scroll = 0;           ///< device pixels; cut to what there is to scroll
};

struct LayoutNeeds {
    QSize size; ///< logical
    double ratio = 1;
    QFont font;
    Arrangement arrangement = Arrangement::stacked;
    std::array<SideNeeds, sideCount> sides;
    int lowestRow = 3;      ///< logical; lanes lower than that have to be scrolled
    int scrollBarWidth = 0; ///< logical; room kept at the right of lanes that scroll
};

/// Rectangles are logical but for `area`; empty where there is no such part.
struct SidePlace {
    QRect frame;
    QRect header;
    QRect overview; ///< as wide as the plot
    QRect body;     ///< lanes or card
    QRect gutter;   ///< the names of the lanes
    QRect ruler;    ///< as wide as the frame; stacked: the first side's alone
    LaneArea area;
    bool scrolls = false;
};

struct Layout {
    std::array<SidePlace, sideCount> sides;
    double ratio = 1;
    int columns = 1; ///< device pixels of every plot

    /// The left edge of a side's plot, in device pixels.
    int plotLeft(std::size_t side) const { return sides[side].area.plot.left(); }
};

inline constexpr int accentWidth = 5; ///< of the stroke at a side's left edge, logical

Layout layOut(const LayoutNeeds& needs);

} // namespace twolane::chart
