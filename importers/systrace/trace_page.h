// Where in a file of systrace the trace is. The files are:
//   page        HTML, the trace in a <script class="trace-data"> between the comments BEGIN TRACE
//   and
//               END TRACE, beside others that hold lists of processes
//   script      HTML of 2013 and before, the trace in a JavaScript string:
//               var linuxPerfData = "\ … ";
//   fragment    such a string without its page
//   compressed  `atrace -z`: "TRACE:", a line feed and a stream of zlib
// The viewer's own JavaScript, which precedes the trace in a page, mentions the trace's words too.
#pragma once

#include "importers/common/line_reader.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace twolane {

enum class TraceContainer : std::uint8_t { page, script, fragment, compressed };

/// What the first bytes of a file look like; nothing for other files. A page may prove to hold no
/// trace.
std::optional<TraceContainer> containerOf(std::string_view head);

struct TracePlace {
    TraceContainer container = TraceContainer::page;
    std::uint64_t begin = 0; ///< offset of the trace's first byte
    std::uint64_t end = 0;   ///< of the byte behind it; of `script` it is not known yet
    std::uint64_t line = 1;  ///< in which it begins, from 1
};

/// Finds the trace; asks `goOn` as LineReader does.
Result<TracePlace> findTrace(ByteSource& source, const LineReader::GoOnFn& goOn);

} // namespace twolane
