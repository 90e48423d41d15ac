// Thousands of small random recordings, plausible and absurd, read by the model and by the slow
// second model: both must say the same. What differs is told with the fewest events that show it.
#include "model/trace_builder.h"
#include "tests/support/slow_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace twolane;
using twolane::tests::SlowTrace;
using twolane::tests::TestEvent;
using Kind = TestEvent::Kind;
using Events = std::vector<TestEvent>;

namespace {

// -------------------------------------------------------------------------- recordings

/// The same numbers from the same seed with every standard library.
class Dice {
public:
    explicit Dice(std::uint32_t seed)
        : m_engine(seed) {}
    /// 0 … n-1
    int below(int n) { return static_cast<int>(m_engine() % static_cast<std::uint32_t>(n)); }
    bool percent(int chance) { return below(100) < chance; }
    template <class T>
    T of(std::initializer_list<T> choices) {
        return choices.begin()[below(static_cast<int>(choices.size()))];
    }

private:
    std::mt19937 m_engine;
};

/// A small machine that behaves as a kernel does most of the time.
class Machine {
public:
    explicit Machine(std::uint32_t seed)
        : m_dice(seed) {
        m_cpuCount = 2 + m_dice.below(3);
        m_tidCount = 3 + m_dice.below(4);
        m_records = m_dice.of({Records::both, Records::both, Records::both, Records::waking,
                               Records::wakeup, Records::none});
        m_absurd = m_dice.of({0, 0, 3, 10, 40});
        m_forgetful = m_dice.of({0, 5, 15, 30});
        m_still = m_dice.of({10, 30, 60});
        m_time = m_dice.of<Nanos>({0, 1000, -50});
        m_current.assign(static_cast<std::size_t>(m_cpuCount), 0);
        // Some tasks run when the recording starts.
        for (int cpu = 0; cpu < m_cpuCount; ++cpu) {
            const int tid = 1 + m_dice.below(m_tidCount);
            if (m_dice.percent(40) && m_tasks[tid].where == Where::asleep) {
                current(cpu) = tid;
                m_tasks[tid].where = Where::running;
            }
        }
        for (int tid = 1; tid <= m_tidCount; ++tid) {
            m_tasks[tid].comm = std::string(1, static_cast<char>('a' + tid - 1));
            if (m_tasks[tid].where == Where::asleep && m_dice.percent(20))
                m_tasks[tid].where = Where::runnable;
        }
    }

    Events record() {
        const int steps = 5 + m_dice.below(40);
        for (int i = 0; i < steps && m_events.size() < 60; ++i)
            step();
        if (m_forgetful > 0)
            std::erase_if(m_events, [&](const TestEvent&) { return m_dice.percent(m_forgetful); });
        if (m_dice.percent(40)) { // a CPU that starts late
            const int cpu = m_dice.below(m_cpuCount);
            const Nanos from = m_time - m_dice.below(30);
            std::erase_if(m_events,
                          [&](const TestEvent& e) { return e.cpu == cpu && e.time < from; });
        }
        if (m_dice.percent(40)) {
            const int losses = 1 + m_dice.below(3);
            for (int i = 0; i < losses; ++i)
                lose();
        }
        return std::move(m_events);
    }

private:
    enum class Records { both, waking, wakeup, none };
    enum class Where { asleep, runnable, running, dead };
    struct SimulatedTask {
        Where where = Where::asleep;
        std::string comm;
        int cpu = 0;
        bool exiting = false;
    };

    int& current(int cpu) { return m_current[static_cast<std::size_t>(cpu)]; }

    TestEvent make(Kind kind, int cpu) {
        if (!m_dice.percent(m_still))
            m_time += 1 + m_dice.below(4);
        TestEvent event;
        event.kind = kind;
        event.time = m_time;
        event.cpu = cpu;
        event.header = m_dice.percent(5) ? -1 : current(cpu);
        return event;
    }

