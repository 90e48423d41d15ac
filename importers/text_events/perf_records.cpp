#include "importers/text_events/perf_records.h"

#include "importers/text_events/line_parts.h"

namespace twolane {
namespace {

using std::string_view;

bool takeWord(string_view& text, string_view word) {
    if (!text.starts_with(word))
        return false;
    text = trimmed(text.substr(word.size()));
    return true;
}

/// A pid as a signed number: perf does not know some.
bool takePid(string_view text, std::int32_t& pid) {
    text = trimmed(text);
    if (text == "-1") {
        pid = -1;
        return true;
    }
    const char* at = text.data();
    const char* const end = at + text.size();
    std::uint64_t value = 0;
    if (text.empty() || !takeDigits(at, end, value) || at != end || value > INT32_MAX)
        return false;
    pid = static_cast<std::int32_t>(value);
    return true;
}

/// The second number of "pid/tid" or "pid:tid".
bool takeTid(string_view pair, char separator, std::int32_t& tid) {
    const std::size_t at = pair.rfind(separator);
    std::int32_t pid = 0;
    return at != string_view::npos && takePid(pair.substr(0, at), pid) &&
           takePid(pair.substr(at + 1), tid);
}

/// "(pid:tid):(pid:tid)"
bool takeChildAndParent(string_view payload, std::int32_t& child, std::int32_t& parent) {
    payload = trimmed(payload);
    const std::size_t middle = payload.find("):(");
    return middle != string_view::npos && payload.starts_with('(') && payload.ends_with(')') &&
           takeTid(payload.substr(1, middle - 1), ':', child) &&
           takeTid(payload.substr(middle + 3, payload.size() - middle - 4), ':', parent);
}

} // namespace

PerfRecord perfRecordOf(string_view name) {
    constexpr string_view prefix = "PERF_RECORD_";
    if (!name.starts_with(prefix))
        return PerfRecord::none;
    name.remove_prefix(prefix.size());
    return name == "SWITCH" || name == "SWITCH_CPU_WIDE" ? PerfRecord::taskSwitch
           : name == "COMM"                              ? PerfRecord::comm
           : name == "FORK"                              ? PerfRecord::fork
           : name == "EXIT"                              ? PerfRecord::exit
                                                         : PerfRecord::none;
}

bool parsePerfRecord(const EventLine& line, SwitchRecord& event) {
    string_view rest = trimmed(line.payload);
    if (takeWord(rest, "OUT")) {
        event.out = true;
        event.preempted = takeWord(rest, "preempt");
    } else if (!takeWord(rest, "IN")) {
        return false;
    }
    event.pid = line.pid;
    // ":4101" stands where perf knows no name.
    const string_view comm = line.comm();
    event.comm = comm.starts_with(':') ? string_view() : comm;
    if (rest.empty())
        return true;
    return takeWord(rest, event.out ? "next pid/tid:" : "prev pid/tid:") &&
           takeTid(rest, '/', event.other_pid);
}

bool parsePerfRecord(const EventLine& line, TaskRename& event) {
    string_view rest = line.payload;
    if (rest.starts_with(" exec:"))
        rest.remove_prefix(5);
    if (!rest.starts_with(": "))
        return false;
    rest.remove_prefix(2);
    const std::size_t colon = rest.rfind(':'); // the name may hold more of them
    if (colon == string_view::npos || !takeTid(rest.substr(colon + 1), '/', event.pid))
        return false;
    event.newcomm = rest.substr(0, colon);
    return true;
}

bool parsePerfRecord(const EventLine& line, SchedProcessFork& event) {
    return takeChildAndParent(line.payload, event.child_pid, event.parent_pid);
}

bool parsePerfRecord(const EventLine& line, SchedProcessExit& event) {
    std::int32_t parent = 0;
    return takeChildAndParent(line.payload, event.pid, parent);
}

} // namespace twolane
