// Cuts a time of a task at its renames.
#pragma once

#include "model/trace.h"

#include <algorithm>

namespace twolane {

/// Calls f(comm, part) for each part of `range` in which `task` bore one comm, in order of time.
/// The first known name holds before its event too; a task that was never named has an invalid
/// comm. An empty range has no parts.
template <class F>
void forEachComm(const Trace& trace, TaskId task, TimeRange range, F f) {
    if (range.empty())
        return;
    const auto names = trace.commsOf(task);
    if (names.empty()) {
        f(StringId(), range);
        return;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Nanos from = i == 0 ? range.begin : std::max(range.begin, names[i].from);
        const Nanos to = i + 1 < names.size() ? std::min(range.end, names[i + 1].from) : range.end;
        if (from < to)
            f(names[i].comm, TimeRange{from, to});
    }
}

} // namespace twolane
