#include "model/query/depth.h"

#include <queue>

#include <algorithm>

namespace twolane {

void DepthTimes::add(std::uint32_t depth, Nanos time) {
    if (time <= 0)
        return;
    if (depth >= m_times.size())
        m_times.resize(depth + std::size_t{1}, 0);
    m_times[depth] += time;
    m_known += time;
}

std::optional<double> DepthTimes::mean() const {
    if (m_known == 0)
        return std::nullopt;
    __extension__ using Wide = __int128;
    Wide sum = 0;
    for (std::size_t depth = 0; depth < m_times.size(); ++depth)
        sum += Wide{m_times[depth]} * static_cast<Wide>(depth);
    return static_cast<double>(sum) / static_cast<double>(m_known);
}

std::optional<std::uint32_t> DepthTimes::permille(std::uint32_t permille) const {
    if (m_known == 0)
        return std::nullopt;
    __extension__ using Wide = __int128;
    Wide below = 0;
    std::uint32_t depth = 0;
    for (; depth + std::size_t{1} < m_times.size(); ++depth) {
        below += m_times[depth];
        if (below * 1000 >= Wide{m_known} * permille)
            break;
    }
    return depth;
}

namespace {

/// A stretch of time in which nothing changes on one CPU.
struct Part {
    TimeRange range;
    std::uint32_t depth = 0;
    bool known = true;
    bool lowerBound = false;
};

/// Walks over ranges that neither overlap nor descend.
class RangeCursor {
public:
    explicit RangeCursor(const std::vector<TimeRange>& ranges)
        : m_ranges(ranges) {}

    /// Whether `at` lies in a range; `next` is moved ahead to where that changes. `at` never
    /// descends.
    bool inside(Nanos at, Nanos& next) {
        while (m_place < m_ranges.size() && m_ranges[m_place].end <= at)
            ++m_place;
        if (m_place == m_ranges.size())
            return false;
        const TimeRange range = m_ranges[m_place];
        const bool inside = range.begin <= at;
        next = std::min(next, inside ? range.end : range.begin);
        return inside;
    }

private:
    const std::vector<TimeRange>& m_ranges;
    std::size_t m_place = 0;
};

/// The parts of one CPU's time inside a window, from left to right.
class Walk {
public:
    Walk(const CpuTimeline& timeline, TimeRange window)
        : m_slices(timeline.slices)
        , m_queue(timeline.queue)
        , m_unknown(timeline.unknown)
        , m_lowerBound(timeline.queueLowerBound)
        , m_at(window.begin)
        , m_end(window.end) {
        const auto& ends = m_slices.ends();
        m_slice = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), m_at) -
                                           ends.begin());
        const auto& steps = m_queue.times();
        m_step = static_cast<std::size_t>(std::upper_bound(steps.begin(), steps.end(), m_at) -
                                          steps.begin());
    }

    bool done() const { return m_at >= m_end; }

    Part next() {
        Part part;
        Nanos end = m_end;
        while (m_slice < m_slices.size() && m_slices.ends()[m_slice] <= m_at)
            ++m_slice;
        if (m_slice < m_slices.size()) {
            const TimeRange slice = m_slices.range(m_slice);
            const bool running = slice.begin <= m_at;
            part.depth = running ? 1 : 0;
            end = std::min(end, running ? slice.end : slice.begin);
        }
        const std::size_t steps = m_queue.size();
        while (m_step < steps && m_queue.times()[m_step] <= m_at)
            ++m_step;
        if (m_step > 0)
            part.depth += m_queue.waiting(m_step - 1);
        if (m_step < steps)
            end = std::min(end, m_queue.times()[m_step]);
        part.known = !m_unknown.inside(m_at, end);
        part.lowerBound = m_lowerBound.inside(m_at, end);
        part.range = {m_at, end};
        m_at = end;
        return part;
    }

private:
    const SliceColumns& m_slices;
    const QueueSteps& m_queue;
    RangeCursor m_unknown;
    RangeCursor m_lowerBound;
    Nanos m_at;
    Nanos m_end;
    std::size_t m_slice = 0; ///< the first one that is not over
    std::size_t m_step = 0;  ///< the first one to come
};

void add(DepthStats& stats, const Part& part) {
    if (!part.known)
        return;
    stats.times.add(part.depth, part.range.length());
    if (part.lowerBound)
        stats.lowerBound += part.range.length();
}

} // namespace

DepthStats depthOf(const CpuTimeline& timeline, TimeRange window) {
    DepthStats stats;
    for (Walk walk(timeline, window); !walk.done();)
        add(stats, walk.next());
    return stats;
}

DepthStats depthOfAll(const Trace& trace, const CpuFilter& cpus, TimeRange window) {
    struct Lane {
        Walk walk;
        Part part;
    };
    std::vector<Lane> lanes;
    for (const CpuTimeline& timeline : trace.cpus)
        if (cpus.matches(timeline.cpu))
            lanes.push_back({Walk(timeline, window), {}});

    // Whose part ends first changes the sum next.
    using End = std::pair<Nanos, std::size_t>;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    Part sum{{window.begin, window.begin}, 0, true, false};
    std::size_t unknown = 0;
    std::size_t lowerBounds = 0;
    const auto enter = [&](std::size_t i) {
        Lane& lane = lanes[i];
        if (lane.walk.done())
            return;
        lane.part = lane.walk.next();
        sum.depth += lane.part.depth;
        unknown += lane.part.known ? 0 : 1;
        lowerBounds += lane.part.lowerBound ? 1 : 0;
        ends.emplace(lane.part.range.end, i);
    };
    for (std::size_t i = 0; i < lanes.size(); ++i)
        enter(i);

    DepthStats stats;
    while (!ends.empty()) {
        const auto [end, i] = ends.top();
        ends.pop();
        if (end > sum.range.begin) {
            sum.range.end = end;
            sum.known = unknown == 0;
            sum.lowerBound = lowerBounds > 0;
            add(stats, sum);
            sum.range.begin = end;
        }
        const Part& part = lanes[i].part;
        sum.depth -= part.depth;
        unknown -= part.known ? 0 : 1;
        lowerBounds -= part.lowerBound ? 1 : 0;
        enter(i);
    }
    return stats;
}

} // namespace twolane
