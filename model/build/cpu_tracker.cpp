#include "model/build/cpu_tracker.h"

#include <algorithm>

namespace twolane {

CpuTracker::CpuTracker(std::int32_t cpu, Nanos traceBegin)
    : m_unknownFrom(traceBegin) {
    m_timeline.cpu = cpu;
}

std::optional<Nanos> CpuTracker::lastEvent() const {
    return m_timeline.events ? std::optional(m_timeline.events->end) : std::nullopt;
}

void CpuTracker::endUnknown(Nanos at) {
    if (at <= m_unknownFrom)
        return;
    auto& unknown = m_timeline.unknown;
    if (!unknown.empty() && unknown.back().end == m_unknownFrom)
        unknown.back().end = at;
    else
        unknown.push_back({m_unknownFrom, at});
}

void CpuTracker::start(const OpenRun& run) {
    if (!m_current)
        endUnknown(run.begin);
    m_current = run;
    m_knownSince.reset();
    m_announced.reset();
}

void CpuTracker::close(Nanos at, StringId comm, std::int32_t tid, std::optional<std::int32_t> prio,
                       PrevState state) {
    const OpenRun& run = *m_current;
    if (!run.task.valid())
        return; // idle: what is neither a slice nor unknown
    Timeslice slice;
    slice.range = {run.begin, at};
    slice.task = run.task;
    slice.comm = comm;
    slice.tid = tid;
    slice.prio = prio;
    slice.endState = state;
    slice.openLeft = run.openLeft;
    slice.migrated = run.migrated;
    m_timeline.slices.push(slice);
}

void CpuTracker::pushOpenRight(Nanos end) {
    const OpenRun& run = *m_current;
    if (!run.task.valid())
        return;
    Timeslice slice;
    slice.range = {run.begin, std::max(run.begin, end)};
    slice.task = run.task;
    slice.comm = run.comm;
    slice.tid = run.tid;
    slice.prio = run.prio;
    slice.openLeft = run.openLeft;
    slice.openRight = true;
    slice.migrated = run.migrated;
    m_timeline.slices.push(slice);
}

void CpuTracker::lose(Nanos at) {
    if (m_current) {
        pushOpenRight(at);
        m_unknownFrom = at;
    }
    m_current.reset();
    m_knownSince.reset();
    m_announced.reset();
}

void CpuTracker::leave(Nanos at, std::int32_t next) {
    if (m_current)
        m_unknownFrom = at;
    m_current.reset();
    m_knownSince.reset();
    m_announced = next;
}

void CpuTracker::startUnknown(Nanos at) {
    if (m_current)
        m_unknownFrom = at;
    m_current.reset();
    m_knownSince = at;
    m_announced.reset();
}

CpuTimeline CpuTracker::finish(Nanos end) {
    if (m_current)
        pushOpenRight(end);
    else
        endUnknown(end);
    return std::move(m_timeline);
}

CpuTracker& CpuTrackers::add(std::int32_t cpu, Nanos traceBegin) {
    m_index.set(static_cast<std::uint32_t>(cpu), static_cast<std::uint32_t>(m_cpus.size()));
    return m_cpus.emplace_back(cpu, traceBegin);
}

std::vector<CpuTimeline> CpuTrackers::finish(Nanos end) {
    std::vector<CpuTimeline> timelines;
    timelines.reserve(m_cpus.size());
    for (CpuTracker& cpu : m_cpus)
        timelines.push_back(cpu.finish(end));
    std::sort(timelines.begin(), timelines.end(),
              [](const CpuTimeline& a, const CpuTimeline& b) { return a.cpu < b.cpu; });
    return timelines;
}

} // namespace twolane
