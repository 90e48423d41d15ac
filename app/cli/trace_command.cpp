#include "app/cli/trace_command.h"

#include "app/cli/input.h"
#include "app/cli/output.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace twolane::cli {
namespace {

Exit runTraceCommand(const CommonOptions& options, const std::string& name,
                     const TableOf& tableOf) {
    auto trace = loadInput(options.inputs.front(), options);
    if (!trace)
        return fail(trace.error());

    Presentation presentation;
    presentation.command = name;
    presentation.header = headerOf(**trace, options);
    presentation.warnings = warningsOf((*trace)->info.file, (*trace)->diagnostics);
    presentation.counts = !(*trace)->info.stampsAreNanoseconds;
    presentation.resolution = (*trace)->info.resolution;
    printWarnings(presentation.warnings);
    const Table table = tableOf(**trace, selectionOf(**trace, options),
                                options.relative ? Origin::traceStart : Origin::clock);
    return write(table, presentation, options);
}

} // namespace

CLI::App* addTraceCommand(CLI::App& app, Exit& exit, std::stop_token stop, const std::string& name,
                          const std::string& help, TableOf tableOf) {
    auto options = std::make_shared<CommonOptions>();
    options->stop = std::move(stop);
    CLI::App* command = app.add_subcommand(name, help);
    addInputOptions(*command, *options, false);
    addOutputOptions(*command, *options);
    addSelectionOptions(*command, *options);
    command->callback([options, name, tableOf = std::move(tableOf), &exit] {
        exit = runTraceCommand(*options, name, tableOf);
    });
    return command;
}

} // namespace twolane::cli
