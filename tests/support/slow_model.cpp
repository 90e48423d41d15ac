#include "tests/support/slow_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace twolane::tests {

namespace {

using Kind = TestEvent::Kind;

/// A wake and its second stamp.
struct SlowWake {
    std::size_t order = 0; ///< its place in the list of events
    Nanos time = 0;
    std::int32_t cpu = 0;
    std::int32_t wakerTid = -1;
    std::optional<std::size_t> waker;
    bool doubtful = false; ///< a sched_wakeup without its sched_waking, where there should be one
    std::optional<std::int32_t> queuedCpu; ///< from sched_wakeup
    std::optional<Nanos> queuedAt;
    std::optional<std::int32_t> place; ///< the CPU whose queue holds the task, as far as known
};

enum class Doing { unknown, running, waiting, asleep, dead };

struct OpenWait {
    SlowWait row;
    std::optional<std::int32_t> place; ///< the CPU whose queue holds the task by now
    /// The wakes that came while the task was off the CPU, the one that began the wait included.
    std::vector<SlowWake> wakes;
    bool begunByWake = false;               ///< not by a switch-out
    std::optional<std::size_t> sleepBefore; ///< the sleep that its wake ended
};

struct Life {
    SlowLife row;
    Nanos notBefore = 0; ///< no open-left run of it reaches back beyond
    std::string comm;
    bool exiting = false;
    bool newborn = false;
    bool hasHistory = false; ///< ran, slept or waited
    bool wakenNew = false;   ///< had its sched_wakeup_new

    Doing doing = Doing::unknown;
    Nanos since = 0; ///< of `doing`
    TaskState sleepState = TaskState::sleeping;
    OpenWait wait;
    std::vector<std::size_t> clippedByGap; ///< rows of waits since its last run that gaps ended
    SlowSlice run;
    std::size_t runOrder = 0;      ///< the place of its switch-in among the events
    bool lateWakePossible = false; ///< this run followed a seen sleep whose wake was not seen
    std::vector<SlowWake> wakesInRun;
    std::vector<SlowWake> pending; ///< sched_wakings without their sched_wakeup

    std::optional<SlowSlice> previousRun;
    bool unknownSinceRun = false;
};

struct Cpu {
    std::optional<Nanos> lastEvent;
    /// Nothing: not known at present, not even that it records.
    std::optional<Nanos> knownFrom;
    Nanos unknownFrom = 0;              ///< while `knownFrom` is empty
    bool told = false;                  ///< a sched_switch has told who is current
    std::optional<std::size_t> current; ///< nothing: idle
};

bool overlap(TimeRange gap, TimeRange other) {
    return !gap.empty() && gap.begin < other.end && gap.end > other.begin;
}

class SlowModel {
public:
    explicit SlowModel(const std::vector<TestEvent>& events)
        : m_events(events) {}

    SlowTrace run() {
        findRange();
        m_trace.wakeEdge = findWakeEdge();
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            m_order = i;
            take(m_events[i]);
        }
        close();
        weighGaps();
        for (const Life& life : m_lives)
            m_trace.lives.push_back(life.row);
        return std::move(m_trace);
    }

private:
    // ------------------------------------------------------------------ the trace as a whole

    void findRange() {
        bool first = true;
        for (const TestEvent& event : m_events) {
            if (event.kind == Kind::lost) {
                m_gaps.push_back({event.time, event.lostEnd});
                continue;
            }
            if (first)
                m_trace.range.begin = event.time;
            m_trace.range.end = event.time;
            first = false;
        }
    }

    WakeEdge findWakeEdge() const {
        const auto has = [&](Kind kind) {
            return std::any_of(m_events.begin(), m_events.end(),
                               [&](const TestEvent& event) { return event.kind == kind; });
        };
        if (has(Kind::waking))
            return WakeEdge::waking;
        return has(Kind::wakeup) ? WakeEdge::wakeup : WakeEdge::none;
    }

