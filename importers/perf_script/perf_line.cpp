#include "importers/perf_script/perf_line.h"

#include "importers/text_events/line_parts.h"
#include "importers/text_events/perf_records.h"

#include <algorithm>
#include <cstring>

namespace twolane {
namespace {

using std::string_view;

const char* skipBlanksBack(const char* begin, const char* at) {
    while (at != begin && isBlank(at[-1]))
        --at;
    return at;
}

/// The number, or "-1", that ends at `at`, behind a blank or at the line's begin; `at` moves to its
/// begin.
bool takeNumberBack(const char* begin, const char*& at, std::int32_t& number) {
    const char* first = at;
    while (first != begin && isDigit(first[-1]))
        --first;
    std::uint64_t value = 0;
    const char* digits = first;
    if (first == at || !takeDigits(digits, at, value) ||
        value > static_cast<std::uint64_t>(INT32_MAX))
        return false;
    number = static_cast<std::int32_t>(value);
    if (value == 1 && first != begin &&
        first[-1] == '-') { // a task that perf does not know any more
        --first;
        number = -1;
    }
    at = first;
    return true;
}

/// "comm tid" or "comm pid/tid", up to `at`.
bool takeTask(const char* begin, const char* at, EventLine& out) {
    at = skipBlanksBack(begin, at);
    if (!takeNumberBack(begin, at, out.pid))
        return false;
    out.tgid = -1;
    if (at != begin && at[-1] == '/') {
        const char* slash = at - 1;
        if (takeNumberBack(begin, slash, out.tgid))
            at = slash;
    }
    if (at == begin || !isBlank(at[-1]))
        return false;
    out.left = between(begin, at);
    out.commWidth = 0;
    return true;
}

/// "K", "U", "Sp", …: the column of -F misc, in front of the stamp.
const char* skipMisc(const char* at, const char* end) {
    const char* p = at;
    while (p != end && !isBlank(*p) && !isDigit(*p) && p - at < 8)
        ++p;
    return p != at && p != end && isBlank(*p) ? skipBlanks(p, end) : at;
}

/// "u", "ukH", "P": what may stand behind a hardware event's name.
bool isModifiers(string_view text) {
    return text.find_first_not_of("ukhGHpPSDeWIb") == string_view::npos;
}

/// "sched:sched_switch" → "sched_switch"; "cycles:u" stays.
string_view withoutSystem(string_view event) {
    const std::size_t colon = event.find(':');
    if (colon == string_view::npos || isModifiers(event.substr(colon + 1)))
        return event;
    return event.substr(colon + 1);
}

/// "… lost 22".
std::int64_t lostCount(string_view text) {
    const std::size_t last = text.find_last_not_of(" \t");
    const std::size_t blank = text.find_last_of(" \t", last);
    if (last == string_view::npos || blank == string_view::npos)
        return -1;
    const char* at = text.data() + blank + 1;
    const char* const end = text.data() + last + 1;
    std::uint64_t value = 0;
    return takeDigits(at, end, value) && at == end && value <= INT64_MAX
               ? static_cast<std::int64_t>(value)
               : -1;
}

/// What stands behind the stamp. `placed`: the CPU is told.
LineKind takePerfEvent(const char* at, const char* end, bool placed, EventLine& out) {
    at = skipBlanks(at, end);
    // The period: a number of its own in front of the event's name.
    if (const char* p = at; p != end && isDigit(*p)) {
        while (p != end && isDigit(*p))
            ++p;
        if (p != end && isBlank(*p))
            at = skipBlanks(p, end);
    }
    const void* const found = std::memchr(at, ' ', static_cast<std::size_t>(end - at));
    const char* const blank = found ? static_cast<const char*>(found) : end;
    string_view name = between(at, blank);
    const string_view rest = between(blank, end);
    if (name.starts_with("PERF_RECORD_")) {
        if (name.starts_with("PERF_RECORD_LOST")) {
            out.lost = lostCount(rest);
            out.left = {};
            return name.starts_with("PERF_RECORD_LOST_SAMPLES") || !placed ? LineKind::lossSomewhere
                                                                           : LineKind::loss;
        }
        // FORK and EXIT end at their parenthesis, COMM at its colon or behind "exec:".
        name = name.substr(0, name.find_first_of("(:"));
        // What bears no stamp describes the tasks from before the recording.
        if (perfRecordOf(name) == PerfRecord::none || out.time == 0)
            return LineKind::blank; // side-band: no event of the recording
        out.event = name;
        out.payload = between(name.data() + name.size(), end);
        out.padded = false;
        out.flags = {};
        out.relative = false;
        return placed ? LineKind::event : LineKind::unplaced;
    }
    if (name.size() < 2 || !name.ends_with(':'))
        return LineKind::foreign;
    name.remove_suffix(1);
    out.event = withoutSystem(name);
    const char* payload = skipBlanks(blank, end);
    out.payload = between(payload, end);
    out.padded = false;
    out.flags = {};
    out.relative = false;
    return placed ? LineKind::event : LineKind::unplaced;
}

/// Looks for "[cpu]", then what belongs around it.
LineKind withBrackets(string_view line, EventLine& out) {
    const char* const begin = line.data();
    const char* const end = begin + line.size();
    for (const char* from = begin + 1; from < end;) {
        const void* const found = std::memchr(from, '[', static_cast<std::size_t>(end - from));
        if (!found)
            return LineKind::foreign;
        const char* const bracket = static_cast<const char*>(found);
        from = bracket + 1;
        const char* at = bracket;
        if (!isBlank(bracket[-1]) || !takeCpu(at, end, out.cpu) || at == end || !isBlank(*at))
            continue;
        at = skipMisc(skipBlanks(at, end), end);
        if (takeStamp(at, end, 1, out) && out.decimals > 0 && takeTask(begin, bracket, out))
            return takePerfEvent(at, end, true, out);
    }
    return LineKind::foreign;
}

/// Looks for the stamp: there is no "[cpu]". The first one with a task in front is it.
LineKind withoutBrackets(string_view line, CpuColumn column, EventLine& out) {
    const char* const begin = line.data();
    const char* const end = begin + line.size();
    for (const char* p = begin + 1; p < end; ++p) {
        if (!isDigit(*p) || !isBlank(p[-1]))
            continue;
        const char* at = p;
        if (!takeStamp(at, end, 1, out) || out.decimals == 0)
            continue;
        const char* left = skipBlanksBack(begin, p);
        // Between task and stamp there may be the letters of -F misc.
        const char* misc = left;
        while (misc != begin && !isBlank(misc[-1]) && !isDigit(misc[-1]))
            --misc;
        if (misc != left && misc != begin && isBlank(misc[-1]))
            left = skipBlanksBack(begin, misc);
        bool placed = false;
        if (column == CpuColumn::bare) {
            std::int32_t cpu = 0;
            const char* number = left;
            if (takeNumberBack(begin, number, cpu) && cpu <= LineParser::maxCpu &&
                number != begin && isBlank(number[-1]) && takeTask(begin, number, out)) {
                out.cpu = cpu;
                placed = true;
            }
        }
        if (placed || takeTask(begin, left, out))
            return takePerfEvent(at, end, placed, out);
    }
    return LineKind::foreign;
}

/// "# key : value" → value.
string_view headerValue(string_view line, string_view key) {
    if (!line.starts_with(key))
        return {};
    const std::size_t colon = line.find(':', key.size());
    if (colon == string_view::npos)
        return {};
    line.remove_prefix(colon + 1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.substr(0, line.find_last_not_of(" \t") + 1);
}

} // namespace

LineKind PerfLineParser::parse(string_view line, EventLine& out) const {
    if (line.empty() || line[0] == '\t')
        return LineKind::blank; // between samples; a frame of a call chain
    if (line[0] == '#')
        return LineKind::header;
    if (m_column == CpuColumn::brackets)
        if (const LineKind kind = withBrackets(line, out); kind != LineKind::foreign)
            return kind;
    if (const LineKind kind = withoutBrackets(line, m_column, out); kind != LineKind::foreign)
        return kind;
    return line.find_first_not_of(" \t") == string_view::npos ? LineKind::blank : LineKind::foreign;
}

void PerfLineParser::readFacts(LineKind kind, string_view line, TextFacts& facts) const {
    if (kind != LineKind::header || line.size() > 512)
        return;
    if (const string_view release = headerValue(line, "# os release"); !release.empty())
        facts.kernel = release;
    if (const string_view host = headerValue(line, "# hostname"); !host.empty())
        facts.host = host;
    if (const string_view cpus = headerValue(line, "# nrcpus online"); !cpus.empty()) {
        const char* at = cpus.data();
        std::uint64_t count = 0;
        if (takeDigits(at, at + cpus.size(), count) &&
            count <= static_cast<std::uint64_t>(maxCpu) + 1)
            facts.cpuCount = static_cast<std::uint32_t>(count);
    }
}

PerfHead lookAtPerfHead(string_view head) {
    PerfHead brackets;
    PerfHead bare;
    bare.column = CpuColumn::bare;
    std::size_t bareCpus = 0;
    std::size_t lines = 0;
    const PerfLineParser withBracketsFirst(CpuColumn::brackets);
    const PerfLineParser withBare(CpuColumn::bare);
    while (!head.empty()) {
        const std::size_t feed = head.find('\n');
        if (feed == string_view::npos && lines > 0)
            break;
        string_view text = head.substr(0, feed);
        head.remove_prefix(feed == string_view::npos ? head.size() : feed + 1);
        if (text.ends_with('\r'))
            text.remove_suffix(1);
        ++lines;
        EventLine line;
        switch (withBracketsFirst.parse(text, line)) {
        case LineKind::event:
            ++brackets.events;
            break;
        case LineKind::unplaced:
            ++brackets.events;
            bareCpus += withBare.parse(text, line) == LineKind::event ? 1 : 0;
            break;
        case LineKind::foreign:
            ++brackets.others;
            break;
        default:
            brackets.records += text.find(": PERF_RECORD_") != string_view::npos ? 1 : 0;
            break;
        }
    }
    // A comm may end in a number, but not that of most lines.
    if (bareCpus * 10 > brackets.events * 9) {
        bare.events = brackets.events;
        bare.records = brackets.records;
        bare.others = brackets.others;
        return bare;
    }
    return brackets;
}

} // namespace twolane
