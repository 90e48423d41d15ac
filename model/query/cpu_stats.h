// How busy each CPU was.
#pragma once

#include "model/query/depth.h"
#include "model/query/distribution.h"
#include "model/query/window.h"

#include <vector>

namespace twolane {

struct CpuStats {
    std::int32_t cpu = 0;
    Nanos busy = 0;    ///< time of the chosen tasks' slices inside the window
    Nanos idle = 0;    ///< known to be idle
    Nanos unknown = 0; ///< not known who ran; busy (of all tasks) + idle + unknown = the window
    /// busy / (window − unknown): with all tasks busy / (busy + idle). Nothing where nothing is
    /// known.
    std::optional<double> utilisation;
    std::uint64_t switches = 0;      ///< sched_switch events recorded on it
    Distribution timeslices;         ///< exact ones that end in the window
    std::uint64_t clippedSlices = 0; ///< left out of `timeslices`
    std::uint64_t wakeups = 0;       ///< wakes that ended a sleep, by the CPU queued on
    /// Of all tasks; nothing where some are chosen, or where no wakes were recorded.
    std::optional<DepthStats> depth;
};

/// The chosen CPUs with at least one event, ascending.
std::vector<CpuStats> cpuStats(const Trace& trace, const Selection& selection);

} // namespace twolane
