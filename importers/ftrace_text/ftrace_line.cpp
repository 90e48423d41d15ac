#include "importers/ftrace_text/ftrace_line.h"

#include "importers/common/text_number.h"

#include <array>
#include <cstring>

namespace twolane {
namespace {

using std::string_view;

constexpr std::size_t maxPadding = 32; // the kernel pads columns with far fewer blanks
constexpr std::size_t maxFlags = 12;

const char* skipBlanks(const char* at, const char* end) {
    while (at != end && isBlank(*at))
        ++at;
    return at;
}

string_view between(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}

/// Seconds with 1 to 9 decimals, or a bare integer, up to a ':' that a blank or the line's end
/// follows.
bool takeStamp(const char*& at, const char* end, Nanos integerScale, FtraceLine& out) {
    constexpr std::array<std::uint64_t, 10> scale{1000000000, 100000000, 10000000, 1000000, 100000,
                                                  10000,      1000,      100,      10,      1};
    const char* p = at;
    std::uint64_t whole = 0;
    if (!takeDigits(p, end, whole))
        return false;
    std::uint64_t fraction = 0;
    std::size_t decimals = 0;
    if (p != end && *p == '.') {
        const char* const first = ++p;
        if (!takeDigits(p, end, fraction))
            return false;
        decimals = static_cast<std::size_t>(p - first);
        if (decimals > 9)
            return false;
    }
    if (p == end || *p != ':' || (p + 1 != end && !isBlank(p[1])))
        return false;
    constexpr auto most = static_cast<std::uint64_t>(INT64_MAX);
    if (decimals > 0) {
        if (whole > most / 1000000000 - 1)
            return false;
        out.time = static_cast<Nanos>(whole * 1000000000 + fraction * scale[decimals]);
    } else {
        if (whole > most / static_cast<std::uint64_t>(integerScale))
            return false;
        out.time = static_cast<Nanos>(whole) * integerScale;
    }
    out.decimals = static_cast<std::uint8_t>(decimals);
    at = p + 1;
    return true;
}

/// "(  123)", "(-------)", behind the pid. Leaves `at` where it is if there is none.
bool takeTgid(const char*& at, const char* end, std::int32_t& tgid) {
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

bool takeCpu(const char*& at, const char* end, std::int32_t& cpu) {
    if (at == end || *at != '[')
        return false;
    const char* p = at + 1;
    std::uint64_t value = 0;
    if (!takeDigits(p, end, value) ||
        value > static_cast<std::uint64_t>(FtraceLineParser::maxCpu) || p == end || *p != ']')
        return false;
    cpu = static_cast<std::int32_t>(value);
    at = p + 1;
    return true;
}

/// What precedes "CPU:" may be nothing, or a buffer's name: "foo: ".
bool isLossPrefix(string_view prefix) {
    return prefix.find_first_not_of(" \t") == string_view::npos || prefix.ends_with(": ");
}

/// "CPU:0 [LOST 452 EVENTS]", "CPU:1 [LOST EVENTS]", "CPU:0 [250 EVENTS DROPPED]",
/// "CPU:0 [EVENTS DROPPED]".
bool isLoss(string_view line, FtraceLine& out) {
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
    if (line.starts_with("version = "))
        return digitsUpTo(line.substr(10), "");
    return line.starts_with("CPU ") && digitsUpTo(line.substr(4), " is empty");
}

string_view trimmed(string_view text) {
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// The columns in front of the comm column: "  foo: ". Empty where `left` is the comm column alone.
string_view bufferColumn(string_view left) {
    constexpr std::size_t width = FtraceLineParser::commWidth;
    if (left.size() <= width + 2)
        return {};
    const string_view prefix = left.substr(0, left.size() - width);
    return prefix.ends_with(": ") ? prefix : string_view{};
}

} // namespace

std::string_view FtraceLine::buffer() const {
    string_view name = trimmed(bufferColumn(left));
    if (!name.empty())
        name.remove_suffix(1);
    return name;
}

std::string_view FtraceLine::comm() const {
    return trimmed(left.substr(bufferColumn(left).size()));
}

LineKind FtraceLineParser::parse(std::string_view line, FtraceLine& out) const {
    if (line.size() > m_dashColumn && line[m_dashColumn] == '-' && line[0] != '#') {
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
        return LineKind::continuation;
    const LineKind kind = bySearch(line, out);
    if (kind != LineKind::foreign)
        return kind;
    if (isLoss(line, out))
        return LineKind::loss;
    return isNote(line) ? LineKind::note : LineKind::foreign;
}

// Reads on from the '-' before the pid.
LineKind FtraceLineParser::fromDash(std::string_view line, std::size_t dash,
                                    FtraceLine& out) const {
    const char* at = line.data() + dash + 1;
    const char* const end = line.data() + line.size();
    const bool negative = at != end && *at == '-';
    if (negative)
        ++at;
    std::uint64_t pid = 0;
    if (!takeDigits(at, end, pid) || pid > static_cast<std::uint64_t>(INT32_MAX))
        return LineKind::foreign;
    const char* const behindPid = at;
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
LineKind FtraceLineParser::behindCpu(const char* at, const char* end, FtraceLine& out) const {
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
    at = skipBlanks(at, end);

    const char* const name = at;
    if (at != end && *at == '<' && between(at, end).starts_with("<stack trace"))
        return LineKind::continuation;
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
                return LineKind::oldTracer;
            const char* p = at;
            while (p != end && !isBlank(*p) && *p != ':')
                ++p;
            if (p != end && *p == ':' && (p + 1 == end || isBlank(p[1])))
                return LineKind::perfScript;
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

// For lines whose columns are elsewhere: tries every "[cpu]" that "-pid" precedes.
LineKind FtraceLineParser::bySearch(std::string_view line, FtraceLine& out) const {
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
            FtraceLine unused;
            if (takeCpu(at, end, unused.cpu) && behindCpu(at, end, unused) == LineKind::perfScript)
                found = LineKind::perfScript;
        }
    }
    return found;
}

} // namespace twolane
