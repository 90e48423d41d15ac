// Timeslice lengths and waits of a selection as distributions, and as the curves that charts draw.
#pragma once

#include "model/query/distribution.h"
#include "model/query/window.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace twolane {

/// Exact lengths, and how many were left out because they are not.
struct Lengths {
    Distribution exact;
    std::uint64_t clipped = 0;
    std::uint64_t doubtful = 0;
};

/// Of all timeslices that end in the selection. Nothing after a stop request.
std::optional<Lengths> timesliceLengths(const Trace& trace, const Selection& selection,
                                        const std::stop_token& stop = {});
/// Of all waits of one kind that end in the selection; with a choice of CPUs those that were
/// switched in on one of them. Nothing after a stop request.
std::optional<Lengths> waitLengths(const Trace& trace, const Selection& selection, WaitKind kind,
                                   const std::stop_token& stop = {});

/// Logarithmic bins, 10 to a decade, for drawing only: bin k holds 10^(k/10) <= length <
/// 10^((k+1)/10) ns.
struct LogHistogram {
    std::int32_t firstBin = 0;         ///< of counts[0]
    std::vector<std::uint64_t> counts; ///< without empty bins at either end
    std::uint64_t zeros = 0;           ///< lengths of 0 ns: they have no logarithm
    std::uint64_t n = 0;               ///< all, zeros included

    static double edge(std::int32_t bin); ///< lower edge of a bin in ns
};
/// Every length is put into its bin by comparing integers: a power of ten begins its bin.
LogHistogram logHistogram(const Distribution& lengths);

/// A point of a cumulative curve: `share` of all lengths (0 to 1) are at most `length`.
struct CumulativePoint {
    Nanos length = 0;
    double share = 0;
};
/// The exact cumulative curve thinned to at most `points` points (at least 2), both ends kept;
/// every point is a value that occurred and has its exact share. Spread so that a drawing with a
/// logarithmic axis shows no coarse step, neither along the lengths nor along the shares.
std::vector<CumulativePoint> cumulative(const Distribution& lengths, std::size_t points);

} // namespace twolane
