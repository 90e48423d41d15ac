#include "model/query/task_stats.h"

#include "model/query/comm_parts.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace twolane {
namespace {

/// Adds up for groups of tasks. How an instant of a task finds its group is the caller's.
class Collector {
public:
    Collector(const Trace& trace, const Selection& selection)
        : m_trace(trace)
        , m_selection(selection) {}

    std::string_view text(StringId comm) const { return m_trace.strings.text(comm); }

    template <class GroupAt, class Split>
    void collect(GroupAt groupAt, Split split) {
        collectSlices(groupAt, split);
        collectWaits(groupAt, split);
        if (m_selection.cpus.all())
            collectSleepsAndLives(split);
    }

    std::vector<TaskStats> groups;

private:
    // groupAt(task, tid, comm): index of the group of a slice or wait that ends with that comm.
    // split(task, range, f): f(group, part) for each part of the range that one group owns.
    template <class GroupAt, class Split>
    void collectSlices(GroupAt groupAt, Split split) {
        const Window& window = m_selection.window;
        for (const CpuTimeline& cpu : m_trace.cpus) {
            if (!m_selection.cpus.matches(cpu.cpu))
                continue;
            for (std::size_t i = 0; i < cpu.slices.size(); ++i) {
                const Timeslice slice = cpu.slices[i];
                const TimeRange inside = slice.range.clippedTo(window.range);
                if (!inside.empty())
                    split(slice.task, inside,
                          [&](TaskStats& g, TimeRange part) { g.cpuTime += part.length(); });
                const bool ends = window.holds(slice.range.end);
                const bool begins = slice.migrated && window.holds(slice.range.begin);
                if (!ends && !begins)
                    continue;
                TaskStats& group = groupAt(slice.task, slice.tid, slice.comm);
                if (begins)
                    ++group.migrations;
                if (!ends)
                    continue;
                if (slice.clipped())
                    ++group.clippedSlices;
                else
                    group.timeslices.add(slice.range.length());
                if (slice.endState)
                    ++(slice.endState->runnable() ? group.involuntary : group.voluntary);
            }
        }
    }

    template <class GroupAt, class Split>
    void collectWaits(GroupAt groupAt, Split split) {
        const Window& window = m_selection.window;
        for (std::size_t i = 0; i < m_trace.waits.size(); ++i) {
            const Wait wait = m_trace.waits[i];
            if (!m_selection.cpus.all() && (!wait.cpu || !m_selection.cpus.matches(*wait.cpu)))
                continue;
            const bool wakes = wait.kind == WaitKind::wakeup && window.holds(wait.wakeAt);
            const bool ends = window.holds(wait.end);
            const TimeRange known{wait.start.value_or(wait.end), wait.end};
            const Nanos inside = known.clippedTo(window.range).length();
            if (!wakes && !ends && inside == 0)
                continue;

            TaskStats& group = groupAt(wait.task, wait.tid, wait.comm);
            if (wakes)
                ++group.wakeups;
            group.runqueueWait += inside;
            if (wait.kind == WaitKind::preempted)
                group.preemptedWait += inside;
            if (m_selection.cpus.all())
                split(wait.task, known.clippedTo(window.range),
                      [](TaskStats& g, TimeRange part) { g.unknown -= part.length(); });
            if (!ends || wait.kind != WaitKind::wakeup)
                continue;
            if (wait.certainty != Certainty::exact) {
                ++group.inexactLatencies;
                continue;
            }
            const Nanos latency = known.length();
            if (group.latencies.n() == 0 || latency > group.latencyMax) {
                group.latencyMax = latency;
                group.latencyMaxAt = known.begin;
            }
            group.latencies.add(latency);
        }
    }