    // ------------------------------------------------------------------ lives

    /// The latest life of the tid, dead or not.
    std::optional<std::size_t> latest(std::int32_t tid) const {
        const auto found = m_lifeOfTid.find(tid);
        if (found == m_lifeOfTid.end())
            return std::nullopt;
        return found->second;
    }

    std::size_t newLife(std::int32_t tid, Nanos time) {
        Life life;
        life.row.tid = tid;
        life.row.first = time;
        life.since = time;
        life.notBefore = m_trace.range.begin;
        if (const auto before = latest(tid))
            life.notBefore = m_lives[*before].row.last;
        if (const auto gone = m_goneAt.find(tid); gone != m_goneAt.end())
            life.notBefore = std::max(life.notBefore, gone->second);
        m_lives.push_back(life);
        m_lifeOfTid[tid] = m_lives.size() - 1;
        return m_lives.size() - 1;
    }

    /// The life that an event speaks of: begins at first sight or after a death.
    std::size_t lifeOf(std::int32_t tid, Nanos time) {
        const auto known = latest(tid);
        if (known && m_lives[*known].doing != Doing::dead)
            return *known;
        return newLife(tid, time);
    }

    /// A record's header names a waker. That is no evidence that a dead task lives again.
    std::optional<std::size_t> wakerOf(const TestEvent& event) {
        if (event.header <= 0)
            return std::nullopt;
        if (const auto known = latest(event.header))
            return known;
        return newLife(event.header, event.time);
    }

    /// fork, newtask and sched_wakeup_new begin a life unless they speak of the newborn itself.
    std::size_t birthOf(std::int32_t tid, Nanos time, bool again = false) {
        const auto known = latest(tid);
        if (known && m_lives[*known].doing != Doing::dead) {
            const Life& life = m_lives[*known];
            if ((life.newborn && !again) || !life.hasHistory)
                return *known;
            endUnseen(*known, time);
        }
        const std::size_t born = newLife(tid, time);
        m_lives[born].notBefore = time;
        return born;
    }

    /// The life is over, but its end was not recorded.
    void endUnseen(std::size_t id, Nanos time) {
        Life& life = m_lives[id];
        if (life.doing == Doing::running)
            stopElsewhere(life);
        if (life.doing == Doing::waiting)
            clipWait(life, time);
        if (life.doing == Doing::asleep)
            keepSleep(life, time);
        life.doing = Doing::dead;
        life.row.last = time;
    }

    /// A name in the body of an event is the task's own at that moment.
    static void giveName(Life& life, const std::string& comm) {
        if (!comm.empty())
            life.comm = comm;
    }

    // ------------------------------------------------------------------ one event

    void take(const TestEvent& event) {
        if (event.kind == Kind::lost) {
            onLost(event);
            return;
        }
        Cpu& cpu = cpuOf(event.cpu);
        if (!cpu.knownFrom) {
            addUnknown(event.cpu, {cpu.unknownFrom, event.time});
            cpu.knownFrom = event.time;
        }
        switch (event.kind) {
        case Kind::switched:
            onSwitch(event);
            break;
        case Kind::waking:
            onWaking(event);
            break;
        case Kind::wakeup:
            onWakeup(event);
            break;
        case Kind::wakeupNew:
            onWakeupNew(event);
            break;
        case Kind::migrate:
            onMigrate(event);
            break;
        case Kind::fork:
            onFork(event);
            break;
        case Kind::exec:
            onExec(event);
            break;
        case Kind::exit:
            onExit(event);
            break;
        case Kind::rename:
            onRename(event);
            break;
        case Kind::other:
        case Kind::lost:
            break;
        }
        cpu.lastEvent = event.time;
    }

    Cpu& cpuOf(std::int32_t number) {
        const auto [place, isNew] = m_cpus.try_emplace(number);
        if (isNew)
            place->second.unknownFrom = m_trace.range.begin;
        return place->second;
    }

