#include "model/lod/lane_columns.h"

#include "model/viewport.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace twolane {
namespace {

constexpr std::size_t fanOut = LaneIndex::fanOut;

/// From so many slices a pixel on, their own edges are finer than any eye.
constexpr std::size_t manySlices = 32;

std::uint64_t distance(Nanos from, Nanos to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

Nanos asNanos(std::uint64_t length) {
    return static_cast<Nanos>(std::min<std::uint64_t>(length, INT64_MAX));
}

/// Where an edge falls among the slices.
struct Edge {
    Nanos at = 0;
    std::size_t row = 0;          ///< the first slice that begins at the edge or behind it
    std::uint64_t busyBefore = 0; ///< ns of slices before the edge, modulo 2^64
    bool cuts = false;            ///< the slice before `row` is not over
};

/// Finds edges from left to right. Answers are written where they stay: copying a struct that was
/// just written in parts stalls a CPU for longer than finding it took.
class EdgeFinder {
public:
    EdgeFinder(const SliceColumns& slices, const LaneIndex& index)
        : m_begins(slices.begins())
        , m_ends(slices.ends())
        , m_index(index) {}

    /// By the bins, wherever it is.
    void jump(Nanos at, Edge& out) const {
        const LaneIndex::Bin* bin = m_index.bin(at);
        if (!bin)
            return place(at, 0, 0, out);
        std::size_t row = bin[0].row;
        const std::size_t last = bin[1].row;
        if (last - row > fanOut || row + fanOut > m_begins.size())
            return search(at, row, last, out);
        // Slices behind the bin begin later than `at`: they may be looked at too, so that there is
        // no branch that nobody can foresee.
        const Nanos* begins = m_begins.begin() + row;
        const Nanos* ends = m_ends.begin() + row;
        std::uint64_t busy = bin[0].busyBefore();
        for (std::size_t i = 0; i < fanOut; ++i) {
            const bool before = begins[i] < at;
            row += before ? 1 : 0;
            busy += distance(begins[i], ends[i]) & (0 - std::uint64_t{before});
        }
        place(at, row, busy, out);
    }

    /// jump() for many ascending instants at once, in passes that each wait for memory alone: what
    /// one instant needs is fetched while others are looked at.
    void jumpAll(std::span<const Nanos> instants, std::vector<Edge>& out) const {
        const std::size_t count = instants.size();
        out.resize(count);
        std::vector<const LaneIndex::Bin*> bins(count);
        for (std::size_t x = 0; x < count; ++x) {
            bins[x] = m_index.bin(instants[x]);
            __builtin_prefetch(bins[x]);
        }
        constexpr std::size_t soon = 24;
        for (std::size_t x = 0; x < count; ++x) {
            if (const std::size_t next = x + soon; next < count && bins[next]) {
                const std::size_t row = bins[next]->row;
                __builtin_prefetch(m_begins.data() + row);
                __builtin_prefetch(m_begins.data() + row + fanOut - 1);
                __builtin_prefetch(m_ends.data() + row);
                __builtin_prefetch(m_ends.data() + row + fanOut - 1);
            }
            jump(instants[x], out[x]);
            __builtin_prefetch(m_index.longest().data() + out[x].row / fanOut);
        }
    }

    /// From an edge that is not later: slice by slice where few lie between.
    void step(const Edge& from, Nanos at, Edge& out) const {
        std::size_t row = from.row;
        std::uint64_t busy = from.busyBefore;
        if (from.cuts)
            busy += distance(from.at, m_ends[row - 1]);
        for (std::size_t steps = 0; row < m_begins.size() && m_begins[row] < at; ++row) {
            if (++steps > 2 * fanOut)
                return jump(at, out);
            busy += distance(m_begins[row], m_ends[row]);
        }
        place(at, row, busy, out);
    }

private:
    /// The edge lies in a bin of many slices, or near the last one.
    void search(Nanos at, std::size_t from, std::size_t to, Edge& out) const {
        const auto row = static_cast<std::size_t>(
            std::lower_bound(m_begins.begin() + from, m_begins.begin() + to, at) -
            m_begins.begin());
        // The block of the slice before: that of `row` itself may not exist.
        const std::size_t block = row > 0 ? (row - 1) / fanOut : 0;
        std::uint64_t busy = m_index.busyBefore()[block];
        for (std::size_t i = block * fanOut; i < row; ++i)
            busy += distance(m_begins[i], m_ends[i]);
        place(at, row, busy, out);
    }
    void place(Nanos at, std::size_t row, std::uint64_t busy, Edge& out) const {
        const Nanos end = row > 0 ? m_ends[row - 1] : at;
        out.at = at;
        out.row = row;
        out.cuts = end > at;
        out.busyBefore = busy - (end > at ? distance(at, end) : 0);
    }

    const ValueColumn<Nanos>& m_begins;
    const ValueColumn<Nanos>& m_ends;
    const LaneIndex& m_index;
};

/// Finds the longest of some slices; the first of equals.
class LongestFinder {
public:
    LongestFinder(const SliceColumns& slices, const LaneIndex& index)
        : m_begins(slices.begins())
        , m_ends(slices.ends())
        , m_index(index) {}

    struct Longest {
        Nanos length = -1;
        std::size_t slice = 0;
    };

    /// Of the slices [first, last), each in its whole length.
    Longest among(std::size_t first, std::size_t last) {
        m_best = {};
        m_first = first;
        m_last = last;
        if (last - first <= 2 * fanOut) {
            scan(first, last);
            return m_best;
        }
        // The level of which a handful of blocks lie inside.
        std::size_t level = 0;
        std::size_t size = fanOut;
        while (level < m_index.summaries().size() && size * fanOut * 3 <= last - first) {
            size *= fanOut;
            ++level;
        }
        const std::size_t begin = (first + size - 1) / size;
        const std::size_t end = last / size;
        if (begin < end)
            takeWhole(level, begin, end);
        if (first % size != 0)
            look(level, first / size, size);
        if (last % size != 0 && last / size >= begin)
            look(level, last / size, size);
        return m_best;
    }

private:
    void take(Nanos length, std::size_t slice) {
        if (length > m_best.length || (length == m_best.length && slice < m_best.slice))
            m_best = {length, slice};
    }

    void scan(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            take(lengthOf(i), i);
    }

    void takeWhole(std::size_t level, std::size_t begin, std::size_t end) {
        if (level > 0) {
            const auto& blocks = m_index.summaries()[level - 1];
            for (std::size_t i = begin; i < end; ++i)
                take(blocks[i].longest, blocks[i].slice);
            return;
        }
        // Without branches that depend on the data.
        const auto& blocks = m_index.longest();
        std::size_t found = begin;
        std::uint32_t longest = blocks[begin];
        for (std::size_t i = begin + 1; i < end; ++i) {
            const bool longer = blocks[i] > longest;
            longest = longer ? blocks[i] : longest;
            found = longer ? i : found;
        }
        if (longest < LaneIndex::tooLong)
            return take(longest, m_index.longestOf(found));
        for (std::size_t i = begin; i < end; ++i)
            take(lengthOf(m_index.longestOf(i)), m_index.longestOf(i));
    }

    Nanos lengthOf(std::size_t slice) const {
        return asNanos(distance(m_begins[slice], m_ends[slice]));
    }

    /// A block of which only a part may count.
    void look(std::size_t level, std::size_t block, std::size_t size) {
        if (level == 0 && m_index.longest()[block] < LaneIndex::tooLong &&
            m_index.longest()[block] < m_best.length)
            return;
        const std::size_t slice =
            level == 0 ? m_index.longestOf(block) : m_index.summaries()[level - 1][block].slice;
        const Nanos longest =
            level == 0 ? lengthOf(slice) : m_index.summaries()[level - 1][block].longest;
        if (longest < m_best.length)
            return;
        if (longest == m_best.length && slice > m_best.slice)
            return;
        if (slice >= m_first && slice < m_last) {
            take(longest, slice);
            return;
        }
        const std::size_t first = std::max(m_first, block * size);
        const std::size_t last = std::min(m_last, (block + 1) * size);
        if (level == 0) {
            scan(first, last);
            return;
        }
        const std::size_t part = size / fanOut;
        for (std::size_t i = first / part; i * part < last; ++i)
            look(level - 1, i, part);
    }

    const ValueColumn<Nanos>& m_begins;
    const ValueColumn<Nanos>& m_ends;
    const LaneIndex& m_index;
    Longest m_best;
    std::size_t m_first = 0;
    std::size_t m_last = 0;
};

/// Adds up the unknown time of pixels from left to right.
class UnknownTime {
public:
    UnknownTime(const CpuTimeline& timeline, const LaneIndex& index, Nanos from)
        : m_unknown(timeline.unknown)
        , m_index(index)
        , m_gap(static_cast<std::size_t>(
              std::partition_point(m_unknown.begin(), m_unknown.end(),
                                   [from](const TimeRange& gap) { return gap.end <= from; }) -
              m_unknown.begin())) {}

    Nanos in(TimeRange pixel) {
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

private:
    const std::vector<TimeRange>& m_unknown;
    const LaneIndex& m_index;
    std::size_t m_gap;
};

/// Fills in what stands between two edges, but for the unknown time. Returns how much of the
/// longest slice; -1 where there is none.
Nanos between(const Edge& left, const Edge& right, const SliceColumns& slices,
              LongestFinder& finder, LaneColumn& column) {
    Nanos longest = -1;
    const std::size_t first = left.row - (left.cuts ? 1 : 0);
    const std::size_t last = right.row;
    if (first >= last)
        return longest;
    column.slices = static_cast<std::uint32_t>(last - first);
    column.busy = asNanos(right.busyBefore - left.busyBefore);
    const auto take = [&](Nanos inside, std::size_t slice) {
        if (inside <= longest)
            return;
        longest = inside;
        column.longest = static_cast<std::uint32_t>(slice);
    };
    // One slice may be cut by the left edge, one by the right, or one by both.
    if (left.cuts)
        take(asNanos(distance(left.at, std::min(slices.ends()[first], right.at))), first);
    const std::size_t whole = left.row;
    const std::size_t wholeEnd = right.cuts ? last - 1 : last;
    if (whole < wholeEnd) {
        const auto found = finder.among(whole, wholeEnd);
        take(found.length, found.slice);
    }
    if (right.cuts && last - 1 >= whole)
        take(asNanos(distance(slices.begins()[last - 1], right.at)), last - 1);
    return longest;
}

/// A slice that covers a pixel begins a run, or goes on; one that ends inside a pixel ends there.
void noteRuns(const LaneColumn& column, Nanos longest, const SliceColumns& slices, TimeRange pixel,
              std::int32_t x, std::vector<LaneRun>& runs) {
    if (column.slices == 0)
        return;
    if (!runs.empty() && runs.back().last == x) {
        const std::size_t slice = runs.back().slice;
        if (slices.ends()[slice] > pixel.begin)
            runs.back().last = x + 1;
        if (slice == column.longest)
            return;
    }
    if (longest < pixel.length())
        return;
    // The pixel before was touched, but not covered, where the slice begins inside it.
    const bool before = x > 0 && slices.begins()[column.longest] < pixel.begin;
    runs.push_back({column.longest, before ? x - 1 : x, x + 1});
}

/// What happened from bin `from` until bin `to`, as between() tells it; nothing where lengths are
/// longer than bins tell.
std::optional<Nanos> fromBins(const BinLevel& level, std::size_t from, std::size_t to,
                              LaneColumn& column) {
    constexpr std::uint32_t tooLong = BinLevel::tooLong;
    const BinLevel::Bin* bins = level.bins().data();
    const BinLevel::Bin& left = bins[from];
    const BinLevel::Bin& right = bins[to];
    const bool cuts = left.over > 0;
    if (left.row == right.row && !cuts)
        return -1;
    std::uint32_t longest = 0;
    std::uint32_t slice = left.row;
    const auto take = [&longest, &slice](std::uint32_t length, std::uint32_t of) {
        const bool longer = length > longest;
        longest = longer ? length : longest;
        slice = longer ? of : slice;
    };
    // One slice may be cut by the left edge, one by the right, or one by both.
    if (cuts) {
        const std::uint64_t width = distance(level.beginOf(from), level.beginOf(to));
        longest = static_cast<std::uint32_t>(std::min<std::uint64_t>(left.over, width));
        slice = left.row - 1;
    }
    if (left.row < right.row) {
        std::size_t last = to - 1; // where the slice before the right edge begins
        while (bins[last].row == right.row)
            --last;
        for (std::size_t i = from; i < last; ++i)
            take(bins[i].longest, bins[i].slice);
        const bool known = bins[last].longest != tooLong;
        if (right.over == 0 || !known) {
            take(bins[last].longest, bins[last].slice);
        } else {
            take(bins[last].longestButLast, bins[last].sliceButLast);
            // Unless it is the longest of its bin, another one of that bin is longer.
            if (bins[last].slice + 1 == right.row)
                take(bins[last].longest - right.over, bins[last].slice);
        }
    }
    if (longest == tooLong)
        return std::nullopt;
    column.slices = right.row - left.row + (cuts ? 1 : 0);
    column.busy = asNanos(right.busyBefore() - left.busyBefore());
    column.longest = slice;
    return longest;
}

/// laneColumns() where a pixel holds many slices: its edges are moved to bins'.
void columnsFromBins(const CpuTimeline& timeline, const LaneIndex& index, const BinLevel& level,
                     std::span<const Nanos> edges, LaneColumns& out) {
    const EdgeFinder finder(timeline.slices, index);
    LongestFinder longestFinder(timeline.slices, index);
    std::optional<std::size_t> from = level.nearest(edges[0]);
    if (from)
        out.edges[0] = level.beginOf(*from);
    UnknownTime unknown(timeline, index, out.edges[0]);
    for (std::size_t x = 0; x < out.columns.size(); ++x) {
        const std::optional<std::size_t> to = level.nearest(edges[x + 1]);
        if (to)
            out.edges[x + 1] = level.beginOf(*to);
        const TimeRange pixel{out.edges[x], out.edges[x + 1]};
        LaneColumn& column = out.columns[x];
        std::optional<Nanos> longest;
        if (from && to)
            longest = fromBins(level, *from, *to, column);
        if (!longest) {
            Edge left;
            Edge right;
            finder.jump(pixel.begin, left);
            finder.jump(pixel.end, right);
            longest = between(left, right, timeline.slices, longestFinder, column);
        }
        column.unknown = unknown.in(pixel);
        noteRuns(column, *longest, timeline.slices, pixel, static_cast<std::int32_t>(x), out.runs);
        from = to;
    }
}

} // namespace

LaneIndex::LaneIndex(const CpuTimeline& timeline)
    : m_pyramid(timeline.slices) {
    const SliceColumns& slices = timeline.slices;
    const std::size_t count = slices.size();
    if (count > 0) {
        // Half to a quarter as many bins as slices.
        m_first = slices.begins().front();
        const std::uint64_t length = distance(m_first, slices.begins().back());
        const std::uint64_t most = std::max<std::uint64_t>(count / 2, 1);
        while (m_shift < 63 && (length >> m_shift) >= most)
            ++m_shift;
        m_bins.reserve(static_cast<std::size_t>(length >> m_shift) + 2);
    }
    m_busyBefore.reserve((count + fanOut - 1) / fanOut);
    m_longest.reserve(m_busyBefore.capacity());
    m_places.reserve(m_busyBefore.capacity());

    std::uint64_t busy = 0;
    const auto binAt = [&busy](std::size_t row) -> Bin {
        return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(busy),
                static_cast<std::uint32_t>(busy >> 32)};
    };
    std::vector<Summary> blocks((count + fanOut - 1) / fanOut);
    for (std::size_t i = 0; i < count; ++i) {
        const TimeRange range = slices.range(i);
        // Every bin that begins at the slice's begin or before it.
        const std::uint64_t offset = distance(m_first, range.begin);
        while ((std::uint64_t{m_bins.size()} << m_shift) <= offset &&
               m_bins.size() <= offset >> m_shift)
            m_bins.push_back(binAt(i));
        if (i % fanOut == 0)
            m_busyBefore.push_back(busy);
        Summary& block = blocks[i / fanOut];
        if (range.length() > block.longest)
            block = {range.length(), static_cast<std::uint32_t>(i)};
        busy += distance(range.begin, range.end);
    }
    if (count > 0)
        m_bins.push_back(binAt(count));
    for (const Summary& block : blocks) {
        m_longest.push_back(static_cast<std::uint32_t>(std::min<Nanos>(block.longest, tooLong)));
        m_places.push_back(static_cast<std::uint8_t>(block.slice % fanOut));
    }
    for (std::vector<Summary> below = std::move(blocks); below.size() > 1;
         below = m_summaries.back()) {
        std::vector<Summary> level((below.size() + fanOut - 1) / fanOut);
        for (std::size_t i = 0; i < below.size(); ++i)
            if (below[i].longest > level[i / fanOut].longest)
                level[i / fanOut] = below[i];
        m_summaries.push_back(std::move(level));
    }

    m_unknownBefore.reserve(timeline.unknown.size() + 1);
    m_unknownBefore.push_back(0);
    for (const TimeRange& gap : timeline.unknown)
        m_unknownBefore.push_back(m_unknownBefore.back() + distance(gap.begin, gap.end));
}

std::size_t LaneIndex::bytes() const {
    std::size_t bytes = m_pyramid.bytes() + m_unknownBefore.size() * sizeof(std::uint64_t) +
                        m_bins.size() * sizeof(Bin) + m_busyBefore.size() * sizeof(std::uint64_t) +
                        m_longest.size() * sizeof(std::uint32_t) + m_places.size();
    for (const auto& level : m_summaries)
        bytes += level.size() * sizeof(Summary);
    return bytes;
}

void laneColumns(const CpuTimeline& timeline, const LaneIndex& index, std::span<const Nanos> edges,
                 LaneColumns& out) {
    out.runs.clear();
    out.columns.clear();
    out.edges.assign(edges.begin(), edges.end());
    if (edges.size() < 2)
        return;
    const std::size_t width = edges.size() - 1;
    out.columns.resize(width);
    const SliceColumns& slices = timeline.slices;
    const EdgeFinder finder(slices, index);
    LongestFinder longestFinder(slices, index);
    UnknownTime unknown(timeline, index, edges[0]);
    Edge found[2];
    finder.jump(edges[0], found[0]);
    finder.jump(edges[width], found[1]);
    const std::size_t slicesPerPixel = (found[1].row - found[0].row) / width;
    const std::uint64_t length = distance(edges[0], edges[width]);
    if (slicesPerPixel >= manySlices)
        if (const BinLevel* level = index.pyramid().levelFor(asNanos(length / width)))
            return columnsFromBins(timeline, index, *level, edges, out);
    // Where a pixel holds many slices there is no point in looking for its end slice by slice.
    const bool dense = slicesPerPixel > 2 * fanOut && length >= width;
    std::vector<Edge> all;
    if (dense)
        finder.jumpAll(edges, all);
    const Edge* left = &found[0];
    for (std::size_t x = 0; x < width; ++x) {
        // Pixels that share their nanosecond begin where the one before began.
        const TimeRange pixel{edges[x], std::max(edges[x + 1], addSaturated(edges[x], 1))};
        const Edge* right = &all.data()[x + 1];
        if (!dense) {
            Edge& next = found[left == &found[0] ? 1 : 0];
            finder.step(*left, pixel.end, next);
            right = &next;
        }
        LaneColumn& column = out.columns[x];
        const Nanos longest = between(*left, *right, slices, longestFinder, column);
        column.unknown = unknown.in(pixel);
        noteRuns(column, longest, slices, pixel, static_cast<std::int32_t>(x), out.runs);
        if (edges[x + 1] > edges[x])
            left = right;
    }
}

LaneColumn laneColumn(const CpuTimeline& timeline, const LaneIndex& index, TimeRange range) {
    const EdgeFinder finder(timeline.slices, index);
    LongestFinder longestFinder(timeline.slices, index);
    Edge left;
    Edge right;
    finder.jump(range.begin, left);
    finder.jump(range.end, right);
    LaneColumn column;
    between(left, right, timeline.slices, longestFinder, column);
    column.unknown = UnknownTime(timeline, index, range.begin).in(range);
    return column;
}

} // namespace twolane
