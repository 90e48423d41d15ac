// The door to the window, which lives in a module of its own: without it no Qt is loaded.
#pragma once

#include <string>
#include <vector>

namespace twolane {

/// Loads the window's module and runs it. Says on standard error what is missing where it cannot.
/// Returns the program's exit status.
int openWindow(const std::vector<std::string>& files);

} // namespace twolane
