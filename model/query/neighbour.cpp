#include "model/query/neighbour.h"

#include <algorithm>
#include <tuple>

namespace twolane {
namespace {

const SliceColumns& slicesOf(const Trace& trace, std::size_t lane) {
    return trace.cpus[lane].slices;
}

/// Where a slice stands among all slices of its task: these do not overlap.
std::tuple<Nanos, Nanos, std::size_t, std::size_t> placeOf(const Trace& trace, SliceRef slice) {
    const TimeRange range = slicesOf(trace, slice.lane).range(slice.row);
    return {range.begin, range.end, slice.lane, slice.row};
}

/// Calls f(first, last) for each lane's part of a task's slices.
template <class F>
void forEachLane(const NeighbourIndex& index, TaskId task, F f) {
    const auto numbers = index.slicesOf(task);
    for (auto first = numbers.begin(); first != numbers.end();) {
        const std::size_t lane = index.slice(*first).lane;
        const auto last = std::lower_bound(first, numbers.end(), index.firstOfLane(lane + 1));
        f(first, last);
        first = last;
    }
}

/// The last slice of `task` of which isBefore(slice) holds, given that it holds of all before.
template <class IsBefore>
std::optional<SliceRef> lastOfTask(const Trace& trace, const NeighbourIndex& index, TaskId task,
                                   IsBefore isBefore) {
    std::optional<SliceRef> latest;
    forEachLane(index, task, [&](auto first, auto last) {
        const auto end = std::partition_point(
            first, last, [&](std::uint32_t number) { return isBefore(index.slice(number)); });
        if (end == first)
            return;
        const SliceRef found = index.slice(*(end - 1));
        if (!latest || placeOf(trace, *latest) < placeOf(trace, found))
            latest = found;
    });
    return latest;
}

/// The task's slices that were switched in at one instant on one lane, in order; one nearly always.
std::vector<SliceRef> switchedInAt(const Trace& trace, std::size_t lane, TaskId task, Nanos at) {
    const SliceColumns& slices = slicesOf(trace, lane);
    const auto& begins = slices.begins();
    auto row = static_cast<std::size_t>(std::lower_bound(begins.begin(), begins.end(), at) -
                                        begins.begin());
    std::vector<SliceRef> found;
    for (; row < slices.size() && begins[row] == at; ++row)
        if (slices.task(row) == task && !slices[row].openLeft)
            found.push_back({lane, row});
    return found;
}

bool followsPreemption(const Trace& trace, const NeighbourIndex& index, SliceRef slice) {
    const auto before = previousOfTask(trace, index, slice);
    if (!before)
        return false;
    const auto state = slicesOf(trace, before->lane)[before->row].endState;
    return state && state->runnable();
}

std::optional<std::size_t> laneOf(const Trace& trace, std::int32_t cpu) {
    const CpuTimeline* timeline = trace.cpu(cpu);
    if (!timeline)
        return std::nullopt;
    return static_cast<std::size_t>(timeline - trace.cpus.data());
}

} // namespace

std::optional<SliceRef> sliceAt(const Trace& trace, std::size_t lane, Nanos at) {
    const SliceColumns& slices = slicesOf(trace, lane);
    const auto& begins = slices.begins();
    const auto after = static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), at) -
                                                begins.begin());
    if (after == 0)
        return std::nullopt;
    // The last one that has begun is the only one that may still run.
    if (slices.range(after - 1).contains(at) || begins[after - 1] == at)
        return SliceRef{lane, after - 1};
    return std::nullopt;
}

std::optional<SliceRef> previousOnCpu(const Trace&, SliceRef slice) {
    if (slice.row == 0)
        return std::nullopt;
    return SliceRef{slice.lane, slice.row - 1};
}

std::optional<SliceRef> nextOnCpu(const Trace& trace, SliceRef slice) {
    if (slice.row + 1 >= slicesOf(trace, slice.lane).size())
        return std::nullopt;
    return SliceRef{slice.lane, slice.row + 1};
}

std::optional<SliceRef> previousOfTask(const Trace& trace, const NeighbourIndex& index,
                                       SliceRef slice) {
    const TaskId task = slicesOf(trace, slice.lane).task(slice.row);
    const auto place = placeOf(trace, slice);
    return lastOfTask(trace, index, task,
                      [&](SliceRef other) { return placeOf(trace, other) < place; });
}

