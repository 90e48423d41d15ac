// Any bytes as a perf.data file.
#include "importers/perf_data/perf_data_importer.h"
#include "tests/fuzz/importer_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return twolane::fuzzImporter(twolane::PerfDataImporter(), data, size);
}
