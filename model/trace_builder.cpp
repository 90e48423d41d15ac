#include "model/trace_builder.h"

#include "model/build/cpu_tracker.h"
#include "model/build/findings.h"
#include "model/build/gap_list.h"
#include "model/build/task_tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace twolane {
namespace {

constexpr std::size_t commLength = 15; // TASK_COMM_LEN without its NUL

/// The comm that exec gives a task.
std::string_view commOfFile(std::string_view filename) {
    const auto slash = filename.rfind('/');
    if (slash != std::string_view::npos)
        filename.remove_prefix(slash + 1);
    return filename.substr(0, commLength);
}

} // namespace

struct TraceBuilder::State {
    std::shared_ptr<Trace> trace = std::make_shared<Trace>();
    Findings found;
    GapList gaps;
    CpuTrackers cpus;
    TaskTracker tasks{*trace, gaps, found, cpus};
    std::optional<TimeRange> range;
    std::uint64_t switchRecords = 0;
    bool recordsWaking = false;
    bool recordsWakeup = false;

    /// Counts an event and tells when the one before it on the same CPU was.
    struct Touched {
        CpuTracker& cpu;
        std::optional<Nanos> before;
    };
    Touched touch(const EventHeader& header) {
        ++trace->eventCount;
        if (range)
            range->end = std::max(range->end, header.time);
        else
            range = TimeRange{header.time, header.time};
        CpuTracker& cpu = cpus.at(header.cpu, range->begin);
        return {cpu, cpu.touch(header.time)};
    }

    /// Likewise, of an event that is not about who runs.
    void note(const EventHeader& header) {
        if (header.sideBand)
            ++trace->eventCount;
        else
            touch(header);
    }

    /// `byWaker`: the record's header names the waker, who thereby gets a life.
    Wake wakeOf(const SchedWake& event, bool byWaker = true) {
        Wake wake;
        wake.at = event.header.time;
        wake.wakerCpu = event.header.cpu;
        if (byWaker && event.header.pid >= 0)
            wake.wakerTid = event.header.pid;
        if (byWaker && event.header.pid > 0)
            wake.waker = tasks.lifeOfWaker(event.header.pid, event.header.time);
        if (event.target_cpu >= 0)
            wake.queuedCpu = event.target_cpu;
        return wake;
    }

    void contradiction(const char* code, const char* what, std::int32_t cpu, Nanos at) {
        found.add(
            code, Severity::dataLoss, what, [&] { return fmt::format("CPU {}", cpu); }, at,
            "events may be missing, or the clocks of two CPUs disagree");
    }

    /// The open run of `cpu` ends unseen at `at`.
    void cut(CpuTracker& cpu, Nanos at) {
        if (cpu.current() && cpu.current()->task.valid()) {
            at = std::max(at, cpu.current()->begin);
            tasks.lose(cpu.current()->task, at);
        }
        cpu.lose(at);
    }

    /// `task` turns up elsewhere than on the CPU on which it runs.
    void cutElsewhere(TaskId task, Nanos now) {
        const auto where = tasks.runsOn(task);
        if (!where)
            return;
        contradiction("running_twice",
                      "a task was found on a CPU while it still ran on another one: the older "
                      "run's end is unknown",
                      *where, now);
        CpuTracker& cpu = *cpus.find(*where);
        cut(cpu, *cpu.lastEvent());
    }

    /// `prev` was running since the CPU's first known instant, unseen until a switch told.
    void foundRunning(CpuTracker& cpu, const EventHeader& header, TaskId prev) {
        const std::int32_t number = header.cpu;
        if (tasks.runsOn(prev))
            cutElsewhere(prev, header.time);
        OpenRun run;
        run.task = prev;
        run.begin = *cpu.knownSince();
        if (const auto last = tasks.notBefore(prev))
            run.begin = std::max(run.begin, *last);
        run.openLeft = true;
        cpu.start(run);
        tasks.foundRunning(prev, number, run.begin);
    }

