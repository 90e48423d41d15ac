// How many tasks waited for every CPU. Rules: README.md beside.
#pragma once

#include "model/build/cpu_tracker.h"
#include "model/trace.h"

#include <cstdint>
#include <vector>

namespace twolane {

/// Remembers the order in which waits ended; counts once all of them are known. Waits that turn out
/// to have been none are thereby never counted, and the CPU on which a task was queued is known
/// before its sched_wakeup told.
class RunqueueTracker {
public:
    /// A wait (its row of Trace::waits) ended in a switch-in. In order of time.
    void waitEnded(std::uint32_t row) { m_ended.push_back(row); }
    /// A wait ended in any other way, maybe earlier than now.
    void waitCut(std::uint32_t row) { m_cut.push_back(row); }

    /// Tells every CPU that recorded events of its queue up to `end`. Rows of `waits` still stand
    /// as they were reserved, in order of start; those marked in `dropped` were no waits.
    void tell(const WaitColumns& waits, const std::vector<bool>& dropped, Nanos end,
              CpuTrackers& cpus) const;

private:
    ValueColumn<std::uint32_t> m_ended;
    std::vector<std::uint32_t> m_cut;
};

/// Fills queueLowerBound of every CPU of a trace that has all else.
void markLowerBounds(Trace& trace);

} // namespace twolane
