#include "importers/ftrace_text/line_parts.h"

namespace twolane {
namespace {

using std::string_view;

/// The time since the event before, "(+167)", of trace-cmd report --ts-diff.
bool skipDifference(const char*& at, const char* end) {
    const char* p = at + 2;
    std::uint64_t unused = 0;
    if (!between(at, end).starts_with("(+") || !takeDigits(p, end, unused) || p == end ||
        *p != ')' || p + 1 == end || !isBlank(p[1]))
        return false;
    p = skipBlanks(p + 1, end);
    if (p == end || *p == '(')
        return false;
    at = p;
    return true;
}

/// "1408:120:R ==> [000]     9:120:R events/0" and "1408:120:S   + [000]  1408:120:S bash": the
/// arrow tells a switch from a wakeup.
LineKind takeOldTracer(const char* begin, const char* end, EventLine& out) {
    const char* at = begin;
    std::uint64_t unused = 0;
    if (!takeDigits(at, end, unused) || at == end || *at++ != ':' || !takeDigits(at, end, unused) ||
        end - at < 3 || at[0] != ':' || !isBlank(at[2]))
        return LineKind::foreign;
    at = skipBlanks(at + 3, end);
    const string_view rest = between(at, end);
    if (rest.starts_with("==> "))
        out.event = "sched_switch";
    else if (rest.starts_with("+ "))
        out.event = "sched_wakeup";
    else
        return LineKind::foreign;
    out.payload = between(begin, end);
    out.padded = false;
    return LineKind::event;
}

} // namespace

LineKind takeEvent(const char* at, const char* end, EventLine& out) {
    at = skipBlanks(at, end);

    const char* const name = at;
    if (at != end && (*at == '<' || *at == '(')) {
        const string_view rest = between(at, end);
        if (rest.starts_with("<stack trace") || rest.starts_with("<user stack trace"))
            return LineKind::stackTitle;
        if (skipDifference(at, end))
            return takeEvent(at, end, out);
    }
    while (at != end && !isBlank(*at) && *at != ':' && *at != '(')
        ++at;
    if (at == name || at == end)
        return LineKind::foreign;
    out.event = between(name, at);
    if (*at == ':') {
        ++at;
        if (at != end && !isBlank(*at)) {
            // No blank behind the name: "1408:120:S" of an old tracer, or perf's
            // "sched:sched_switch:".
            if (isDigit(*name) && isDigit(*at))
                return takeOldTracer(name, end, out);
            const char* p = at;
            while (p != end && !isBlank(*p) && *p != ':')
                ++p;
            if (p != end && *p == ':' && (p + 1 == end || isBlank(p[1])))
                return LineKind::otherTool;
        }
        const char* const behind = at;
        at = skipBlanks(at, end);
        out.padded = at - behind > 1;
        out.payload = between(at, end);
        return LineKind::event;
    }
    // Without a colon: "sys_read(fd: 3)", "sys_read -> 0x1" of old kernels, or the function
    // tracer's "schedule <-do_idle".
    const char* const rest = skipBlanks(at, end);
    out.padded = false;
    out.payload = between(rest, end);
    if (*at == '(' || out.payload.starts_with("->"))
        return LineKind::event;
    if (out.payload.starts_with("<-") || out.payload.starts_with("[")) {
        out.payload = between(name, end);
        out.event = "function";
        return LineKind::event;
    }
    return LineKind::foreign;
}

} // namespace twolane