    void switchOut(CpuTracker& cpu, std::optional<Nanos> before, const SchedSwitch& event) {
        const Nanos now = event.header.time;
        const TaskId prev = event.prev_pid > 0 ? tasks.lifeOf(event.prev_pid, now) : TaskId();

        if (cpu.current() && (event.prev_pid < 0 || cpu.current()->task != prev)) {
            contradiction("prev_is_not_current",
                          "a switch took away another task than the one that was running: what "
                          "came between is unknown",
                          event.header.cpu, now);
            cut(cpu, before.value_or(now));
            cpu.startUnknown(now);
        }
        if (event.prev_pid < 0)
            return; // the record does not tell who ran
        if (!cpu.current()) {
            if (prev.valid())
                foundRunning(cpu, event.header, prev);
            else
                cpu.start({.task = {}, .begin = *cpu.knownSince(), .comm = {}, .openLeft = true});
        }
        if (!prev.valid())
            return;
        tasks.named(prev, event.prev_comm, now);
        cpu.close(now, tasks.comm(prev), event.prev_pid, event.prev_prio, event.prev_state);
        tasks.switchOut(prev, event.prev_state, now);
    }

    void switchIn(CpuTracker& cpu, const SchedSwitch& event) {
        const Nanos now = event.header.time;
        if (event.next_pid < 0) {
            cpu.startUnknown(now);
            return;
        }
        OpenRun run;
        run.begin = now;
        if (event.next_pid > 0) {
            run.task = tasks.lifeOf(event.next_pid, now);
            cutElsewhere(run.task, now);
            tasks.named(run.task, event.next_comm, now);
            run.comm = tasks.comm(run.task);
            run.tid = event.next_pid;
            run.prio = event.next_prio;
            run.migrated = tasks.switchIn(run.task, event.header.cpu, now);
        }
        cpu.start(run);
    }

    /// Who leaves by a switch record was running since the last one told so, or since the CPU's
    /// first known instant.
    void leave(CpuTracker& cpu, std::optional<Nanos> before, const SwitchRecord& event) {
        const Nanos now = event.header.time;
        TaskId task = event.pid > 0 ? tasks.lifeOf(event.pid, now) : TaskId();
        std::int32_t tid = event.pid;
        if (event.pid < 0 && cpu.current()) { // a dying task has no tid any more
            task = cpu.current()->task;
            tid = cpu.current()->tid;
        }
        if (cpu.current() ? cpu.current()->task != task : cpu.announced().has_value()) {
            missingRecord(event.header);
            cut(cpu, before.value_or(now));
            cpu.startUnknown(now);
        }
        if (!cpu.current() && task.valid())
            foundRunning(cpu, event.header, task);
        else if (!cpu.current() && event.pid == 0)
            cpu.start({.task = {}, .begin = *cpu.knownSince(), .comm = {}, .openLeft = true});
        if (task.valid()) {
            const PrevState state{event.preempted ? TaskState::runnable : TaskState::unknown, 0};
            if (event.pid > 0)
                tasks.named(task, event.comm, now);
            cpu.close(now, tasks.comm(task), tid, std::nullopt, state);
            tasks.switchOut(task, state, now);
        }
        if (event.other_pid == 0)
            cpu.start({.task = {}, .begin = now, .comm = {}});
        else
            cpu.leave(now, event.other_pid);
    }

    void come(CpuTracker& cpu, std::optional<Nanos> before, const SwitchRecord& event) {
        const Nanos now = event.header.time;
        const auto& current = cpu.current();
        const bool other =
            cpu.announced() && *cpu.announced() >= 0 && *cpu.announced() != event.pid;
        // Idle has seldom records of its own.
        const bool afterIdle =
            current && !current->task.valid() && (event.pid == 0 || event.other_pid <= 0);
        if (afterIdle && event.pid == 0)
            return;
        if (other || (current && !afterIdle)) {
            missingRecord(event.header);
            cut(cpu, before.value_or(now));
        }
        OpenRun run;
        run.begin = now;
        if (event.pid > 0) {
            run.task = tasks.lifeOf(event.pid, now);
            cutElsewhere(run.task, now);
            tasks.named(run.task, event.comm, now);
            run.comm = tasks.comm(run.task);
            run.tid = event.pid;
            run.migrated = tasks.switchIn(run.task, event.header.cpu, now);
        }
        cpu.start(run);
    }

    void missingRecord(const EventHeader& header) {
        contradiction("switch_record_missing",
                      "a task left a CPU on which it was not running, or came to one that none "
                      "had left: what came between is unknown",
                      header.cpu, header.time);
    }

