// The state of every life of every tid while a trace is being built. Rules: README.md beside.
#pragma once

#include "model/build/findings.h"
#include "model/build/gap_list.h"
#include "model/build/runqueue_tracker.h"
#include "model/build/sparse_index.h"
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
    std::optional<std::int32_t> queuedCpu; ///< where it was queued first
    std::optional<Nanos> queuedAt;         ///< when; nothing: no sched_wakeup has told yet
    std::optional<std::int32_t> movedTo;   ///< where sched_migrate_task took it since
    bool withoutWaking = false;            ///< a sched_wakeup that no sched_waking preceded
};

class TaskTracker {
public:
    TaskTracker(Trace& trace, const GapList& gaps, Findings& findings, CpuTrackers& cpus);

    // --- Lives. A tid is above 0 in all of these.

    /// The life that an event about `tid` at `at` belongs to: a new one after a death.
    TaskId lifeOf(std::int32_t tid, Nanos at);
    /// The life of a tid that woke another task: never a new one after a death.
    TaskId lifeOfWaker(std::int32_t tid, Nanos at);
    /// The life that a fork of `tid` (or task_newtask) names: the one that it named already, or a
    /// new one.
    TaskId forked(std::int32_t tid, Nanos at);
    /// The life that a sched_wakeup_new of `tid` names.
    TaskId wokenNew(std::int32_t tid, Nanos at);
    /// `oldTid` calls exec and goes on as `tid`.
    void exec(std::int32_t oldTid, std::int32_t tid, Nanos at);
    void exiting(TaskId task);
    /// It did what only a task that runs does: the next fork of its tid speaks of another one.
    void grown(TaskId task) { life(task).isNewborn = false; }
    /// `comm` holds from `at` on.
    void named(TaskId task, std::string_view comm, Nanos at);
    /// `comm` held until now: only of use where no name was known.
    void formerlyNamed(TaskId task, std::string_view comm);

    // --- Running.

    /// Switched in on `cpu`. True: on another CPU than the time before, with nothing unknown
    /// between.
    bool switchIn(TaskId task, std::int32_t cpu, Nanos at);
    /// Found to run on `cpu` since `since`, unseen before.
    void foundRunning(TaskId task, std::int32_t cpu, Nanos since);
    /// Left the CPU by a switch.
    void switchOut(TaskId task, PrevState state, Nanos at);
    /// Was running on its CPU until `at`; what came then is not known.
    void lose(TaskId task, Nanos at);

    /// The CPU it runs on now.
    std::optional<std::int32_t> runsOn(TaskId task) const;
    /// Before this it cannot have run: its last slice ended then, or it was not there.
    std::optional<Nanos> notBefore(TaskId task) const { return life(task).notBefore; }
    /// Whether a sched_wakeup of it is the second stamp of a wake.
    bool awaitsWakeup(TaskId task) const { return !life(task).pendingWakings.empty(); }
    /// The living life of `tid`, if there is one.
    std::optional<TaskId> find(std::int32_t tid) const;
    StringId comm(TaskId task) const { return m_lives[task.value()].comm; }
    std::int32_t tid(TaskId task) const { return m_trace.tasks[task.value()].tid; }

    // --- Waking. `wake.at` is the event's stamp.

    void waking(TaskId task, const Wake& wake);
    void wakeup(TaskId task, const Wake& wake);
    void wakeupNew(TaskId task, const Wake& wake);
    void migrate(TaskId task, std::int32_t destCpu, Nanos at);

    // --- Gaps.

    /// Records of `cpu` are missing from `at` on.
    void gapOn(std::int32_t cpu, Nanos at);

    /// Closes every life at the trace's end, tells the CPUs who waited for them, and arranges the
    /// columns. `recordsWaking`: what a
    /// sched_wakeup alone began is doubtful.
    /// Returns how many waits a sched_wakeup without its sched_waking began.
    std::uint64_t finish(Nanos end, bool recordsWaking);

private:
    enum class State : std::uint8_t { unknown, running, woken, fresh, preempted, asleep, dead };