    // What is left of a life after running, waiting and sleeping is unknown.
    template <class Split>
    void collectSleepsAndLives(Split split) {
        const TimeRange window = m_selection.window.range;
        for (const Sleep& sleep : m_trace.sleeps) {
            const bool block = sleep.state == TaskState::uninterruptible;
            split(sleep.task, sleep.range.clippedTo(window), [block](TaskStats& g, TimeRange part) {
                (block ? g.block : g.sleep) += part.length();
                g.unknown -= part.length();
            });
        }
        for (const CpuTimeline& cpu : m_trace.cpus)
            for (std::size_t i = 0; i < cpu.slices.size(); ++i)
                split(cpu.slices.task(i), cpu.slices.range(i).clippedTo(window),
                      [](TaskStats& g, TimeRange part) { g.unknown -= part.length(); });
        for (std::uint32_t i = 0; i < m_trace.tasks.size(); ++i)
            split(TaskId(i), m_trace.tasks[i].life.clippedTo(window),
                  [](TaskStats& g, TimeRange part) { g.unknown += part.length(); });
    }

    const Trace& m_trace;
    const Selection& m_selection;
};

void order(std::vector<TaskStats>& groups) {
    std::stable_sort(groups.begin(), groups.end(), [](const TaskStats& a, const TaskStats& b) {
        return a.cpuTime != b.cpuTime ? a.cpuTime > b.cpuTime : a.tid < b.tid;
    });
}

/// The comm of each task that it held longest on CPU inside the window.
std::vector<StringId> mainComms(const Trace& trace, TimeRange window) {
    struct Held {
        StringId comm;
        Nanos time = 0;
    };
    std::vector<std::vector<Held>> held(trace.tasks.size());
    for (std::uint32_t i = 0; i < trace.tasks.size(); ++i)
        for (const CommChange& change : trace.commsOf(TaskId(i)))
            if (std::none_of(held[i].begin(), held[i].end(),
                             [&](const Held& h) { return h.comm == change.comm; }))
                held[i].push_back({change.comm, 0});

    for (const CpuTimeline& cpu : trace.cpus) {
        for (std::size_t i = 0; i < cpu.slices.size(); ++i) {
            const TaskId task = cpu.slices.task(i);
            auto& names = held[task.value()];
            if (names.size() < 2)
                continue;
            forEachComm(trace, task, cpu.slices.range(i).clippedTo(window),
                        [&](StringId comm, TimeRange part) {
                            std::find_if(names.begin(), names.end(), [&](const Held& h) {
                                return h.comm == comm;
                            })->time += part.length();
                        });
        }
    }
    std::vector<StringId> longest(held.size());
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (held[i].empty())
            continue;
        // The later name where times are equal: a task that never ran is known by its last one.
        auto best = held[i].begin();
        for (auto h = held[i].begin(); h != held[i].end(); ++h)
            if (h->time >= best->time)
                best = h;
        longest[i] = best->comm;
    }
    return longest;
}

} // namespace

std::vector<TaskStats> statsByTask(const Trace& trace, const Selection& selection) {
    Collector collector(trace, selection);
    collector.groups.resize(trace.tasks.size());
    const auto groupAt = [&](TaskId task, std::int32_t, StringId) -> TaskStats& {
        return collector.groups[task.value()];
    };
    const auto split = [&](TaskId task, TimeRange range, auto f) {
        f(collector.groups[task.value()], range);
    };
    collector.collect(groupAt, split);

    const std::vector<StringId> comms = mainComms(trace, selection.window.range);
    std::vector<TaskStats> chosen;
    for (std::uint32_t i = 0; i < trace.tasks.size(); ++i) {
        const Task& task = trace.tasks[i];
        TaskStats& stats = collector.groups[i];
        const Window& window = selection.window;
        const bool lives =
            task.life.begin <= window.range.end && window.range.begin <= task.life.end;
        const bool ranHere = stats.cpuTime > 0 || stats.timeslices.n() > 0 ||
                             stats.clippedSlices > 0 || stats.runqueueWait > 0;
        if (!lives || (!selection.cpus.all() && !ranHere))
            continue;
        stats.tasks = {TaskId(i)};
        stats.tid = task.tid;
        stats.comm = std::string(trace.strings.text(comms[i]));
        if (selection.tasks.matches(stats.tid, stats.comm))
            chosen.push_back(std::move(stats));
    }
    order(chosen);
    return chosen;
}

