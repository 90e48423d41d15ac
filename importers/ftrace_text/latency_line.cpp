// The lines that the tracefs option latency-format makes, and trace-cmd report -l.
#include "importers/ftrace_text/line_parts.h"

#include <cstring>

namespace twolane {
namespace {

using std::string_view;

constexpr std::size_t maxLatencyFlags = 12; // 8 characters, or "-0x2d" of trace-cmd report -l -R

/// "69739us+:": microseconds since the buffer's beginning, with a mark of the delay behind them.
bool takeRelativeStamp(const char*& at, const char* end, EventLine& out) {
    const char* p = at;
    std::uint64_t microseconds = 0;
    if (!takeDigits(p, end, microseconds) || end - p < 4 || p[0] != 'u' || p[1] != 's' ||
        p[3] != ':' || (end - p > 4 && !isBlank(p[4])) ||
        microseconds > static_cast<std::uint64_t>(INT64_MAX) / 1000)
        return false;
    if (string_view(" +!#*@$").find(p[2]) == string_view::npos)
        return false;
    out.time = static_cast<Nanos>(microseconds * 1000);
    out.decimals = 6;
    out.relative = true;
    at = p + 4;
    return true;
}

/// "71.240", milliseconds, whose digits are told in full elsewhere.
bool skipMilliseconds(const char*& at, const char* end) {
    std::uint64_t unused = 0;
    return takeDigits(at, end, unused) && at != end && *at++ == '.' &&
           takeDigits(at, end, unused) && end - at > 1 && *at++ == 'm' && *at++ == 's';
}

/// "[3f69c4ad] 69.728ms (+0.004ms): ", or "[000001ef0c4b5a4c] 2126121577804 (+6834): " of clocks
/// that do not count nanoseconds.
bool takeVerboseStamp(const char*& at, const char* end, Nanos integerScale, EventLine& out) {
    const char* p = at;
    std::uint64_t stamp = 0;
    if (p == end || *p++ != '[' || !takeHexDigits(p, end, stamp) || end - p < 2 || *p++ != ']' ||
        *p++ != ' ')
        return false;
    const char* whole = p;
    std::uint64_t unused = 0;
    const bool seconds = skipMilliseconds(whole, end);
    if (seconds)
        p = whole;
    else if (!takeDigits(p, end, unused))
        return false;
    if (!between(p, end).starts_with(" (+"))
        return false;
    p += 3;
    if (seconds ? !skipMilliseconds(p, end) : !takeDigits(p, end, unused))
        return false;
    if (end - p < 2 || p[0] != ')' || p[1] != ':' || (end - p > 2 && !isBlank(p[2])))
        return false;
    const std::uint64_t scale = seconds ? 1000 : static_cast<std::uint64_t>(integerScale);
    if (stamp > static_cast<std::uint64_t>(INT64_MAX) / scale)
        return false;
    out.time = static_cast<Nanos>(stamp * scale);
    out.decimals = seconds ? 6 : 0;
    at = p + 2;
    return true;
}

bool isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f');
}

/// Takes the column that ends at `at`, and the blanks before it, off the end of [begin, at).
template <typename IsPart>
string_view takeColumn(const char* begin, const char*& at, IsPart isPart) {
    const char* const end = at;
    while (at != begin && isPart(at[-1]))
        --at;
    const string_view column = between(at, end);
    if (at == begin || at[-1] != ' ')
        return {};
    while (at != begin && at[-1] == ' ')
        --at;
    return column;
}

bool wholeNumber(string_view digits, std::uint64_t most, std::int32_t& out) {
    const char* at = digits.data();
    std::uint64_t value = 0;
    if (!takeDigits(at, at + digits.size(), value) || value > most)
        return false;
    out = static_cast<std::int32_t>(value);
    return true;
}

} // namespace

// Tries every '-' with a pid behind it.
LineKind FtraceLineParser::latency(std::string_view line, EventLine& out) const {
    if (line.size() > m_dashColumn && line[m_dashColumn] == '-') {
        const LineKind kind = latencyFromDash(line, m_dashColumn, out);
        if (kind != LineKind::foreign)
            return kind;
    }
    for (std::size_t dash = line.find('-'); dash != string_view::npos;
         dash = line.find('-', dash + 1)) {
        const LineKind kind = latencyFromDash(line, dash, out);
        if (kind != LineKind::foreign)
            return kind;
    }
    return LineKind::foreign;
}

LineKind FtraceLineParser::latencyFromDash(std::string_view line, std::size_t dash,
                                           EventLine& out) const {
    const char* at = line.data() + dash + 1;
    const char* const end = line.data() + line.size();
    std::uint64_t pid = 0;
    std::uint64_t cpu = 0;
    if (!takeDigits(at, end, pid) || pid > static_cast<std::uint64_t>(INT32_MAX) || at == end ||
        !isBlank(*at))
        return LineKind::foreign;
    at = skipBlanks(at, end);
    if (!takeTgid(at, end, out.tgid))
        return LineKind::foreign;
    at = skipBlanks(at, end);
    if (!takeDigits(at, end, cpu) || cpu > static_cast<std::uint64_t>(maxCpu))
        return LineKind::foreign;
    const char* const flags = at;
    while (at != end && !isBlank(*at))
        ++at;
    const auto width = static_cast<std::size_t>(at - flags);
    if (width < 3 || width > maxLatencyFlags || at == end)
        return LineKind::foreign;
    out.flags = between(flags, at);
    at = skipBlanks(at, end);
    out.relative = false;
    if (!takeRelativeStamp(at, end, out) && !takeStamp(at, end, m_integerScale, out))
        return LineKind::foreign;
    out.left = line.substr(0, dash);
    out.commWidth = static_cast<std::uint8_t>(commWidth(LineForm::latency));
    out.pid = static_cast<std::int32_t>(pid);
    out.cpu = static_cast<std::int32_t>(cpu);
    return takeEvent(at, end, out);
}

// Tries every '[' for a stamp, and takes the columns before it from the right.
LineKind FtraceLineParser::verbose(std::string_view line, EventLine& out) const {
    const char* const begin = line.data();
    const char* const end = begin + line.size();
    for (std::size_t open = line.find('['); open != string_view::npos;
         open = line.find('[', open + 1)) {
        const char* behind = begin + open;
        if (open == 0 || behind[-1] != ' ' || !takeVerboseStamp(behind, end, m_integerScale, out))
            continue;
        const char* at = begin + open - 1;
        const string_view index = takeColumn(begin, at, isHexDigit);
        const string_view preemptCount = takeColumn(begin, at, isHexDigit);
        out.flags = takeColumn(begin, at, isDigit);
        const string_view cpu = takeColumn(begin, at, isDigit);
        const string_view pid = takeColumn(begin, at, isDigit);
        if (index.size() < 8 || preemptCount.size() != 8 || out.flags.empty() ||
            !wholeNumber(cpu, maxCpu, out.cpu) || !wholeNumber(pid, INT32_MAX, out.pid))
            continue;
        out.left = between(begin, at);
        out.commWidth = static_cast<std::uint8_t>(commWidth(LineForm::verbose));
        out.tgid = -1;
        out.relative = false;
        return takeEvent(behind, end, out);
    }
    return LineKind::foreign;
}

} // namespace twolane