    TestEvent about(Kind kind, int cpu, int tid) {
        TestEvent event = make(kind, cpu);
        event.tid = tid;
        event.comm = nameOf(tid);
        return event;
    }

    std::string nameOf(int tid) {
        if (tid <= 0)
            return "swapper";
        SimulatedTask& task = m_tasks[tid];
        if (m_dice.percent(3))
            task.comm += '\''; // renamed by an event that is not recorded
        return task.comm.substr(0, 15);
    }

    int someTid() { return 1 + m_dice.below(m_tidCount); }
    int someCpu() { return m_dice.below(m_cpuCount); }

    std::vector<int> those(Where where) const {
        std::vector<int> found;
        for (const auto& [tid, task] : m_tasks)
            if (task.where == where)
                found.push_back(tid);
        return found;
    }

    void step() {
        if (m_dice.percent(m_absurd)) {
            absurd();
            return;
        }
        const int cpu = someCpu();
        const int tid = current(cpu);
        switch (m_dice.below(20)) {
        case 0:
            m_events.push_back(make(Kind::other, cpu));
            break;
        case 1:
            fork(cpu);
            break;
        case 2:
            if (tid > 0) {
                m_events.push_back(about(Kind::exit, cpu, tid));
                m_tasks[tid].exiting = true;
            }
            break;
        case 3:
            exec(cpu, tid);
            break;
        case 4:
            if (tid > 0 && m_dice.percent(50)) {
                TestEvent event = about(Kind::rename, cpu, tid);
                event.comm2 = event.comm;
                m_tasks[tid].comm = event.comm = event.comm.substr(0, 10) + "+";
                m_events.push_back(event);
            }
            break;
        case 5: // a wake of any task: running, runnable, never seen
            wake(cpu, someTid());
            break;
        case 6: {
            const auto waiting = those(Where::runnable);
            if (!waiting.empty())
                migrate(cpu, pick(waiting));
            break;
        }
        case 7:
        case 8:
        case 9:
        case 10: {
            const auto sleepers = those(Where::asleep);
            if (!sleepers.empty())
                wake(cpu, pick(sleepers));
            break;
        }
        default:
            doSwitch(cpu);
            break;
        }
    }

    int pick(const std::vector<int>& from) {
        return from[static_cast<std::size_t>(m_dice.below(static_cast<int>(from.size())))];
    }

    void doSwitch(int cpu) {
        const int prev = current(cpu);
        TestEvent event = about(Kind::switched, cpu, prev);
        event.state = someState();
        if (prev > 0) {
            SimulatedTask& task = m_tasks[prev];
            if (task.exiting && !event.state.runnable() && m_dice.percent(70))
                event.state = {m_dice.of({TaskState::dead, TaskState::zombie}), 0};
            task.where = event.state.runnable()               ? Where::runnable
                         : event.state.dead() || task.exiting ? Where::dead
                                                              : Where::asleep;
            task.cpu = cpu;
        } else {
            event.state = {TaskState::runnable, 0};
        }
        auto ready = those(Where::runnable);
        int next = 0;
        if (!ready.empty() && m_dice.percent(80))
            next = pick(ready);
        if (next > 0)
            m_tasks[next].where = Where::running;
        event.tid2 = next;
        event.comm2 = nameOf(next);
        event.prio = 100 + m_dice.below(3) * 20;
        event.prio2 = 100 + m_dice.below(3) * 20;
        current(cpu) = next;
        m_events.push_back(event);
    }

    PrevState someState() {
        switch (m_dice.below(12)) {
        case 0:
        case 1:
            return {TaskState::runnable, 0};
        case 2:
        case 3:
            return {TaskState::runnablePreempted, 0};
        case 4:
            return {TaskState::uninterruptible, 0};
        case 5:
            return {m_dice.of({TaskState::idle, TaskState::parked, TaskState::stopped,
                               TaskState::traced}),
                    0};
        case 6:
            return m_dice.percent(30) ? PrevState{TaskState::other, 0x2000}
                                      : PrevState{TaskState::sleeping, 0};
        default:
            return {TaskState::sleeping, 0};
        }
    }

