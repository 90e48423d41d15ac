// One loaded trace: columns of fixed-size values, const after loading, shared without locks.
//
// What each value means is defined in model/build/README.md.
#pragma once

#include "model/diagnostics.h"
#include "model/event.h"
#include "model/ids.h"
#include "model/string_pool.h"
#include "model/task_state.h"
#include "model/time.h"
#include "model/trace_info.h"
#include "model/value_column.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace twolane {

/// How far a value is to be trusted. Distributions hold exact values only.
enum class Certainty : std::uint8_t {
    exact,
    clipped,  ///< an edge lies outside the recording or in a gap: the length is a lower bound
    doubtful, ///< the evidence is contradictory or incomplete: see the wake rule
};
std::string_view nameOf(Certainty certainty);

/// The event that marks a wake throughout the trace.
enum class WakeEdge : std::uint8_t { none, waking, wakeup };
/// "sched_waking", "sched_wakeup"; "" for none.
std::string_view nameOf(WakeEdge edge);

/// A task on a CPU from switch-in to switch-out.
struct Timeslice {
    TimeRange range; ///< may be empty: runs of 0 ns are kept
    TaskId task;
    StringId comm; ///< as in the closing sched_switch; open at the right: as in the opening one
    std::int32_t tid = 0;              ///< likewise
    std::optional<std::int32_t> prio;  ///< likewise; the kernel's own scale, 120 is nice 0
    std::optional<PrevState> endState; ///< nothing: open at the right
    bool openLeft = false;             ///< ran before `range.begin` already, unseen
    bool openRight = false;            ///< may have run on after `range.end`, unseen
    bool migrated =
        false; ///< switched in on another CPU than the time before, nothing unknown between

    bool clipped() const { return openLeft || openRight; }
};

/// The timeslices of one CPU in order of time, as columns.
class SliceColumns {
public:
    std::size_t size() const { return m_begin.size(); }
    bool empty() const { return m_begin.empty(); }
    TimeRange range(std::size_t i) const { return {m_begin[i], m_end[i]}; }
    TaskId task(std::size_t i) const { return TaskId(m_task[i]); }
    StringId comm(std::size_t i) const { return StringId(m_comm[i]); }
    /// Begins to fetch what comm() is to read.
    void prefetchComm(std::size_t i) const { __builtin_prefetch(m_comm.data() + i); }
    std::int32_t tid(std::size_t i) const { return m_tid[i]; }
    bool clipped(std::size_t i) const { return (m_flags[i] & clippedBits) != 0; }
    Timeslice operator[](std::size_t i) const;

    /// Begins of all slices, ascending; ends are ascending too, for slices of a CPU do not overlap.
    const ValueColumn<Nanos>& begins() const { return m_begin; }
    const ValueColumn<Nanos>& ends() const { return m_end; }

    void push(const Timeslice& slice); ///< for the builder; in order of time

private:
    static constexpr std::int32_t notRecorded = INT32_MIN;
    static constexpr std::uint8_t openLeftBit = 1;
    static constexpr std::uint8_t openRightBit = 2;
    static constexpr std::uint8_t clippedBits = openLeftBit | openRightBit;
    static constexpr std::uint8_t migratedBit = 4;
    static constexpr std::uint8_t hasStateBit = 8;

    ValueColumn<Nanos> m_begin;
    ValueColumn<Nanos> m_end;
    ValueColumn<std::uint32_t> m_task;
    ValueColumn<std::uint32_t> m_comm;
    ValueColumn<std::int32_t> m_tid;
    ValueColumn<std::int32_t> m_prio;  ///< notRecorded: not told
    ValueColumn<std::uint8_t> m_state; ///< TaskState of the end
    ValueColumn<std::uint8_t> m_flags;
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        m_rawStates; ///< (slice, raw) where `other`
};

/// How many tasks waited for one CPU, as a step function over time: 0 until the first step.
class QueueSteps {
public:
    std::size_t size() const { return m_at.size(); }
    bool empty() const { return m_at.empty(); }
    /// When each number begins to hold, ascending; the last one holds until the trace's end.
    const ValueColumn<Nanos>& times() const { return m_at; }
    std::uint32_t waiting(std::size_t i) const { return m_waiting[i]; }

    /// For the builder, in order of time: from `at` on there are `by` more. Changes at one stamp
    /// are one step, and none where they cancel.
    void change(Nanos at, std::int32_t by);

private:
    ValueColumn<Nanos> m_at;
    ValueColumn<std::uint32_t> m_waiting;
};

