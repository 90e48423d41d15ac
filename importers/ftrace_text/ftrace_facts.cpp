// What the headers and notes of ftrace text tell.
#include "importers/common/text_number.h"
#include "importers/ftrace_text/ftrace_line.h"

#include <optional>

namespace twolane {
namespace {

using std::string_view;

/// "…KEY123…" → 123.
std::optional<std::uint64_t> numberBehind(string_view line, string_view key) {
    const std::size_t at = line.find(key);
    if (at == string_view::npos)
        return std::nullopt;
    const char* digits = line.data() + at + key.size();
    std::uint64_t value = 0;
    if (!takeDigits(digits, line.data() + line.size(), value))
        return std::nullopt;
    return value;
}

void setCpuCount(std::optional<std::uint64_t> count, TextFacts& facts) {
    if (count && *count <= static_cast<std::uint64_t>(LineParser::maxCpu) + 1)
        facts.cpuCount = static_cast<std::uint32_t>(*count);
}

/// "449/1531": kept in the buffer, and written to it.
void setEntries(string_view text, TextFacts& facts) {
    const char* at = text.data();
    const char* const end = at + text.size();
    std::uint64_t kept = 0;
    std::uint64_t written = 0;
    if (takeDigits(at, end, kept) && at != end && *at++ == '/' && takeDigits(at, end, written)) {
        facts.entriesInBuffer = kept;
        facts.entriesWritten = written;
    }
}

void readHeader(string_view line, TextFacts& facts) {
    if (line.starts_with("# tracer:"))
        facts.tracerHeader = true;
    if (constexpr string_view key = "# entries-in-buffer/entries-written: ";
        line.starts_with(key)) {
        setEntries(line.substr(key.size()), facts);
        setCpuCount(numberBehind(line, "#P:"), facts);
    }
    // "# latency: 0 us, #1438/1531, CPU#0 | (M:PREEMPT VP:0, KP:0, SP:0 HP:0 #P:2)"
    if (line.starts_with("# latency: ")) {
        const std::size_t count = line.find(", #");
        if (count != string_view::npos)
            setEntries(line.substr(count + 3), facts);
        setCpuCount(numberBehind(line, "#P:"), facts);
    }
    if (constexpr string_view key = "latency trace v"; line.size() < 256) {
        const std::size_t at = line.find(key);
        const std::size_t on = at == string_view::npos ? at : line.find(" on ", at);
        if (on != string_view::npos)
            facts.kernel = line.substr(on + 4, line.find(' ', on + 4) - (on + 4));
    }
}

void readNote(string_view line, TextFacts& facts) {
    if (line[0] != '#')
        facts.traceCmd = true;
    if (line.starts_with("cpus="))
        setCpuCount(numberBehind(line, "cpus="), facts);
}

} // namespace

void FtraceLineParser::readFacts(LineKind kind, string_view line, TextFacts& facts) const {
    if (kind == LineKind::header)
        readHeader(line, facts);
    else
        readNote(line, facts);
}

} // namespace twolane
