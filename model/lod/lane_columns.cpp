#include "model/lod/lane_columns.h"

#include "model/viewport.h"

#include <algorithm>

namespace twolane {
namespace {

std::uint64_t distance(Nanos from, Nanos to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

Nanos asNanos(std::uint64_t length) {
    return static_cast<Nanos>(std::min<std::uint64_t>(length, INT64_MAX));
}

/// The first slice that is not over before `time`. An empty slice at `time` is not over.
std::size_t firstSliceFrom(const SliceColumns& slices, Nanos time) {
    const auto& begins = slices.begins();
    const auto at = static_cast<std::size_t>(std::lower_bound(begins.begin(), begins.end(), time) -
                                             begins.begin());
    return at > 0 && slices.ends()[at - 1] > time ? at - 1 : at;
}

/// Walks a timeline from left to right, one pixel after the other.
class Walk {
public:
    Walk(const CpuTimeline& timeline, const LaneIndex& index, Nanos from)
        : m_begins(timeline.slices.begins())
        , m_ends(timeline.slices.ends())
        , m_index(index)
        , m_unknown(timeline.unknown)
        , m_slice(firstSliceFrom(timeline.slices, from)) {
        m_gap = static_cast<std::size_t>(
            std::partition_point(m_unknown.begin(), m_unknown.end(),
                                 [from](const TimeRange& gap) { return gap.end <= from; }) -
            m_unknown.begin());
    }

    /// The next pixel. Ranges come in ascending order and may repeat. `runs` may be null.
    LaneColumn column(TimeRange pixel, std::int32_t x, std::vector<LaneRun>* runs) {
        const std::size_t count = m_begins.size();
        while (m_slice < count && m_begins[m_slice] < pixel.begin && m_ends[m_slice] <= pixel.begin)
            ++m_slice;

        LaneColumn column;
        std::uint64_t busy = 0;
        Nanos longest = -1;
        std::size_t at = m_slice;
        while (at < count && m_begins[at] < pixel.end) {
            if (const Step step = wholeBlock(at, pixel); step.block) {
                busy += step.block->busy;
                column.slices += static_cast<std::uint32_t>(step.size);
                if (step.block->longest > longest) {
                    longest = step.block->longest;
                    column.longest = step.block->longestSlice;
                }
                at += step.size;
                continue;
            }
            const Nanos begin = std::max(m_begins[at], pixel.begin);
            const Nanos end = std::min(m_ends[at], pixel.end);
            const std::uint64_t inside = distance(begin, end);
            busy += inside;
            ++column.slices;
            if (asNanos(inside) > longest) {
                longest = asNanos(inside);
                column.longest = static_cast<std::uint32_t>(at);
            }
            if (runs)
                noteRun(at, pixel, x, *runs);
            ++at;
        }
        // Only the last slice can reach beyond the pixel. Pixels that share their nanosecond need
        // all the others again.
        m_next = at > m_slice && m_ends[at - 1] > pixel.end ? at - 1 : at;
        column.busy = asNanos(busy);
        column.unknown = unknownIn(pixel);
        return column;
    }

    /// The pixel after the last one begins at its end, not at its begin.
    void advance() { m_slice = std::max(m_slice, m_next); }

private:
    struct Step {
        const LaneIndex::Block* block = nullptr;
        std::size_t size = 0;
    };

    /// The largest block that begins at `at` and lies inside the pixel as a whole.
    Step wholeBlock(std::size_t at, TimeRange pixel) const {
        Step found;
        std::size_t size = LaneIndex::fanOut;
        for (const auto& level : m_index.levels()) {
            if (at % size != 0 || at / size >= level.size())
                break;
            const std::size_t last = at + size - 1;
            if (m_begins[at] < pixel.begin || m_ends[last] > pixel.end ||
                m_begins[last] >= pixel.end)
                break;
            // A slice as long as the pixel is a run, even among empty ones: it is looked at singly.
            if (level[at / size].longest >= pixel.length())
                break;
            found = {&level[at / size], size};
            size *= LaneIndex::fanOut;
        }
        return found;
    }

    void noteRun(std::size_t at, TimeRange pixel, std::int32_t x,
                 std::vector<LaneRun>& runs) const {
        if (!runs.empty() && runs.back().slice == at) {
            runs.back().last = x + 1;
            return;
        }
        if (m_begins[at] > pixel.begin || m_ends[at] < pixel.end)
            return;
        // The pixel before was touched, but not covered, where the slice begins inside it.
        const bool before = x > 0 && m_begins[at] < pixel.begin;
        runs.push_back({static_cast<std::uint32_t>(at), before ? x - 1 : x, x + 1});
    }

    Nanos unknownIn(TimeRange pixel) {
        while (m_gap < m_unknown.size() && m_unknown[m_gap].end <= pixel.begin)
            ++m_gap;
        if (m_gap == m_unknown.size() || m_unknown[m_gap].begin >= pixel.end)
            return 0;
        const auto from = m_unknown.begin() + static_cast<std::ptrdiff_t>(m_gap);
        const auto last =
            std::partition_point(from, m_unknown.end(),
                                 [pixel](const TimeRange& gap) { return gap.begin < pixel.end; }) -
            1;
        const auto& before = m_index.unknownBefore();
        std::uint64_t sum =
            before[static_cast<std::size_t>(last - m_unknown.begin()) + 1] - before[m_gap];
        if (from->begin < pixel.begin)
            sum -= distance(from->begin, pixel.begin);
        if (last->end > pixel.end)
            sum -= distance(pixel.end, last->end);
        return asNanos(sum);
    }

    const ValueColumn<Nanos>& m_begins;
    const ValueColumn<Nanos>& m_ends;
    const LaneIndex& m_index;
    const std::vector<TimeRange>& m_unknown;
    std::size_t m_slice; ///< the first one that may touch the next pixel
    std::size_t m_next = 0;
    std::size_t m_gap = 0;
};

} // namespace

LaneIndex::LaneIndex(const CpuTimeline& timeline) {
    const SliceColumns& slices = timeline.slices;
    for (std::size_t below = slices.size(); below >= fanOut; below /= fanOut) {
        std::vector<Block> level(below / fanOut);
        for (std::size_t i = 0; i < level.size(); ++i) {
            Block& block = level[i];
            block.longest = -1;
            for (std::size_t part = i * fanOut; part < (i + 1) * fanOut; ++part) {
                Block piece;
                if (m_levels.empty()) {
                    const TimeRange range = slices.range(part);
                    piece = {distance(range.begin, range.end), range.length(),
                             static_cast<std::uint32_t>(part)};
                } else {
                    piece = m_levels.back()[part];
                }
                block.busy += piece.busy;
                if (piece.longest > block.longest) {
                    block.longest = piece.longest;
                    block.longestSlice = piece.longestSlice;
                }
            }
        }
        m_levels.push_back(std::move(level));
    }
    m_unknownBefore.reserve(timeline.unknown.size() + 1);
    m_unknownBefore.push_back(0);
    for (const TimeRange& gap : timeline.unknown)
        m_unknownBefore.push_back(m_unknownBefore.back() + distance(gap.begin, gap.end));
}

std::size_t LaneIndex::bytes() const {
    std::size_t bytes = m_unknownBefore.size() * sizeof(std::uint64_t);
    for (const auto& level : m_levels)
        bytes += level.size() * sizeof(Block);
    return bytes;
}

void laneColumns(const CpuTimeline& timeline, const LaneIndex& index, std::span<const Nanos> edges,
                 LaneColumns& out) {
    out.runs.clear();
    out.columns.clear();
    if (edges.size() < 2)
        return;
    out.columns.resize(edges.size() - 1);
    Walk walk(timeline, index, edges[0]);
    for (std::size_t x = 0; x + 1 < edges.size(); ++x) {
        const Nanos begin = edges[x];
        const Nanos end = edges[x + 1];
        out.columns[x] = walk.column({begin, std::max(end, addSaturated(begin, 1))},
                                     static_cast<std::int32_t>(x), &out.runs);
        if (end > begin)
            walk.advance();
    }
}

LaneColumn laneColumn(const CpuTimeline& timeline, const LaneIndex& index, TimeRange range) {
    return Walk(timeline, index, range.begin).column(range, 0, nullptr);
}

} // namespace twolane