/// All that is known of one CPU.
struct CpuTimeline {
    std::int32_t cpu = 0; ///< the kernel's number: numbers may have holes
    SliceColumns slices;
    /// Where it is not known what ran: no data yet, gaps, contradictory evidence. Ascending,
    /// disjoint, inside the trace's range. What is in neither a slice nor here is idle.
    std::vector<TimeRange> unknown;
    /// Tasks waiting for this CPU. Says nothing of the time in `unknown`.
    QueueSteps queue;
    /// Where tasks may have waited here unseen: `queue` is then a lower bound. Ascending, disjoint,
    /// inside the trace's range; may reach into `unknown`.
    std::vector<TimeRange> queueLowerBound;
    /// The stamps of the sched_switch events recorded on this CPU, ascending.
    ValueColumn<Nanos> switches;
    std::optional<TimeRange> events; ///< from its first to its last event of any kind
    std::uint64_t eventCount = 0;
};

enum class WaitKind : std::uint8_t { wakeup, fork, preempted };
std::string_view nameOf(WaitKind kind);

/// A runnable task waiting for a CPU: a wakeup latency, a fork latency or a preempted wait.
struct Wait {
    WaitKind kind = WaitKind::wakeup;
    Certainty certainty = Certainty::exact;
    /// From the ready time. Nothing: the wake was stamped late, the length is not known.
    std::optional<Nanos> start;
    Nanos end = 0; ///< switch-in; clipped: where the knowledge ends
    TaskId task;
    std::int32_t tid = 0;
    StringId comm; ///< as in the sched_switch that ends it; clipped: the last known
    std::optional<std::int32_t> cpu; ///< switched in on; nothing where clipped
    Nanos wakeAt = 0;                ///< stamp of the wake event; for `preempted` the switch-out
    std::optional<std::int32_t> wakerTid; ///< 0: an interrupt on an idle CPU
    TaskId waker;                         ///< invalid where idle or not known
    std::optional<std::int32_t> wakerCpu;
    std::optional<std::int32_t> queuedCpu; ///< the CPU it was first queued on
    std::optional<Nanos> queuedAt;         ///< when
    std::optional<Nanos> lastWakeAt;       ///< a second wake of a task already woken: its stamp
};

/// A task that waited and stood in a queue was moved to another CPU's (sched_migrate_task).
struct QueueMove {
    std::uint32_t wait = 0; ///< row
    std::int32_t cpu = 0;   ///< whose queue it stood in from then on
    Nanos at = 0;
};

/// All waits of a trace, as columns.
class WaitColumns {
public:
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    Wait operator[](std::size_t i) const;

    // Single values, for loops that need no more.
    WaitKind kind(std::size_t i) const { return static_cast<WaitKind>(m_kind[i]); }
    Certainty certainty(std::size_t i) const {
        return static_cast<Certainty>(m_flags[i] & certaintyBits);
    }
    std::optional<Nanos> start(std::size_t i) const { return present(i, hasStartBit, m_start[i]); }
    Nanos end(std::size_t i) const { return m_end[i]; }
    TaskId task(std::size_t i) const { return TaskId(m_task[i]); }
    StringId comm(std::size_t i) const { return StringId(m_comm[i]); }
    std::int32_t tid(std::size_t i) const { return m_tid[i]; }
    Nanos wakeAt(std::size_t i) const { return m_wakeAt[i]; }
    std::optional<std::int32_t> cpu(std::size_t i) const { return present(i, hasCpuBit, m_cpu[i]); }
    std::optional<std::int32_t> queuedCpu(std::size_t i) const {
        return present(i, hasQueuedCpuBit, m_queuedCpu[i]);
    }

    /// What rows are ordered by: the start; where it is not known, the end.
    Nanos place(std::size_t i) const { return m_start[i]; }
    /// The CPU whose queue a wait stood in at `at`, an instant of the wait, as far as known.
    /// Counted from the start: between a sched_waking and its sched_wakeup it is the CPU of the
    /// latter.
    std::optional<std::int32_t> queuedOn(std::size_t i, Nanos at) const;
    /// Ordered by row, then time. Moves before the queueing only correct queuedCpu().
    const std::vector<QueueMove>& moves() const { return m_moves; }

