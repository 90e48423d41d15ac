// Where the time of each task went.
#pragma once

#include "model/query/distribution.h"
#include "model/query/window.h"

#include <vector>

namespace twolane {

/// Sums hold the known part of clipped and doubtful items; distributions hold exact ones only.
/// run + wait + sleep + block + unknown = the task's life inside the window, for a single task.
struct TaskStats {
    std::vector<TaskId> tasks; ///< one for a task; all that bore the comm for a comm
    std::int32_t tid = 0;      ///< of the first task
    std::string comm;          ///< the one held longest on CPU; empty where never named
    Nanos cpuTime = 0;
    Distribution timeslices;
    std::uint64_t clippedSlices = 0;
    std::uint64_t wakeups = 0;          ///< wakes that ended a sleep; forks are not among them
    Distribution latencies;             ///< of kind wakeup
    std::uint64_t inexactLatencies = 0; ///< clipped or doubtful, or of unknown length: left out
    Nanos latencyMax = 0;               ///< where latencies.n() > 0
    Nanos latencyMaxAt = 0;             ///< start of that wait
    Nanos preemptedWait = 0;
    Nanos runqueueWait = 0; ///< all three kinds
    Nanos sleep = 0;        ///< S, T, t, P, I and states without a name
    Nanos block = 0;        ///< D
    Nanos unknown = 0;
    std::uint64_t voluntary = 0;   ///< switch-outs with a sleep state
    std::uint64_t involuntary = 0; ///< switch-outs still runnable
    std::uint64_t migrations = 0;
};

/// One entry for each life with an instant in the window, by CPU time, largest first, then tid.
/// Where CPUs are chosen, only what happened on them counts, and sleep, block and unknown stay 0:
/// they happen on no CPU.
std::vector<TaskStats> statsByTask(const Trace& trace, const Selection& selection);
/// The same by comm of the time: CPU time, sleep and block split at a rename; a slice or a wait
/// belongs to the comm at its end.
std::vector<TaskStats> statsByComm(const Trace& trace, const Selection& selection);

/// What was exact and what was not, over the whole selection.
struct Exactness {
    std::uint64_t exactSlices = 0;
    std::uint64_t clippedSlices = 0;
    std::uint64_t exactWaits = 0;
    std::uint64_t clippedWaits = 0;
    std::uint64_t doubtfulWaits = 0;
};
Exactness exactness(const Trace& trace, const Selection& selection);

} // namespace twolane
