#include "importers/ftrace_text/ftrace_line.h"

#include "importers/ftrace_text/line_parts.h"

#include <cstring>

namespace twolane {
namespace {

using std::string_view;

constexpr std::size_t maxPadding = 32; // the kernel pads columns with far fewer blanks
constexpr std::size_t maxFlags = 12;

/// What precedes "CPU:" may be nothing, or a buffer's name: "foo: ".
bool isLossPrefix(string_view prefix) {
    return prefix.find_first_not_of(" \t") == string_view::npos || prefix.ends_with(": ");
}

/// "CPU:0 [LOST 452 EVENTS]", "CPU:1 [LOST EVENTS]", "CPU:0 [250 EVENTS DROPPED]",
/// "CPU:0 [EVENTS DROPPED]".
bool isLoss(string_view line, EventLine& out) {
    if (!line.ends_with(']'))
        return false;
    const std::size_t key = line.rfind("CPU:");
    if (key == string_view::npos || !isLossPrefix(line.substr(0, key)))
        return false;
    const char* at = line.data() + key + 4;
    const char* const end = line.data() + line.size() - 1;
    std::uint64_t cpu = 0;
    if (!takeDigits(at, end, cpu) || cpu > static_cast<std::uint64_t>(FtraceLineParser::maxCpu))
        return false;
    string_view rest = between(at, end);
    if (!rest.starts_with(" ["))
        return false;
    rest.remove_prefix(2);
    const bool kernel = rest.starts_with("LOST ");
    if (kernel)
        rest.remove_prefix(5);
    std::uint64_t count = 0;
    const char* digits = rest.data();
    const bool counted = takeDigits(digits, end, count) && digits != end && *digits == ' ';
    if (counted)
        rest = between(digits + 1, end);
    if (rest != (kernel ? "EVENTS" : "EVENTS DROPPED"))
        return false;
    out.left = line.substr(0, key);
    out.cpu = static_cast<std::int32_t>(cpu);
    out.lost = counted && count <= static_cast<std::uint64_t>(INT64_MAX)
                   ? static_cast<std::int64_t>(count)
                   : -1;
    return true;
}

bool isNote(string_view line) {
    const char* const end = line.data() + line.size();
    const auto digitsUpTo = [end](string_view rest, string_view tail) {
        const char* at = rest.data();
        std::uint64_t value = 0;
        return takeDigits(at, end, value) && between(at, end) == tail;
    };
    if (line.starts_with("cpus="))
        return digitsUpTo(line.substr(5), "");
    if (line == "TRACE:" || line == "capturing trace... done") // atrace
        return true;
    if (line.starts_with("version = "))
        return digitsUpTo(line.substr(10), "");
    return line.starts_with("CPU ") && digitsUpTo(line.substr(4), " is empty");
}

/// "dummy-0000  [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0": systrace itself adds it, with
/// a stamp that is none.
bool isClockSyncDummy(string_view left, string_view behindPid) {
    return left.ends_with("dummy") && behindPid.find(" 0.0: ") != string_view::npos &&
           behindPid.find("trace_event_clock_sync") != string_view::npos;
}

} // namespace

LineKind FtraceLineParser::parse(std::string_view line, EventLine& out) const {
    if (m_form == LineForm::standard && line.size() > m_dashColumn && line[m_dashColumn] == '-' &&
        line[0] != '#') {
        const LineKind kind = fromDash(line, m_dashColumn, out);
        if (kind != LineKind::foreign)
            return kind;
    }
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == string_view::npos)
        return LineKind::blank;
    if (line[0] == '#')
        return line.starts_with("##### CPU ") ? LineKind::note : LineKind::header;
    if (line.substr(first).starts_with("=>"))
        return LineKind::stackFrame;
    const LineKind kind = m_form == LineForm::standard  ? bySearch(line, out)
                          : m_form == LineForm::latency ? latency(line, out)
                                                        : verbose(line, out);
    if (kind != LineKind::foreign)
        return kind;
    if (isLoss(line, out))
        return LineKind::loss;
    return isNote(line) ? LineKind::note : LineKind::foreign;
}

