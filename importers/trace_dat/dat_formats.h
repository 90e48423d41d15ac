// The descriptions of pages and events that a trace.dat file carries.
#pragma once

#include "importers/common/event_formats.h"
#include "importers/trace_dat/container.h"
#include "importers/trace_dat/ring_buffer.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace twolane {

/// The layout that header_page describes; that of all 64-bit kernels where there is no text.
/// An error where the text describes a page that this reader cannot take apart.
Result<PageLayout> readPageLayout(ByteSource& source, const DatContainer& container);

Result<EventFormats> readEventFormats(ByteSource& source, const DatContainer& container);

/// "PID NAME" lines of the command lines' section.
std::unordered_map<std::int32_t, std::string> readCommandLines(ByteSource& source,
                                                               const DatContainer& container);

} // namespace twolane
