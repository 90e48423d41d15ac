// How payloads of scheduler events are taken apart: from the right, so that whatever is left
// between the keys of a complete tail is the comm.
#pragma once

#include "model/event.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twolane {

constexpr std::size_t maxComm = 15; ///< bytes: TASK_COMM_LEN of the kernel is one more

std::string_view trimRight(std::string_view text);

/// The whole text is a number as takeNumber() takes it.
bool wholeNumber(std::string_view text, std::int64_t& value);
bool wholeInt32(std::string_view text, std::int32_t& value);

// Each function shortens `rest` where it answers true, and leaves it alone where not.

/// Takes `prefix` off the front.
bool cutFront(std::string_view& rest, std::string_view prefix);
/// Cuts "KEY=value" off the end of `rest`, where `key` ends with '=' and the value holds none.
bool cutValue(std::string_view& rest, std::string_view key, std::string_view& value);
bool cutInt(std::string_view& rest, std::string_view key, std::int32_t& out);
/// The same where something may follow the number: vendors append fields.
bool cutIntAndTail(std::string_view& rest, std::string_view key, std::int32_t& out);
/// Cuts ":PID [PRIO]" off the end: what is left is the comm.
bool cutPidAndPrio(std::string_view& rest, std::int32_t& pid, std::int32_t& prio);

/// Where the field before the last comm may begin: positions of `key` in `rest` from the right,
/// the comm behind it at most `maxComm` bytes. A longer one is taken where no other is there.
class CommCuts {
public:
    CommCuts(std::string_view rest, std::string_view key)
        : m_rest(rest)
        , m_key(key)
        , m_from(rest.size() < key.size() ? std::string_view::npos : rest.size() - key.size()) {}

    bool next(std::string_view& before, std::string_view& comm);

private:
    std::string_view m_rest;
    std::string_view m_key;
    std::size_t m_from;
    bool m_found = false;
};

/// A sched_switch but for the meaning of its state.
struct SwitchCut {
    SchedSwitch event;
    std::string_view state; ///< as printed
    bool arrow = true;      ///< with "==>" between its halves
    bool stateTold = true;
    bool commsTold = true;
};

/// Of the cuts of "PREVIOUS ==> NEXT", with the tail of NEXT behind its comm cut off already, takes
/// one for which `cutPrevious(text, cut)` can read PREVIOUS; that one wins whose prev_pid is
/// `best.event.header.pid`.
template <typename CutPrevious>
bool cutAtArrow(std::string_view rest, SwitchCut cut, SwitchCut& best, CutPrevious cutPrevious) {
    bool found = false;
    std::string_view before;
    const std::int32_t expected = best.event.header.pid;
    for (CommCuts cuts(rest, " ==> "); cuts.next(before, cut.event.next_comm);) {
        if (!cutPrevious(before, cut))
            continue;
        if (!found || cut.event.prev_pid == expected)
            best = cut;
        found = true;
        if (cut.event.prev_pid == expected)
            break;
    }
    return found;
}

} // namespace twolane