    void wake(int cpu, int tid) {
        const bool waking = m_records == Records::both || m_records == Records::waking;
        const bool wakeup = m_records == Records::both || m_records == Records::wakeup;
        SimulatedTask& task = m_tasks[tid];
        if (waking) {
            TestEvent event = about(Kind::waking, cpu, tid);
            event.target = task.cpu;
            m_events.push_back(event);
        }
        if (m_dice.percent(30)) {
            const int target = someCpu();
            if (m_dice.percent(50))
                migrate(cpu, tid);
            task.cpu = target;
        }
        if (m_dice.percent(20))
            step(); // other things happen meanwhile
        if (wakeup) {
            TestEvent event = about(Kind::wakeup, m_dice.percent(30) ? task.cpu : cpu, tid);
            event.target = m_dice.percent(3) ? -1 : task.cpu;
            m_events.push_back(event);
        }
        if (task.where == Where::asleep)
            task.where = Where::runnable;
    }

    void migrate(int cpu, int tid) {
        TestEvent event = about(Kind::migrate, cpu, tid);
        event.origin = m_tasks[tid].cpu;
        event.target = someCpu();
        m_tasks[tid].cpu = event.target;
        m_events.push_back(event);
    }

    void fork(int cpu) {
        const auto dead = those(Where::dead);
        const int parent = current(cpu);
        int child = dead.empty() || m_dice.percent(30) ? m_tidCount + 1 : pick(dead);
        if (child > m_tidCount) {
            if (m_tidCount >= 6)
                return;
            ++m_tidCount;
        }
        SimulatedTask& task = m_tasks[child];
        task = {};
        task.comm = parent > 0 ? m_tasks[parent].comm : "k";
        task.where = Where::dead;
        task.cpu = someCpu();
        const int records = 1 + m_dice.below(4); // task_newtask, sched_process_fork, or both
        for (int i = 0; i < 2; ++i) {
            if (!(records & (1 << i)))
                continue;
            TestEvent event = about(Kind::fork, cpu, child);
            event.tid2 = parent;
            event.comm2 = i == 0 ? "" : nameOf(parent);
            m_events.push_back(event);
        }
        if (m_dice.percent(15))
            migrate(cpu, child);
        if (m_dice.percent(90)) {
            TestEvent event = about(Kind::wakeupNew, cpu, child);
            event.target = task.cpu;
            m_events.push_back(event);
            task.where = Where::runnable;
        }
    }

    void exec(int cpu, int tid) {
        if (tid <= 0)
            return;
        int leader = tid;
        if (m_dice.percent(50)) {
            const auto dead = those(Where::dead);
            const auto asleep = those(Where::asleep);
            if (!dead.empty() && m_dice.percent(70))
                leader = pick(dead);
            else if (!asleep.empty())
                leader = pick(asleep);
        }
        TestEvent event = about(Kind::exec, cpu, leader);
        event.tid2 = tid;
        event.comm = m_dice.of({"/bin/x", "y", "/a/long/name/abcdefghijklmnopqrst"});
        m_events.push_back(event);
        m_tasks[tid].comm = event.comm.substr(event.comm.rfind('/') + 1).substr(0, 15);
        if (leader != tid) {
            m_tasks[leader] = m_tasks[tid];
            m_tasks[tid] = {};
            m_tasks[tid].where = Where::dead;
            m_tasks[tid].comm = "z";
            current(cpu) = leader;
        }
    }

