// The state of every life of every tid while a trace is being built. Rules: README.md beside.
#pragma once

#include "model/build/gap_list.h"
#include "model/build/sparse_index.h"
#include "model/diagnostics.h"
#include "model/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace twolane {

/// Who woke a task, and where the wake queued it.
struct Wake {
    Nanos at = 0;
    std::optional<std::int32_t> wakerTid;
    TaskId waker;
    std::int32_t wakerCpu = 0;
    std::optional<std::int32_t> queuedCpu;
    std::optional<Nanos> queuedAt;
    bool withoutWaking = false; ///< a sched_wakeup that no sched_waking preceded
};

class TaskTracker {
public:
    TaskTracker(Trace& trace, const GapList& gaps, Diagnostics& diagnostics);

    // --- Lives. A tid is above 0 in all of these.

    /// The life that an event about `tid` at `at` belongs to: a new one after a death.
    TaskId lifeOf(std::int32_t tid, Nanos at);
    /// The life of a tid that woke another task: never a new one after a death.
    TaskId lifeOfWaker(std::int32_t tid, Nanos at);
    /// The life that a fork of `tid` names.
    TaskId fork(std::int32_t tid, Nanos at);
    /// `oldTid` calls exec and goes on as `tid`.
    void exec(std::int32_t oldTid, std::int32_t tid, Nanos at);
    void exiting(TaskId task);
    /// `comm` holds from `at` on.
    void named(TaskId task, std::string_view comm, Nanos at);
    /// `comm` held until now: only of use where no name was known.
    void formerlyNamed(TaskId task, std::string_view comm);

    // --- Running.

    /// Switched in on `cpu`. True: on another CPU than the time before, with nothing unknown between.
    bool switchIn(TaskId task, std::int32_t cpu, Nanos at);
    /// Found to run on `cpu` since `since`, unseen before.
    void foundRunning(TaskId task, std::int32_t cpu, Nanos since);
    /// Left the CPU by a switch.
    void switchOut(TaskId task, PrevState state, Nanos at);
    /// Was running on its CPU until `at`; what came then is not known.
    void lose(TaskId task, Nanos at);

    /// The CPU it runs on now.
    std::optional<std::int32_t> runsOn(TaskId task) const;
    /// When its last slice ended.
    std::optional<Nanos> lastSliceEnd(TaskId task) const;
    /// Whether it ever ran, slept or waited.
    bool hasHistory(TaskId task) const { return life(task).hasHistory; }
    /// The living life of `tid`, if there is one.
    std::optional<TaskId> find(std::int32_t tid) const;
    StringId comm(TaskId task) const { return m_lives[task.value()].comm; }
    std::int32_t tid(TaskId task) const { return m_trace.tasks[task.value()].tid; }

    // --- Waking. `wake.at` is the event's stamp.

    void waking(TaskId task, const Wake& wake);
    void wakeup(TaskId task, const Wake& wake);
    void wakeupNew(TaskId task, const Wake& wake);
    void migrate(TaskId task, std::int32_t destCpu);

    // --- Gaps.

    /// Records of `cpu` are missing from `at` on.
    void gapOn(std::int32_t cpu, Nanos at);

    /// Closes every life at the trace's end and arranges the columns. `recordsWaking`: what a
    /// sched_wakeup alone began is doubtful.
    void finish(Nanos end, bool recordsWaking);

private:
    enum class State : std::uint8_t { unknown, running, woken, fresh, preempted, asleep, dead };

    struct Life {
        State state = State::unknown;
        bool newborn = false;        ///< a fork named it, no sched_wakeup_new yet
        bool hasHistory = false;     ///< ran, slept or waited
        bool exiting = false;
        bool wakePending = false;    ///< a sched_waking whose sched_wakeup has not come yet
        bool wakePendingStale = false; ///< … and which came before the current run
        bool unwokenRun = false;     ///< the current run followed a sleep for which no wake was seen
        bool unknownSinceSlice = false; ///< its state was unknown at some time since its last slice
        StringId comm;
        std::int32_t cpu = -1;       ///< running: where; runnable: the CPU it is queued on
        std::int32_t lastCpu = -1;   ///< where it ran last; -1: not known
        std::uint64_t queuedSerial = 0; ///< when it was queued there, in counts of events
        Nanos since = 0;             ///< begin of the run or of the sleep
        std::optional<Nanos> lastSliceEnd;
        TaskState sleepState = TaskState::sleeping;
        std::optional<Wake> wakeInRun; ///< the last wake during the current run
        std::uint32_t waitRow = 0;   ///< the reserved row of the open wait
        bool waitWithoutWaking = false;
        Wait wait;                   ///< the open wait, in the states woken, fresh, preempted
    };

    /// A loss on one CPU.
    struct CpuGap {
        std::uint64_t serial = 0;
        Nanos at = 0;
    };

    Life& life(TaskId task) { return m_lives[task.value()]; }
    const Life& life(TaskId task) const { return m_lives[task.value()]; }
    static bool waits(const Life& life) {
        return life.state == State::woken || life.state == State::fresh || life.state == State::preempted;
    }

    TaskId create(std::int32_t tid, Nanos at);
    /// Ends a life whose death was not seen.
    void endLife(TaskId task, Nanos at);
    std::uint32_t current(std::int32_t tid) const { return m_byTid.find(static_cast<std::uint32_t>(tid)); }
    /// Applies a loss that hit the CPU on which the task is queued, if there was one.
    void settleGap(TaskId task);
    void queue(Life& life, std::int32_t cpu);
    void beginWait(TaskId task, WaitKind kind, Nanos start, const Wake& wake);
    void endWait(TaskId task, Nanos at, std::optional<std::int32_t> cpu, Certainty certainty);
    void dropWait(Life& life);
    void endSleep(TaskId task, Nanos at);
    void wake(TaskId task, const Wake& wake);
    void lateWake(TaskId task, const Wake& wake);
    void die(TaskId task, Nanos at);
    std::string place(TaskId task, Nanos at) const;
    void count(const char* code, Severity severity, const char* what, TaskId task, Nanos at, const char* advice);
    void arrangeByTask();

    Trace& m_trace;
    const GapList& m_gaps;
    Diagnostics& m_diagnostics;
    std::vector<Life> m_lives; ///< beside m_trace.tasks
    SparseIndex m_byTid;
    std::map<std::int32_t, std::vector<CpuGap>> m_cpuGaps;
    std::vector<bool> m_droppedWaits;
    std::vector<std::uint32_t> m_rowsWithoutWaking;
    std::map<std::pair<std::int32_t, std::int32_t>, ClockSkew> m_skews;
    std::uint64_t m_serial = 0; ///< counts changes of queues and losses, to order them
};

} // namespace twolane
