// What every subcommand shares: its options, and how it says what came of it.
#pragma once

#include "app/cli/command_line.h"
#include "importers/importer.h"
#include "model/query/window.h"
#include "model/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace twolane::cli {

/// The exit statuses of the contract.
enum class Exit : int { done = 0, failed = 1, usage = 2, interrupted = 130 };

enum class Format : std::uint8_t { text, csv, json };

/// Options that every subcommand takes, as written by the user.
struct CommonOptions {
    std::vector<std::string> inputs;
    Format format = Format::text;
    std::optional<Nanos> from; ///< ns from the trace's start
    std::optional<Nanos> to;
    CpuFilter cpus;
    TaskFilter tasks;
    LoadOptions load;
    std::vector<std::string> labels; ///< in the order of the inputs
    bool relative = false;
    bool quiet = false;
    bool force = false;
    std::string output;   ///< empty: standard output
    std::stop_token stop; ///< requested by SIGINT
};

/// Adds the options to a subcommand; `options` must outlive its parsing.
void addInputOptions(CLI::App& app, CommonOptions& options, bool severalInputs);
void addOutputOptions(CLI::App& app, CommonOptions& options);
void addSelectionOptions(CLI::App& app, CommonOptions& options);

Selection selectionOf(const Trace& trace, const CommonOptions& options);

/// Prints "twolane: …" and returns the status that the contract gives to such an error.
Exit fail(const Error& error);

// One file a subcommand.
void addFormats(CLI::App& app, Exit& exit, std::stop_token stop);
void addInfo(CLI::App& app, Exit& exit, std::stop_token stop);
void addStats(CLI::App& app, Exit& exit, std::stop_token stop);
void addSlices(CLI::App& app, Exit& exit, std::stop_token stop);
void addLatencies(CLI::App& app, Exit& exit, std::stop_token stop);
void addChart(CLI::App& app, Exit& exit, std::stop_token stop, const DrawChart& drawChart);

} // namespace twolane::cli
