// Files of trace-cmd that hold the text of a latency tracer in place of events (version 6: the tag
// "latency  " and then what tracefs `trace` showed): the reader of ftrace's text reads that.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/importer.h"
#include "importers/trace_dat/container.h"

#include <memory>
#include <vector>

namespace twolane {

// `container.latencyText` must be set. Errors have no file name.

Result<std::vector<BufferInfo>> latencyTextBuffers(ByteSource& source,
                                                   const DatContainer& container);
Status readLatencyText(ByteSource& source, const DatContainer& container,
                       const LoadOptions& options, ImportContext& context);
/// `container` is not kept.
Result<std::unique_ptr<EventReader>> openLatencyText(std::unique_ptr<ByteSource> source,
                                                     const DatContainer& container,
                                                     const LoadOptions& options);

} // namespace twolane
