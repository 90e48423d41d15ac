#include "importers/common/sched_fields.h"

#include "importers/common/old_payloads.h"
#include "importers/common/payload_cuts.h"
#include "importers/common/text_number.h"

#include <utility>

namespace twolane {
namespace {

using std::string_view;

/// libtraceevent's words before the fields of an event whose print format it cannot follow.
string_view withoutComplaint(string_view payload) {
    constexpr string_view complaint = "[FAILED TO PARSE]";
    if (payload.starts_with(complaint)) {
        payload.remove_prefix(complaint.size());
        while (!payload.empty() && isBlank(payload.front()))
            payload.remove_prefix(1);
    }
    return trimRight(payload);
}

/// The left half of a sched_switch, cut from the right.
bool cutPrevious(string_view rest, SwitchCut& cut) {
    return cutValue(rest, " prev_state=", cut.state) &&
           (cut.state.find(' ') == string_view::npos || cut.state.starts_with("0x")) &&
           cutInt(rest, " prev_prio=", cut.event.prev_prio) &&
           cutInt(rest, " prev_pid=", cut.event.prev_pid) && cutFront(rest, "prev_comm=") &&
           (cut.event.prev_comm = rest, true);
}

bool cutPreviousPlugin(string_view rest, SwitchCut& cut) {
    const std::size_t blank = rest.rfind(' ');
    if (blank == string_view::npos || blank + 1 == rest.size())
        return false;
    cut.state = rest.substr(blank + 1);
    rest = rest.substr(0, blank);
    return cutPidAndPrio(rest, cut.event.prev_pid, cut.event.prev_prio) &&
           (cut.event.prev_comm = rest, true);
}

bool cutSwitch(string_view payload, SwitchCut& best, bool& plugin) {
    SwitchCut cut = best;
    bool found = false;
    string_view rest = payload;
    string_view before;
    const std::int32_t expected = best.event.header.pid;
    plugin = !(payload.starts_with("prev_comm=") &&
               cutIntAndTail(rest, " next_prio=", cut.event.next_prio) &&
               cutInt(rest, " next_pid=", cut.event.next_pid));
    if (!plugin) {
        for (CommCuts cuts(rest, " next_comm="); cuts.next(before, cut.event.next_comm);) {
            cut.arrow = before.ends_with(" ==>");
            if (cut.arrow)
                before.remove_suffix(4);
            if (!cutPrevious(before, cut))
                continue;
            if (!found || cut.event.prev_pid == expected)
                best = cut;
            found = true;
            if (cut.event.prev_pid == expected)
                break;
        }
        if (found)
            return true;
    }
    // A comm may well begin with "prev_comm=" or "task ", so the other forms are tried whenever one
    // does not fit.
    plugin = false;
    if (cutOldSwitch(payload, best))
        return true;
    rest = payload;
    cut = best;
    if (cutPidAndPrio(rest, cut.event.next_pid, cut.event.next_prio) &&
        cutAtArrow(rest, cut, best, cutPreviousPlugin)) {
        plugin = true;
        return true;
    }
    return cutTracerSwitch(payload, best);
}

bool cutWakeFields(string_view rest, SchedWake& event) {
    std::int32_t success = 0;
    if (!rest.starts_with("comm="))
        return false;
    if (!cutIntAndTail(rest, " target_cpu=", event.target_cpu))
        event.target_cpu = -1;
    cutInt(rest, " success=", success);
    if (!cutIntAndTail(rest, " prio=", event.prio) || !cutInt(rest, " pid=", event.pid) ||
        !cutFront(rest, "comm="))
        return false;
    event.comm = rest;
    return true;
}

bool cutWakePlugin(string_view rest, SchedWake& event) {
    event.target_cpu = -1;
    constexpr string_view cpuKey = " CPU:";
    if (const std::size_t at = rest.rfind(cpuKey); at != string_view::npos) {
        if (wholeInt32(rest.substr(at + cpuKey.size()), event.target_cpu))
            rest = rest.substr(0, at);
    }
    // Old plug-ins tell whether it worked, newer ones that they cannot tell.
    if (!rest.ends_with(']')) {
        const std::size_t end = rest.rfind(']');
        if (end == string_view::npos)
            return false;
        const string_view tail = rest.substr(end + 1);
        if (!tail.starts_with(" success=") && tail.front() != '<' && !tail.starts_with(" Success"))
            return false;
        rest = rest.substr(0, end + 1);
    }
    if (!cutPidAndPrio(rest, event.pid, event.prio))
        return false;
    event.comm = rest;
    return true;
}

} // namespace

SchedFields::SchedFields(PrevStateDecoder decoder)
    : m_decoder(std::move(decoder)) {
    for (std::size_t c = '!'; c < m_letters.size(); ++c) {
        const char letter = static_cast<char>(c);
        if (!isDigit(letter))
            m_letters[c] = PrevStateDecoder::fromLetters({&letter, 1});
    }
}

PrevState SchedFields::stateOf(string_view text, PayloadForm& form) const {
    form.state = text;
    // Plug-ins before libtraceevent 1.8 have one table for all kernels, and in it 0x80 is W. A task
    // leaves its CPU with that bit alone on Linux 4.14 and later only, where it means I.
    if (form.plugin && text == "W")
        return {TaskState::idle, 0};
    if (text.size() == 1 && !isDigit(text[0])) {
        const auto letter = static_cast<unsigned char>(text[0]);
        if (letter < m_letters.size() && m_letters[letter])
            return *m_letters[letter];
    } else if (std::int64_t number = 0; wholeNumber(text, number)) {
        // With the arrow it is the kernel's own print of a bit that its table does not name.
        if (form.fields || !text.starts_with("0x")) {
            form.numericState = true;
            return m_decoder.fromRaw(static_cast<std::uint64_t>(number));
        }
        if (auto state = PrevStateDecoder::fromLetters(text))
            return *state;
    } else if (auto state = PrevStateDecoder::fromLetters(text)) {
        return *state;
    }
    form.unknownState = true;
    return {};
}

string_view SchedFields::commOf(string_view text, CommBytes& bytes) {
    constexpr string_view array = "ARRAY[";
    if (text.size() <= maxComm || !text.starts_with(array) || !text.ends_with(']'))
        return text;
    const char* at = text.data() + array.size();
    const char* const end = text.data() + text.size() - 1;
    std::size_t length = 0;
    while (length < bytes.size()) {
        std::uint64_t byte = 0;
        const char* const digits = at;
        if (!takeHexDigits(at, end, byte) || at - digits > 2)
            return text;
        bytes[length] = static_cast<char>(byte);
        if (byte == 0)
            break;
        ++length;
        if (at == end)
            break;
        if (end - at < 2 || at[0] != ',' || at[1] != ' ')
            return text;
        at += 2;
    }
    return {bytes.data(), length};
}

bool SchedFields::parse(string_view payload, SchedSwitch& event, PayloadForm& form) {
    SwitchCut cut;
    cut.event.header = event.header;
    if (!cutSwitch(withoutComplaint(payload), cut, form.plugin))
        return false;
    event = cut.event;
    event.prev_comm = commOf(event.prev_comm, m_first);
    event.next_comm = commOf(event.next_comm, m_second);
    form.fields = !cut.arrow;
    form.comms = cut.commsTold;
    form.stateTold = cut.stateTold;
    event.prev_state = cut.stateTold ? stateOf(cut.state, form) : PrevState{};
    return true;
}

bool SchedFields::parse(string_view payload, SchedWake& event, PayloadForm& form) {
    const string_view rest = withoutComplaint(payload);
    form.plugin = false;
    if (cutWakeFields(rest, event)) {
        event.comm = commOf(event.comm, m_first);
        return true;
    }
    if (cutOldWake(rest, event))
        return true;
    form.plugin = cutWakePlugin(rest, event);
    return form.plugin || cutTracerWake(rest, event);
}

bool SchedFields::parse(string_view payload, SchedMigrateTask& event) {
    string_view rest = withoutComplaint(payload);
    if (!cutIntAndTail(rest, " dest_cpu=", event.dest_cpu) ||
        !cutInt(rest, " orig_cpu=", event.orig_cpu) || !cutIntAndTail(rest, " prio=", event.prio) ||
        !cutInt(rest, " pid=", event.pid) || !cutFront(rest, "comm="))
        return cutOldMigrate(withoutComplaint(payload), event);
    event.comm = commOf(rest, m_first);
    return true;
}

bool SchedFields::parse(string_view payload, SchedProcessFork& event) {
    string_view rest = withoutComplaint(payload);
    if (!cutIntAndTail(rest, " child_pid=", event.child_pid))
        return cutOldFork(rest, event);
    string_view before;
    for (CommCuts cuts(rest, " child_comm="); cuts.next(before, event.child_comm);) {
        if (before.starts_with("parent_comm=")) {
            if (!cutInt(before, " parent_pid=", event.parent_pid))
                continue;
            before.remove_prefix(12);
        } else if (!cutInt(before, " pid=", event.parent_pid) || !cutFront(before, "comm=")) {
            continue;
        }
        event.parent_comm = commOf(before, m_first);
        event.child_comm = commOf(event.child_comm, m_second);
        return true;
    }
    return false;
}

bool SchedFields::parse(string_view payload, SchedProcessExec& event) {
    string_view rest = withoutComplaint(payload);
    if (!cutIntAndTail(rest, " old_pid=", event.old_pid) || !cutInt(rest, " pid=", event.pid) ||
        !cutFront(rest, "filename="))
        return false;
    event.filename = rest;
    return true;
}

bool SchedFields::parse(string_view payload, SchedProcessExit& event) {
    string_view rest = withoutComplaint(payload);
    if (!cutIntAndTail(rest, " prio=", event.prio) || !cutInt(rest, " pid=", event.pid) ||
        !cutFront(rest, "comm="))
        return cutOldExit(withoutComplaint(payload), event);
    event.comm = commOf(rest, m_first);
    return true;
}

bool SchedFields::parse(string_view payload, TaskRename& event) {
    string_view rest = withoutComplaint(payload);
    string_view unused;
    cutValue(rest, " oom_score_adj=", unused);
    if (!cutFront(rest, "pid="))
        return false;
    const char* at = rest.data();
    const char* const end = at + rest.size();
    std::int64_t pid = 0;
    if (!takeNumber(at, end, pid) || !toInt32(pid, event.pid))
        return false;
    rest.remove_prefix(static_cast<std::size_t>(at - rest.data()));
    if (!cutFront(rest, " oldcomm="))
        return false;
    if (!CommCuts(rest, " newcomm=").next(event.oldcomm, event.newcomm))
        return false;
    event.oldcomm = commOf(event.oldcomm, m_first);
    event.newcomm = commOf(event.newcomm, m_second);
    return true;
}

bool SchedFields::parseNewtask(string_view payload, SchedProcessFork& event) {
    string_view rest = withoutComplaint(payload);
    string_view unused;
    cutValue(rest, " oom_score_adj=", unused);
    if (!cutValue(rest, " clone_flags=", unused) || !cutFront(rest, "pid="))
        return false;
    const char* at = rest.data();
    const char* const end = at + rest.size();
    std::int64_t pid = 0;
    if (!takeNumber(at, end, pid) || !toInt32(pid, event.child_pid))
        return false;
    rest.remove_prefix(static_cast<std::size_t>(at - rest.data()));
    if (!cutFront(rest, " comm="))
        return false;
    event.child_comm = commOf(rest, m_first);
    event.parent_comm = {};
    event.parent_pid = event.header.pid;
    return true;
}

} // namespace twolane