    /// Any event with any content.
    void absurd() {
        static const Kind kinds[] = {Kind::switched,  Kind::switched, Kind::waking, Kind::wakeup,
                                     Kind::wakeupNew, Kind::migrate,  Kind::fork,   Kind::exec,
                                     Kind::exit,      Kind::rename,   Kind::other};
        const Kind kind = kinds[m_dice.below(static_cast<int>(std::size(kinds)))];
        if (kind == Kind::waking && (m_records == Records::wakeup || m_records == Records::none))
            return;
        if (kind == Kind::wakeup && (m_records == Records::waking || m_records == Records::none))
            return;
        TestEvent event = about(kind, someCpu(), someTid());
        if (m_dice.percent(30))
            event.header = m_dice.below(m_tidCount + 1);
        event.tid2 = m_dice.percent(30) ? event.tid : m_dice.below(m_tidCount + 1);
        event.comm2 = nameOf(event.tid2);
        event.state = m_dice.percent(8) ? PrevState{TaskState::dead, 0} : someState();
        event.target = someCpu();
        event.origin = someCpu();
        if (kind == Kind::switched && m_dice.percent(20))
            event.tid = 0;
        m_events.push_back(event);
    }

    void lose() {
        if (m_events.empty())
            return;
        const auto from = static_cast<std::size_t>(m_dice.below(static_cast<int>(m_events.size())));
        const int cpu = m_events[from].cpu;
        int missing = m_dice.below(6);
        const int count = m_dice.percent(30) ? -1 : missing + 1;
        for (std::size_t i = from + 1; i < m_events.size() && missing > 0;) {
            if (m_events[i].cpu == cpu && m_events[i].kind != Kind::lost) {
                m_events.erase(m_events.begin() + static_cast<std::ptrdiff_t>(i));
                --missing;
            } else {
                ++i;
            }
        }
        TestEvent event;
        event.kind = Kind::lost;
        event.cpu = cpu;
        event.time = m_events[from].time;
        event.lostCount = count;
        const auto offset = static_cast<std::ptrdiff_t>(from + (m_dice.percent(10) ? 0 : 1));
        m_events.insert(m_events.begin() + offset, event);
    }

