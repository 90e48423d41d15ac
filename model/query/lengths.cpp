#include "model/query/lengths.h"

#include "model/query/task_matcher.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace twolane {
namespace {

// --- Collecting

constexpr std::size_t rowsBetweenStops = 1U << 16;

bool stopsAt(std::size_t row, const std::stop_token& stop) {
    return row % rowsBetweenStops == 0 && stop.stop_requested();
}

/// The slices of one CPU that end in the window: rows [first, last).
struct Rows {
    std::size_t first = 0;
    std::size_t last = 0;
};

Rows endingIn(const SliceColumns& slices, const Window& window) {
    const auto& ends = slices.ends();
    const Nanos* from = std::lower_bound(ends.begin(), ends.end(), window.range.begin);
    const Nanos* to = window.includesEnd ? std::upper_bound(from, ends.end(), window.range.end)
                                         : std::lower_bound(from, ends.end(), window.range.end);
    return {static_cast<std::size_t>(from - ends.begin()),
            static_cast<std::size_t>(to - ends.begin())};
}

// --- Decades

constexpr std::int32_t binsPerDecade = 10;
constexpr std::int32_t binCount = 190; // 10^18.9 <= INT64_MAX < 10^19

/// floor(10^(18 + j/10)): the ten edges of one decade to 19 digits.
constexpr std::array<std::uint64_t, binsPerDecade> decade{
    1'000'000'000'000'000'000, 1'258'925'411'794'167'210, 1'584'893'192'461'113'485,
    1'995'262'314'968'879'601, 2'511'886'431'509'580'111, 3'162'277'660'168'379'331,
    3'981'071'705'534'972'507, 5'011'872'336'272'722'850, 6'309'573'444'801'932'494,
    7'943'282'347'242'815'020};

/// The smallest whole number that is at least 10^(k/10), for every bin and one more. All but the
/// powers of ten are irrational: one above the integer part.
constexpr std::array<std::uint64_t, binCount + 1> firstOfBin = [] {
    std::array<std::uint64_t, binCount + 1> first{};
    std::uint64_t scale = decade[0];
    for (std::size_t k = 0; k < binCount; ++k) {
        const std::size_t part = k % binsPerDecade;
        first[k] = decade[part] / scale + (part == 0 ? 0 : 1);
        if (part == binsPerDecade - 1)
            scale /= 10;
    }
    first[binCount] = UINT64_MAX;
    return first;
}();

/// The bin of each power of two, from which the search starts.
constexpr std::array<std::uint8_t, 64> binOfPower = [] {
    std::array<std::uint8_t, 64> bins{};
    std::uint8_t bin = 0;
    for (std::size_t power = 0; power < 64; ++power) {
        while (firstOfBin[bin + 1U] <= std::uint64_t{1} << power)
            ++bin;
        bins[power] = bin;
    }
    return bins;
}();

/// `length` is above 0.
std::size_t binOf(std::uint64_t length) {
    std::size_t bin = binOfPower[static_cast<std::size_t>(std::bit_width(length)) - 1];
    while (firstOfBin[bin + 1] <= length)
        ++bin;
    return bin;
}

// --- The curve

/// Cells that grow with the lengths: 2^bits to an octave, one a nanosecond for short ones.
std::size_t cellOf(std::uint64_t length, unsigned bits) {
    const auto width = static_cast<unsigned>(std::bit_width(length));
    if (width <= bits + 1)
        return length;
    const unsigned octave = width - bits - 1;
    return (static_cast<std::size_t>(octave) << bits) + (length >> octave);
}

constexpr std::size_t mostCells = 1U << 16;

/// The finest cells of which no more than `mostCells` lie between the ends.
unsigned finestBits(std::uint64_t least, std::uint64_t most) {
    unsigned bits = 40;
    while (bits > 0 && cellOf(most, bits) - cellOf(least, bits) >= mostCells)
        --bits;
    return bits;
}

/// A cell that holds something.
struct FilledCell {
    std::size_t cell = 0;
    std::uint64_t upTo = 0; ///< how many lengths lie in it or below
    Nanos longest = 0;      ///< of it: a value with exactly `upTo` lengths at or below it
};

std::vector<FilledCell> filledCells(std::span<const Nanos> lengths, Nanos least, Nanos most) {
    const unsigned bits =
        finestBits(static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most));
    const std::size_t first = cellOf(static_cast<std::uint64_t>(least), bits);
    const std::size_t last = cellOf(static_cast<std::uint64_t>(most), bits);
    std::vector<FilledCell> cells(last - first + 1);
    for (const Nanos length : lengths) {
        FilledCell& cell = cells[cellOf(static_cast<std::uint64_t>(length), bits) - first];
        ++cell.upTo;
        cell.longest = std::max(cell.longest, length);
    }
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i].cell = i;
        const std::uint64_t own = cells[i].upTo;
        cells[i].upTo = own == 0 ? 0 : below + own;
        below += own;
    }
    std::erase_if(cells, [](const FilledCell& cell) { return cell.upTo == 0; });
    return cells;
}

} // namespace

