// One CPU's timeline in bins of time, each level's twice as wide as those of the level below: what
// a pixel that holds many slices is read from, in sequence.
//
// Bins lie on one grid for all CPUs and traces: bin k of a level covers the 2^shift ns from
// k * 2^shift on. Each tells where the slices stand at its begin, so what happened between two
// begins is a difference; and which of the slices that begin in it is the longest.
#pragma once

#include "model/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace twolane {

class BinLevel {
public:
    /// Lengths that 32 bits do not hold: the slice itself tells them.
    static constexpr std::uint32_t tooLong = UINT32_MAX;

    struct Bin {
        std::uint32_t row = 0; ///< the first slice that begins in the bin or behind it
        std::uint32_t busyLow = 0;
        std::uint32_t busyHigh = 0;
        std::uint32_t over = 0;    ///< ns that slice row - 1 goes on after the bin's begin
        std::uint32_t longest = 0; ///< ns of the longest slice that begins in the bin; or 0
        std::uint32_t slice = 0;   ///< that slice, the first of equals; `row` where none begins
        /// The same without the last slice that begins in the bin: the one that may go on after it.
        std::uint32_t longestButLast = 0;
        std::uint32_t sliceButLast = 0;

        /// ns of all slices until the bin's begin, modulo 2^64.
        std::uint64_t busyBefore() const { return std::uint64_t{busyHigh} << 32 | busyLow; }
    };

    /// `first` is the number of the first of `bins`; the last one begins after all slices did.
    BinLevel(unsigned shift, std::int64_t first, std::vector<Bin> bins)
        : m_shift(shift)
        , m_first(first)
        , m_bins(std::move(bins)) {}

    unsigned shift() const { return m_shift; }
    std::int64_t first() const { return m_first; }
    const std::vector<Bin>& bins() const { return m_bins; }
    Nanos width() const { return Nanos{1} << m_shift; }

    /// The bin whose begin is nearest to `time`; none where that lies outside the level.
    std::optional<std::size_t> nearest(Nanos time) const {
        const std::int64_t up = m_shift > 0 ? time >> (m_shift - 1) & 1 : 0;
        const std::int64_t number = (time >> m_shift) + up;
        if (number < m_first || number - m_first >= static_cast<std::int64_t>(m_bins.size()))
            return std::nullopt;
        return static_cast<std::size_t>(number - m_first);
    }
    Nanos beginOf(std::size_t bin) const {
        return (m_first + static_cast<std::int64_t>(bin)) << m_shift;
    }

private:
    unsigned m_shift;
    std::int64_t m_first;
    std::vector<Bin> m_bins;
};

class BinPyramid {
public:
    BinPyramid() = default;
    explicit BinPyramid(const SliceColumns& slices);

    /// The widest bins of which at least four fit into `pixel` ns; null where all are wider.
    const BinLevel* levelFor(Nanos pixel) const;
    /// Finest first. None where there are but a few slices.
    const std::vector<BinLevel>& levels() const { return m_levels; }
    /// What it takes, for benchmarks.
    std::size_t bytes() const;

private:
    std::vector<BinLevel> m_levels;
};

} // namespace twolane