    void addUnknown(std::int32_t cpu, TimeRange range) {
        if (!range.empty())
            m_trace.unknown[cpu].push_back(range);
    }

    // ------------------------------------------------------------------ runs

    void onSwitch(const TestEvent& event) {
        Cpu& cpu = cpuOf(event.cpu);
        if (cpu.told) {
            const std::int32_t current = cpu.current ? m_lives[*cpu.current].row.tid : 0;
            if (current == event.tid) {
                if (cpu.current)
                    endRun(m_lives[*cpu.current], event.time, event.comm, event.prio, event.state);
            } else {
                // Contradiction: what was current is known up to the CPU's last event only.
                if (cpu.current)
                    cutRun(m_lives[*cpu.current], *cpu.lastEvent);
                addUnknown(event.cpu, {*cpu.lastEvent, event.time});
                cpu.told = false;
                cpu.knownFrom = event.time;
            }
        }
        if (!cpu.told && event.tid > 0)
            openLeftRun(event, cpu);

        cpu.told = true;
        cpu.current.reset();
        if (event.tid2 > 0)
            cpu.current = switchIn(event);
    }

    /// prev was on its CPU already when that became known.
    void openLeftRun(const TestEvent& event, const Cpu& cpu) {
        const std::size_t id = lifeOf(event.tid, event.time);
        Life& life = m_lives[id];
        if (life.doing == Doing::running)
            stopElsewhere(life);

        Nanos begin = std::max(*cpu.knownFrom, life.notBefore);
        if (life.previousRun)
            begin = std::max(begin, life.previousRun->range.end);
        if (life.doing == Doing::waiting && life.wait.row.kind == WaitKind::fork)
            begin = std::max(begin, *life.wait.row.start);
        addUnknown(event.cpu, {*cpu.knownFrom, begin});
        life.row.first = std::min(life.row.first, begin);

        life.wakesInRun.clear();
        // A wait that a gap ended after the run had begun was no wait any more.
        bool endedLater = false;
        for (const std::size_t row : life.clippedByGap) {
            if (m_trace.waits[row].end <= begin)
                continue;
            m_droppedWaits.push_back(row);
            endedLater = life.doing == Doing::unknown;
        }
        life.clippedByGap.clear();
        if ((life.doing == Doing::waiting || endedLater) && life.wait.row.kind != WaitKind::fork) {
            // Wakes that came after the run had begun found it running. Where the very first did,
            // the sleep that it seemed to end had ended unseen before.
            for (const SlowWake& wake : life.wait.wakes)
                if (wake.time >= begin)
                    life.wakesInRun.push_back(wake);
            if (life.wait.begunByWake && *life.wait.row.start >= begin && life.wait.sleepBefore)
                m_droppedSleeps.push_back(*life.wait.sleepBefore);
        }

        life.doing = Doing::running;
        life.hasHistory = true;
        life.newborn = false;
        life.lateWakePossible = false;
        life.run = {};
        life.run.range.begin = begin;
        life.run.cpu = event.cpu;
        life.run.life = id;
        life.run.openLeft = true;
        endRun(life, event.time, event.comm, event.prio, event.state);
    }

    std::size_t switchIn(const TestEvent& event) {
        const std::size_t id = lifeOf(event.tid2, event.time);
        Life& life = m_lives[id];
        if (life.doing == Doing::running)
            stopElsewhere(life);
        life.comm = event.comm2;

        life.lateWakePossible = false;
        life.clippedByGap.clear();
        if (life.doing == Doing::waiting) {
            life.wait.row.end = event.time;
            life.wait.row.cpu = event.cpu;
            keepWait(life);
        } else {
            life.lateWakePossible = life.doing == Doing::asleep;
            life.unknownSinceRun = true;
        }

        SlowSlice run;
        run.range.begin = event.time;
        run.cpu = event.cpu;
        run.life = id;
        run.tid = event.tid2;
        run.comm = event.comm2;
        run.prio = event.prio2;
        if (life.previousRun && !life.unknownSinceRun) {
            const TimeRange offCpu{life.previousRun->range.end, event.time};
            run.migrated = life.previousRun->cpu != event.cpu &&
                           std::none_of(m_gaps.begin(), m_gaps.end(),
                                        [&](TimeRange gap) { return overlap(gap, offCpu); });
        }
        life.run = run;
        life.runOrder = m_order;
        life.doing = Doing::running;
        life.hasHistory = true;
        life.newborn = false;
        life.wakesInRun.clear();
        return id;
    }

