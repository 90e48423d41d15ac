#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/trace_command.h"
#include "model/query/tables.h"

#include <CLI/CLI.hpp>

#include <map>
#include <memory>

namespace twolane::cli {

void addStats(CLI::App& app, Exit& exit, std::stop_token stop) {
    enum class By : std::uint8_t { task, comm, cpu };
    auto by = std::make_shared<By>(By::task);
    const auto table = [by](const Trace& trace, const Selection& selection, Origin origin) {
        switch (*by) {
        case By::task:
            return taskTable(trace, selection, origin);
        case By::comm:
            return commTable(trace, selection, origin);
        case By::cpu:
            break;
        }
        return cpuTable(trace, selection);
    };
    CLI::App* command = addTraceCommand(app, exit, std::move(stop), "stats",
                                        "Per-task, per-comm or per-CPU numbers", table);
    command->add_option("--by", *by, "What a row is about")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, By>{{"task", By::task}, {"comm", By::comm}, {"cpu", By::cpu}}))
        ->option_text("task|comm|cpu");
}

} // namespace twolane::cli