// Reads on from the '-' before the pid.
LineKind FtraceLineParser::fromDash(std::string_view line, std::size_t dash, EventLine& out) const {
    const char* at = line.data() + dash + 1;
    const char* const end = line.data() + line.size();
    const bool negative = at != end && *at == '-';
    if (negative)
        ++at;
    std::uint64_t pid = 0;
    if (!takeDigits(at, end, pid) || pid > static_cast<std::uint64_t>(INT32_MAX))
        return LineKind::foreign;
    const char* const behindPid = at;
    if (pid == 0 && behindPid - line.data() > static_cast<std::ptrdiff_t>(dash) + 2)
        return isClockSyncDummy(line.substr(0, dash), between(at, end)) ? LineKind::note
                                                                        : LineKind::foreign;
    at = skipBlanks(at, end);
    if (!takeTgid(at, end, out.tgid))
        return LineKind::foreign;
    at = skipBlanks(at, end);
    if (at == behindPid || !isBlank(at[-1]) || !takeCpu(at, end, out.cpu))
        return LineKind::foreign;
    out.left = line.substr(0, dash);
    out.pid = negative ? -1 : static_cast<std::int32_t>(pid);
    return behindCpu(at, end, out);
}

// Reads on from behind "[cpu]".
LineKind FtraceLineParser::behindCpu(const char* at, const char* end, EventLine& out) const {
    if (at == end || !isBlank(*at))
        return LineKind::foreign;
    at = skipBlanks(at, end);
    out.flags = {};
    if (!takeStamp(at, end, m_integerScale, out)) {
        const char* const flags = at;
        while (at != end && !isBlank(*at) && *at != ':')
            ++at;
        const auto width = static_cast<std::size_t>(at - flags);
        if (width == 0 || width > maxFlags || at == end || *at == ':')
            return LineKind::foreign;
        out.flags = between(flags, at);
        at = skipBlanks(at, end);
        if (!takeStamp(at, end, m_integerScale, out))
            return LineKind::foreign;
    }
    out.commWidth = static_cast<std::uint8_t>(commWidth(LineForm::standard));
    out.relative = false;
    return takeEvent(at, end, out);
}

// For lines whose columns are elsewhere: tries every "[cpu]" that "-pid" precedes.
LineKind FtraceLineParser::bySearch(std::string_view line, EventLine& out) const {
    const char* const begin = line.data();
    const char* const end = begin + line.size();
    LineKind found = LineKind::foreign;
    for (const char* open = begin; open != end; ++open) {
        open =
            static_cast<const char*>(std::memchr(open, '[', static_cast<std::size_t>(end - open)));
        if (!open)
            break;
        if (open == begin || !isBlank(open[-1]))
            continue;
        const char* p = open;
        std::size_t padding = 0;
        while (p != begin && isBlank(p[-1]) && ++padding <= maxPadding)
            --p;
        if (p != begin && p[-1] == ')') {
            padding = 0;
            while (p != begin && *p != '(' && ++padding <= maxPadding)
                --p;
            if (*p != '(')
                continue;
            padding = 0;
            while (p != begin && isBlank(p[-1]) && ++padding <= maxPadding)
                --p;
        }
        const char* const behindPid = p;
        while (p != begin && isDigit(p[-1]) && behindPid - p < 10)
            --p;
        if (p == behindPid || p == begin)
            continue;
        if (p[-1] == '-') {
            const LineKind kind = fromDash(line, static_cast<std::size_t>(p - 1 - begin), out);
            // A comm of perf script may end like "-1": what is told behind the stamp decides.
            if (kind != LineKind::foreign)
                return kind;
        } else if (found == LineKind::foreign && isBlank(p[-1])) {
            const char* at = open;
            EventLine unused;
            if (takeCpu(at, end, unused.cpu) && behindCpu(at, end, unused) == LineKind::otherTool)
                found = LineKind::otherTool;
        }
    }
    return found;
}

} // namespace twolane