    /// The switch-out that was seen.
    void endRun(Life& life, Nanos time, const std::string& comm, std::int32_t prio,
                PrevState state) {
        life.run.range.end = time;
        life.run.tid = life.row.tid;
        life.run.comm = comm;
        life.run.prio = prio;
        life.run.endState = state;
        life.comm = comm;
        const std::size_t id = life.run.life;
        const std::int32_t cpu = life.run.cpu;
        keepRun(life);
        const std::vector<SlowWake> wakes = std::exchange(life.wakesInRun, {});

        life.since = time;
        if (state.dead() || (life.exiting && !state.runnable())) {
            life.doing = Doing::dead;
            life.row.died = true;
            life.row.last = time;
        } else if (state.runnable()) {
            life.doing = Doing::waiting;
            life.wait = {};
            life.wait.row.kind = WaitKind::preempted;
            life.wait.row.start = time;
            life.wait.row.life = id;
            life.wait.row.wakeAt = time;
            life.wait.row.queuedCpu = cpu;
            life.wait.row.queuedAt = time;
            life.wait.place = cpu;
        } else if (!wakes.empty()) {
            beginWait(life, id, WaitKind::wakeup, time, wakes.back());
        } else {
            life.doing = Doing::asleep;
            life.sleepState = state.state;
        }
    }

    void keepRun(Life& life) {
        m_trace.slices.push_back(life.run);
        // A sched_waking from before this run will not have its sched_wakeup any more.
        std::erase_if(life.pending, [&](const SlowWake& wake) {
            return life.run.openLeft ? wake.time < life.run.range.begin
                                     : wake.order < life.runOrder;
        });
        life.previousRun = life.run;
        life.unknownSinceRun = false;
    }

    /// The run's end was not seen; it is known up to `time`.
    void cutRun(Life& life, Nanos time) {
        life.run.range.end = time;
        life.run.openRight = true;
        keepRun(life);
        life.wakesInRun.clear();
        life.doing = Doing::unknown;
        life.since = time;
        life.unknownSinceRun = true;
    }

    /// The task was seen elsewhere: its run is known up to the last event of its CPU, and that CPU
    /// is unknown until its next one.
    void stopElsewhere(Life& life) {
        const TestEvent& now = m_events[m_order];
        Cpu& cpu = cpuOf(life.run.cpu);
        const Nanos last = life.run.cpu == now.cpu ? now.time : *cpu.lastEvent;
        cutRun(life, last);
        cpu.told = false;
        cpu.current.reset();
        cpu.unknownFrom = last;
        cpu.knownFrom.reset();
    }

    // ------------------------------------------------------------------ waits and sleeps

    void beginWait(Life& life, std::size_t id, WaitKind kind, Nanos start, const SlowWake& wake) {
        life.doing = Doing::waiting;
        life.since = start;
        life.hasHistory = true;
        life.wait = {};
        SlowWait& row = life.wait.row;
        row.kind = kind;
        row.start = start;
        row.life = id;
        nameWaker(row, wake);
        if (wake.doubtful)
            row.certainty = Certainty::doubtful;
        life.wait.place = wake.place;
        if (wake.queuedAt && wake.place && wake.place != wake.queuedCpu)
            row.moves.push_back({start, *wake.place});
    }

