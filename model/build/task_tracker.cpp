#include "model/build/task_tracker.h"

#include <fmt/format.h>

#include <algorithm>

namespace twolane {
namespace {

// Linux allows pids up to 4 Mi (PID_MAX_LIMIT); larger ones occur in damaged files only.
constexpr std::uint32_t pidLimit = (1U << 22) + 1;

} // namespace

TaskTracker::TaskTracker(Trace& trace, const GapList& gaps, Findings& findings, CpuTrackers& cpus)
    : m_trace(trace)
    , m_gaps(gaps)
    , m_findings(findings)
    , m_cpus(cpus)
    , m_byTid(pidLimit) {}

// --- Lives

TaskId TaskTracker::create(std::int32_t tid, Nanos at) {
    const TaskId task(static_cast<std::uint32_t>(m_lives.size()));
    const auto exec = m_leftByExec.find(tid);
    Task entry;
    entry.tid = tid;
    entry.life = {at, at};
    m_trace.tasks.push_back(entry);
    m_lives.emplace_back();
    if (exec != m_leftByExec.end())
        m_lives.back().notBefore = exec->second;
    m_byTid.set(static_cast<std::uint32_t>(tid), task.value());
    return task;
}

TaskId TaskTracker::lifeOf(std::int32_t tid, Nanos at) {
    const std::uint32_t known = current(tid);
    if (known == SparseIndex::absent)
        return create(tid, at);
    const TaskId task(known);
    if (life(task).state == State::dead) {
        const Nanos death = m_trace.tasks[known].life.end;
        const TaskId next = create(tid, at);
        life(next).notBefore = death;
        return next;
    }
    settleGap(task);
    return task;
}

TaskId TaskTracker::lifeOfWaker(std::int32_t tid, Nanos at) {
    const std::uint32_t known = current(tid);
    return known == SparseIndex::absent ? create(tid, at) : TaskId(known);
}

TaskId TaskTracker::fresh(TaskId task, bool lived, Nanos at) {
    if (!lived)
        return task;
    endLife(task, at);
    return create(tid(task), at);
}

TaskId TaskTracker::forked(std::int32_t tid, Nanos at) {
    const std::size_t before = m_lives.size();
    TaskId task = lifeOf(tid, at);
    task = fresh(task, life(task).hasHistory && !life(task).isNewborn, at);
    Life& child = life(task);
    if (m_lives.size() > before)
        child.notBefore = at;
    child.isNewborn = true;
    child.unknownSinceSlice = true;
    m_trace.tasks[task.value()].born = true;
    return task;
}

TaskId TaskTracker::wokenNew(std::int32_t tid, Nanos at) {
    const TaskId task = lifeOf(tid, at);
    return fresh(task, life(task).hasHistory, at);
}

void TaskTracker::endLife(TaskId task, Nanos at) {
    Life& l = life(task);
    if (waits(l))
        endWait(task, at, std::nullopt, Certainty::clipped);
    else if (l.state == State::asleep)
        endSleep(task, at);
    m_trace.tasks[task.value()].life.end = at;
    l.state = State::dead;
}

void TaskTracker::exec(std::int32_t oldTid, std::int32_t tid, Nanos at) {
    const TaskId thread = lifeOf(oldTid, at);
    const std::uint32_t leader = current(tid);
    if (leader != SparseIndex::absent && leader != thread.value() &&
        m_lives[leader].state != State::dead) {
        settleGap(TaskId(leader));
        endLife(TaskId(leader), at);
    }
    m_byTid.erase(static_cast<std::uint32_t>(oldTid));
    m_leftByExec[oldTid] = at;
    m_byTid.set(static_cast<std::uint32_t>(tid), thread.value());
    m_trace.tasks[thread.value()].tid = tid;
}

void TaskTracker::exiting(TaskId task) {
    life(task).exiting = true;
    grown(task);
}

void TaskTracker::named(TaskId task, std::string_view comm, Nanos at) {
    if (comm.empty())
        return;
    Life& l = life(task);
    if (l.commText == comm)
        return; // nearly always
    l.comm = m_trace.strings.intern(comm);
    l.commText = m_trace.strings.text(l.comm);
    m_trace.comms.push_back({task, at, l.comm});
}

void TaskTracker::formerlyNamed(TaskId task, std::string_view comm) {
    if (!life(task).comm.valid())
        named(task, comm, m_trace.tasks[task.value()].life.begin);
}

void TaskTracker::die(TaskId task, Nanos at) {
    Task& entry = m_trace.tasks[task.value()];
    entry.life.end = at;
    entry.died = true;
    life(task).state = State::dead;
}

// --- Running

bool TaskTracker::switchIn(TaskId task, std::int32_t cpu, Nanos at) {
    Life& l = life(task);
    bool unknownBefore = l.unknownSinceSlice;
    l.unwokenRun = false;
    switch (l.state) {
    case State::woken:
    case State::fresh:
    case State::preempted:
        endWait(task, at, cpu, Certainty::exact);
        break;
    case State::asleep:
        unknownBefore = true;
        l.unwokenRun = true;
        count("switch_in_without_wake", Severity::dataLoss,
              "a sleeping task was switched in and no wake of it was recorded: its time off the "
              "CPU is unknown",
              task, at, "");
        break;
    default:
        unknownBefore = true;
        break;
    }
    const bool migrated = l.lastCpu >= 0 && l.lastCpu != cpu && !unknownBefore &&
                          !m_gaps.overlaps({*l.notBefore, at});
    l.state = State::running;
    l.clippedRows.clear();
    l.isNewborn = false;
    l.hasHistory = true;
    l.unknownSinceSlice = false;
    l.staleWakings = l.pendingWakings.size();
    l.wakeInRun.reset();
    l.cpu = cpu;
    l.lastCpu = cpu;
    l.since = at;
    l.runComm = l.comm;
    l.runTid = tid(task);
    return migrated;
}

void TaskTracker::foundRunning(TaskId task, std::int32_t cpu, Nanos since) {
    Life& l = life(task);
    l.wakeInRun.reset();
    // A wait that a gap ended later than this was none any more.
    bool wasClipped = false;
    for (const auto& [row, end] : l.clippedRows) {
        if (end <= since)
            continue;
        m_droppedWaits[row] = true;
        wasClipped = true;
    }
    l.clippedRows.clear();
    if (waits(l) || (l.state == State::unknown && wasClipped)) {
        // A wake since the run began found the task running, unseen as it was.
        if (l.wait.kind != WaitKind::fork && l.lastWake && l.lastWake->at >= since)
            l.wakeInRun = l.lastWake;
        dropWait(task, since);
    }
    l.state = State::running;
    l.isNewborn = false;
    l.hasHistory = true;
    l.unwokenRun = false;
    l.unknownSinceSlice = false;
    const auto inRun = std::find_if(l.pendingWakings.begin(), l.pendingWakings.end(),
                                    [since](Nanos at) { return at >= since; });
    l.staleWakings = static_cast<std::size_t>(inRun - l.pendingWakings.begin());
    l.cpu = cpu;
    l.lastCpu = cpu;
    l.since = since;
    Nanos& begin = m_trace.tasks[task.value()].life.begin;
    begin = std::min(begin, since);
}

void TaskTracker::endRun(Life& l, Nanos at) {
    l.notBefore = at;
    l.pendingWakings.erase(l.pendingWakings.begin(),
                           l.pendingWakings.begin() + static_cast<std::ptrdiff_t>(l.staleWakings));
    l.staleWakings = 0;
}

void TaskTracker::switchOut(TaskId task, PrevState state, Nanos at) {
    Life& l = life(task);
    endRun(l, at);
    const std::optional<Wake> wakeInRun = std::exchange(l.wakeInRun, std::nullopt);

    if (state.dead() || (l.exiting && !state.runnable())) {
        die(task, at);
        return;
    }
    if (state.runnable()) {
        if (wakeInRun)
            count("wake_of_running", Severity::info,
                  "a running task was woken and left the CPU still runnable: no wait starts at "
                  "such a wake",
                  task, wakeInRun->at, "");
        Wake wake;
        wake.at = at;
        wake.queuedCpu = l.cpu;
        wake.queuedAt = at;
        l.state = State::preempted;
        beginWait(task, WaitKind::preempted, at, wake);
        return;
    }
    if (wakeInRun) {
        l.state = State::woken;
        beginWait(task, WaitKind::wakeup, at, *wakeInRun);
        return;
    }
    if (state.state == TaskState::unknown) {
        l.state = State::unknown;
        l.unknownSinceSlice = true;
        return;
    }
    l.state = State::asleep;
    l.since = at;
    l.sleepState = state.state;
}

void TaskTracker::lose(TaskId task, Nanos at) {
    Life& l = life(task);
    endRun(l, at);
    l.wakeInRun.reset();
    l.state = State::unknown;
    l.unknownSinceSlice = true;
}

std::optional<std::int32_t> TaskTracker::runsOn(TaskId task) const {
    const Life& l = life(task);
    return l.state == State::running ? std::optional(l.cpu) : std::nullopt;
}

std::optional<TaskId> TaskTracker::find(std::int32_t tid) const {
    const std::uint32_t known = current(tid);
    if (known == SparseIndex::absent || m_lives[known].state == State::dead)
        return std::nullopt;
    return TaskId(known);
}

// --- Waiting and sleeping

void TaskTracker::queue(Life& l, std::int32_t cpu) {
    l.cpu = cpu;
    l.queuedSerial = ++m_serial;
}

void TaskTracker::beginWait(TaskId task, WaitKind kind, Nanos start, const Wake& wake) {
    Life& l = life(task);
    l.hasHistory = true;
    l.lastWake.reset();
    l.sleepRow.reset();
    l.wait = Wait();
    l.wait.kind = kind;
    l.wait.start = start;
    l.wait.task = task;
    l.wait.wakeAt = wake.at;
    l.wait.queuedCpu = wake.queuedCpu;
    l.wait.queuedAt = wake.queuedAt;
    if (kind != WaitKind::preempted) {
        l.wait.wakerTid = wake.wakerTid;
        l.wait.waker = wake.waker;
        l.wait.wakerCpu = wake.wakerCpu;
    }
    l.waitWithoutWaking = wake.withoutWaking;
    l.waitRow = static_cast<std::uint32_t>(m_trace.waits.reserveRow());
    m_droppedWaits.push_back(false);
    if (wake.queuedAt && wake.movedTo && wake.movedTo != wake.queuedCpu)
        m_trace.waits.move({l.waitRow, *wake.movedTo, start});
    queue(l, (wake.movedTo ? wake.movedTo : wake.queuedCpu).value_or(-1));
}

void TaskTracker::endWait(TaskId task, Nanos at, std::optional<std::int32_t> cpu,
                          Certainty certainty) {
    Life& l = life(task);
    Wait& wait = l.wait;
    wait.end = at;
    wait.cpu = cpu;
    wait.tid = tid(task);
    wait.comm = l.comm;
    if (certainty == Certainty::exact && (wait.lastWakeAt || m_gaps.overlaps({*wait.start, at})))
        certainty = Certainty::doubtful;
    wait.certainty = certainty;
    m_trace.waits.set(l.waitRow, wait);
    if (certainty == Certainty::clipped)
        m_queues.waitCut(l.waitRow);
    else
        m_queues.waitEnded(l.waitRow);
    if (l.waitWithoutWaking)
        m_rowsWithoutWaking.push_back(l.waitRow);
}

void TaskTracker::dropWait(TaskId task, Nanos since) {
    Life& l = life(task);
    m_droppedWaits[l.waitRow] = true;
    // Did the wake find it running, then it had not slept until that wake.
    if (l.sleepRow && l.wait.wakeAt >= since)
        m_trace.sleeps[*l.sleepRow].range = {};
    if (*l.wait.start < since || l.wait.kind != WaitKind::wakeup)
        count("wait_end_unseen", Severity::dataLoss,
              "a waiting task was found to have run already: the end of its wait is unknown", task,
              since, "");
}

void TaskTracker::endSleep(TaskId task, Nanos at) {
    const Life& l = life(task);
    const Nanos knownUntil = m_gaps.firstInside({l.since, at}).value_or(at);
    if (knownUntil > l.since)
        m_trace.sleeps.push_back({{l.since, knownUntil}, task, l.sleepState});
}

// --- Waking

void TaskTracker::waking(TaskId task, const Wake& wake) {
    life(task).pendingWakings.push_back(wake.at);
    this->wake(task, wake);
}

void TaskTracker::wakeup(TaskId task, const Wake& wake) {
    Life& l = life(task);
    if (l.pendingWakings.empty()) {
        Wake own = wake;
        own.withoutWaking = true;
        own.queuedAt = own.at;
        this->wake(task, own);
        return;
    }
    // The second stamp of the latest wake that still waits for one.
    l.pendingWakings.pop_back();
    l.staleWakings = std::min(l.staleWakings, l.pendingWakings.size());
    const auto stamp = [&wake](auto& stamped) {
        if (stamped.queuedAt)
            return;
        if (wake.queuedCpu)
            stamped.queuedCpu = wake.queuedCpu;
        stamped.queuedAt = wake.at;
    };
    const auto stampWake = [&](Wake& stamped) {
        if (!stamped.queuedAt && wake.queuedCpu)
            stamped.movedTo.reset();
        stamp(stamped);
    };
    if (waits(l)) {
        if (l.lastWake)
            stampWake(*l.lastWake);
        if (l.state != State::woken || l.wait.queuedAt)
            return;
        stamp(l.wait);
        if (wake.queuedCpu)
            queue(l, *wake.queuedCpu);
    } else if (l.state == State::running && l.wakeInRun) {
        stampWake(*l.wakeInRun);
    }
}

void TaskTracker::wakeupNew(TaskId task, const Wake& wake) {
    Wake own = wake;
    own.queuedAt = own.at;
    life(task).state = State::fresh;
    life(task).notBefore = wake.at;
    beginWait(task, WaitKind::fork, own.at, own);
}

void TaskTracker::wake(TaskId task, const Wake& wake) {
    Life& l = life(task);
    l.isNewborn = false;
    switch (l.state) {
    case State::asleep: {
        const std::size_t before = m_trace.sleeps.size();
        endSleep(task, wake.at);
        l.state = State::woken;
        beginWait(task, WaitKind::wakeup, wake.at, wake);
        l.lastWake = wake;
        if (m_trace.sleeps.size() > before)
            l.sleepRow = static_cast<std::uint32_t>(before);
        return;
    }
    case State::unknown:
        l.state = State::woken;
        beginWait(task, WaitKind::wakeup, wake.at, wake);
        l.lastWake = wake;
        return;
    case State::running:
        if (l.unwokenRun)
            lateWake(task, wake);
        else
            l.wakeInRun = wake;
        return;
    case State::woken:
    case State::fresh:
        l.lastWake = wake;
        l.wait.lastWakeAt = wake.at;
        count("second_wake", Severity::dataLoss,
              "a task was woken twice before it ran: the length of its wait is doubtful", task,
              wake.at, "both lengths are kept; a wakeup may have been lost");
        return;
    case State::preempted:
        l.lastWake = wake;
        count("wake_of_preempted", Severity::info,
              "a preempted task was woken: no wait starts at such a wake", task, wake.at, "");
        return;
    case State::dead:
        return; // lifeOf() began a new life
    }
}

void TaskTracker::lateWake(TaskId task, const Wake& wake) {
    Life& l = life(task);
    l.unwokenRun = false;

    Wait late;
    late.kind = WaitKind::wakeup;
    late.certainty = Certainty::doubtful;
    late.end = l.since;
    late.task = task;
    late.tid = l.runTid;
    late.comm = l.runComm;
    late.cpu = l.cpu;
    late.wakeAt = wake.at;
    late.wakerTid = wake.wakerTid;
    late.waker = wake.waker;
    late.wakerCpu = wake.wakerCpu;
    late.queuedCpu = wake.queuedCpu;
    late.queuedAt = wake.queuedAt;
    m_trace.waits.set(m_trace.waits.reserveRow(), late);
    m_droppedWaits.push_back(false);

    const Nanos skew = l.since - wake.at;
    ClockSkew& pair = m_skews[{wake.wakerCpu, l.cpu}];
    pair.wakerCpu = wake.wakerCpu;
    pair.cpu = l.cpu;
    pair.worst = pair.count == 0 ? skew : std::min(pair.worst, skew);
    ++pair.count;
    count("clock_skew", Severity::dataLoss,
          "a wake is stamped later than the run that it led to: the clocks of two CPUs disagree",
          task, wake.at, "record with a clock that all CPUs share, such as -C mono");
}

void TaskTracker::migrate(TaskId task, std::int32_t destCpu, Nanos at) {
    Life& l = life(task);
    const auto move = [destCpu](std::optional<Wake>& wake) {
        if (!wake)
            return;
        if (!wake->queuedAt)
            wake->queuedCpu = destCpu;
        wake->movedTo = destCpu;
    };
    if (waits(l)) {
        if (!l.wait.queuedAt)
            l.wait.queuedCpu = destCpu;
        else if (l.cpu != destCpu)
            m_trace.waits.move({l.waitRow, destCpu, at});
        move(l.lastWake);
        queue(l, destCpu);
    } else if (l.state == State::running) {
        move(l.wakeInRun);
    }
}

// --- Gaps

void TaskTracker::gapOn(std::int32_t cpu, Nanos at) {
    m_cpuGaps[cpu].push_back({++m_serial, at});
}

void TaskTracker::settleGap(TaskId task) {
    Life& l = life(task);
    if (m_cpuGaps.empty() || !waits(l))
        return;
    const auto gaps = m_cpuGaps.find(l.cpu);
    if (gaps == m_cpuGaps.end())
        return;
    const auto first = std::upper_bound(
        gaps->second.begin(), gaps->second.end(), l.queuedSerial,
        [](std::uint64_t serial, const CpuGap& gap) { return serial < gap.serial; });
    if (first == gaps->second.end())
        return;
    endWait(task, first->at, std::nullopt, Certainty::clipped);
    l.clippedRows.emplace_back(l.waitRow, first->at);
    l.state = State::unknown;
    l.unknownSinceSlice = true;
}

// --- The end

std::uint64_t TaskTracker::finish(Nanos end, bool recordsWaking) {
    for (std::uint32_t i = 0; i < m_lives.size(); ++i) {
        const TaskId task(i);
        Life& l = life(task);
        if (l.state == State::dead)
            continue;
        settleGap(task);
        if (l.state == State::running && l.wakeInRun)
            count("wake_of_running", Severity::info,
                  "a running task was woken and left the CPU still runnable: no wait starts at "
                  "such a wake",
                  task, l.wakeInRun->at, "");
        if (waits(l))
            endWait(task, end, std::nullopt, Certainty::clipped);
        if (l.state == State::asleep)
            endSleep(task, end);
        m_trace.tasks[i].life.end = end;
    }
    std::uint64_t doubted = 0;
    if (recordsWaking) {
        for (const std::uint32_t row : m_rowsWithoutWaking)
            if (!m_droppedWaits[row]) {
                m_trace.waits.doubt(row);
                ++doubted;
            }
    }
    m_queues.tell(m_trace.waits, m_droppedWaits, end, m_cpus);
    m_trace.waits.arrange(m_droppedWaits);
    for (const auto& [pair, skew] : m_skews)
        m_trace.skews.push_back(skew);
    arrangeByTask();
    return doubted;
}

void TaskTracker::arrangeByTask() {
    std::erase_if(m_trace.sleeps, [](const Sleep& sleep) { return sleep.range.empty(); });
    // Both columns were filled in order of time: a stable distribution over the tasks keeps it.
    std::vector<std::uint32_t> place(m_lives.size() + 1, 0);
    for (const Sleep& sleep : m_trace.sleeps)
        ++place[sleep.task.value() + 1];
    for (std::size_t i = 1; i < place.size(); ++i)
        place[i] += place[i - 1];
    std::vector<Sleep> sleeps(m_trace.sleeps.size());
    for (const Sleep& sleep : m_trace.sleeps)
        sleeps[place[sleep.task.value()]++] = sleep;
    m_trace.sleeps = std::move(sleeps);

    std::stable_sort(m_trace.comms.begin(), m_trace.comms.end(),
                     [](const CommChange& a, const CommChange& b) { return a.task < b.task; });
}

// --- Counting

std::string TaskTracker::named(TaskId task) const {
    const Life& l = life(task);
    return fmt::format("{} tid {}", l.comm.valid() ? l.commText : "task", tid(task));
}

void TaskTracker::count(const char* code, Severity severity, const char* what, TaskId task,
                        Nanos at, const char* advice) {
    m_findings.add(
        code, severity, what, [&] { return named(task); }, at, advice);
}

} // namespace twolane
