// The command line: subcommands that print, without a display and without Qt.
#pragma once

#include "app/chart/chart_request.h"
#include "app/window_request.h"

#include <functional>
#include <stop_token>

namespace twolane::cli {

/// Opens the window, or draws it; returns the program's exit status.
using OpenWindow = std::function<int(const WindowRequest& request)>;

/// Draws a chart into a file.
using DrawChart = std::function<chart::ChartOutcome(const chart::ChartRequest& request)>;

/// Runs what the arguments ask for and returns the exit status: 0 done, 1 an input or output
/// failed, 2 the command line is wrong, 130 interrupted.
int run(int argc, const char* const* argv, std::stop_token stop, const OpenWindow& openWindow,
        const DrawChart& drawChart);

} // namespace twolane::cli
