// Time as the recording kernel counted it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace twolane {

/// Nanoseconds in the trace's own clock, or a difference of two such stamps. Signed: clocks may
/// start below zero and differences may be negative. Every value is an ordinary time; validity is
/// always kept beside a stamp, never inside it.
using Nanos = std::int64_t;

/// The half-open range [begin, end). `begin <= end` always holds; an empty range has no instant.
struct TimeRange {
    Nanos begin = 0;
    Nanos end = 0;

    bool operator==(const TimeRange&) const = default;

    /// Length in ns, saturated at the largest Nanos (ends may lie on both sides of zero).
    constexpr Nanos length() const {
        const auto span = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
        constexpr auto most = static_cast<std::uint64_t>(INT64_MAX);
        return static_cast<Nanos>(std::min(span, most));
    }
    constexpr bool empty() const { return begin >= end; }
    constexpr bool contains(Nanos t) const { return begin <= t && t < end; }

    /// The part of this range inside `other`; empty (at one of its edges) where they do not meet.
    constexpr TimeRange clippedTo(TimeRange other) const {
        const Nanos from = std::max(begin, other.begin);
        return {from, std::max(from, std::min(end, other.end))};
    }
};

} // namespace twolane
