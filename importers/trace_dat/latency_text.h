// Files of trace-cmd that hold the text of a latency tracer in place of events: what tracefs
// `trace` showed, behind the tag "latency  " in version 6 and in a section of its own in version 7.
// The reader of ftrace's text reads that.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/importer.h"
#include "importers/trace_dat/container.h"

#include <memory>
#include <vector>

namespace twolane {

inline bool holdsLatencyText(const DatContainer& container) {
    return container.latencyText && container.buffers.empty();
}

// For containers that hold such a text. Errors have no file name.

Result<std::vector<BufferInfo>> latencyTextBuffers(ByteSource& source,
                                                   const DatContainer& container);
Status readLatencyText(ByteSource& source, const DatContainer& container,
                       const LoadOptions& options, ImportContext& context);
/// `container` is not kept.
Result<std::unique_ptr<EventReader>> openLatencyText(std::unique_ptr<ByteSource> source,
                                                     const DatContainer& container,
                                                     const LoadOptions& options);

} // namespace twolane
