#include "tests/support/random_recording.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

namespace twolane::tests {

using Kind = TestEvent::Kind;

namespace {

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

} // namespace

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

Events randomRecording(std::uint32_t seed) {
    return inOrder(Machine(seed).record());
}

} // namespace twolane::tests
