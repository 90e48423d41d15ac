// What was odd about a text of events, told in one place for all tools that write such texts.
#pragma once

#include "importers/text_events/event_teller.h"
#include "importers/text_events/text_scan.h"
#include "model/diagnostics.h"

#include <cstdint>

namespace twolane {

/// Written to the buffer but not in the text any more, where no line of a loss tells the same.
std::uint64_t overwrittenEvents(const TextScan& scan, const BufferScan& buffer);

/// Lines skipped, cut off, late, out of order. `counts`: stamps are counts, not nanoseconds.
void diagnoseLines(const TextScan& scan, const BufferScan& buffer, bool counts,
                   Diagnostics& diagnostics);

/// Fields that could not be read, states in doubt. `plainText`: how to print without plug-ins.
void diagnosePayloads(const TextScan& scan, const EventTeller& teller, const char* plainText,
                      Diagnostics& diagnostics);

} // namespace twolane