    /// A life of `tid` begins: whatever ran under it must have ended.
    void cutFormerLife(std::int32_t tid, Nanos now) {
        if (const auto former = tasks.find(tid))
            cutElsewhere(*former, now);
    }
};

TraceBuilder::TraceBuilder()
    : m_state(std::make_unique<State>()) {}
TraceBuilder::~TraceBuilder() = default;

void TraceBuilder::schedSwitch(const SchedSwitch& event) {
    State& s = *m_state;
    const auto [cpu, before] = s.touch(event.header);
    s.trace->recordsSwitches = true;
    cpu.switched(event.header.time);
    s.switchOut(cpu, before, event);
    s.switchIn(cpu, event);
}

void TraceBuilder::switchRecord(const SwitchRecord& event) {
    State& s = *m_state;
    const auto [cpu, before] = s.touch(event.header);
    s.trace->recordsSwitches = true;
    ++s.switchRecords;
    if (event.pid < 0 && !event.out)
        return; // perf does not know who came
    // An out and the in behind it are one switch, and so are an out that announces idle and idle's
    // own in.
    const bool idleAlready = event.pid == 0 && cpu.current() && !cpu.current()->task.valid();
    if (event.out ? !idleAlready || event.other_pid != 0 : !cpu.announced() && !idleAlready)
        cpu.switched(event.header.time);
    if (event.out)
        s.leave(cpu, before, event);
    else
        s.come(cpu, before, event);
}

void TraceBuilder::schedWaking(const SchedWake& event) {
    State& s = *m_state;
    s.note(event.header);
    s.recordsWaking = true;
    if (event.pid <= 0)
        return;
    const Wake wake = s.wakeOf(event);
    const TaskId task = s.tasks.lifeOf(event.pid, wake.at);
    s.tasks.named(task, event.comm, wake.at);
    s.tasks.waking(task, wake);
}

void TraceBuilder::schedWakeup(const SchedWake& event) {
    State& s = *m_state;
    s.note(event.header);
    s.recordsWakeup = true;
    if (event.pid <= 0)
        return;
    const auto known = s.tasks.find(event.pid);
    const Wake wake = s.wakeOf(event, !known || !s.tasks.awaitsWakeup(*known));
    const TaskId task = s.tasks.lifeOf(event.pid, wake.at);
    s.tasks.named(task, event.comm, wake.at);
    s.tasks.wakeup(task, wake);
}

void TraceBuilder::schedWakeupNew(const SchedWake& event) {
    State& s = *m_state;
    s.note(event.header);
    if (event.pid <= 0)
        return;
    const Wake wake = s.wakeOf(event);
    s.cutFormerLife(event.pid, wake.at);
    const TaskId task = s.tasks.wokenNew(event.pid, wake.at);
    s.tasks.named(task, event.comm, wake.at);
    s.tasks.wakeupNew(task, wake);
}

void TraceBuilder::schedMigrateTask(const SchedMigrateTask& event) {
    State& s = *m_state;
    s.note(event.header);
    if (event.pid <= 0)
        return;
    const TaskId task = s.tasks.lifeOf(event.pid, event.header.time);
    s.tasks.named(task, event.comm, event.header.time);
    if (event.dest_cpu >= 0)
        s.tasks.migrate(task, event.dest_cpu, event.header.time);
}

void TraceBuilder::schedProcessFork(const SchedProcessFork& event) {
    State& s = *m_state;
    s.note(event.header);
    const Nanos now = event.header.time;
    if (event.parent_pid > 0 && !event.parent_comm.empty())
        s.tasks.named(s.tasks.lifeOf(event.parent_pid, now), event.parent_comm, now);
    if (event.child_pid <= 0)
        return;
    s.cutFormerLife(event.child_pid, now);
    const TaskId child = s.tasks.forked(event.child_pid, now);
    // The kernel copies the name of the parent.
    const auto parent = event.parent_pid > 0 ? s.tasks.find(event.parent_pid) : std::nullopt;
    if (!event.child_comm.empty())
        s.tasks.named(child, event.child_comm, now);
    else if (parent && s.tasks.comm(*parent).valid())
        s.tasks.named(child, s.trace->strings.text(s.tasks.comm(*parent)), now);
}