std::vector<TaskStats> statsByComm(const Trace& trace, const Selection& selection) {
    Collector collector(trace, selection);
    std::unordered_map<std::uint32_t, std::size_t> byComm;
    const auto groupOf = [&](StringId comm) -> TaskStats& {
        const auto [entry, isNew] = byComm.try_emplace(comm.value(), collector.groups.size());
        if (isNew) {
            collector.groups.emplace_back();
            collector.groups.back().comm = std::string(trace.strings.text(comm));
        }
        return collector.groups[entry->second];
    };
    const auto groupAt = [&](TaskId, std::int32_t, StringId comm) -> TaskStats& {
        return groupOf(comm);
    };
    const auto split = [&](TaskId task, TimeRange range, auto f) {
        forEachComm(trace, task, range,
                    [&](StringId comm, TimeRange part) { f(groupOf(comm), part); });
    };
    collector.collect(groupAt, split);

    // Which tasks bore each name inside the window.
    for (std::uint32_t i = 0; i < trace.tasks.size(); ++i) {
        const TimeRange window = selection.window.range;
        const TimeRange life = trace.tasks[i].life;
        if (life.begin > window.end || life.end < window.begin)
            continue;
        const auto names = trace.commsOf(TaskId(i));
        for (std::size_t n = 0; n < names.size(); ++n) {
            const bool over =
                n + 1 < names.size() && names[n + 1].from <= std::max(window.begin, life.begin);
            if (over || names[n].from > window.end)
                continue;
            auto& tasks = groupOf(names[n].comm).tasks;
            if (tasks.empty() || tasks.back() != TaskId(i))
                tasks.push_back(TaskId(i));
        }
        if (names.empty())
            groupOf(StringId()).tasks.push_back(TaskId(i));
    }

    std::vector<TaskStats> chosen;
    for (TaskStats& stats : collector.groups) {
        if (selection.tasks.all()) {
            chosen.push_back(std::move(stats));
            continue;
        }
        const bool matches = std::any_of(stats.tasks.begin(), stats.tasks.end(), [&](TaskId task) {
            return selection.tasks.matches(trace.tasks[task.value()].tid, stats.comm);
        });
        if (matches)
            chosen.push_back(std::move(stats));
    }
    std::stable_sort(chosen.begin(), chosen.end(), [](const TaskStats& a, const TaskStats& b) {
        return a.cpuTime != b.cpuTime ? a.cpuTime > b.cpuTime : a.comm < b.comm;
    });
    return chosen;
}

Exactness exactness(const Trace& trace, const Selection& selection) {
    Exactness counts;
    for (const CpuTimeline& cpu : trace.cpus) {
        if (!selection.cpus.matches(cpu.cpu))
            continue;
        for (std::size_t i = 0; i < cpu.slices.size(); ++i)
            if (selection.window.holds(cpu.slices.range(i).end))
                ++(cpu.slices.clipped(i) ? counts.clippedSlices : counts.exactSlices);
    }
    const WaitColumns& waits = trace.waits;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (!selection.window.holds(waits.end(i)))
            continue;
        const auto cpu = waits.cpu(i);
        if (!selection.cpus.all() && (!cpu || !selection.cpus.matches(*cpu)))
            continue;
        switch (waits.certainty(i)) {
        case Certainty::exact:
            ++counts.exactWaits;
            break;
        case Certainty::clipped:
            ++counts.clippedWaits;
            break;
        case Certainty::doubtful:
            ++counts.doubtfulWaits;
            break;
        }
    }
    return counts;
}

} // namespace twolane