    static void nameWaker(SlowWait& row, const SlowWake& wake) {
        row.wakeAt = wake.time;
        row.wakerCpu = wake.cpu;
        if (wake.wakerTid >= 0)
            row.wakerTid = wake.wakerTid;
        row.waker = wake.waker;
        row.queuedCpu = wake.queuedCpu;
        row.queuedAt = wake.queuedAt;
    }

    void keepWait(Life& life) {
        life.wait.row.tid = life.row.tid;
        life.wait.row.comm = life.comm;
        if (!life.wait.row.queuedAt)
            life.wait.row.queuedCpu = life.wait.place;
        m_trace.waits.push_back(life.wait.row);
    }

    void clipWait(Life& life, Nanos time) {
        life.wait.row.end = time;
        life.wait.row.certainty = Certainty::clipped;
        keepWait(life);
    }

    /// The sleep that ends at `ready`, as if nothing had been lost meanwhile.
    std::size_t keepSleep(const Life& life, Nanos ready) {
        const auto id = static_cast<std::size_t>(&life - m_lives.data());
        m_trace.sleeps.push_back({{life.since, ready}, id, life.sleepState});
        return m_trace.sleeps.size() - 1;
    }

    // ------------------------------------------------------------------ wakes

    SlowWake wakeFrom(const TestEvent& event) {
        SlowWake wake;
        wake.order = m_order;
        wake.time = event.time;
        wake.cpu = event.cpu;
        wake.wakerTid = event.header;
        wake.waker = wakerOf(event);
        if (event.target >= 0)
            wake.place = event.target;
        return wake;
    }

    void onWaking(const TestEvent& event) {
        if (event.tid <= 0)
            return;
        const SlowWake wake = wakeFrom(event); // first: its waker is not who wakes up
        const std::size_t id = lifeOf(event.tid, event.time);
        Life& life = m_lives[id];
        giveName(life, event.comm);
        life.pending.push_back(wake);
        wakeUp(id, wake);
    }

    void onWakeup(const TestEvent& event) {
        if (event.tid <= 0)
            return;
        const auto known = latest(event.tid);
        if (known && m_lives[*known].doing != Doing::dead && !m_lives[*known].pending.empty()) {
            giveName(m_lives[*known], event.comm);
            secondStamp(m_lives[*known], event);
            return;
        }
        SlowWake wake = wakeFrom(event);
        const std::size_t id = lifeOf(event.tid, event.time);
        giveName(m_lives[id], event.comm);
        wake.queuedAt = event.time;
        if (event.target >= 0)
            wake.queuedCpu = event.target;
        wake.doubtful = m_trace.wakeEdge == WakeEdge::waking;
        wakeUp(id, wake);
    }

    /// It tells where and when the task was queued, and starts nothing.
    void secondStamp(Life& life, const TestEvent& event) {
        const std::size_t order = life.pending.back().order;
        life.pending.pop_back();
        const auto queued = event.target >= 0 ? std::optional(event.target) : std::nullopt;
        for (SlowWake& wake : life.wakesInRun) {
            if (wake.order != order)
                continue;
            if (queued)
                wake.place = queued;
            wake.queuedCpu = wake.place;
            wake.queuedAt = event.time;
        }
        if (life.doing != Doing::waiting)
            return;
        for (SlowWake& wake : life.wait.wakes) {
            if (wake.order != order)
                continue;
            if (queued)
                wake.place = queued;
            wake.queuedCpu = wake.place;
            wake.queuedAt = event.time;
        }
        if (life.wait.row.queuedAt)
            return;
        if (queued)
            life.wait.place = queued;
        life.wait.row.queuedCpu = life.wait.place;
        life.wait.row.queuedAt = event.time;
    }

