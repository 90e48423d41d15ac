// One line of a text of events taken apart, whatever tool wrote it.
#pragma once

#include "model/time.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twolane {

/// Where a line stands in its file.
struct LinePosition {
    std::uint64_t offset = 0; ///< of its first byte
    std::uint64_t number = 0; ///< from 1
};

enum class LineKind : std::uint8_t {
    event,
    unplaced,      ///< an event whose CPU the line does not tell
    blank,         ///< or part of the event before that nobody asks for
    header,        ///< "# …"
    note,          ///< "cpus=4", "version = 6", "CPU 0 is empty", "##### CPU 1 buffer started ####"
    loss,          ///< "CPU:0 [LOST 452 EVENTS]", "CPU:0 [250 EVENTS DROPPED]", …
    lossSomewhere, ///< events were lost, it is not told on which CPU
    stackTitle,    ///< "… <stack trace>": the frames behind it are of the event before on its CPU
    stackFrame,    ///< " => schedule"
    otherTool,     ///< an event, but as another tool writes it
    foreign,
};

struct EventLine {
    std::string_view left; ///< what precedes the pid: the comm column, and the buffer's name if any
    std::int32_t pid = -1;
    std::int32_t tgid = -1; ///< -1: no such column, or dashes in it
    std::int32_t cpu = 0;
    std::string_view flags; ///< "d..2."; may be empty
    Nanos time = 0;
    std::uint8_t decimals = 0; ///< digits behind the point of the stamp; 0: an integer stamp
    std::string_view event;
    std::string_view payload;
    /// Columns of the comm, right-aligned in them; what precedes is the buffer's name. 0: there is
    /// no such name.
    std::uint8_t commWidth = 16;
    bool relative = false; ///< `time` counts from the buffer's beginning
    bool padded = false;   ///< more than one blank behind the event's name: trace-cmd's columns

    // Of a stackTitle `cpu` is set. For a loss `left` is what precedes "CPU:" and these are set,
    // for a lossSomewhere `lost`:
    std::int64_t lost = -1; ///< -1: not told

    /// The buffer named before the comm column, "" for the top one.
    std::string_view buffer() const;
    /// The comm column without its padding: a name from the time of reading, not of the event.
    std::string_view comm() const;
};

} // namespace twolane
