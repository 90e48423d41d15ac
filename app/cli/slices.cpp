#include "app/cli/command.h"
#include "app/cli/trace_command.h"
#include "model/query/tables.h"

namespace twolane::cli {

void addSlices(CLI::App& app, Exit& exit, std::stop_token stop) {
    addTraceCommand(app, exit, std::move(stop), "slices", "Every timeslice, a row each",
                    sliceTable);
}

} // namespace twolane::cli
