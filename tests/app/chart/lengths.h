// Tiny traces whose timeslices and latencies are known, for the tests of charts.
#pragma once

#include "app/chart/lengths/length_plot.h"
#include "model/trace.h"

#include <memory>
#include <vector>

namespace twolane::tests {

struct LengthPlan {
    /// Of exact timeslices, one after the other on one CPU, idle between them.
    std::vector<Nanos> slices = {};
    /// The latency of the wakeup of each slice's task; nothing: the trace records no wakes.
    std::vector<Nanos> latencies = {};
    bool beginsInSlice = false; ///< one more slice, clipped at the trace's begin
    bool nanoseconds = true;    ///< false: the clock counts something else
};

std::shared_ptr<const Trace> makeLengths(const LengthPlan& plan);

/// All of the trace's lengths with a label.
chart::LengthCurves curvesOf(const LengthPlan& plan, chart::LengthKind kind,
                             const QString& label = QStringLiteral("6.1.0"));

} // namespace twolane::tests