    Dice m_dice;
    int m_cpuCount = 2;
    int m_tidCount = 3;
    Records m_records = Records::both;
    int m_absurd = 0;    ///< percent of steps that make no sense
    int m_forgetful = 0; ///< percent of events that were not recorded
    int m_still = 0;     ///< percent of events at the same stamp as the one before
    Nanos m_time = 0;
    std::vector<int> m_current;
    std::map<int, SimulatedTask> m_tasks;
    Events m_events;
};

/// Puts the events in the order that a sink is promised, and gives each loss the range between its
/// CPU's neighbouring events; drops a loss that has none after it, or no time between them.
Events inOrder(Events events) {
    Events losses;
    std::vector<std::size_t> before; // how many events of its CPU come before each loss
    Events recorded;
    std::map<std::int32_t, std::size_t> seen;
    for (TestEvent& event : events) {
        if (event.kind == Kind::lost) {
            losses.push_back(event);
            before.push_back(seen[event.cpu]);
        } else {
            ++seen[event.cpu];
            recorded.push_back(std::move(event));
        }
    }
    std::stable_sort(recorded.begin(), recorded.end(), [](const auto& a, const auto& b) {
        return std::pair(a.time, a.cpu) < std::pair(b.time, b.cpu);
    });
    std::set<std::pair<std::int32_t, std::size_t>> taken;
    for (std::size_t i = 0; i < losses.size(); ++i) {
        TestEvent loss = losses[i];
        if (!taken.insert({loss.cpu, before[i]}).second)
            continue;
        std::vector<std::size_t> places;
        for (std::size_t k = 0; k < recorded.size(); ++k)
            if (recorded[k].cpu == loss.cpu && recorded[k].kind != Kind::lost)
                places.push_back(k);
        if (before[i] >= places.size())
            continue;
        const std::size_t next = places[before[i]];
        loss.lostEnd = recorded[next].time;
        if (before[i] == 0) {
            loss.time = loss.lostEnd;
            recorded.insert(recorded.begin() + static_cast<std::ptrdiff_t>(next), loss);
            continue;
        }
        const std::size_t last = places[before[i] - 1];
        loss.time = recorded[last].time;
        if (loss.time == loss.lostEnd)
            continue;
        recorded.insert(recorded.begin() + static_cast<std::ptrdiff_t>(last) + 1, loss);
    }
    return recorded;
}

// -------------------------------------------------------------------------- both answers as text

using Lines = std::vector<std::string>;

std::string text(TimeRange range) {
    return "[" + std::to_string(range.begin) + ", " + std::to_string(range.end) + "]";
}
template <class T>
std::string text(const std::optional<T>& value) {
    return value ? std::to_string(*value) : "-";
}
std::string lifeText(std::int32_t tid, Nanos first, Nanos last, bool born, bool died) {
    return std::to_string(tid) + (born ? "(born " : "(seen ") + std::to_string(first) +
           (died ? " died " : " until ") + std::to_string(last) + ")";
}
std::string nameText(std::string_view comm) {
    return "'" + std::string(comm) + "'";
}

Lines sorted(Lines lines) {
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// Touching ranges become one: where a range is cut in two tells nothing.
std::string joined(std::vector<TimeRange> ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
    std::string line;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        TimeRange whole = ranges[i];
        while (i + 1 < ranges.size() && ranges[i + 1].begin <= whole.end)
            whole.end = std::max(whole.end, ranges[++i].end);
        line += " " + text(whole);
    }
    return line;
}

template <class W>
std::string waitText(const W& wait, const std::string& life, const std::string& comm,
                     const std::string& waker) {
    return "wait " + text(wait.start) + " to " + std::to_string(wait.end) + " " +
           std::string(nameOf(wait.kind)) + " " + std::string(nameOf(wait.certainty)) + " " + life +
           " tid " + std::to_string(wait.tid) + " " + nameText(comm) + " on " + text(wait.cpu) +
           " wake " + std::to_string(wait.wakeAt) + " by " + text(wait.wakerTid) + " " + waker +
           " on " + text(wait.wakerCpu) + " queued " + text(wait.queuedCpu) + " at " +
           text(wait.queuedAt) + " last wake " + text(wait.lastWakeAt);
}

template <class S>
std::string sliceText(const S& slice, std::int32_t cpu, const std::string& life,
                      std::string_view comm) {
    const std::string end = !slice.endState ? "open"
                            : slice.endState->state == TaskState::unknown
                                ? "?"
                                : toString(*slice.endState);
    return "slice CPU " + std::to_string(cpu) + " " + text(slice.range) + " " + life + " tid " +
           std::to_string(slice.tid) + " " + nameText(comm) + " prio " +
           std::to_string(slice.prio) + " " + end + (slice.openLeft ? " open-left" : "") +
           (slice.openRight ? " open-right" : "") + (slice.migrated ? " migrated" : "");
}

Lines say(const Trace& trace) {
    Lines lines;
    std::vector<std::string> lives;
    for (const Task& task : trace.tasks) {
        lives.push_back(lifeText(task.tid, task.life.begin, task.life.end, task.born, task.died));
        lines.push_back("life " + lives.back());
    }
    const auto life = [&](TaskId id) {
        return id.valid() ? lives.at(id.value()) : std::string("-");
    };
    lines.push_back("trace " + text(trace.range));
    lines.push_back("edge " + std::string(nameOf(trace.wakeEdge)));
    for (const CpuTimeline& cpu : trace.cpus) {
        lines.push_back("unknown on CPU " + std::to_string(cpu.cpu) + joined(cpu.unknown));
        for (std::size_t i = 0; i < cpu.slices.size(); ++i) {
            const Timeslice slice = cpu.slices[i];
            lines.push_back(
                sliceText(slice, cpu.cpu, life(slice.task), trace.strings.text(slice.comm)));
        }
    }
    for (std::size_t i = 0; i < trace.waits.size(); ++i) {
        const Wait wait = trace.waits[i];
        lines.push_back(waitText(wait, life(wait.task), std::string(trace.strings.text(wait.comm)),
                                 life(wait.waker)));
    }
    for (const Sleep& sleep : trace.sleeps)
        lines.push_back("sleep " + text(sleep.range) + " " + life(sleep.task) + " " +
                        std::string(describe(sleep.state)));
    for (const ClockSkew& skew : trace.skews)
        lines.push_back("skew CPU " + std::to_string(skew.wakerCpu) + " to " +
                        std::to_string(skew.cpu) + ": " + std::to_string(skew.count) + ", " +
                        std::to_string(skew.worst));
    return sorted(lines);
}

Lines say(const SlowTrace& trace, const Events& events) {
    Lines lines;
    std::vector<std::string> lives;
    for (const auto& row : trace.lives) {
        lives.push_back(lifeText(row.tid, row.first, row.last, row.born, row.died));
        lines.push_back("life " + lives.back());
    }
    lines.push_back("trace " + text(trace.range));
    lines.push_back("edge " + std::string(nameOf(trace.wakeEdge)));
    std::set<std::int32_t> cpus;
    for (const TestEvent& event : events)
        if (event.kind != Kind::lost)
            cpus.insert(event.cpu);
    for (const std::int32_t cpu : cpus) {
        const auto ranges = trace.unknown.find(cpu);
        lines.push_back("unknown on CPU " + std::to_string(cpu) +
                        (ranges == trace.unknown.end() ? "" : joined(ranges->second)));
    }
    for (const auto& slice : trace.slices)
        lines.push_back(sliceText(slice, slice.cpu, lives.at(slice.life), slice.comm));
    for (const auto& wait : trace.waits)
        lines.push_back(waitText(wait, lives.at(wait.life), wait.comm,
                                 wait.waker ? lives.at(*wait.waker) : "-"));
    for (const auto& sleep : trace.sleeps)
        lines.push_back("sleep " + text(sleep.range) + " " + lives.at(sleep.life) + " " +
                        std::string(describe(sleep.state)));
    for (const auto& [pair, skew] : trace.skews)
        lines.push_back("skew CPU " + std::to_string(pair.first) + " to " +
                        std::to_string(pair.second) + ": " + std::to_string(skew.count) + ", " +
                        std::to_string(skew.worst));
    return sorted(lines);
}

std::shared_ptr<const Trace> build(const Events& events) {
    TraceBuilder builder;
    feed(events, builder);
    return builder.finish({}, {});
}

/// What only one of them says; empty where they agree.
std::string difference(const Events& events) {
    const bool recorded = std::any_of(events.begin(), events.end(),
                                      [](const auto& e) { return e.kind != Kind::lost; });
    if (!recorded)
        return "";
    const Lines got = say(*build(events));
    const Lines expected = say(tests::slowModel(events), events);
    std::string lines;
    const auto add = [&](const Lines& from, const Lines& without, const char* prefix) {
        Lines rest;
        std::set_difference(from.begin(), from.end(), without.begin(), without.end(),
                            std::back_inserter(rest));
        for (const std::string& line : rest)
            lines += prefix + line + "\n";
    };
    add(expected, got, "  slow model: ");
    add(got, expected, "  model:      ");
    return lines;
}

/// Takes out events as long as `fails` holds for the rest.
template <class Fails>
Events shrunk(Events events, Fails fails) {
    bool progress = true;
    while (progress) {
        progress = false;
        for (std::size_t i = events.size(); i-- > 0;) {
            Events fewer = events;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            fewer = inOrder(std::move(fewer));
            if (!fails(fewer))
                continue;
            events = std::move(fewer);
            progress = true;
            i = std::min(i, events.size());
        }
    }
    return events;
}

std::string report(std::uint32_t seed, const Events& events) {
    std::string lines = "seed " + std::to_string(seed) + ", the fewest events that differ:\n";
    for (const TestEvent& event : events)
        lines += "  " + describe(event) + "\n";
    lines += difference(events);
    lines += "the whole answer of the slow model:\n";
    for (const std::string& line : say(tests::slowModel(events), events))
        lines += "  " + line + "\n";
    return lines;
}

/// What must add up whatever happened, in the model's own answer.
std::string contradiction(const Trace& trace) {
    for (const CpuTimeline& cpu : trace.cpus) {
        std::vector<TimeRange> parts = cpu.unknown;
        for (std::size_t i = 0; i < cpu.slices.size(); ++i)
            parts.push_back(cpu.slices.range(i));
        std::sort(parts.begin(), parts.end(), [](TimeRange a, TimeRange b) {
            return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
        });
        Nanos end = trace.range.begin;
        for (const TimeRange part : parts) {
            if (part == TimeRange{part.begin, part.begin})
                continue; // known for an instant only
            if (part.begin < end || part.end < part.begin || part.end > trace.range.end)
                return "CPU " + std::to_string(cpu.cpu) + " at " + text(part);
            end = part.end;
        }
    }
    std::vector<std::vector<TimeRange>> parts(trace.tasks.size());
    for (const CpuTimeline& cpu : trace.cpus)
        for (std::size_t i = 0; i < cpu.slices.size(); ++i)
            parts.at(cpu.slices.task(i).value()).push_back(cpu.slices.range(i));
    for (std::size_t i = 0; i < trace.waits.size(); ++i)
        if (const Wait wait = trace.waits[i]; wait.start)
            parts.at(wait.task.value()).push_back({*wait.start, wait.end});
    for (const Sleep& sleep : trace.sleeps)
        parts.at(sleep.task.value()).push_back(sleep.range);
    for (std::size_t id = 0; id < parts.size(); ++id) {
        std::sort(parts[id].begin(), parts[id].end(), [](TimeRange a, TimeRange b) {
            return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
        });
        const Task& task = trace.tasks[id];
        Nanos end = task.life.begin;
        for (const TimeRange part : parts[id]) {
            if (part.begin < end || part.end < part.begin || part.end > task.life.end)
                return "task " + std::to_string(task.tid) + " at " + text(part);
            end = part.end;
        }
    }
    return "";
}

} // namespace

