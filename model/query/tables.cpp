#include "model/query/tables.h"

#include "model/query/cpu_stats.h"
#include "model/query/task_stats.h"

#include <queue>

#include <fmt/format.h>

#include <algorithm>

namespace twolane {
namespace {

template <class T>
Cell cell(const std::optional<T>& value) {
    if (!value)
        return std::monostate{};
    return static_cast<std::int64_t>(*value);
}
Cell cell(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}
Cell cell(std::int64_t value) {
    return value;
}
Cell cell(std::string_view text) {
    return text.empty() ? Cell() : Cell(std::string(text));
}

Nanos offsetOf(const Trace& trace, Origin origin) {
    return origin == Origin::clock ? 0 : trace.range.begin;
}

/// Sentences under a table of distributions: what was left out of them.
std::vector<std::string> exactnessNotes(const Trace& trace, const Selection& selection) {
    const Exactness e = exactness(trace, selection);
    std::vector<std::string> notes;
    notes.push_back(
        fmt::format("timeslices: {} exact, {} clipped (left out of mean, percentiles and max)",
                    e.exactSlices, e.clippedSlices));
    notes.push_back(
        fmt::format("waits: {} exact, {} clipped, {} doubtful (the last two left out likewise)",
                    e.exactWaits, e.clippedWaits, e.doubtfulWaits));
    return notes;
}

void addTaskCells(std::vector<Cell>& row, TaskStats& s, Nanos offset, bool sleepsKnown,
                  WakeEdge edge) {
    // Where no wake was recorded, wakeups and their latencies are not 0 but unknown.
    const bool wakes = edge != WakeEdge::none;
    row.push_back(cell(s.cpuTime));
    row.push_back(cell(s.timeslices.n()));
    row.push_back(cell(s.timeslices.mean()));
    row.push_back(cell(s.timeslices.percentile(50)));
    row.push_back(cell(s.timeslices.percentile(99)));
    row.push_back(cell(s.timeslices.max()));
    row.push_back(wakes ? cell(s.wakeups) : Cell());
    row.push_back(cell(s.latencies.mean()));
    row.push_back(cell(s.latencies.percentile(50)));
    row.push_back(cell(s.latencies.percentile(99)));
    row.push_back(cell(s.latencies.max()));
    row.push_back(s.latencies.n() > 0 ? cell(s.latencyMaxAt - offset) : Cell());
    row.push_back(cell(s.preemptedWait));
    row.push_back(cell(s.runqueueWait));
    row.push_back(sleepsKnown ? cell(s.sleep) : Cell());
    row.push_back(sleepsKnown ? cell(s.block) : Cell());
    row.push_back(sleepsKnown ? cell(s.unknown) : Cell());
    row.push_back(cell(s.voluntary));
    row.push_back(cell(s.involuntary));
    row.push_back(cell(s.migrations));
}

std::vector<Column> taskColumns() {
    return {
        {"cpu_time_ns", Unit::duration, "cpu time"},
        {"timeslices", Unit::none, "slices"},
        {"timeslice_mean_ns", Unit::duration},
        {"timeslice_p50_ns", Unit::duration, "p50"},
        {"timeslice_p99_ns", Unit::duration},
        {"timeslice_max_ns", Unit::duration},
        {"wakeups"},
        {"latency_mean_ns", Unit::duration},
        {"latency_p50_ns", Unit::duration},
        {"latency_p99_ns", Unit::duration, "lat p99"},
        {"latency_max_ns", Unit::duration},
        {"latency_max_at_ns", Unit::instant},
        {"preempted_wait_ns", Unit::duration},
        {"runqueue_wait_ns", Unit::duration, "waited"},
        {"sleep_ns", Unit::duration},
        {"block_ns", Unit::duration},
        {"unknown_ns", Unit::duration},
        {"voluntary"},
        {"involuntary"},
        {"migrations"},
    };
}

} // namespace

Table sliceTable(const Trace& trace, const Selection& selection, Origin origin) {
    Table table;
    table.columns = {{"start_ns", Unit::instant, "start"},
                     {"end_ns", Unit::instant},
                     {"cpu", Unit::none, "cpu"},
                     {"tid", Unit::none, "tid"},
                     {"comm", Unit::none, "comm"},
                     {"prio", Unit::none, "prio"},
                     {"end_state", Unit::none, "state"},
                     {"clipped", Unit::none},
                     {"certainty", Unit::none, "certainty"}};
    const Nanos offset = offsetOf(trace, origin);

    // The CPUs' slices are each in order of time: merge them by (start, cpu, tid).
    struct Head {
        Nanos begin;
        std::int32_t cpu;
        std::int32_t tid;
        std::size_t slice;
        const CpuTimeline* timeline;
        bool operator<(const Head& o) const { // the queue's top is its largest element
            return std::tie(begin, cpu) != std::tie(o.begin, o.cpu)
                       ? std::tie(begin, cpu) > std::tie(o.begin, o.cpu)
                       : std::tie(tid, slice) > std::tie(o.tid, o.slice);
        }
    };
    std::priority_queue<Head> heads;
    // Runs of 0 ns make equal starts on one CPU: all of them stand in the queue together.
    const auto push = [&](const CpuTimeline& cpu, std::size_t i) {
        if (i >= cpu.slices.size())
            return;
        const Nanos begin = cpu.slices.range(i).begin;
        for (; i < cpu.slices.size() && cpu.slices.range(i).begin == begin; ++i)
            heads.push({begin, cpu.cpu, cpu.slices[i].tid, i, &cpu});
    };
    for (const CpuTimeline& cpu : trace.cpus)
        if (selection.cpus.matches(cpu.cpu))
            push(cpu, 0);

    while (!heads.empty()) {
        const Head head = heads.top();
        heads.pop();
        const SliceColumns& slices = head.timeline->slices;
        const bool lastOfItsStart =
            head.slice + 1 == slices.size() || slices.range(head.slice + 1).begin != head.begin;
        if (lastOfItsStart)
            push(*head.timeline, head.slice + 1);

        const Timeslice slice = slices[head.slice];
        const std::string_view comm = trace.strings.text(slice.comm);
        if (!selection.window.holds(slice.range.end) || !selection.tasks.matches(slice.tid, comm))
            continue;
        table.rows.push_back(
            {slice.range.begin - offset, slice.range.end - offset, cell(std::int64_t{head.cpu}),
             cell(std::int64_t{slice.tid}), cell(comm),
             slice.prio ? cell(std::int64_t{*slice.prio}) : Cell(),
             slice.endState ? cell(std::string_view(toString(*slice.endState))) : Cell(),
             cell(std::int64_t{slice.clipped()}),
             cell(nameOf(slice.clipped() ? Certainty::clipped : Certainty::exact))});
    }
    return table;
}

Table latencyTable(const Trace& trace, const Selection& selection, Origin origin) {
    Table table;
    table.columns = {{"kind", Unit::none, "kind"},
                     {"start_ns", Unit::instant, "start"},
                     {"end_ns", Unit::instant},
                     {"duration_ns", Unit::duration, "duration"},
                     {"cpu", Unit::none, "cpu"},
                     {"tid", Unit::none, "tid"},
                     {"comm", Unit::none, "comm"},
                     {"waker_tid", Unit::none},
                     {"waker_comm", Unit::none, "waker"},
                     {"waker_cpu", Unit::none},
                     {"queued_cpu", Unit::none},
                     {"queued_ns", Unit::instant},
                     {"certainty", Unit::none, "certainty"}};
    const Nanos offset = offsetOf(trace, origin);
    const auto instant = [offset](std::optional<Nanos> at) {
        return at ? cell(*at - offset) : Cell();
    };

    for (std::size_t i = 0; i < trace.waits.size(); ++i) {
        const Wait wait = trace.waits[i];
        const std::string_view comm = trace.strings.text(wait.comm);
        if (!selection.window.holds(wait.end) || !selection.tasks.matches(wait.tid, comm))
            continue;
        if (!selection.cpus.all() && (!wait.cpu || !selection.cpus.matches(*wait.cpu)))
            continue;
        const std::string_view waker = wait.wakerTid == 0   ? "<idle>"
                                       : wait.waker.valid() ? trace.commAt(wait.waker, wait.wakeAt)
                                                            : "";
        table.rows.push_back({cell(nameOf(wait.kind)), instant(wait.start), cell(wait.end - offset),
                              wait.start ? cell(wait.end - *wait.start) : Cell(), cell(wait.cpu),
                              cell(std::int64_t{wait.tid}), cell(comm), cell(wait.wakerTid),
                              cell(waker), cell(wait.wakerCpu), cell(wait.queuedCpu),
                              instant(wait.queuedAt), cell(nameOf(wait.certainty))});
    }
    return table;
}

Table taskTable(const Trace& trace, const Selection& selection, Origin origin) {
    Table table;
    table.columns = {{"tid", Unit::none, "tid"}, {"comm", Unit::none, "comm"}};
    for (Column& column : taskColumns())
        table.columns.push_back(std::move(column));
    for (TaskStats& s : statsByTask(trace, selection)) {
        std::vector<Cell> row{cell(std::int64_t{s.tid}), cell(std::string_view(s.comm))};
        addTaskCells(row, s, offsetOf(trace, origin), selection.cpus.all(), trace.wakeEdge);
        table.rows.push_back(std::move(row));
    }
    table.notes = exactnessNotes(trace, selection);
    return table;
}

Table commTable(const Trace& trace, const Selection& selection, Origin origin) {
    Table table;
    table.columns = {{"tasks", Unit::none, "tasks"}, {"comm", Unit::none, "comm"}};
    for (Column& column : taskColumns())
        table.columns.push_back(std::move(column));
    for (TaskStats& s : statsByComm(trace, selection)) {
        std::vector<Cell> row{cell(static_cast<std::uint64_t>(s.tasks.size())),
                              cell(std::string_view(s.comm))};
        addTaskCells(row, s, offsetOf(trace, origin), selection.cpus.all(), trace.wakeEdge);
        table.rows.push_back(std::move(row));
    }
    table.notes = exactnessNotes(trace, selection);
    return table;
}

Table cpuTable(const Trace& trace, const Selection& selection) {
    Table table;
    // Headings for as many as 80 columns of text hold.
    table.columns = {{"cpu", Unit::none, "cpu"},
                     {"busy_ns", Unit::duration, "busy"},
                     {"idle_ns", Unit::duration},
                     {"unknown_ns", Unit::duration, "unknown"},
                     {"utilisation", Unit::share, "used"},
                     {"switches", Unit::none},
                     {"timeslices", Unit::none, "slices"},
                     {"timeslice_p50_ns", Unit::duration, "slice p50"},
                     {"timeslice_p99_ns", Unit::duration, "p99"},
                     {"wakeups", Unit::none},
                     {"depth_mean", Unit::none, "depth"},
                     {"depth_p99", Unit::none},
                     {"depth_max", Unit::none, "max"}};
    Nanos known = 0;
    Nanos lowerBound = 0;
    for (CpuStats& s : cpuStats(trace, selection)) {
        const DepthStats depth = s.depth.value_or(DepthStats());
        known += depth.times.known();
        lowerBound += depth.lowerBound;
        const auto mean = depth.times.mean();
        table.rows.push_back({cell(std::int64_t{s.cpu}), cell(s.busy), cell(s.idle),
                              cell(s.unknown), s.utilisation ? Cell(*s.utilisation) : Cell(),
                              cell(s.switches), cell(s.timeslices.n()),
                              cell(s.timeslices.percentile(50)), cell(s.timeslices.percentile(99)),
                              trace.wakeEdge == WakeEdge::none ? Cell() : cell(s.wakeups),
                              mean ? Cell(*mean) : Cell(), cell(depth.times.percentile(99)),
                              cell(depth.times.max())});
    }
    table.notes = exactnessNotes(trace, selection);
    if (lowerBound > 0)
        table.notes.push_back(fmt::format(
            "depth: a lower bound for {:.1f} % of the known time: until first idle, after losses",
            std::max(0.1, 100 * static_cast<double>(lowerBound) / static_cast<double>(known))));
    if (!selection.tasks.all())
        table.notes.push_back("depth: counts all tasks, so it is not told of some");
    else if (trace.wakeEdge == WakeEdge::none)
        table.notes.push_back("depth: unknown, for wakeups were not recorded");
    return table;
}

} // namespace twolane
