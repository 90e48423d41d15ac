// Finds the slices and waits of one task, and the waits under way at an instant, without looking at
// all rows.
#pragma once

#include "model/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twolane {

/// Names one timeslice of a trace.
struct SliceRef {
    std::size_t lane = 0; ///< into Trace::cpus
    std::size_t row = 0;  ///< into its slices

    bool operator==(const SliceRef&) const = default;
};

/// Built once a trace, then const: safe for any thread. Takes about 4 bytes a slice and 4 a wait.
/// Answers about the trace that it was built from.
class NeighbourIndex {
public:
    NeighbourIndex() = default;
    explicit NeighbourIndex(const Trace& trace);

    /// A task's slices as numbers that count the slices of all lanes, one lane after the other:
    /// grouped by lane, on each lane in order of time.
    std::span<const std::uint32_t> slicesOf(TaskId task) const { return m_slices.of(task); }
    /// A task's rows of Trace::waits, ordered by their ends, then as they stand there.
    std::span<const std::uint32_t> waitsOf(TaskId task) const { return m_waits.of(task); }

    SliceRef slice(std::uint32_t number) const;
    /// The number of a lane's first slice; `lane` may be the number of lanes.
    std::uint32_t firstOfLane(std::size_t lane) const { return m_laneFirsts[lane]; }

    /// The rows below `before` whose wait ends after `at`, ascending.
    std::vector<std::size_t> waitsEndingAfter(const WaitColumns& waits, std::size_t before,
                                              Nanos at) const;

private:
    /// Numbers in groups, one group a task.
    struct Groups {
        std::vector<std::uint32_t> firsts; ///< of each group, and the end of the last one
        std::vector<std::uint32_t> members;

        std::span<const std::uint32_t> of(TaskId task) const {
            const std::size_t group = task.value();
            if (group + 1 >= firsts.size())
                return {};
            return std::span(members).subspan(firsts[group], firsts[group + 1] - firsts[group]);
        }
    };
    template <class ForEach>
    static Groups grouped(std::size_t tasks, std::size_t members, ForEach forEach);

    static constexpr std::size_t fanOut = 32;

    std::vector<std::uint32_t> m_laneFirsts;
    Groups m_slices;
    Groups m_waits;
    /// The latest end of every fanOut rows of waits, of every fanOut of those, ….
    std::vector<std::vector<Nanos>> m_latestEnds;
};

} // namespace twolane
