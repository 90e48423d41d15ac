// The door to window and charts, which live in a module of their own: without it no Qt is loaded.
#pragma once

#include "app/chart/chart_request.h"
#include "app/window_request.h"

namespace twolane {

/// Loads the window's module and runs it, or lets it draw into a file. Says on standard error what
/// is missing where it cannot. Returns the program's exit status.
int openWindow(const WindowRequest& request);

/// Loads the same module and lets it draw a chart into a file.
chart::ChartOutcome drawChart(const chart::ChartRequest& request);

} // namespace twolane
