#include "model/build/runqueue_tracker.h"

#include <algorithm>

namespace twolane {
namespace {

/// A change of one queue that does not come with a start or a switch-in.
struct Change {
    Nanos at = 0;
    std::int32_t cpu = 0;
    std::int32_t by = 0;
};

std::vector<Change> rareChanges(const WaitColumns& waits, const std::vector<bool>& dropped,
                                const std::vector<std::uint32_t>& cut) {
    std::vector<Change> changes;
    const auto change = [&changes](Nanos at, std::optional<std::int32_t> cpu, std::int32_t by) {
        if (cpu)
            changes.push_back({at, *cpu, by});
    };
    for (const std::uint32_t row : cut)
        if (!dropped[row])
            change(waits.end(row), waits.queuedCpu(row), -1);

    // Every end takes its task out of the queue that it stood in first; so at the end of a wait
    // that was moved the two queues are exchanged.
    std::vector<QueueMove> moves = waits.moves();
    std::stable_sort(moves.begin(), moves.end(),
                     [](const QueueMove& a, const QueueMove& b) { return a.wait < b.wait; });
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const QueueMove& move = moves[i];
        if (dropped[move.wait])
            continue;
        const auto first = waits.queuedCpu(move.wait);
        const bool again = i > 0 && moves[i - 1].wait == move.wait;
        change(move.at, again ? moves[i - 1].cpu : first, -1);
        change(move.at, move.cpu, 1);
        if (i + 1 == moves.size() || moves[i + 1].wait != move.wait) {
            change(waits.end(move.wait), move.cpu, -1);
            change(waits.end(move.wait), first, 1);
        }
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.at < b.at; });
    return changes;
}

/// Answers when a CPU was idle first, for instants that do not descend.
class IdleFinder {
public:
    IdleFinder(const CpuTimeline& timeline, Nanos end)
        : m_timeline(timeline)
        , m_end(end) {}

    /// The first instant from `at` on that is known to be idle; the trace's end where none is.
    Nanos firstFrom(Nanos at) {
        const SliceColumns& slices = m_timeline.slices;
        const auto& unknown = m_timeline.unknown;
        m_idle = std::max(m_idle, at); // what was passed over before was not idle
        while (m_idle < m_end) {
            while (m_slice < slices.size() && slices.range(m_slice).end <= m_idle)
                ++m_slice;
            while (m_unknown < unknown.size() && unknown[m_unknown].end <= m_idle)
                ++m_unknown;
            if (m_slice < slices.size() && slices.range(m_slice).begin <= m_idle)
                m_idle = slices.range(m_slice).end;
            else if (m_unknown < unknown.size() && unknown[m_unknown].begin <= m_idle)
                m_idle = unknown[m_unknown].end;
            else
                break;
        }
        return std::min(m_idle, m_end);
    }

private:
    const CpuTimeline& m_timeline;
    Nanos m_end;
    Nanos m_idle = INT64_MIN;
    std::size_t m_slice = 0;
    std::size_t m_unknown = 0;
};

/// Where tasks of which nothing is known may have been queued: on any CPU, from `begin` until the
/// CPU is idle at or after `end`.
std::vector<TimeRange> unseenEverywhere(const Trace& trace) {
    std::vector<TimeRange> ranges{{trace.range.begin, trace.range.begin}};
    for (const LostEvents& loss : trace.losses)
        ranges.push_back(loss.range);
    // Waits on a CPU that no record told.
    for (std::size_t row = 0; row < trace.waits.size(); ++row)
        if (!trace.waits.queuedCpu(row))
            if (const auto start = trace.waits.start(row))
                ranges.push_back({*start, trace.waits.end(row)});
    return ranges;
}

} // namespace

void RunqueueTracker::tell(const WaitColumns& waits, const std::vector<bool>& dropped, Nanos end,
                           CpuTrackers& cpus) const {
    const std::vector<Change> rare = rareChanges(waits, dropped, m_cut);
    const auto change = [&cpus](Nanos at, std::int32_t number, std::int32_t by) {
        if (CpuTracker* cpu = cpus.find(number))
            cpu->changeQueue(at, by);
    };
    // Three lists in order of time become one. Behind the trace's last stamp nothing is drawn.
    std::size_t started = 0;
    std::size_t ended = 0;
    std::size_t rarely = 0;
    const auto nextStart = [&] {
        while (started < waits.size() && (dropped[started] || !waits.start(started)))
            ++started;
        return started < waits.size() ? waits.place(started) : end;
    };
    Nanos start = nextStart();
    Nanos stop = m_ended.empty() ? end : waits.end(m_ended[0]);
    Nanos other = rare.empty() ? end : rare[0].at;
    while (std::min({start, stop, other}) < end) {
        if (start <= stop && start <= other) {
            if (const auto cpu = waits.queuedCpu(started))
                change(start, *cpu, 1);
            ++started;
            start = nextStart();
        } else if (stop <= other) {
            if (const auto cpu = waits.queuedCpu(m_ended[ended]))
                change(stop, *cpu, -1);
            ++ended;
            stop = ended < m_ended.size() ? waits.end(m_ended[ended]) : end;
        } else {
            change(other, rare[rarely].cpu, rare[rarely].by);
            ++rarely;
            other = rarely < rare.size() ? rare[rarely].at : end;
        }
    }
}

void markLowerBounds(Trace& trace) {
    const std::vector<TimeRange> everywhere = unseenEverywhere(trace);
    for (CpuTimeline& timeline : trace.cpus) {
        auto& marked = timeline.queueLowerBound;
        if (trace.wakeEdge == WakeEdge::none) {
            if (!trace.range.empty())
                marked.push_back(trace.range);
            continue;
        }
        std::vector<TimeRange> unseen = everywhere;
        unseen.insert(unseen.end(), timeline.unknown.begin(), timeline.unknown.end());
        std::sort(unseen.begin(), unseen.end(),
                  [](TimeRange a, TimeRange b) { return a.end < b.end; });
        IdleFinder idle(timeline, trace.range.end);
        for (const TimeRange range : unseen) {
            const TimeRange doubt{range.begin, std::max(range.begin, idle.firstFrom(range.end))};
            if (!doubt.empty())
                marked.push_back(doubt);
        }
        std::sort(marked.begin(), marked.end(),
                  [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
        std::size_t kept = 0;
        for (const TimeRange range : marked) {
            if (kept > 0 && range.begin <= marked[kept - 1].end)
                marked[kept - 1].end = std::max(marked[kept - 1].end, range.end);
            else
                marked[kept++] = range;
        }
        marked.resize(kept);
    }
}

} // namespace twolane
