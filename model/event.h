// Scheduler events with the kernel's own field names, and the sink that importers push them into.
//
// Events are views: their texts point into the importer's buffer and live only as long as the call.
#pragma once

#include "model/task_state.h"
#include "model/time.h"

#include <cstdint>
#include <string_view>

namespace twolane {

/// What every recorded event has.
struct EventHeader {
    Nanos time = 0;
    std::int32_t cpu = 0; ///< the CPU it was recorded on; 0 or above
    /// The task that was current on that CPU by the record's own header (common_pid); 0 is idle,
    /// -1 not known. A hint for naming wakers, never evidence of who ran.
    std::int32_t pid = -1;
    /// Position among all recorded events of the buffer, used or not, ordered by
    /// (time, cpu, position in the file): what EventReader::at() takes.
    std::uint64_t index = 0;
    /// Recorded apart from the scheduler's events, which may have been off at that time: neither
    /// what is known of the CPU nor the recording's length follows from it.
    bool sideBand = false;
};

struct SchedSwitch {
    EventHeader header;
    std::string_view prev_comm;
    std::int32_t prev_pid = -1;
    std::int32_t prev_prio = 0;
    PrevState prev_state;
    std::string_view next_comm;
    std::int32_t next_pid = -1;
    std::int32_t next_prio = 0;
};

/// One half of a switch as perf's own records tell it (PERF_RECORD_SWITCH, and _SWITCH_CPU_WIDE,
/// which names both sides; perf record --switch-events): a task leaves its CPU or comes to it.
struct SwitchRecord {
    EventHeader header;
    std::string_view comm; ///< empty: not known
    std::int32_t pid = -1; ///< whose record it is: of the task that leaves or comes; 0 is idle
    bool out = false;
    bool preempted = false; ///< out, and still runnable
    /// Of an out: who comes next; of an in: who left. -1: not told.
    std::int32_t other_pid = -1;
};

/// sched_waking, sched_wakeup and sched_wakeup_new have the same fields.
struct SchedWake {
    EventHeader header;
    std::string_view comm;
    std::int32_t pid = -1;
    std::int32_t prio = 0;
    std::int32_t target_cpu = -1; ///< -1 where the record does not tell (old kernels)
};

struct SchedMigrateTask {
    EventHeader header;
    std::string_view comm;
    std::int32_t pid = -1;
    std::int32_t prio = 0;
    std::int32_t orig_cpu = -1;
    std::int32_t dest_cpu = -1;
};

/// sched_process_fork, and task_newtask (whose child has the parent's comm).
struct SchedProcessFork {
    EventHeader header;
    std::string_view parent_comm; ///< empty where the record does not tell
    std::int32_t parent_pid = -1;
    std::string_view child_comm; ///< likewise: the parent's, then
    std::int32_t child_pid = -1;
};

struct SchedProcessExec {
    EventHeader header;
    std::string_view filename; ///< the new comm is its base name, cut to 15 bytes
    std::int32_t pid = -1;
    std::int32_t old_pid = -1; ///< differs from pid when a thread other than the leader calls exec
};

struct SchedProcessExit {
    EventHeader header;
    std::string_view comm;
    std::int32_t pid = -1;
    std::int32_t prio = 0;
};

struct TaskRename {
    EventHeader header;
    std::int32_t pid = -1;
    std::string_view oldcomm;
    std::string_view newcomm;
};

/// Records of one CPU are missing between two that are there.
struct LostEvents {
    std::int32_t cpu = 0;
    /// Between the last event of the CPU before the loss and its first one after it. Where the CPU
    /// has no event before the loss, `begin == end`: nothing was known there anyway.
    TimeRange range;
    std::int64_t count = -1; ///< -1: the file says that events were lost, not how many
};

/// Takes the events of one buffer in the order of (time, cpu, position in the file). Each recorded
/// event is told by exactly one call. A loss is told when its range begins: after the last event
/// before it and ahead of every event that is later than that one.
class EventSink {
public:
    EventSink() = default;
    EventSink(const EventSink&) = delete;
    EventSink& operator=(const EventSink&) = delete;
    virtual ~EventSink() = default;

    virtual void schedSwitch(const SchedSwitch& event) = 0;
    /// Only where the recording holds no sched_switch, which tells more: else an otherEvent.
    virtual void switchRecord(const SwitchRecord& event) = 0;
    virtual void schedWaking(const SchedWake& event) = 0;
    virtual void schedWakeup(const SchedWake& event) = 0;
    virtual void schedWakeupNew(const SchedWake& event) = 0;
    virtual void schedMigrateTask(const SchedMigrateTask& event) = 0;
    virtual void schedProcessFork(const SchedProcessFork& event) = 0;
    virtual void schedProcessExec(const SchedProcessExec& event) = 0;
    virtual void schedProcessExit(const SchedProcessExit& event) = 0;
    virtual void taskRename(const TaskRename& event) = 0;
    /// An event that the model does not use: its CPU was recording at that time.
    virtual void otherEvent(const EventHeader& header) = 0;
    virtual void lostEvents(const LostEvents& loss) = 0;
};

} // namespace twolane