std::optional<SliceRef> nextOfTask(const Trace& trace, const NeighbourIndex& index,
                                   SliceRef slice) {
    const TaskId task = slicesOf(trace, slice.lane).task(slice.row);
    const auto place = placeOf(trace, slice);
    std::optional<SliceRef> next;
    forEachLane(index, task, [&](auto first, auto last) {
        const auto found = std::partition_point(first, last, [&](std::uint32_t number) {
            return placeOf(trace, index.slice(number)) <= place;
        });
        if (found == last)
            return;
        const SliceRef other = index.slice(*found);
        if (!next || placeOf(trace, other) < placeOf(trace, *next))
            next = other;
    });
    return next;
}

std::optional<WaitRow> waitBefore(const Trace& trace, const NeighbourIndex& index, SliceRef slice) {
    const Timeslice run = slicesOf(trace, slice.lane)[slice.row];
    if (run.openLeft)
        return std::nullopt; // its switch-in was not seen
    const WaitColumns& waits = trace.waits;
    const auto rows = index.waitsOf(run.task);
    const Nanos at = run.range.begin;
    std::vector<WaitRow> ended;
    for (auto row = std::partition_point(rows.begin(), rows.end(),
                                         [&](std::uint32_t r) { return waits.end(r) < at; });
         row != rows.end() && waits.end(*row) == at; ++row)
        if (waits.cpu(*row) == trace.cpus[slice.lane].cpu)
            ended.push_back(*row);
    if (ended.empty())
        return std::nullopt;

    std::vector<SliceRef> begun = switchedInAt(trace, slice.lane, run.task, at);
    if (begun.size() > 1) {
        // A runnable switch-out begins a preempted wait and no other: as many waits as slices of
        // either sort belong together in their order.
        const bool preempted = followsPreemption(trace, index, slice);
        std::erase_if(begun, [&](SliceRef other) {
            return followsPreemption(trace, index, other) != preempted;
        });
        std::erase_if(ended, [&](WaitRow row) {
            return (waits.kind(row) == WaitKind::preempted) != preempted;
        });
    }
    if (ended.size() != begun.size())
        return std::nullopt;
    const auto place = std::find(begun.begin(), begun.end(), slice);
    return ended[static_cast<std::size_t>(place - begun.begin())];
}

std::optional<SliceRef> sliceAfter(const Trace& trace, const NeighbourIndex& index, WaitRow wait) {
    const auto cpu = trace.waits.cpu(wait);
    const auto lane = cpu ? laneOf(trace, *cpu) : std::nullopt;
    if (!lane)
        return std::nullopt;
    for (const SliceRef slice :
         switchedInAt(trace, *lane, trace.waits.task(wait), trace.waits.end(wait)))
        if (waitBefore(trace, index, slice) == wait)
            return slice;
    return std::nullopt;
}

std::optional<SliceRef> sliceBefore(const Trace& trace, const NeighbourIndex& index, WaitRow wait) {
    if (const auto after = sliceAfter(trace, index, wait))
        return previousOfTask(trace, index, *after);
    const Nanos start = trace.waits.place(wait);
    return lastOfTask(trace, index, trace.waits.task(wait), [&](SliceRef slice) {
        return slicesOf(trace, slice.lane).range(slice.row).end <= start;
    });
}

std::vector<WaitRow> waitingAt(const Trace& trace, const NeighbourIndex& index, std::size_t lane,
                               Nanos at) {
    const WaitColumns& waits = trace.waits;
    std::size_t started = waits.size(); // binary search over rows
    for (std::size_t first = 0; first < started;) {
        const std::size_t middle = first + (started - first) / 2;
        if (waits.place(middle) <= at)
            first = middle + 1;
        else
            started = middle;
    }
    // Rows are ordered by start: the first one has waited longest.
    std::vector<WaitRow> waiting = index.waitsEndingAfter(waits, started, at);
    std::erase_if(waiting,
                  [&](WaitRow row) { return waits.queuedOn(row, at) != trace.cpus[lane].cpu; });
    return waiting;
}

} // namespace twolane
