// Thousands of small random recordings, plausible and absurd, read by the model and by the slow
// second model: both must say the same. What differs is told with the fewest events that show it.
#include "model/trace_builder.h"
#include "tests/support/random_recording.h"
#include "tests/support/slow_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace twolane;
using twolane::tests::SlowTrace;
using twolane::tests::TestEvent;
using Kind = TestEvent::Kind;
using twolane::tests::Events;
using twolane::tests::randomRecording;
using twolane::tests::shrunk;

namespace {

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
           std::to_string(std::optional<std::int32_t>(slice.prio).value()) + " " + end +
           (slice.openLeft ? " open-left" : "") + (slice.openRight ? " open-right" : "") +
           (slice.migrated ? " migrated" : "");
}

/// How many waited at each instant of the trace; `?` after a lower bound.
Lines sayQueues(const Trace& trace) {
    Lines lines;
    for (const CpuTimeline& cpu : trace.cpus) {
        std::string line = "queue of CPU " + std::to_string(cpu.cpu) + ":";
        std::size_t steps = 0;
        for (Nanos t = trace.range.begin; t < trace.range.end; ++t) {
            if (steps < cpu.queue.size() && cpu.queue.times()[steps] == t)
                ++steps;
            const std::uint32_t waiting = steps == 0 ? 0 : cpu.queue.waiting(steps - 1);
            const bool least =
                std::any_of(cpu.queueLowerBound.begin(), cpu.queueLowerBound.end(),
                            [t](const TimeRange& range) { return range.contains(t); });
            line += " " + std::to_string(waiting) + (least ? "?" : "");
        }
        if (steps != cpu.queue.size())
            line += " and steps out of place";
        lines.push_back(line);
    }
    return lines;
}

/// Of every wait and every instant: does the task wait there then?
Lines sayQueues(const SlowTrace& trace, const Events& events, const std::set<std::int32_t>& cpus) {
    const auto placeAt = [](const tests::SlowWait& wait, Nanos t) {
        std::optional<std::int32_t> place = wait.queuedCpu;
        for (const auto& [at, cpu] : wait.moves)
            if (at <= t)
                place = cpu;
        return place;
    };
    const auto idleAt = [&](std::int32_t cpu, Nanos t) {
        for (const auto& slice : trace.slices)
            if (slice.cpu == cpu && slice.range.contains(t))
                return false;
        if (const auto unknown = trace.unknown.find(cpu); unknown != trace.unknown.end())
            for (const TimeRange range : unknown->second)
                if (range.contains(t))
                    return false;
        return true;
    };
    Lines lines;
    for (const std::int32_t cpu : cpus) {
        std::vector<TimeRange> unseen{{trace.range.begin, trace.range.begin}};
        for (const TestEvent& event : events)
            if (event.kind == Kind::lost)
                unseen.push_back({event.time, event.lostEnd});
        for (const auto& wait : trace.waits)
            if (!wait.queuedCpu && wait.start)
                unseen.push_back({*wait.start, wait.end});
        if (const auto unknown = trace.unknown.find(cpu); unknown != trace.unknown.end())
            unseen.insert(unseen.end(), unknown->second.begin(), unknown->second.end());

        std::string line = "queue of CPU " + std::to_string(cpu) + ":";
        for (Nanos t = trace.range.begin; t < trace.range.end; ++t) {
            int waiting = 0;
            for (const auto& wait : trace.waits)
                if (wait.start && *wait.start <= t && t < wait.end && placeAt(wait, t) == cpu)
                    ++waiting;
            bool least = trace.wakeEdge == WakeEdge::none;
            for (const TimeRange range : unseen) {
                bool idleSince = false;
                for (Nanos i = range.end; i <= t; ++i)
                    idleSince = idleSince || idleAt(cpu, i);
                least = least || (range.begin <= t && !idleSince);
            }
            line += " " + std::to_string(waiting) + (least ? "?" : "");
        }
        lines.push_back(line);
    }
    return lines;
}

Lines say(const Trace& trace) {
    Lines lines = sayQueues(trace);
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
    for (const std::string& line : sayQueues(trace, events, cpus))
        lines.push_back(line);
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
        const Events events = randomRecording(seed);
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
        const Events events = randomRecording(seed);
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
