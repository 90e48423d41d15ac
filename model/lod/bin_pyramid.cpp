#include "model/lod/bin_pyramid.h"

#include <algorithm>

namespace twolane {
namespace {

using Bin = BinLevel::Bin;

/// Below this, slices themselves are as quick to read.
constexpr std::size_t fewSlices = 64;
/// Slices a bin of the finest level, on average, at least.
constexpr std::size_t slicesPerBin = 4;

std::uint64_t distance(Nanos from, Nanos to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

std::uint32_t in32Bits(std::uint64_t length) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(length, BinLevel::tooLong));
}

/// A bin that begins at `begin`, where slice `row` is the next one; `busy`: ns of all before it.
Bin binAt(const SliceColumns& slices, Nanos begin, std::size_t row, std::uint64_t busy) {
    const Nanos end = row > 0 ? slices.ends()[row - 1] : begin;
    const std::uint64_t over = end > begin ? distance(begin, end) : 0;
    const std::uint64_t before = busy - over;
    const auto next = static_cast<std::uint32_t>(row);
    return {next,
            static_cast<std::uint32_t>(before),
            static_cast<std::uint32_t>(before >> 32),
            in32Bits(over),
            0,
            next,
            0,
            next};
}

/// Whether bin `number` and its begin are whole numbers of ns that Nanos holds.
bool exists(std::int64_t number, unsigned shift) {
    return number <= INT64_MAX >> shift;
}

/// A level of bins 2^shift ns wide, straight from the slices. `total`: ns of all of them.
BinLevel finest(const SliceColumns& slices, unsigned shift, std::uint64_t& total) {
    const std::int64_t first = slices.begins().front() >> shift;
    const std::int64_t last = slices.begins().back() >> shift;
    std::vector<Bin> bins;
    bins.reserve(static_cast<std::size_t>(last - first) + 2);
    std::uint64_t busy = 0;
    std::int64_t next = first;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const TimeRange range = slices.range(i);
        for (; next <= range.begin >> shift; ++next)
            bins.push_back(binAt(slices, next << shift, i, busy));
        const std::uint64_t length = distance(range.begin, range.end);
        Bin& bin = bins.back();
        bin.longestButLast = bin.longest;
        bin.sliceButLast = bin.slice;
        if (const std::uint32_t known = in32Bits(length); known > bin.longest) {
            bin.longest = known;
            bin.slice = static_cast<std::uint32_t>(i);
        }
        busy += length;
    }
    bins.push_back(binAt(slices, next << shift, slices.size(), busy));
    total = busy;
    return {shift, first, std::move(bins)};
}

/// Makes a bin of two; `next` is the bin after `right`.
void append(Bin& left, const Bin& right, const Bin& next) {
    if (right.row == next.row)
        return; // the last slice of the left one is the last of both
    left.longestButLast = left.longest;
    left.sliceButLast = left.slice;
    if (right.longestButLast > left.longestButLast) {
        left.longestButLast = right.longestButLast;
        left.sliceButLast = right.sliceButLast;
    }
    if (right.longest > left.longest) {
        left.longest = right.longest;
        left.slice = right.slice;
    }
}

/// The level above, of bins twice as wide.
BinLevel doubled(const BinLevel& below, const SliceColumns& slices, std::uint64_t total) {
    const unsigned shift = below.shift() + 1;
    const std::int64_t first = below.first() >> 1;
    const auto& parts = below.bins();
    const std::int64_t end = below.first() + static_cast<std::int64_t>(parts.size()) - 1;
    std::vector<Bin> bins;
    bins.reserve(parts.size() / 2 + 2);
    for (std::int64_t part = first * 2; part < end; part += 2) {
        // No slice begins before the first part.
        const auto at = static_cast<std::size_t>(std::max(part, below.first()) - below.first());
        bins.push_back(parts[at]);
        if (part >= below.first() && part + 1 < end)
            append(bins.back(), parts[at + 1], parts[at + 2]);
    }
    const std::int64_t last = first + static_cast<std::int64_t>(bins.size());
    bins.push_back(binAt(slices, last << shift, slices.size(), total));
    return {shift, first, std::move(bins)};
}

} // namespace

BinPyramid::BinPyramid(const SliceColumns& slices) {
    if (slices.size() < fewSlices)
        return;
    const Nanos first = slices.begins().front();
    const Nanos last = slices.begins().back();
    const auto bins = [&](unsigned shift) { return distance(first >> shift, last >> shift) + 1; };
    unsigned shift = 0;
    while (bins(shift) > slices.size() / slicesPerBin)
        ++shift;
    std::uint64_t total = 0;
    for (; exists((last >> shift) + 1, shift); ++shift) {
        m_levels.push_back(m_levels.empty() ? finest(slices, shift, total)
                                            : doubled(m_levels.back(), slices, total));
        if (bins(shift) <= 2)
            break;
    }
}

const BinLevel* BinPyramid::levelFor(Nanos pixel) const {
    const auto wider =
        std::partition_point(m_levels.begin(), m_levels.end(),
                             [pixel](const BinLevel& level) { return level.width() <= pixel / 4; });
    return wider == m_levels.begin() ? nullptr : &*(wider - 1);
}

std::size_t BinPyramid::bytes() const {
    std::size_t bytes = 0;
    for (const BinLevel& level : m_levels)
        bytes += level.bins().size() * sizeof(Bin);
    return bytes;
}

} // namespace twolane
