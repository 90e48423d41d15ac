#include "importers/common/old_payloads.h"

#include "importers/common/text_number.h"

#include <cstddef>
#include <cstdint>

namespace twolane {
namespace {

using std::string_view;

/// "a:1 [120] (S)", or without the state.
bool cutOldPrevious(string_view rest, SwitchCut& cut) {
    cut.state = {};
    cut.stateTold = rest.ends_with(')');
    if (cut.stateTold) {
        const std::size_t open = rest.rfind(" (");
        if (open == string_view::npos)
            return false;
        cut.state = rest.substr(open + 2, rest.size() - open - 3);
        rest = rest.substr(0, open);
    }
    if (!cutPidAndPrio(rest, cut.event.prev_pid, cut.event.prev_prio))
        return false;
    cut.event.prev_comm = rest;
    return true;
}

/// Cuts "KEY12" off the end, a number behind `key`.
bool cutNumber(string_view& rest, string_view key, std::int32_t& out) {
    const std::size_t at = rest.rfind(key);
    if (at == string_view::npos || !wholeInt32(rest.substr(at + key.size()), out))
        return false;
    rest = rest.substr(0, at);
    return true;
}

/// An entry of the old sched_switch tracer.
struct TracerEntry {
    std::int32_t prevPid = -1;
    std::int32_t prevPrio = 0;
    string_view prevState; ///< one letter
    string_view arrow;
    std::int32_t nextCpu = -1;
    std::int32_t nextPid = -1;
    std::int32_t nextPrio = 0;
    string_view nextComm;
};

void skipBlanks(string_view& rest) {
    while (!rest.empty() && isBlank(rest.front()))
        rest.remove_prefix(1);
}

bool takeInt32(string_view& rest, std::int32_t& out) {
    const char* at = rest.data();
    std::int64_t value = 0;
    if (!takeNumber(at, at + rest.size(), value) || !toInt32(value, out))
        return false;
    rest.remove_prefix(static_cast<std::size_t>(at - rest.data()));
    return true;
}

/// "1408:120:R"
bool takeTask(string_view& rest, std::int32_t& pid, std::int32_t& prio, string_view& state) {
    if (!takeInt32(rest, pid) || !cutFront(rest, ":"))
        return false;
    skipBlanks(rest); // the priority is padded to three columns
    if (!takeInt32(rest, prio) || rest.size() < 2 || !cutFront(rest, ":"))
        return false;
    state = rest.substr(0, 1);
    rest.remove_prefix(1);
    return rest.empty() || isBlank(rest.front());
}

bool takeTracerEntry(string_view rest, TracerEntry& entry) {
    skipBlanks(rest);
    if (!takeTask(rest, entry.prevPid, entry.prevPrio, entry.prevState))
        return false;
    skipBlanks(rest);
    const std::size_t blank = rest.find(' ');
    if (blank == string_view::npos)
        return false;
    entry.arrow = rest.substr(0, blank);
    rest.remove_prefix(blank);
    skipBlanks(rest);
    if (cutFront(rest, "[")) {
        if (!takeInt32(rest, entry.nextCpu) || !cutFront(rest, "]"))
            return false;
        skipBlanks(rest);
    }
    string_view state; // R in both events: the one wakes, the other begins to run
    if (!takeTask(rest, entry.nextPid, entry.nextPrio, state))
        return false;
    cutFront(rest, " ");
    entry.nextComm = rest;
    return true;
}

} // namespace

bool cutOldSwitch(string_view payload, SwitchCut& best) {
    SwitchCut cut = best;
    return cutFront(payload, "task ") &&
           cutPidAndPrio(payload, cut.event.next_pid, cut.event.next_prio) &&
           cutAtArrow(payload, cut, best, cutOldPrevious);
}

bool cutOldWake(string_view payload, SchedWake& event) {
    event.target_cpu = -1;
    if (!cutFront(payload, "task "))
        return false;
    if (payload.ends_with(']')) {
        payload.remove_suffix(1);
        if (!cutNumber(payload, " [", event.target_cpu))
            return false;
    }
    std::int32_t success = 0; // 0: was awake already
    if (!cutNumber(payload, " success=", success) || !cutPidAndPrio(payload, event.pid, event.prio))
        return false;
    event.comm = payload;
    return true;
}

bool cutOldMigrate(string_view payload, SchedMigrateTask& event) {
    if (!cutFront(payload, "task ") || !cutNumber(payload, "  to: ", event.dest_cpu) ||
        !cutNumber(payload, " from: ", event.orig_cpu) ||
        !cutPidAndPrio(payload, event.pid, event.prio))
        return false;
    event.comm = payload;
    return true;
}

bool cutOldFork(string_view payload, SchedProcessFork& event) {
    string_view before;
    if (!cutFront(payload, "parent ") || !cutNumber(payload, ":", event.child_pid))
        return false;
    for (CommCuts cuts(payload, "  child "); cuts.next(before, event.child_comm);)
        if (cutNumber(before, ":", event.parent_pid)) {
            event.parent_comm = before;
            return true;
        }
    return false;
}

bool cutOldExit(string_view payload, SchedProcessExit& event) {
    if (!cutFront(payload, "task ") || !cutPidAndPrio(payload, event.pid, event.prio))
        return false;
    event.comm = payload;
    return true;
}

bool cutTracerSwitch(string_view payload, SwitchCut& best) {
    TracerEntry entry;
    if (!takeTracerEntry(payload, entry) || entry.arrow != "==>")
        return false;
    best.event.prev_comm = {};
    best.event.prev_pid = entry.prevPid;
    best.event.prev_prio = entry.prevPrio;
    best.state = entry.prevState;
    best.event.next_comm = entry.nextComm;
    best.event.next_pid = entry.nextPid;
    best.event.next_prio = entry.nextPrio;
    best.arrow = true;
    best.stateTold = entry.prevState != "?";
    best.commsTold = false;
    return true;
}

bool cutTracerWake(string_view payload, SchedWake& event) {
    TracerEntry entry;
    if (!takeTracerEntry(payload, entry) || entry.arrow != "+")
        return false;
    event.comm = entry.nextComm;
    event.pid = entry.nextPid;
    event.prio = entry.nextPrio;
    event.target_cpu = entry.nextCpu;
    return true;
}

} // namespace twolane