    void wakeUp(std::size_t id, const SlowWake& wake) {
        Life& life = m_lives[id];
        life.newborn = false;
        switch (life.doing) {
        case Doing::asleep: {
            const std::size_t slept = keepSleep(life, wake.time);
            beginWait(life, id, WaitKind::wakeup, wake.time, wake);
            life.wait.sleepBefore = slept;
            life.wait.begunByWake = true;
            life.wait.wakes.push_back(wake);
            break;
        }
        case Doing::unknown:
            life.unknownSinceRun = true;
            beginWait(life, id, WaitKind::wakeup, wake.time, wake);
            life.wait.begunByWake = true;
            life.wait.wakes.push_back(wake);
            break;
        case Doing::running:
            if (life.lateWakePossible)
                lateWake(life, wake);
            else
                life.wakesInRun.push_back(wake);
            break;
        case Doing::waiting:
            life.wait.wakes.push_back(wake);
            if (life.wait.row.kind == WaitKind::preempted)
                break;
            life.wait.row.certainty = Certainty::doubtful;
            life.wait.row.lastWakeAt = wake.time;
            break;
        case Doing::dead:
            break; // lifeOf() never gives a dead one
        }
    }

    /// The wake of the sleep before this run, stamped by a clock that is ahead.
    void lateWake(Life& life, const SlowWake& wake) {
        life.lateWakePossible = false;
        SlowWait row;
        row.certainty = Certainty::doubtful;
        row.end = life.run.range.begin;
        row.cpu = life.run.cpu;
        row.life = life.run.life;
        row.tid = life.run.tid;
        row.comm = life.run.comm;
        nameWaker(row, wake);
        if (!row.queuedAt)
            row.queuedCpu = wake.place;
        m_trace.waits.push_back(row);
        SlowSkew& skew = m_trace.skews[{wake.cpu, life.run.cpu}];
        ++skew.count;
        skew.worst = std::min(skew.worst, row.end - wake.time);
    }

    void onWakeupNew(const TestEvent& event) {
        if (event.tid <= 0)
            return;
        SlowWake wake = wakeFrom(event); // first: its waker is not the newborn
        // A task has its first wakeup once: a second one speaks of another task.
        const auto known = latest(event.tid);
        const bool again = known && m_lives[*known].wakenNew;
        const std::size_t id = birthOf(event.tid, event.time, again);
        wake.queuedAt = event.time;
        if (event.target >= 0)
            wake.queuedCpu = event.target;
        Life& life = m_lives[id];
        giveName(life, event.comm);
        life.wakenNew = true;
        if (life.doing == Doing::waiting) {
            life.wait.row.certainty = Certainty::doubtful;
            life.wait.row.lastWakeAt = event.time;
            return;
        }
        life.notBefore = std::max(life.notBefore, event.time); // before its first wake nobody runs
        beginWait(life, id, WaitKind::fork, event.time, wake);
    }

    // ------------------------------------------------------------------ the other events

    void onMigrate(const TestEvent& event) {
        if (event.tid <= 0)
            return;
        Life& life = m_lives[lifeOf(event.tid, event.time)];
        giveName(life, event.comm);
        if (event.target < 0)
            return;
        if (life.doing == Doing::waiting) {
            if (life.wait.row.queuedAt && life.wait.place != event.target)
                life.wait.row.moves.push_back({event.time, event.target});
            life.wait.place = event.target;
            for (SlowWake& wake : life.wait.wakes)
                wake.place = event.target;
        }
        for (SlowWake& wake : life.wakesInRun)
            wake.place = event.target;
    }

    void onFork(const TestEvent& event) {
        // task_newtask does not name the parent: its header does.
        if (event.tid2 > 0 && !event.comm2.empty())
            giveName(m_lives[lifeOf(event.tid2, event.time)], event.comm2);
        if (event.tid <= 0)
            return;
        Life& child = m_lives[birthOf(event.tid, event.time)];
        child.row.born = true;
        if (!child.hasHistory)
            child.newborn = true;
        child.comm = event.comm;
    }

