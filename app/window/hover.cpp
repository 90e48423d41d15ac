#include "app/window/hover.h"

#include "model/query/neighbour.h"

#include <algorithm>
#include <array>

namespace twolane::window {
using namespace chart;
namespace {

Facts sliceText(const LoadedTrace& loaded, const CpuTimeline& timeline, std::size_t row) {
    const Trace& trace = *loaded.trace;
    const TimeFormat times = loaded.times();
    const Timeslice slice = timeline.slices[row];
    Facts text;
    text.title = nameOf(trace, slice.comm, slice.tid);
    text.comm = slice.comm;
    text.rows = {{QStringLiteral("tid"), QString::number(slice.tid)},
                 {QStringLiteral("CPU"), QString::number(timeline.cpu)},
                 {QStringLiteral("start"), sinceStart(trace, slice.range.begin, times)},
                 {QStringLiteral("length"), durationText(slice.range.length(), times)},
                 {QStringLiteral("left the CPU"), endStateText(slice)},
                 {QStringLiteral("priority"), priorityText(slice)}};
    if (slice.clipped())
        text.rows.emplace_back(QStringLiteral("clipped"), clippedText(slice));
    if (slice.migrated)
        text.rows.emplace_back(QStringLiteral("migrated"),
                               QStringLiteral("ran on another CPU before"));
    return text;
}

Facts severalText(const LoadedTrace& loaded, const CpuTimeline& timeline, const LaneColumn& column,
                  TimeRange pixel) {
    const Trace& trace = *loaded.trace;
    const TimeFormat times = loaded.times();
    const Timeslice longest = timeline.slices[column.longest];
    Facts text;
    text.title = countText(column.slices, "run", "runs");
    text.comm = longest.comm;
    text.rows = {{QStringLiteral("CPU"), QString::number(timeline.cpu)},
                 {QStringLiteral("within"), QStringLiteral("%1 from %2")
                                                .arg(durationText(pixel.length(), times),
                                                     sinceStart(trace, pixel.begin, times))},
                 {QStringLiteral("busy"), shareText(static_cast<double>(column.busy) /
                                                    static_cast<double>(pixel.length()))},
                 {QStringLiteral("longest"),
                  QStringLiteral("%1 (tid %2), %3")
                      .arg(nameOf(trace, longest.comm, longest.tid), QString::number(longest.tid),
                           durationText(longest.range.length(), times))}};
    if (column.unknown > 0)
        text.rows.emplace_back(QStringLiteral("unknown"), durationText(column.unknown, times));
    return text;
}

Facts unknownText(const LoadedTrace& loaded, const CpuTimeline& timeline, TimeRange pixel) {
    const Trace& trace = *loaded.trace;
    const auto gap =
        std::partition_point(timeline.unknown.begin(), timeline.unknown.end(),
                             [pixel](const TimeRange& range) { return range.end <= pixel.begin; });
    const auto loss =
        std::find_if(trace.losses.begin(), trace.losses.end(), [&](const LostEvents& lost) {
            return lost.cpu == timeline.cpu && lost.range.begin < pixel.end &&
                   lost.range.end > pixel.begin;
        });
    Facts text;
    text.title =
        loss != trace.losses.end() ? QStringLiteral("events lost") : QStringLiteral("no data");
    text.rows = {{QStringLiteral("CPU"), QString::number(timeline.cpu)},
                 {QStringLiteral("start"), sinceStart(trace, gap->begin, loaded.times())},
                 {QStringLiteral("length"), durationText(gap->length(), loaded.times())}};
    if (loss != trace.losses.end())
        text.rows.emplace_back(
            QStringLiteral("lost"),
            loss->count >= 0 ? countText(static_cast<std::uint64_t>(loss->count), "event", "events")
                             : QStringLiteral("a number that the file does not tell"));
    return text;
}

Facts idleText(const LoadedTrace& loaded, const CpuTimeline& timeline, Nanos at) {
    const Trace& trace = *loaded.trace;
    TimeRange idle = trace.range;
    const auto& begins = timeline.slices.begins();
    const auto next = static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), at) -
                                               begins.begin());
    if (next > 0)
        idle.begin = std::max(idle.begin, timeline.slices.ends()[next - 1]);
    if (next < begins.size())
        idle.end = std::min(idle.end, begins[next]);
    const auto gap =
        std::partition_point(timeline.unknown.begin(), timeline.unknown.end(),
                             [at](const TimeRange& range) { return range.begin <= at; });
    if (gap != timeline.unknown.begin())
        idle.begin = std::max(idle.begin, std::prev(gap)->end);
    if (gap != timeline.unknown.end())
        idle.end = std::min(idle.end, gap->begin);
    Facts text;
    text.title = QStringLiteral("idle");
    text.rows = {
        {QStringLiteral("CPU"), QString::number(timeline.cpu)},
        {QStringLiteral("start"), sinceStart(trace, idle.begin, loaded.times())},
        {QStringLiteral("length"), durationText(idle.clippedTo(idle).length(), loaded.times())}};
    return text;
}

} // namespace

