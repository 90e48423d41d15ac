// The gaps of all CPUs, told in the order in which they begin.
#pragma once

#include "model/time.h"

#include <optional>
#include <vector>

namespace twolane {

/// Answers whether something that was measured overlaps a time in which any CPU was not recorded:
/// a task may then have been moved there, run and come back unseen.
class GapList {
public:
    /// Begins must not descend. Empty ranges are ignored.
    void add(TimeRange gap);

    /// Whether any gap has an instant strictly inside `range`.
    bool overlaps(TimeRange range) const;
    /// Where the earliest gap that overlaps `range` begins, but not before the range does.
    std::optional<Nanos> firstInside(TimeRange range) const;

private:
    std::vector<Nanos> m_begins;
    std::vector<Nanos> m_latestEnds; ///< the largest end of the gaps up to here: never descends
};

} // namespace twolane
