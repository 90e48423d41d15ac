#include "app/chart/timeline/lane_area.h"

#include <algorithm>
#include <cmath>

namespace twolane::chart {
namespace {

// Logical pixels.
constexpr int lowestRowWithStrip = 20;
constexpr int highestBar = 60;
constexpr int highestStrip = 18;

} // namespace

int deviceLength(double logical, double ratio) {
    return static_cast<int>(std::lround(logical * ratio));
}

std::size_t LaneArea::firstVisible() const {
    return std::min(lanes, static_cast<std::size_t>(scroll / rowHeight));
}

std::size_t LaneArea::lastVisible() const {
    return std::min(lanes,
                    static_cast<std::size_t>((scroll + plot.height() + rowHeight - 1) / rowHeight));
}

std::optional<std::size_t> LaneArea::laneAt(int y) const {
    if (y < plot.top() || y > plot.bottom())
        return std::nullopt;
    const auto lane = static_cast<std::size_t>((y - plot.top() + scroll) / rowHeight);
    return lane < lanes ? std::optional(lane) : std::nullopt;
}

bool LaneArea::inStrip(int y) const {
    const auto lane = laneAt(y);
    return lane && stripHeight > 0 && y >= barTop(*lane) + barHeight &&
           y < stripTop(*lane) + stripHeight;
}

int LaneArea::overflow() const {
    return std::max(0, static_cast<int>(lanes) * rowHeight - plot.height());
}

void divideRow(LaneArea& area, int rowHeight, double ratio) {
    area.rowHeight = rowHeight;
    area.stripHeight = 0;
    area.stripGap = 0;
    if (rowHeight < deviceLength(lowestRowWithStrip, ratio)) {
        const int gap = rowHeight < deviceLength(12, ratio)
                            ? rowHeight / 5
                            : std::max(deviceLength(3, ratio), rowHeight / 6);
        area.barHeight = std::max(1, rowHeight - gap);
        return;
    }
    const int gap = std::max(deviceLength(4, ratio), rowHeight / 8);
    area.stripGap = deviceLength(2, ratio);
    area.stripHeight =
        std::clamp(rowHeight / 4, deviceLength(4, ratio), deviceLength(highestStrip, ratio));
    area.barHeight = std::clamp(rowHeight - gap - area.stripGap - area.stripHeight, 1,
                                deviceLength(highestBar, ratio));
}

} // namespace twolane::chart
