// What runs on every CPU while a trace is being built. Rules: README.md beside.
#pragma once

#include "model/build/sparse_index.h"
#include "model/trace.h"

#include <optional>
#include <utility>
#include <vector>

namespace twolane {

/// The run that is open on a CPU. No task: the CPU is idle.
struct OpenRun {
    TaskId task;
    Nanos begin = 0;
    StringId comm; ///< as in the sched_switch that opened it
    std::int32_t tid = 0;
    std::optional<std::int32_t> prio = std::nullopt;
    bool openLeft = false;
    bool migrated = false;
};

/// One CPU: its timeline so far, and what is known of it now.
class CpuTracker {
public:
    CpuTracker(std::int32_t cpu, Nanos traceBegin);

    /// An event was recorded here at `at`. Returns the stamp of the event before, if any.
    std::optional<Nanos> touch(Nanos at) {
        ++m_timeline.eventCount;
        if (!m_current && !m_knownSince)
            m_knownSince = at;
        if (!m_timeline.events) {
            m_timeline.events = TimeRange{at, at};
            return std::nullopt;
        }
        return std::exchange(m_timeline.events->end, at);
    }

    /// The open run, where it is known who is current.
    const std::optional<OpenRun>& current() const { return m_current; }
    std::optional<Nanos> lastEvent() const;
    /// Where nobody is known to be current: the instant from which the next switch's prev ran.
    std::optional<Nanos> knownSince() const { return m_knownSince; }

    /// From `at` on, `by` more tasks wait for this CPU. In order of time.
    void changeQueue(Nanos at, std::int32_t by) { m_timeline.queue.change(at, by); }

    void switched(Nanos at) { m_timeline.switches.push_back(at); }
    /// From `run.begin` on it is known who is current; what was not known ends there.
    void start(const OpenRun& run);
    /// Closes the open run by a switch: the closing event tells name, tid and priority.
    void close(Nanos at, StringId comm, std::int32_t tid, std::optional<std::int32_t> prio,
               PrevState state);
    /// Ends the open run, its end unseen, at `at`; from there on nothing is known until the next
    /// event.
    void lose(Nanos at);
    /// The current task left at `at` by a switch record that names `next`, or nobody (-1), as the
    /// next one: until that one's own record comes, it is not known who runs.
    void leave(Nanos at, std::int32_t next);
    /// Who was announced, where leave() was the last thing heard of who runs.
    std::optional<std::int32_t> announced() const { return m_announced; }
    /// A switch at `at` told that somebody runs, but not who.
    void startUnknown(Nanos at);

    /// Closes everything at the trace's end and hands the timeline over.
    CpuTimeline finish(Nanos end);

private:
    void pushOpenRight(Nanos end);
    void endUnknown(Nanos at);

    CpuTimeline m_timeline;
    std::optional<OpenRun> m_current;
    Nanos m_unknownFrom;
    std::optional<Nanos> m_knownSince;
    std::optional<std::int32_t> m_announced;
};

/// The trackers of all CPUs by number.
class CpuTrackers {
public:
    /// The tracker of `cpu` (0 or above), made at its first event.
    CpuTracker& at(std::int32_t cpu, Nanos traceBegin) {
        CpuTracker* known = find(cpu);
        return known ? *known : add(cpu, traceBegin);
    }
    CpuTracker* find(std::int32_t cpu) {
        const std::uint32_t known = m_index.find(static_cast<std::uint32_t>(cpu));
        return known == SparseIndex::absent ? nullptr : &m_cpus[known];
    }
    /// Ascending by CPU.
    std::vector<CpuTimeline> finish(Nanos end);

private:
    CpuTracker& add(std::int32_t cpu, Nanos traceBegin);

    SparseIndex m_index{1U << 16};
    std::vector<CpuTracker> m_cpus;
};

} // namespace twolane