    struct Life {
        State state = State::unknown;
        bool isNewborn = false;  ///< nothing but its fork and its first sched_wakeup_new so far
        bool hasHistory = false; ///< ran, slept or waited
        bool exiting = false;
        bool unwokenRun = false; ///< the current run followed a sleep for which no wake was seen
        bool unknownSinceSlice = false; ///< its state was unknown at some time since its last slice
        TaskState sleepState = TaskState::sleeping;
        StringId comm;
        std::string_view commText;      ///< of `comm`, in the pool
        std::int32_t cpu = -1;          ///< running: where; runnable: the CPU it is queued on
        std::int32_t lastCpu = -1;      ///< where it ran last; -1: not known
        std::uint64_t queuedSerial = 0; ///< when it was queued there, in counts of events
        Nanos since = 0;                ///< begin of the run or of the sleep
        StringId runComm;               ///< as in the sched_switch that began the run
        std::int32_t runTid = 0;        ///< likewise
        std::optional<Nanos> notBefore;
        /// Stamps of the sched_wakings whose sched_wakeup has not come yet: seldom more than one.
        std::vector<Nanos> pendingWakings;
        std::size_t staleWakings = 0;          ///< how many of these came before the current run
        std::optional<Wake> wakeInRun;         ///< the last wake during the current run
        std::optional<Wake> lastWake;          ///< the last wake while it was thought to wait
        std::optional<std::uint32_t> sleepRow; ///< the sleep that the open wait ended
        std::uint32_t waitRow = 0;             ///< the reserved row of the open wait
        bool waitWithoutWaking = false;
        /// Rows of waits since its last run that gaps ended, and where: seldom any.
        std::vector<std::pair<std::uint32_t, Nanos>> clippedRows;
        Wait wait; ///< the open wait, in the states woken, fresh, preempted; the last one after a
                   ///< gap
    };

    /// A loss on one CPU.
    struct CpuGap {
        std::uint64_t serial = 0;
        Nanos at = 0;
    };

    Life& life(TaskId task) { return m_lives[task.value()]; }
    const Life& life(TaskId task) const { return m_lives[task.value()]; }
    static bool waits(const Life& life) {
        return life.state == State::woken || life.state == State::fresh ||
               life.state == State::preempted;
    }

    TaskId create(std::int32_t tid, Nanos at);
    /// `task`, or in its place a new life where it has lived already.
    TaskId fresh(TaskId task, bool lived, Nanos at);
    /// Ends a life whose death was not seen.
    void endLife(TaskId task, Nanos at);
    std::uint32_t current(std::int32_t tid) const {
        return m_byTid.find(static_cast<std::uint32_t>(tid));
    }
    /// Applies a loss that hit the CPU on which the task is queued, if there was one.
    void settleGap(TaskId task);
    void queue(Life& life, std::int32_t cpu);
    void beginWait(TaskId task, WaitKind kind, Nanos start, const Wake& wake);
    void endWait(TaskId task, Nanos at, std::optional<std::int32_t> cpu, Certainty certainty);
    /// The task was found to run on a CPU since `since`: its wait never ended in a switch-in that
    /// was seen, or never began.
    void dropWait(TaskId task, Nanos since);
    void endRun(Life& life, Nanos at);
    void endSleep(TaskId task, Nanos at);
    void wake(TaskId task, const Wake& wake);
    void lateWake(TaskId task, const Wake& wake);
    void die(TaskId task, Nanos at);
    std::string named(TaskId task) const;
    void count(const char* code, Severity severity, const char* what, TaskId task, Nanos at,
               const char* advice);
    void arrangeByTask();

    Trace& m_trace;
    const GapList& m_gaps;
    Findings& m_findings;
    CpuTrackers& m_cpus;
    RunqueueTracker m_queues;
    std::vector<Life> m_lives; ///< beside m_trace.tasks
    SparseIndex m_byTid;
    std::map<std::int32_t, Nanos>
        m_leftByExec; ///< tids whose thread went on under another tid, and when
    std::map<std::int32_t, std::vector<CpuGap>> m_cpuGaps;
    std::vector<bool> m_droppedWaits;
    std::vector<std::uint32_t> m_rowsWithoutWaking;
    std::map<std::pair<std::int32_t, std::int32_t>, ClockSkew> m_skews;
    std::uint64_t m_serial = 0; ///< counts changes of queues and losses, to order them
};

} // namespace twolane
