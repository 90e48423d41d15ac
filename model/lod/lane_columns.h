// What one CPU did in each pixel of a view: exact at every zoom, in time that grows with the
// pixels.
//
// A pixel that holds few slices is answered by walking over them. Where it holds many, LaneIndex
// lets the walk take them in blocks: 8 slices at a step, or 64, 512, … where a whole block lies
// inside the pixel. Blocks are counted in slices, not in time, so a pixel's edge never cuts one in
// a way that would need guessing: what is left over at both edges (at most 7 entries a level) is
// walked singly. The index takes about 3.5 bytes a slice.
#pragma once

#include "model/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twolane {

/// Summaries of one CPU's timeline. Built once a trace, then const: safe for any thread.
class LaneIndex {
public:
    static constexpr std::size_t fanOut = 8;

    struct Block {
        std::uint64_t busy = 0;         ///< ns
        Nanos longest = 0;              ///< length of the longest slice
        std::uint32_t longestSlice = 0; ///< the first one of that length
    };

    LaneIndex() = default;
    explicit LaneIndex(const CpuTimeline& timeline);

    /// Level k holds one block for each fanOut^(k+1) slices; incomplete blocks are left out.
    const std::vector<std::vector<Block>>& levels() const { return m_levels; }
    /// ns of all unknown ranges before range i; one entry more than ranges.
    const std::vector<std::uint64_t>& unknownBefore() const { return m_unknownBefore; }
    /// What it takes, for benchmarks.
    std::size_t bytes() const;

private:
    std::vector<std::vector<Block>> m_levels;
    std::vector<std::uint64_t> m_unknownBefore;
};

/// What happened on a CPU in one pixel. What is neither busy nor unknown was idle.
struct LaneColumn {
    Nanos busy = 0;
    Nanos unknown = 0;
    std::uint32_t slices = 0;  ///< touched; runs of 0 ns count where they begin
    std::uint32_t longest = 0; ///< the slice with most time inside the pixel, the first of equals;
                               ///< meaningful where `slices` > 0

    bool operator==(const LaneColumn&) const = default;
};

/// A slice that covers at least one pixel completely.
struct LaneRun {
    std::uint32_t slice = 0;
    std::int32_t first = 0; ///< the pixels it touches: [first, last)
    std::int32_t last = 0;

    bool operator==(const LaneRun&) const = default;
};

struct LaneColumns {
    std::vector<LaneColumn> columns; ///< one a pixel
    std::vector<LaneRun> runs;       ///< from left to right
};

/// Fills `out` for the pixels between `edges` (as from pixelEdges(): ascending, one more than
/// pixels; pixel x covers [edges[x], edges[x+1]), or the nanosecond edges[x] where both are equal).
void laneColumns(const CpuTimeline& timeline, const LaneIndex& index, std::span<const Nanos> edges,
                 LaneColumns& out);

/// The same for one stretch of time.
LaneColumn laneColumn(const CpuTimeline& timeline, const LaneIndex& index, TimeRange range);

} // namespace twolane
