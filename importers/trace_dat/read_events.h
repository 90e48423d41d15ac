// The load itself: all events of one buffer into a sink.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/importer.h"

namespace twolane {

/// As Importer::read, from any source of bytes. Errors have no file name.
Status readTraceDat(ByteSource& source, const LoadOptions& options, ImportContext& context);

} // namespace twolane