Facts hoverText(const LoadedTrace& loaded, std::size_t lane, TimeRange pixel) {
    const Trace& trace = *loaded.trace;
    const CpuTimeline& timeline = trace.cpus[lane];
    if (pixel.end <= trace.range.begin || pixel.begin > trace.range.end) {
        Facts text;
        text.title = QStringLiteral("after the recording's end");
        text.rows = {
            {QStringLiteral("recorded"), durationText(trace.range.length(), loaded.times())}};
        return text;
    }
    const LaneColumn column = laneColumn(timeline, loaded.lanes[lane], pixel);
    if (column.slices == 0)
        return column.unknown > 0 ? unknownText(loaded, timeline, pixel)
                                  : idleText(loaded, timeline, pixel.begin);
    // The edge of a wide slice is that slice, not "2 runs".
    if (column.slices == 1 || timeline.slices.range(column.longest).length() / 2 >= pixel.length())
        return sliceText(loaded, timeline, column.longest);
    return severalText(loaded, timeline, column, pixel);
}

Facts queueText(const LoadedTrace& loaded, std::size_t lane, TimeRange pixel) {
    const Trace& trace = *loaded.trace;
    const CpuTimeline& timeline = trace.cpus[lane];
    if (pixel.end <= trace.range.begin || pixel.begin > trace.range.end)
        return hoverText(loaded, lane, pixel);
    std::vector<DepthColumn> columns;
    const std::array edges{pixel.begin, pixel.end};
    depthColumns(timeline, loaded.queues[lane], edges, columns);
    const DepthColumn& depth = columns.front();
    Facts facts;
    if (!depth.known) {
        facts.title = QStringLiteral("queue not known");
        facts.rows = {{QStringLiteral("CPU"), QString::number(timeline.cpu)}};
        return facts;
    }
    const QString least = depth.lowerBound ? QStringLiteral("at least ") : QString();
    facts.title = least + countText(depth.most, "task waits", "tasks wait") +
                  (depth.most == 0 ? QString() : QStringLiteral(" for CPU %1").arg(timeline.cpu));
    if (depth.most == 0) {
        facts.rows = {{QStringLiteral("CPU"), QString::number(timeline.cpu)}};
        return facts;
    }
    facts.rows = {
        {QStringLiteral("within"), QStringLiteral("%1 from %2")
                                       .arg(durationText(pixel.length(), loaded.times()),
                                            sinceStart(trace, pixel.begin, loaded.times()))},
        {QStringLiteral("on average"), QString::number(static_cast<double>(depth.mean), 'f', 2)}};
    // Those that wait at the first instant of the pixel, the longest waiting first.
    constexpr std::size_t shown = 5;
    const auto waits = waitingAt(trace, loaded.neighbours, lane, pixel.begin);
    for (std::size_t i = 0; i < std::min(waits.size(), shown); ++i) {
        const Wait wait = trace.waits[waits[i]];
        if (!wait.start)
            continue;
        facts.rows.emplace_back(
            nameOf(trace, wait.comm, wait.tid),
            QStringLiteral("tid %1, since %2")
                .arg(wait.tid)
                .arg(durationText(TimeRange{*wait.start, pixel.begin}.length(), loaded.times())));
    }
    if (waits.size() > shown)
        facts.rows.emplace_back(QStringLiteral("and"),
                                QStringLiteral("%1 more").arg(waits.size() - shown));
    return facts;
}

} // namespace twolane::window
