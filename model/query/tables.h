// The answers as tables with stable columns: what the command line prints and panels show.
#pragma once

#include "model/query/window.h"
#include "model/table.h"

namespace twolane {

/// Where instants are counted from.
enum class Origin : std::uint8_t { clock, traceStart };

/// Every timeslice that ends in the selection, ordered by start, CPU, tid.
Table sliceTable(const Trace& trace, const Selection& selection, Origin origin);
/// Every wait that ends in the selection, ordered by start, CPU, tid. One of unknown length has
/// its place by its end.
Table latencyTable(const Trace& trace, const Selection& selection, Origin origin);
Table taskTable(const Trace& trace, const Selection& selection, Origin origin);
Table commTable(const Trace& trace, const Selection& selection, Origin origin);
Table cpuTable(const Trace& trace, const Selection& selection);

} // namespace twolane