std::optional<Lengths> timesliceLengths(const Trace& trace, const Selection& selection,
                                        const std::stop_token& stop) {
    std::vector<Rows> rows;
    std::size_t total = 0;
    for (const CpuTimeline& timeline : trace.cpus) {
        rows.push_back(selection.cpus.matches(timeline.cpu)
                           ? endingIn(timeline.slices, selection.window)
                           : Rows{});
        total += rows.back().last - rows.back().first;
    }
    Lengths lengths;
    if (selection.tasks.all())
        lengths.exact.reserve(total);
    TaskMatcher chosen(trace, selection.tasks);
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
        const SliceColumns& slices = trace.cpus[lane].slices;
        for (std::size_t i = rows[lane].first; i < rows[lane].last; ++i) {
            if (stopsAt(i, stop))
                return std::nullopt;
            if (!chosen(slices.tid(i), slices.comm(i)))
                continue;
            if (slices.clipped(i))
                ++lengths.clipped;
            else
                lengths.exact.add(slices.range(i).length());
        }
    }
    if (stop.stop_requested())
        return std::nullopt;
    return lengths;
}

std::optional<Lengths> waitLengths(const Trace& trace, const Selection& selection, WaitKind kind,
                                   const std::stop_token& stop) {
    Lengths lengths;
    const WaitColumns& waits = trace.waits;
    TaskMatcher chosen(trace, selection.tasks);
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (stopsAt(i, stop))
            return std::nullopt;
        if (waits.kind(i) != kind || !selection.window.holds(waits.end(i)))
            continue;
        if (!selection.cpus.all()) {
            const auto cpu = waits.cpu(i);
            if (!cpu || !selection.cpus.matches(*cpu))
                continue;
        }
        if (!chosen(waits.tid(i), waits.comm(i)))
            continue;
        switch (waits.certainty(i)) {
        case Certainty::exact:
            lengths.exact.add(TimeRange{*waits.start(i), waits.end(i)}.length());
            break;
        case Certainty::clipped:
            ++lengths.clipped;
            break;
        case Certainty::doubtful:
            ++lengths.doubtful;
            break;
        }
    }
    if (stop.stop_requested())
        return std::nullopt;
    return lengths;
}

double LogHistogram::edge(std::int32_t bin) {
    return std::pow(10.0, static_cast<double>(bin) / binsPerDecade);
}

LogHistogram logHistogram(const Distribution& lengths) {
    std::array<std::uint64_t, binCount> counts{};
    LogHistogram histogram;
    for (const Nanos length : lengths.values()) {
        if (length <= 0)
            ++histogram.zeros;
        else
            ++counts[binOf(static_cast<std::uint64_t>(length))];
    }
    histogram.n = lengths.n();
    const auto filled = [](std::uint64_t count) { return count > 0; };
    const auto first = std::find_if(counts.begin(), counts.end(), filled);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), filled).base();
    if (first < last) {
        histogram.firstBin = static_cast<std::int32_t>(first - counts.begin());
        histogram.counts.assign(first, last);
    }
    return histogram;
}

std::vector<CumulativePoint> cumulative(const Distribution& lengths, std::size_t points) {
    const auto values = lengths.values();
    if (values.empty())
        return {};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const std::vector<FilledCell> cells = filledCells(values, *least, *most);
    const auto n = static_cast<double>(values.size());
    const auto shareOf = [n](std::uint64_t count) { return static_cast<double>(count) / n; };

    std::vector<CumulativePoint> curve;
    const auto ofLeast = std::count(values.begin(), values.end(), *least);
    curve.push_back({*least, shareOf(static_cast<std::uint64_t>(ofLeast))});

    // Of the way along the curve, half goes by its length and half by its share: of each equal
    // part of it the last point stays.
    const std::size_t parts = std::max<std::size_t>(points, 2) - 1;
    const auto span = static_cast<double>(std::max<std::size_t>(cells.back().cell, 1));
    const auto partOf = [&](const FilledCell& cell) {
        const double way = (static_cast<double>(cell.cell) / span + shareOf(cell.upTo)) / 2;
        return std::min(static_cast<std::size_t>(way * static_cast<double>(parts)), parts - 1);
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool lastOfPart = i + 1 == cells.size() || partOf(cells[i + 1]) != partOf(cells[i]);
        if (lastOfPart && cells[i].longest != curve.back().length)
            curve.push_back({cells[i].longest, shareOf(cells[i].upTo)});
    }
    return curve;
}

} // namespace twolane