    /// For the builder: a row in the order of starts, filled by set() once its wait has ended.
    std::size_t reserveRow();
    void set(std::size_t i, const Wait& wait);
    void move(const QueueMove& move) { m_moves.push_back(move); }
    /// Makes an exact row doubtful.
    void doubt(std::size_t i);
    /// Takes out the rows marked in `dropped` (one entry a row) and puts the rest in order.
    void arrange(const std::vector<bool>& dropped);

private:
    static constexpr std::uint8_t certaintyBits = 3;
    static constexpr std::uint8_t hasStartBit = 4;
    static constexpr std::uint8_t hasCpuBit = 8;
    static constexpr std::uint8_t hasWakerTidBit = 16;
    static constexpr std::uint8_t hasWakerCpuBit = 32;
    static constexpr std::uint8_t hasQueuedCpuBit = 64;
    static constexpr std::uint8_t hasQueuedAtBit = 128;

    template <class T>
    std::optional<T> present(std::size_t i, std::uint8_t bit, T value) const {
        return (m_flags[i] & bit) != 0 ? std::optional<T>(value) : std::nullopt;
    }
    void drop(const std::vector<bool>& dropped);
    /// Gives what refers to rows their new places; UINT32_MAX: gone.
    void renumber(const std::vector<std::uint32_t>& place);
    bool before(std::size_t a, std::size_t b) const;
    void copyRow(std::size_t from, std::size_t to);
    template <class F>
    void forEachColumn(F f);

    std::size_t m_size = 0;     // the columns below are longer while the trace is being built
    ValueColumn<Nanos> m_start; ///< where not known: the end, which then gives the row its place
    ValueColumn<Nanos> m_end;
    ValueColumn<Nanos> m_wakeAt;
    ValueColumn<Nanos> m_queuedAt;
    ValueColumn<std::uint32_t> m_task;
    ValueColumn<std::uint32_t> m_comm;
    ValueColumn<std::uint32_t> m_waker;
    ValueColumn<std::int32_t> m_tid;
    ValueColumn<std::int32_t> m_cpu;
    ValueColumn<std::int32_t> m_wakerTid;
    ValueColumn<std::int32_t> m_wakerCpu;
    ValueColumn<std::int32_t> m_queuedCpu;
    ValueColumn<std::uint8_t> m_kind;
    ValueColumn<std::uint8_t> m_flags;
    std::vector<std::pair<std::uint32_t, Nanos>> m_lastWakes; ///< (row, stamp), ascending
    std::vector<QueueMove> m_moves;
};

/// Off the CPU and not runnable, as far as known.
struct Sleep {
    TimeRange range;
    TaskId task;
    TaskState state =
        TaskState::sleeping; ///< uninterruptible counts as `block`, all else as `sleep`
};

/// One life of one tid.
struct Task {
    std::int32_t tid = 0;
    TimeRange life;    ///< first sight to dead switch-out or the trace's end, both included
    bool born = false; ///< its fork was recorded
    bool died = false; ///< its dead switch-out was recorded
};

/// The comm of a task from a moment on.
struct CommChange {
    TaskId task;
    Nanos from = 0; ///< the first one of a task holds from its first sight
    StringId comm;
};

/// Stamps of two CPUs that contradict each other.
struct ClockSkew {
    std::int32_t wakerCpu = 0;
    std::int32_t cpu = 0;
    std::uint64_t count = 0;
    Nanos worst = 0; ///< switch-in minus wake, below zero
};

/// All columns of one load.
class Trace {
public:
    TraceInfo info;
    Diagnostics diagnostics;

    TimeRange range; ///< first to last recorded event of any kind; the last one's stamp is `end`
    std::uint64_t eventCount = 0;
    std::uint64_t lostEvents = 0; ///< as far as counted by the file
    bool lostUncounted = false;   ///< and more, of a number that the file does not tell
    bool recordsSwitches = false;
    WakeEdge wakeEdge = WakeEdge::none;

    std::vector<CpuTimeline> cpus; ///< CPUs with at least one event, ascending
    std::vector<Task> tasks;       ///< by TaskId, in order of first sight
    WaitColumns waits;             ///< ordered by start (where none: by end), then cpu, then tid
    std::vector<Sleep> sleeps;     ///< ordered by task, then time
    std::vector<CommChange> comms; ///< ordered by task, then time
    std::vector<LostEvents> losses;
    std::vector<ClockSkew> skews; ///< ordered by (wakerCpu, cpu)
    StringPool strings;

    const CpuTimeline* cpu(std::int32_t number) const;
    /// The comm that `task` had at `time`; "" where no event ever named it. Before its first
    /// known name that name.
    std::string_view commAt(TaskId task, Nanos time) const;
    /// The names of `task` in order of time.
    std::span<const CommChange> commsOf(TaskId task) const;
};

} // namespace twolane
