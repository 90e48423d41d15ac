// From a path on the command line to a loaded trace, with progress and warnings on standard error.
#pragma once

#include "app/cli/command.h"
#include "model/trace.h"

#include <memory>

namespace twolane::cli {

/// Loads one input with the common options.
Result<std::shared_ptr<const Trace>> loadInput(const std::string& path,
                                               const CommonOptions& options);

/// What to call the input: its --label, else its kernel release, else its file name.
std::string labelOf(const Trace& trace, std::size_t input, const CommonOptions& options);

/// A length of time of this trace, for people: "1.235 ms", or "1 235 counts" of another clock.
std::string lengthText(const Trace& trace, Nanos length);

/// The lines above a text table: which trace this is, and how sure its numbers are.
std::vector<std::string> headerOf(const Trace& trace, const CommonOptions& options);

} // namespace twolane::cli
