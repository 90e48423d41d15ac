// The parts of a line of ftrace text that all its forms share. Each function leaves `at` where it
// is when it answers false.
#pragma once

#include "importers/ftrace_text/ftrace_line.h"
#include "importers/text_events/line_parts.h"

namespace twolane {

/// "(  123)", "(-------)", behind the pid. Leaves `at` where it is if there is none.
inline bool takeTgid(const char*& at, const char* end, std::int32_t& tgid) {
    tgid = -1;
    if (at == end || *at != '(')
        return true;
    const char* p = skipBlanks(at + 1, end);
    std::uint64_t value = 0;
    if (p != end && *p == '-') {
        while (p != end && *p == '-')
            ++p;
    } else if (takeDigits(p, end, value) && value <= static_cast<std::uint64_t>(INT32_MAX)) {
        tgid = static_cast<std::int32_t>(value);
    } else {
        return false;
    }
    if (p == end || *p != ')')
        return false;
    at = p + 1;
    return true;
}

/// What follows the stamp: the event's name and payload, a stack's title, or an entry of the old
/// sched_switch tracer, which is named as the event in its place.
LineKind takeEvent(const char* at, const char* end, EventLine& out);

} // namespace twolane
