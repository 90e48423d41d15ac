// Any bytes as the text of perf script.
#include "importers/perf_script/perf_script_importer.h"
#include "tests/fuzz/importer_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return twolane::fuzzImporter(twolane::PerfScriptImporter(), data, size);
}
