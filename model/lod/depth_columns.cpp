#include "model/lod/depth_columns.h"

#include "model/viewport.h"

#include <algorithm>

namespace twolane {
namespace {

/// ns times tasks: in a view of any length no 64 bits hold them.
__extension__ using Area = unsigned __int128;

std::uint64_t distance(Nanos from, Nanos to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

/// Walks over ascending, disjoint ranges from left to right.
class RangeCursor {
public:
    RangeCursor(const std::vector<TimeRange>& ranges, Nanos from)
        : m_ranges(ranges)
        , m_place(static_cast<std::size_t>(
              std::partition_point(ranges.begin(), ranges.end(),
                                   [from](const TimeRange& r) { return r.end <= from; }) -
              ranges.begin())) {}

    /// The first range that meets `part`, clipped to it; an empty one at its end where none does.
    /// The begins of parts never descend.
    TimeRange firstIn(TimeRange part) {
        while (m_place < m_ranges.size() && m_ranges[m_place].end <= part.begin)
            ++m_place;
        if (m_place == m_ranges.size() || m_ranges[m_place].begin >= part.end)
            return {part.end, part.end};
        return m_ranges[m_place].clippedTo(part);
    }
    /// Before the next pixel, which may begin where the last one did.
    std::size_t place() const { return m_place; }
    void goBack(std::size_t place) { m_place = place; }

private:
    const std::vector<TimeRange>& m_ranges;
    std::size_t m_place;
};

/// Walks over one CPU's queue from left to right, one pixel after the other.
class Walk {
public:
    Walk(const CpuTimeline& timeline, const DepthIndex& index, Nanos from)
        : m_queue(timeline.queue)
        , m_times(timeline.queue.times())
        , m_index(index)
        , m_unknown(timeline.unknown, from)
        , m_lowerBound(timeline.queueLowerBound, from)
        , m_step(firstAfter(0, from)) {}

    /// `again`: the next pixel is the same nanosecond.
    DepthColumn column(TimeRange pixel, bool again) {
        const std::size_t step = m_step;
        const std::size_t unknownAt = m_unknown.place();
        const std::size_t lowerBoundAt = m_lowerBound.place();
        DepthColumn column;
        Area area = 0;
        std::uint64_t known = 0;
        for (Nanos from = pixel.begin; from < pixel.end;) {
            const TimeRange gap = m_unknown.firstIn({from, pixel.end});
            if (from < gap.begin) {
                const TimeRange part{from, gap.begin};
                area += areaOf(part, column.most);
                known += distance(part.begin, part.end);
                column.lowerBound = column.lowerBound || !m_lowerBound.firstIn(part).empty();
            }
            from = gap.end;
        }
        column.known = known > 0;
        if (known > 0)
            column.mean =
                static_cast<float>(static_cast<double>(area) / static_cast<double>(known));
        if (again) {
            m_step = step;
            m_unknown.goBack(unknownAt);
            m_lowerBound.goBack(lowerBoundAt);
        }
        return column;
    }

private:
    /// The first step after `time`, at `from` or behind it: one of the next two nearly always.
    std::size_t firstAfter(std::size_t from, Nanos time) const {
        if (from == m_times.size() || m_times[from] > time)
            return from;
        return static_cast<std::size_t>(
            std::upper_bound(m_times.begin() + from, m_times.end(), time) - m_times.begin());
    }

    /// What the queue held in `part`. Leaves m_step at the first step that is not before its end.
    Area areaOf(TimeRange part, std::uint32_t& most) {
        m_step = firstAfter(m_step, part.begin);
        Area area = 0;
        if (m_step > 0) {
            const std::uint32_t waiting = m_queue.waiting(m_step - 1);
            const Nanos end =
                m_step < m_times.size() ? std::min(m_times[m_step], part.end) : part.end;
            area += Area{waiting} * distance(part.begin, end);
            most = std::max(most, waiting);
        }
        while (m_step < m_times.size() && m_times[m_step] < part.end) {
            if (const auto [block, size] = wholeBlock(m_step, part.end); block) {
                area += block->area;
                most = std::max(most, block->most);
                m_step += size;
                continue;
            }
            const std::uint32_t waiting = m_queue.waiting(m_step);
            const Nanos end =
                m_step + 1 < m_times.size() ? std::min(m_times[m_step + 1], part.end) : part.end;
            area += Area{waiting} * distance(m_times[m_step], end);
            most = std::max(most, waiting);
            ++m_step;
        }
        return area;
    }

    /// The largest block that begins with this step and is over by `end`.
    std::pair<const DepthIndex::Block*, std::size_t> wholeBlock(std::size_t step, Nanos end) const {
        std::pair<const DepthIndex::Block*, std::size_t> found{nullptr, 0};
        std::size_t size = DepthIndex::fanOut;
        for (const auto& level : m_index.levels()) {
            if (step % size != 0 || step / size >= level.size() || m_times[step + size] > end ||
                level[step / size].area == DepthIndex::tooLarge)
                break;
            found = {&level[step / size], size};
            size *= DepthIndex::fanOut;
        }
        return found;
    }

    const QueueSteps& m_queue;
    const ValueColumn<Nanos>& m_times;
    const DepthIndex& m_index;
    RangeCursor m_unknown;
    RangeCursor m_lowerBound;
    std::size_t m_step;
};

} // namespace

DepthIndex::DepthIndex(const CpuTimeline& timeline) {
    const QueueSteps& queue = timeline.queue;
    for (std::size_t i = 0; i < queue.size(); ++i)
        m_most = std::max(m_most, queue.waiting(i));
    const auto pieceOf = [&](std::size_t i) -> Block {
        if (!m_levels.empty())
            return m_levels.back()[i];
        const Area area = Area{queue.waiting(i)} * distance(queue.times()[i], queue.times()[i + 1]);
        return {area < tooLarge ? static_cast<std::uint64_t>(area) : tooLarge, queue.waiting(i)};
    };
    // The last step has no end.
    for (std::size_t below = queue.empty() ? 0 : queue.size() - 1; below >= fanOut;
         below /= fanOut) {
        std::vector<Block> level(below / fanOut);
        for (std::size_t i = 0; i < level.size(); ++i) {
            Area area = 0;
            for (std::size_t part = i * fanOut; part < (i + 1) * fanOut; ++part) {
                const Block piece = pieceOf(part);
                area = piece.area == tooLarge ? Area{tooLarge} : area + piece.area;
                level[i].most = std::max(level[i].most, piece.most);
            }
            level[i].area = area < tooLarge ? static_cast<std::uint64_t>(area) : tooLarge;
        }
        m_levels.push_back(std::move(level));
    }
}

void depthColumns(const CpuTimeline& timeline, const DepthIndex& index,
                  std::span<const Nanos> edges, std::vector<DepthColumn>& out) {
    out.clear();
    if (edges.size() < 2)
        return;
    out.reserve(edges.size() - 1);
    Walk walk(timeline, index, edges[0]);
    for (std::size_t x = 0; x + 1 < edges.size(); ++x) {
        const TimeRange pixel{edges[x], std::max(edges[x + 1], addSaturated(edges[x], 1))};
        out.push_back(walk.column(pixel, edges[x + 1] == edges[x]));
    }
}

} // namespace twolane
