// The one door into a trace file, for the command line, the window, tests, fuzzers and benchmarks.
#pragma once

#include "importers/importer.h"
#include "model/trace.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

namespace twolane {

/// Recognises, reads and builds. Safe to call from any thread, several at once. `progress` is
/// called from the calling thread.
Result<std::shared_ptr<const Trace>> load(const std::filesystem::path& path,
                                          const LoadOptions& options, std::stop_token stop = {},
                                          const ProgressFn& progress = {});

/// The buffers of a file; recognises it as load() does.
Result<std::vector<BufferInfo>> listBuffers(const std::filesystem::path& path,
                                            const LoadOptions& options);

/// The single events of the buffer that load() would read with the same options.
Result<std::unique_ptr<EventReader>> openEvents(const std::filesystem::path& path,
                                                const LoadOptions& options);

} // namespace twolane
