// Traces made in memory for the window's tests and pictures.
#pragma once

#include "app/chart/loaded_trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace twolane::tests {

struct Plan {
    std::string file = "synthetic.dat";
    std::string kernel = "6.1.0-53-amd64";
    std::vector<std::int32_t> cpus = {0, 1, 2, 3};
    std::vector<std::string> names = {"postgres",    "pgbench",     "hackbench", "kworker/1:1",
                                      "ksoftirqd/0", "kworker/2:1", "sshd"};
    Nanos start = 1'651'097'314'396'951'318;
    Nanos length = 5'000'000;
    Nanos meanSlice = 180'000; ///< ns; a task runs between a tenth and twice this time
    int idlePercent = 18;
    bool loss = false;       ///< the second CPU loses events in the middle
    bool lateCpu = false;    ///< the last CPU's data begin after a fifth of the time
    bool nanoseconds = true; ///< false: the clock counts something else
    std::uint32_t seed = 1;
};

/// Switches at random times by the plan.
std::shared_ptr<const Trace> makeTrace(const Plan& plan);

/// A run of one task on one CPU, for traces told run by run. Between runs the CPU is idle.
struct Run {
    Nanos begin = 0;
    Nanos end = 0;
    std::string comm;
    std::int32_t pid = 0;
};
std::shared_ptr<const Trace> makeTrace(std::int32_t cpu, const std::vector<Run>& runs,
                                       TimeRange range);

} // namespace twolane::tests