// TWOLANE_BRUTE_FORCE="FIRST COUNT" hunts among other seeds.
TEST_CASE("the model and the slow model agree on random recordings") {
    std::uint32_t first = 1;
    std::uint32_t count = 20000;
    std::uint32_t shown = 3;
    if (const char* chosen = std::getenv("TWOLANE_BRUTE_FORCE")) {
        char* rest = nullptr;
        first = static_cast<std::uint32_t>(std::strtoul(chosen, &rest, 10));
        count = static_cast<std::uint32_t>(std::strtoul(rest, nullptr, 10));
        shown = 12;
    }
    std::uint32_t differing = 0;
    for (std::uint32_t seed = first; seed < first + count; ++seed) {
        const Events events = inOrder(Machine(seed).record());
        if (difference(events).empty())
            continue;
        if (++differing <= shown)
            FAIL_CHECK(report(seed, shrunk(events, [](const Events& fewer) {
                                  return !difference(fewer).empty();
                              })));
    }
    CHECK_MESSAGE(differing == 0, differing, " of ", count, " recordings differ");
}

TEST_CASE("no two states of a CPU or a task overlap, and none leaves its bounds") {
    for (std::uint32_t seed = 1; seed <= 5000; ++seed) {
        const Events events = inOrder(Machine(seed).record());
        if (events.empty())
            continue;
        const auto fails = [](const Events& some) {
            return !some.empty() && !contradiction(*build(some)).empty();
        };
        if (!fails(events))
            continue;
        const Events fewest = shrunk(events, fails);
        std::string lines =
            "seed " + std::to_string(seed) + ": " + contradiction(*build(fewest)) + "\n";
        for (const TestEvent& event : fewest)
            lines += "  " + describe(event) + "\n";
        FAIL_CHECK(lines);
    }
}
