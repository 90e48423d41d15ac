// The door to the window, which lives in a module of its own: without it no Qt is loaded.
#pragma once

#include "app/window_request.h"

namespace twolane {

/// Loads the window's module and runs it, or lets it draw into a file. Says on standard error what
/// is missing where it cannot. Returns the program's exit status.
int openWindow(const WindowRequest& request);

} // namespace twolane
