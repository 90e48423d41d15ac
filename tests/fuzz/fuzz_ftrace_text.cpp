// Any bytes as ftrace text.
#include "importers/ftrace_text/ftrace_text_importer.h"
#include "tests/fuzz/importer_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return twolane::fuzzImporter(twolane::FtraceTextImporter(), data, size);
}
