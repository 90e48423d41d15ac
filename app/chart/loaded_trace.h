// A trace with what the window needs beside it, made once, off the window's thread.
#pragma once

#include "app/chart/text.h"
#include "model/lod/depth_columns.h"
#include "model/lod/lane_columns.h"
#include "model/query/neighbour_index.h"
#include "model/query/task_stats.h"
#include "model/trace.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace twolane::chart {

/// Const after its making: shared between threads without locks.
struct LoadedTrace {
    std::shared_ptr<const Trace> trace;
    std::vector<LaneIndex> lanes;   ///< one for each of trace->cpus
    std::vector<DepthIndex> queues; ///< likewise
    NeighbourIndex neighbours;
    std::uint32_t mostWaiting = 0; ///< on any CPU at any time
    Exactness exactness;           ///< of the whole trace

    TimeFormat times() const;
    /// "nothing lost", or what was: "82 events lost, 12 waits doubtful".
    QString lossText() const;
    bool lossy() const; ///< lossText() is worth a warning
    /// Every oddity on a line of its own; plain text.
    QString oddities() const;
};

std::shared_ptr<const LoadedTrace> prepare(std::shared_ptr<const Trace> trace);

} // namespace twolane::chart