    void onExec(const TestEvent& event) {
        if (event.tid <= 0)
            return;
        const std::int32_t thread = event.tid2 > 0 ? event.tid2 : event.tid;
        const std::size_t id = lifeOf(thread, event.time);
        if (event.tid != thread) {
            // A thread takes over the tid of its leader, whose life is over.
            if (const auto leader = latest(event.tid);
                leader && m_lives[*leader].doing != Doing::dead)
                endUnseen(*leader, event.time);
            m_lifeOfTid.erase(thread);
            m_goneAt[thread] = event.time;
            m_lifeOfTid[event.tid] = id;
            m_lives[id].row.tid = event.tid;
        }
        m_lives[id].newborn = false;
        const auto slash = event.comm.rfind('/');
        m_lives[id].comm =
            event.comm.substr(slash == std::string::npos ? 0 : slash + 1).substr(0, 15);
    }

    void onExit(const TestEvent& event) {
        if (event.tid <= 0)
            return;
        Life& life = m_lives[lifeOf(event.tid, event.time)];
        giveName(life, event.comm);
        life.exiting = true;
        life.newborn = false;
    }

    void onRename(const TestEvent& event) {
        if (event.tid <= 0)
            return;
        m_lives[lifeOf(event.tid, event.time)].comm = event.comm;
    }

    // ------------------------------------------------------------------ losses

    void onLost(const TestEvent& event) {
        Cpu& cpu = cpuOf(event.cpu);
        if (event.time == event.lostEnd && !cpu.lastEvent)
            return;
        if (cpu.told) {
            if (cpu.current)
                cutRun(m_lives[*cpu.current], event.time);
        } else {
            addUnknown(event.cpu, {cpu.knownFrom.value_or(cpu.unknownFrom), event.time});
        }
        addUnknown(event.cpu, {event.time, event.lostEnd});
        cpu.told = false;
        cpu.current.reset();
        cpu.knownFrom = event.lostEnd;

        for (Life& life : m_lives) {
            if (life.doing != Doing::waiting || life.wait.place != event.cpu)
                continue;
            clipWait(life, event.time);
            life.clippedByGap.push_back(m_trace.waits.size() - 1);
            life.doing = Doing::unknown;
            life.since = event.time;
            life.unknownSinceRun = true;
        }
    }

    /// What a gap of any CPU overlaps is less certain.
    void weighGaps() {
        std::sort(m_droppedWaits.rbegin(),
                  m_droppedWaits.rend()); // from behind, so that places hold
        for (const std::size_t row : m_droppedWaits)
            m_trace.waits.erase(m_trace.waits.begin() + static_cast<std::ptrdiff_t>(row));
        for (SlowWait& wait : m_trace.waits) {
            if (wait.certainty != Certainty::exact)
                continue;
            for (const TimeRange gap : m_gaps)
                if (overlap(gap, {*wait.start, wait.end}))
                    wait.certainty = Certainty::doubtful;
        }
        std::vector<SlowSleep> kept;
        for (std::size_t i = 0; i < m_trace.sleeps.size(); ++i) {
            if (std::find(m_droppedSleeps.begin(), m_droppedSleeps.end(), i) !=
                m_droppedSleeps.end())
                continue;
            SlowSleep sleep = m_trace.sleeps[i];
            const TimeRange whole = sleep.range;
            for (const TimeRange gap : m_gaps) {
                if (!overlap(gap, whole))
                    continue;
                sleep.range.end = std::min(sleep.range.end, std::max(sleep.range.begin, gap.begin));
            }
            if (!sleep.range.empty())
                kept.push_back(sleep);
        }
        m_trace.sleeps = std::move(kept);
    }

    // ------------------------------------------------------------------ the trace's end

    void close() {
        const Nanos end = m_trace.range.end;
        for (auto& [number, cpu] : m_cpus) {
            if (!cpu.told) {
                addUnknown(number, {cpu.knownFrom.value_or(cpu.unknownFrom), end});
            } else if (cpu.current) {
                Life& life = m_lives[*cpu.current];
                life.run.range.end = end;
                life.run.openRight = true;
                keepRun(life);
            }
        }
        for (Life& life : m_lives) {
            if (life.doing == Doing::dead)
                continue;
            life.row.last = end;
            if (life.doing == Doing::waiting)
                clipWait(life, end);
            if (life.doing == Doing::asleep)
                keepSleep(life, end);
        }
    }

