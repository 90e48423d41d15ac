// Any bytes as a file of systrace.
#include "importers/systrace/systrace_importer.h"
#include "tests/fuzz/importer_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return twolane::fuzzImporter(twolane::SystraceImporter(), data, size);
}
