// What stands beside an instant: the slice that runs, the wait before it, those that wait
// meanwhile. Each answer takes a few binary searches.
#pragma once

#include "model/query/neighbour_index.h"
#include "model/trace.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace twolane {

/// Names one wait of a trace: a row of Trace::waits.
using WaitRow = std::size_t;

/// The slice that runs at `at` on a lane: begin <= at < end. Of slices of 0 ns the one that begins
/// at `at`, where no other one runs.
std::optional<SliceRef> sliceAt(const Trace& trace, std::size_t lane, Nanos at);
/// The slices before and after in time on the same lane.
std::optional<SliceRef> previousOnCpu(const Trace& trace, SliceRef slice);
std::optional<SliceRef> nextOnCpu(const Trace& trace, SliceRef slice);
/// The same task's slices before and after, on whatever CPU.
std::optional<SliceRef> previousOfTask(const Trace& trace, const NeighbourIndex& index,
                                       SliceRef slice);
std::optional<SliceRef> nextOfTask(const Trace& trace, const NeighbourIndex& index, SliceRef slice);

/// The wait that ended in the switch-in of this slice; nothing where none was seen, or where
/// several runs of 0 ns at one stamp leave it open which.
std::optional<WaitRow> waitBefore(const Trace& trace, const NeighbourIndex& index, SliceRef slice);
/// The slice that a wait ended in; nothing where the wait is clipped.
std::optional<SliceRef> sliceAfter(const Trace& trace, const NeighbourIndex& index, WaitRow wait);
/// What the task did before a wait began, as far as known.
std::optional<SliceRef> sliceBefore(const Trace& trace, const NeighbourIndex& index, WaitRow wait);
/// The waits for a CPU under way at `at` (start <= at < end), longest waiting first: by the CPU
/// that each was last known to be queued on.
std::vector<WaitRow> waitingAt(const Trace& trace, const NeighbourIndex& index, std::size_t lane,
                               Nanos at);

} // namespace twolane