    const std::vector<TestEvent>& m_events;
    std::size_t m_order = 0;
    SlowTrace m_trace;
    std::vector<TimeRange> m_gaps;
    std::map<std::int32_t, Cpu> m_cpus;
    std::vector<Life> m_lives;
    std::map<std::int32_t, std::size_t> m_lifeOfTid;
    std::map<std::int32_t, Nanos> m_goneAt; ///< tids whose life went on under another tid
    std::vector<std::size_t> m_droppedSleeps;
    std::vector<std::size_t> m_droppedWaits;
};

} // namespace

SlowTrace slowModel(const std::vector<TestEvent>& events) {
    return SlowModel(events).run();
}

// ---------------------------------------------------------------------- events

void feed(const std::vector<TestEvent>& events, EventSink& sink) {
    std::uint64_t index = 0;
    for (const TestEvent& e : events) {
        if (e.kind == Kind::lost) {
            sink.lostEvents({e.cpu, {e.time, e.lostEnd}, e.lostCount});
            continue;
        }
        const EventHeader header{e.time, e.cpu, e.header, index++};
        const SchedWake wake{header, e.comm, e.tid, e.prio, e.target};
        switch (e.kind) {
        case Kind::switched:
            sink.schedSwitch({header, e.comm, e.tid, e.prio, e.state, e.comm2, e.tid2, e.prio2});
            break;
        case Kind::waking:
            sink.schedWaking(wake);
            break;
        case Kind::wakeup:
            sink.schedWakeup(wake);
            break;
        case Kind::wakeupNew:
            sink.schedWakeupNew(wake);
            break;
        case Kind::migrate:
            sink.schedMigrateTask({header, e.comm, e.tid, e.prio, e.origin, e.target});
            break;
        case Kind::fork:
            sink.schedProcessFork({header, e.comm2, e.tid2, e.comm, e.tid});
            break;
        case Kind::exec:
            sink.schedProcessExec({header, e.comm, e.tid, e.tid2});
            break;
        case Kind::exit:
            sink.schedProcessExit({header, e.comm, e.tid, e.prio});
            break;
        case Kind::rename:
            sink.taskRename({header, e.tid, e.comm2, e.comm});
            break;
        case Kind::other:
        case Kind::lost:
            sink.otherEvent(header);
            break;
        }
    }
}

std::string describe(const TestEvent& e) {
    static const char* const names[] = {"switch",       "waking",  "wakeup", "wakeup_new",
                                        "migrate_task", "fork",    "exec",   "exit",
                                        "rename",       "(other)", "LOST"};
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    std::string line = number(e.time) + " [" + number(e.cpu) + "] ";
    if (e.kind == Kind::lost)
        return line + "LOST until " + number(e.lostEnd) + ", " + number(e.lostCount) + " events";
    line += "by " + number(e.header) + ": " + names[static_cast<std::size_t>(e.kind)];
    if (e.kind == Kind::other)
        return line;
    line += " " + e.comm + ":" + number(e.tid);
    switch (e.kind) {
    case Kind::switched:
        line += " prio " + number(e.prio) + " " +
                (e.state.state == TaskState::unknown ? "?" : toString(e.state)) + " ==> " +
                e.comm2 + ":" + number(e.tid2) + " prio " + number(e.prio2);
        break;
    case Kind::waking:
    case Kind::wakeup:
    case Kind::wakeupNew:
    case Kind::migrate:
        line += " to CPU " + number(e.target);
        break;
    case Kind::fork:
        line += " by " + e.comm2 + ":" + number(e.tid2);
        break;
    case Kind::exec:
        line += " old_pid " + number(e.tid2);
        break;
    default:
        break;
    }
    return line;
}

} // namespace twolane::tests
