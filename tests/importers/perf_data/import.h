// Imports of perf.data files that are in memory.
#pragma once

#include "importers/perf_data/perf_event_reader.h"
#include "importers/perf_data/read_perf_data.h"
#include "tests/support/collecting_sink.h"
#include "tests/support/perf_data_writer.h"

#include <memory>
#include <string>

namespace twolane::tests {

inline std::unique_ptr<ByteSource> sourceOf(const std::string& bytes) {
    return std::make_unique<MemorySource>(std::string_view(bytes));
}

inline std::unique_ptr<Import> importBytes(const std::string& bytes) {
    auto import = std::make_unique<Import>();
    ImportContext context{import->sink, import->info, import->diagnostics, {}, {}};
    import->status = readPerfData(*sourceOf(bytes), context);
    return import;
}

} // namespace twolane::tests
