// Which stretch of time lies on how many pixels: all conversions between the two, in integers.
//
// A view's edges are whole nanoseconds; doubles appear only for lengths from the view's own start.
#pragma once

#include "model/time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace twolane {

/// A range of time drawn over `width` device pixels. The range may belong to any clock, or count
/// from a trace's start. The length is at least 1 ns, the width at least 1.
struct Viewport {
    TimeRange range{0, 1};
    std::int32_t width = 1;

    bool operator==(const Viewport&) const = default;
};

namespace viewport_detail {
__extension__ using Wide = __int128;

inline Nanos saturated(Wide value) {
    return static_cast<Nanos>(std::clamp<Wide>(value, INT64_MIN, INT64_MAX));
}
/// floor(a * b / c) for c > 0.
inline Wide mulDivFloor(Wide a, Wide b, Wide c) {
    const Wide product = a * b;
    const Wide quotient = product / c;
    return product % c < 0 ? quotient - 1 : quotient;
}
} // namespace viewport_detail

/// `time + offset`, saturated at the ends of Nanos.
inline Nanos addSaturated(Nanos time, Nanos offset) {
    Nanos sum = 0;
    if (!__builtin_add_overflow(time, offset, &sum))
        return sum;
    return offset > 0 ? INT64_MAX : INT64_MIN;
}

/// The first instant of pixel `x`: begin + floor(x * length / width). Pixels outside the view have
/// times outside its range.
inline Nanos timeAt(const Viewport& view, std::int64_t x) {
    using namespace viewport_detail;
    return saturated(Wide{view.range.begin} + mulDivFloor(x, view.range.length(), view.width));
}

/// The time that pixel `x` covers. Where a nanosecond is wider than a pixel it is that nanosecond,
/// shared by several pixels: no pixel is ever empty.
inline TimeRange timesOfPixel(const Viewport& view, std::int64_t x) {
    const Nanos begin = timeAt(view, x);
    return {begin, std::max(timeAt(view, x + 1), addSaturated(begin, 1))};
}

/// timeAt() of the pixels 0 to `width`, both included, for whole lanes.
inline std::vector<Nanos> pixelEdges(const Viewport& view) {
    const auto width = static_cast<std::uint64_t>(view.width);
    const auto length = static_cast<std::uint64_t>(view.range.length());
    const std::uint64_t whole = length / width;
    const std::uint64_t rest = length % width;
    std::vector<Nanos> edges(width + 1);
    auto edge = static_cast<std::uint64_t>(view.range.begin);
    std::uint64_t carried = 0; // below `width`
    for (Nanos& out : edges) {
        out = static_cast<Nanos>(edge);
        edge += whole;
        carried += rest;
        if (carried >= width) {
            carried -= width;
            ++edge;
        }
    }
    return edges;
}

/// The last pixel that covers `time`; below 0 or at least `width` where it lies outside.
inline std::int64_t pixelAt(const Viewport& view, Nanos time) {
    using namespace viewport_detail;
    const Wide offset = Wide{time} - view.range.begin;
    const Wide length = view.range.length();
    // The largest x with floor(x * length / width) <= offset.
    const Wide scaled = (offset + 1) * view.width - 1;
    const Wide x = scaled / length - (scaled % length < 0 ? 1 : 0);
    return saturated(x);
}

/// Where `time` lies, in pixels from the view's left edge. For times in or near the view.
inline double positionOf(const Viewport& view, Nanos time) {
    const auto offset = static_cast<double>(viewport_detail::Wide{time} - view.range.begin);
    return offset * view.width / static_cast<double>(view.range.length());
}

/// The same view moved and, if need be, shortened so that it lies inside `extent` (at least 1 ns).
inline Viewport clampedTo(Viewport view, TimeRange extent) {
    const Nanos length =
        std::clamp<Nanos>(view.range.length(), 1, std::max<Nanos>(extent.length(), 1));
    const Nanos latest = std::max(extent.begin, addSaturated(extent.end, -length));
    const Nanos begin = std::clamp(view.range.begin, extent.begin, latest);
    view.range = {begin, addSaturated(begin, length)};
    return view;
}

/// Magnified `factor` times (below 1: shrunk), so that pixel `x` still begins at the same instant
/// unless the extent's edge is in the way. Every call changes the length as long as it can.
inline Viewport zoomedAbout(const Viewport& view, std::int64_t x, double factor, TimeRange extent) {
    using namespace viewport_detail;
    const Nanos length = view.range.length();
    const Nanos longest = std::max<Nanos>(extent.length(), 1);
    const double wanted = static_cast<double>(length) / factor;
    Nanos next =
        wanted >= static_cast<double>(longest) ? longest : static_cast<Nanos>(std::llround(wanted));
    if (factor > 1)
        next = std::min(next, length - 1);
    if (factor < 1)
        next = std::max(next, addSaturated(length, 1));
    next = std::clamp<Nanos>(next, 1, longest);
    const Nanos anchor = timeAt(view, x);
    const Nanos begin = saturated(Wide{anchor} - mulDivFloor(x, next, view.width));
    return clampedTo({{begin, addSaturated(begin, next)}, view.width}, extent);
}

/// Moved by `pixels` to later times. The step depends on the length alone, so that moving back
/// restores the same nanosecond.
inline Viewport pannedBy(const Viewport& view, std::int64_t pixels, TimeRange extent) {
    using namespace viewport_detail;
    const Wide step = mulDivFloor(std::abs(pixels), view.range.length(), view.width);
    const Nanos begin = saturated(Wide{view.range.begin} + (pixels < 0 ? -step : step));
    return clampedTo({{begin, addSaturated(begin, view.range.length())}, view.width}, extent);
}

} // namespace twolane
