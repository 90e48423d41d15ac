// What one CPU did in each pixel of a view, in time that grows with the pixels.
//
// Every column is exact for the stretch of time that it names. That is the pixel's own, but where
// pixels hold 32 slices or more on average: there it is the nearest one whose ends lie on bins of a
// BinPyramid, at most an eighth of a pixel off at either end.
//
// What a pixel's edge cuts is found by the edge alone: bins of time, a power of two of ns wide,
// tell the first slice of each and how long all slices before it took. So a pixel's busy time and
// its number of slices are differences of what stands at its two edges. Its longest slice is the
// longest of the blocks inside, of 8, 64, 512, … slices; a block that an edge cuts is looked into
// only where its own longest slice beats all others and lies beyond the edge.
//
// What such a lookup costs is the lines of memory that it touches: hence small entries, side by
// side. The index takes 13 to 24 bytes a slice.
#pragma once

#include "model/lod/bin_pyramid.h"
#include "model/trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twolane {

/// Summaries of one CPU's timeline. Built once a trace, then const: safe for any thread.
class LaneIndex {
public:
    static constexpr std::size_t fanOut = 8;

    /// The first slice that begins in a bin or behind it.
    struct Bin {
        std::uint32_t row = 0; ///< may be the number of slices
        std::uint32_t busyLow = 0;
        std::uint32_t busyHigh = 0;

        /// ns of all slices before it, modulo 2^64.
        std::uint64_t busyBefore() const { return std::uint64_t{busyHigh} << 32 | busyLow; }
    };
    /// fanOut^2, fanOut^3, … slices; the last one of a level may hold fewer.
    struct Summary {
        Nanos longest = -1;
        std::uint32_t slice = 0; ///< the first one of that length
    };

    LaneIndex() = default;
    explicit LaneIndex(const CpuTimeline& timeline);

    /// The bin that holds `time`, and the one after it; nothing before the first slice's begin.
    const Bin* bin(Nanos time) const {
        if (m_bins.empty() || time <= m_first)
            return nullptr;
        const std::uint64_t number =
            (static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(m_first)) >> m_shift;
        return m_bins.data() + std::min<std::uint64_t>(number, m_bins.size() - 2);
    }

    // Blocks of fanOut slices; the last one may hold fewer.

    /// ns of all slices before each block, modulo 2^64.
    const std::vector<std::uint64_t>& busyBefore() const { return m_busyBefore; }
    /// Length of the longest slice of each block, as far as 32 bits tell.
    static constexpr std::uint32_t tooLong = UINT32_MAX;
    const std::vector<std::uint32_t>& longest() const { return m_longest; }
    /// The longest slice of a block, the first of equals.
    std::uint32_t longestOf(std::size_t block) const {
        return static_cast<std::uint32_t>(block * fanOut + m_places[block]);
    }

    const std::vector<std::vector<Summary>>& summaries() const { return m_summaries; }

    const BinPyramid& pyramid() const { return m_pyramid; }

    /// ns of all unknown ranges before range i; one entry more than ranges.
    const std::vector<std::uint64_t>& unknownBefore() const { return m_unknownBefore; }
    /// What it takes, for benchmarks.
    std::size_t bytes() const;

private:
    BinPyramid m_pyramid;
    std::vector<Bin> m_bins; ///< the last one stands for all time after the last slice's begin
    Nanos m_first = 0;       ///< begin of the first slice, where the first bin begins
    unsigned m_shift = 0;    ///< a bin is 2^shift ns wide
    std::vector<std::uint64_t> m_busyBefore;
    std::vector<std::uint32_t> m_longest;
    std::vector<std::uint8_t> m_places; ///< of the longest slice in each block
    std::vector<std::vector<Summary>> m_summaries;
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
    std::vector<Nanos> edges;        ///< column x tells of [edges[x], edges[x+1]), or of edges[x]
    std::vector<LaneRun> runs;       ///< from left to right
};

/// Fills `out` for the pixels between `edges` (as from pixelEdges(): ascending, one more than
/// pixels; pixel x covers [edges[x], edges[x+1]), or the nanosecond edges[x] where both are equal).
/// `edges` must not be those of `out`.
void laneColumns(const CpuTimeline& timeline, const LaneIndex& index, std::span<const Nanos> edges,
                 LaneColumns& out);

/// The same for one stretch of time, exactly.
LaneColumn laneColumn(const CpuTimeline& timeline, const LaneIndex& index, TimeRange range);

} // namespace twolane