void TraceBuilder::schedProcessExec(const SchedProcessExec& event) {
    State& s = *m_state;
    s.note(event.header);
    if (event.pid <= 0)
        return;
    const Nanos now = event.header.time;
    if (event.old_pid > 0 && event.old_pid != event.pid) {
        s.cutFormerLife(event.pid, now);
        s.tasks.exec(event.old_pid, event.pid, now);
    }
    const TaskId task = s.tasks.lifeOf(event.pid, now);
    s.tasks.named(task, commOfFile(event.filename), now);
    s.tasks.grown(task);
}

void TraceBuilder::schedProcessExit(const SchedProcessExit& event) {
    State& s = *m_state;
    s.note(event.header);
    if (event.pid <= 0)
        return;
    const TaskId task = s.tasks.lifeOf(event.pid, event.header.time);
    s.tasks.named(task, event.comm, event.header.time);
    s.tasks.exiting(task);
}

void TraceBuilder::taskRename(const TaskRename& event) {
    State& s = *m_state;
    s.note(event.header);
    if (event.pid <= 0)
        return;
    const TaskId task = s.tasks.lifeOf(event.pid, event.header.time);
    s.tasks.formerlyNamed(task, event.oldcomm);
    s.tasks.named(task, event.newcomm, event.header.time);
}

void TraceBuilder::otherEvent(const EventHeader& header) {
    m_state->note(header);
}

void TraceBuilder::lostEvents(const LostEvents& loss) {
    State& s = *m_state;
    s.trace->losses.push_back(loss);
    if (loss.count >= 0)
        s.trace->lostEvents += static_cast<std::uint64_t>(loss.count);
    else
        s.trace->lostUncounted = true;
    s.found.add(
        "gaps", Severity::dataLoss, "events were lost: what happened in the gap is unknown",
        [&] { return fmt::format("CPU {}", loss.cpu); }, loss.range.begin,
        "record with a larger buffer (trace-cmd record -b, perf record -m)");
    s.gaps.add(loss.range);
    CpuTracker* cpu = s.cpus.find(loss.cpu);
    if (!cpu)
        return; // nothing was known of it yet
    // Also where the events around the loss bear one stamp: what came between is unknown all the
    // same.
    s.tasks.gapOn(loss.cpu, loss.range.begin);
    s.cut(*cpu, loss.range.begin);
}

std::shared_ptr<const Trace> TraceBuilder::finish(TraceInfo info, Diagnostics diagnostics) {
    State& s = *m_state;
    Trace& trace = *s.trace;
    trace.info = std::move(info);
    trace.range = s.range.value_or(TimeRange{});
    trace.wakeEdge = s.recordsWaking   ? WakeEdge::waking
                     : s.recordsWakeup ? WakeEdge::wakeup
                                       : WakeEdge::none;
    trace.lostEvents += trace.info.lostElsewhere;
    const std::uint64_t doubted = s.tasks.finish(trace.range.end, s.recordsWaking);
    trace.cpus = s.cpus.finish(trace.range.end);
    markLowerBounds(trace);

    // Without any wake event every switch-in lacks one; that is told once.
    const bool noWakes = trace.wakeEdge == WakeEdge::none;
    s.found.tell(diagnostics, trace.info, noWakes ? "switch_in_without_wake" : "");
    diagnostics.add({"switch_records", Severity::dataLoss, s.switchRecords,
                     "switches are told by perf's own records alone: priorities and kinds of sleep "
                     "are unknown, and so is each CPU between the two records of a switch",
                     "", "record sched_switch: perf sched record"});
    diagnostics.add({"wakeup_without_waking", Severity::dataLoss, doubted,
                     "a sched_wakeup came without its sched_waking: the wait that it starts is "
                     "doubtful",
                     "", ""});
    if (noWakes && trace.recordsSwitches)
        diagnostics.add({"no_wake_events", Severity::dataLoss, 1,
                         "wakeups were not recorded: wakeup latencies and sleeps are unknown", "",
                         "record sched_waking and sched_wakeup too"});
    trace.diagnostics = std::move(diagnostics);
    return std::move(s.trace);
}

} // namespace twolane
