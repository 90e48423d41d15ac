#include "importers/common/sched_fields.h"

#include "importers/common/text_number.h"

#include <cstring>
#include <utility>

namespace twolane {
namespace {

using std::string_view;

constexpr std::size_t maxComm = 15;
constexpr std::size_t maxNumber = 40; // "0xffffffffffffffff (-9223372036854775808)"

string_view trimRight(string_view text) {
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

bool wholeNumber(string_view text, std::int64_t& value) {
    const char* at = text.data();
    const char* const end = at + text.size();
    return takeNumber(at, end, value) && at == end;
}

bool wholeInt32(string_view text, std::int32_t& value) {
    std::int64_t wide = 0;
    return wholeNumber(text, wide) && toInt32(wide, value);
}

/// Cuts "KEY=value" off the end of `rest`, where `key` ends with '=' and the value holds none.
bool cutValue(string_view& rest, string_view key, string_view& value) {
    std::size_t at = rest.size();
    const std::size_t floor = at > maxNumber ? at - maxNumber : 0;
    while (at > floor && rest[at - 1] != '=')
        --at;
    if (at == floor || at < key.size())
        return false;
    if (std::memcmp(rest.data() + at - key.size(), key.data(), key.size()) != 0)
        return false;
    value = rest.substr(at);
    rest = rest.substr(0, at - key.size());
    return true;
}

bool cutInt(string_view& rest, string_view key, std::int32_t& out) {
    string_view cut = rest;
    string_view value;
    if (!cutValue(cut, key, value) || !wholeInt32(value, out))
        return false;
    rest = cut;
    return true;
}

/// The same where something may follow the number: vendors append fields.
bool cutIntAndTail(string_view& rest, string_view key, std::int32_t& out) {
    if (cutInt(rest, key, out))
        return true;
    for (std::size_t from = rest.rfind(key); from != string_view::npos;) {
        const char* at = rest.data() + from + key.size();
        const char* const end = rest.data() + rest.size();
        std::int64_t value = 0;
        if (takeNumber(at, end, value) && (at == end || isBlank(*at)) && toInt32(value, out)) {
            rest = rest.substr(0, from);
            return true;
        }
        if (from == 0)
            break;
        from = rest.rfind(key, from - 1);
    }
    return false;
}

/// Takes `prefix` off the front.
bool cutFront(string_view& rest, string_view prefix) {
    if (!rest.starts_with(prefix))
        return false;
    rest.remove_prefix(prefix.size());
    return true;
}

/// Where the field before the last comm may begin: positions of `key` in `rest` from the right,
/// the comm behind it at most `maxComm` bytes. A longer one is taken where no other is there.
class CommCuts {
public:
    CommCuts(string_view rest, string_view key)
        : m_rest(rest)
        , m_key(key)
        , m_from(rest.size() < key.size() ? string_view::npos : rest.size() - key.size()) {}

    bool next(string_view& before, string_view& comm) {
        if (m_from == string_view::npos)
            return false;
        const std::size_t at = m_rest.rfind(m_key, m_from);
        if (at == string_view::npos)
            return false;
        const bool tooLong = m_rest.size() - at - m_key.size() > maxComm;
        if (tooLong && m_found)
            return false;
        m_found = true;
        before = m_rest.substr(0, at);
        comm = m_rest.substr(at + m_key.size());
        m_from = at == 0 || tooLong ? string_view::npos : at - 1;
        return true;
    }

private:
    string_view m_rest;
    string_view m_key;
    std::size_t m_from;
    bool m_found = false;
};

/// "NAME:PID [PRIO]" cut from the right.
bool cutPlugin(string_view& rest, std::int32_t& pid, std::int32_t& prio) {
    if (!rest.ends_with(']'))
        return false;
    const std::size_t open = rest.rfind(" [");
    if (open == string_view::npos || rest.size() - open > maxNumber)
        return false;
    if (!wholeInt32(rest.substr(open + 2, rest.size() - open - 3), prio))
        return false;
    string_view front = rest.substr(0, open);
    const std::size_t colon = front.rfind(':');
    if (colon == string_view::npos || !wholeInt32(front.substr(colon + 1), pid))
        return false;
    rest = front.substr(0, colon);
    return true;
}

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

struct SwitchCut {
    SchedSwitch event;
    string_view state;
    bool arrow = true;
};

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
    return cutPlugin(rest, cut.event.prev_pid, cut.event.prev_prio) &&
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
    // A comm may well begin with "prev_comm=", so the plug-ins' form is tried whenever the other
    // one does not fit.
    plugin = true;
    rest = payload;
    if (!cutPlugin(rest, cut.event.next_pid, cut.event.next_prio))
        return false;
    cut.arrow = true;
    for (CommCuts cuts(rest, " ==> "); cuts.next(before, cut.event.next_comm);) {
        if (!cutPreviousPlugin(before, cut))
            continue;
        if (!found || cut.event.prev_pid == expected)
            best = cut;
        found = true;
        if (cut.event.prev_pid == expected)
            break;
    }
    return found;
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
    if (!cutPlugin(rest, event.pid, event.prio))
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
    event.prev_state = stateOf(cut.state, form);
    return true;
}

bool SchedFields::parse(string_view payload, SchedWake& event, PayloadForm& form) {
    const string_view rest = withoutComplaint(payload);
    form.plugin = false;
    if (cutWakeFields(rest, event)) {
        event.comm = commOf(event.comm, m_first);
        return true;
    }
    form.plugin = true;
    return cutWakePlugin(rest, event);
}

bool SchedFields::parse(string_view payload, SchedMigrateTask& event) {
    string_view rest = withoutComplaint(payload);
    if (!cutIntAndTail(rest, " dest_cpu=", event.dest_cpu) ||
        !cutInt(rest, " orig_cpu=", event.orig_cpu) || !cutIntAndTail(rest, " prio=", event.prio) ||
        !cutInt(rest, " pid=", event.pid) || !cutFront(rest, "comm="))
        return false;
    event.comm = commOf(rest, m_first);
    return true;
}

bool SchedFields::parse(string_view payload, SchedProcessFork& event) {
    string_view rest = withoutComplaint(payload);
    if (!cutIntAndTail(rest, " child_pid=", event.child_pid))
        return false;
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
        return false;
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
