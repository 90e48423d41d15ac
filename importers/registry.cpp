#include "importers/registry.h"

#include "importers/ftrace_text/ftrace_text_importer.h"
#include "importers/perf_data/perf_data_importer.h"
#include "importers/perf_script/perf_script_importer.h"
#include "importers/systrace/systrace_importer.h"
#include "importers/trace_dat/trace_dat_importer.h"

namespace twolane {

std::vector<std::unique_ptr<Importer>> allImporters() {
    std::vector<std::unique_ptr<Importer>> all;
    all.push_back(std::make_unique<TraceDatImporter>());
    all.push_back(std::make_unique<PerfDataImporter>());
    all.push_back(std::make_unique<FtraceTextImporter>());
    all.push_back(std::make_unique<PerfScriptImporter>());
    all.push_back(std::make_unique<SystraceImporter>());
    return all;
}

} // namespace twolane
