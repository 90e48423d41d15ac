#include "app/cli/command.h"
#include "app/cli/trace_command.h"
#include "model/query/tables.h"

namespace twolane::cli {

void addLatencies(CLI::App& app, Exit& exit, std::stop_token stop) {
    addTraceCommand(app, exit, std::move(stop), "latencies",
                    "Every wakeup latency, fork latency and preempted wait, a row each",
                    latencyTable);
}

} // namespace twolane::cli
