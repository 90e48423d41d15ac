// Run-queue depth: how many tasks ran on a CPU or waited for it.
#pragma once

#include "model/query/window.h"
#include "model/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace twolane {

/// For how long each depth held.
class DepthTimes {
public:
    void add(std::uint32_t depth, Nanos time);

    /// All time added, in ns.
    Nanos known() const { return m_known; }
    /// Weighted by time; all of them nothing where no time is known.
    std::optional<double> mean() const;
    /// The smallest d such that depth <= d held for at least permille/1000 of the time.
    std::optional<std::uint32_t> permille(std::uint32_t permille) const;
    std::optional<std::uint32_t> percentile(std::uint32_t percent) const {
        return permille(percent * 10);
    }
    /// The largest that held for any time.
    std::optional<std::uint32_t> max() const { return permille(1000); }

private:
    std::vector<Nanos> m_times; ///< by depth
    Nanos m_known = 0;
};

struct DepthStats {
    DepthTimes times;     ///< in known time only
    Nanos lowerBound = 0; ///< of the known time: tasks may have been queued unseen
};

/// The depth of one CPU, idle not counted, inside `window`.
DepthStats depthOf(const CpuTimeline& timeline, TimeRange window);
/// The sum over the chosen CPUs of a trace (those with events), while all of them are known.
DepthStats depthOfAll(const Trace& trace, const CpuFilter& cpus, TimeRange window);

} // namespace twolane
