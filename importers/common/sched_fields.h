// The payloads of scheduler events as text, in the forms of all kernels and tools:
//   the kernel's print formats   prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=…
//   single fields (trace-cmd -R, prev_comm=a prev_pid=1 prev_prio=120 prev_state=1 next_comm=…
//   tracefs option `fields`)     prev_comm=a prev_pid=0x1 (1) …
//   trace-cmd's plug-ins         a:1 [120] S ==> b:2 [120]
//   old kernels                  see old_payloads.h
//
// A comm may hold any byte but NUL, key look-alikes included. So payloads are cut from the right:
// whatever is left between the keys of a complete tail is the comm. libtraceevent writes a comm
// that is not plain ASCII, rubbish behind its NUL included, as "ARRAY[c3, a9, 00, …]".
#pragma once

#include "importers/common/sched_event.h"
#include "model/event.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace twolane {

/// How a payload was written.
struct PayloadForm {
    bool plugin = false;       ///< in the words of trace-cmd's plug-ins
    bool fields = false;       ///< sched_switch as single fields, without "==>"
    bool numericState = false; ///< prev_state is a number: its letters depend on the kernel
    bool stateTold = true;     ///< false: no prev_state at all (Linux 2.6.30)
    bool comms = true;         ///< false: without the comm of prev (the old sched_switch tracer)
    bool unknownState = false; ///< prev_state is nothing that the decoder knows
    std::string_view state;    ///< as printed
};

class SchedFields {
public:
    /// `decoder` translates numeric states.
    explicit SchedFields(PrevStateDecoder decoder = {});

    // Each fills in the fields of `event` behind its header, as views into `payload` or into this
    // object, valid until its next call. False where the payload is not of that event; `event` is
    // then undefined but for its header.

    /// Among cuts that are equally complete the one whose prev_pid is `event.header.pid` wins.
    bool parse(std::string_view payload, SchedSwitch& event, PayloadForm& form);
    bool parse(std::string_view payload, SchedWake& event, PayloadForm& form);
    bool parse(std::string_view payload, SchedMigrateTask& event);
    bool parse(std::string_view payload, SchedProcessFork& event);
    bool parse(std::string_view payload, SchedProcessExec& event);
    bool parse(std::string_view payload, SchedProcessExit& event);
    bool parse(std::string_view payload, TaskRename& event);
    /// task_newtask: the parent is taken from `event.header.pid`, in whose context it is raised.
    bool parseNewtask(std::string_view payload, SchedProcessFork& event);

private:
    /// A comm up to its NUL, its bytes written out or not.
    using CommBytes = std::array<char, 16>;

    PrevState stateOf(std::string_view text, PayloadForm& form) const;
    static std::string_view commOf(std::string_view text, CommBytes& bytes);

    PrevStateDecoder m_decoder;
    std::array<std::optional<PrevState>, 128> m_letters; ///< of one character
    CommBytes m_first{};
    CommBytes m_second{};
};

} // namespace twolane
