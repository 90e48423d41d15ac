// Reads a perf.data file into an EventSink.
#pragma once

#include "importers/importer.h"

namespace twolane {

/// As Importer::read(); errors have no file name.
Status readPerfData(ByteSource& source, ImportContext& context);

} // namespace twolane
