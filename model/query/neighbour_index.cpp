#include "model/query/neighbour_index.h"

#include <algorithm>

namespace twolane {

/// forEach(f) calls f(task, number) for every member, twice in the same order.
template <class ForEach>
NeighbourIndex::Groups NeighbourIndex::grouped(std::size_t tasks, std::size_t members,
                                               ForEach forEach) {
    Groups groups;
    std::vector<std::uint32_t> places(tasks + 1, 0);
    forEach([&](TaskId task, std::uint32_t) { ++places[task.value() + 1]; });
    for (std::size_t i = 1; i < places.size(); ++i)
        places[i] += places[i - 1];
    groups.firsts = places;
    groups.members.resize(members);
    forEach([&](TaskId task, std::uint32_t number) {
        groups.members[places[task.value()]++] = number;
    });
    return groups;
}

NeighbourIndex::NeighbourIndex(const Trace& trace) {
    std::uint32_t slices = 0;
    for (const CpuTimeline& timeline : trace.cpus) {
        m_laneFirsts.push_back(slices);
        slices += static_cast<std::uint32_t>(timeline.slices.size());
    }
    m_laneFirsts.push_back(slices);
    m_slices = grouped(trace.tasks.size(), slices, [&trace](auto take) {
        std::uint32_t number = 0;
        for (const CpuTimeline& timeline : trace.cpus)
            for (std::size_t row = 0; row < timeline.slices.size(); ++row)
                take(timeline.slices.task(row), number++);
    });

    const WaitColumns& waits = trace.waits;
    m_waits = grouped(trace.tasks.size(), waits.size(), [&waits](auto take) {
        for (std::size_t row = 0; row < waits.size(); ++row)
            take(waits.task(row), static_cast<std::uint32_t>(row));
    });
    // Waits of a task do not overlap: rows, which are ordered by start, are ordered by end too but
    // for waits of 0 ns.
    const auto endsBefore = [&waits](std::uint32_t a, std::uint32_t b) {
        return waits.end(a) < waits.end(b);
    };
    for (std::size_t task = 0; task < trace.tasks.size(); ++task) {
        const auto first = m_waits.members.begin() + m_waits.firsts[task];
        const auto last = m_waits.members.begin() + m_waits.firsts[task + 1];
        if (!std::is_sorted(first, last, endsBefore))
            std::stable_sort(first, last, endsBefore);
    }

    for (std::size_t below = waits.size(); below > 1; below = m_latestEnds.back().size()) {
        std::vector<Nanos> level((below + fanOut - 1) / fanOut, INT64_MIN);
        for (std::size_t i = 0; i < below; ++i) {
            Nanos& latest = level[i / fanOut];
            latest = std::max(latest, m_latestEnds.empty() ? waits.end(i) : m_latestEnds.back()[i]);
        }
        m_latestEnds.push_back(std::move(level));
    }
}

SliceRef NeighbourIndex::slice(std::uint32_t number) const {
    const auto next = std::upper_bound(m_laneFirsts.begin(), m_laneFirsts.end(), number);
    const auto lane = static_cast<std::size_t>(next - m_laneFirsts.begin()) - 1;
    return {lane, number - m_laneFirsts[lane]};
}

std::vector<std::size_t> NeighbourIndex::waitsEndingAfter(const WaitColumns& waits,
                                                          std::size_t before, Nanos at) const {
    // From the level of one block down: of each block that holds such a wait, the blocks inside.
    std::vector<std::size_t> found{0};
    std::size_t size = 1;
    for (std::size_t i = 0; i < m_latestEnds.size(); ++i)
        size *= fanOut;
    for (std::size_t level = m_latestEnds.size(); level-- > 0;) {
        const std::size_t below = size / fanOut;
        std::vector<std::size_t> parts;
        for (const std::size_t block : found) {
            if (block * size >= before || m_latestEnds[level][block] <= at)
                continue;
            for (std::size_t part = block * fanOut; part < (block + 1) * fanOut; ++part)
                if (part * below < before)
                    parts.push_back(part);
        }
        found = std::move(parts);
        size = below;
    }
    std::erase_if(found, [&](std::size_t row) { return row >= before || waits.end(row) <= at; });
    return found;
}

} // namespace twolane
