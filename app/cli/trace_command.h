// A subcommand that loads one trace and prints one table about it.
#pragma once

#include "app/cli/command.h"
#include "model/query/tables.h"
#include "model/table.h"
#include "model/trace.h"

#include <functional>
#include <string>

namespace twolane::cli {

using TableOf = std::function<Table(const Trace&, const Selection&, Origin)>;

/// Adds the subcommand with all common options and returns it, for options of its own.
CLI::App* addTraceCommand(CLI::App& app, Exit& exit, std::stop_token stop, const std::string& name,
                          const std::string& help, TableOf tableOf);

} // namespace twolane::cli
