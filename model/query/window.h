// What part of a trace a question is about.
#pragma once

#include "model/trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twolane {

/// A span of a trace. Sums are cut at its edges; what ends inside belongs to its distributions.
struct Window {
    TimeRange range;
    bool includesEnd = false; ///< reaches the trace's last event, whose stamp is `range.end`

    bool holds(Nanos t) const { return range.contains(t) || (includesEnd && t == range.end); }
};

/// The window from `from` to `to`, both in ns from the trace's start; nothing means the trace's own
/// edge. Edges outside the trace are moved to it; an inverted range becomes empty.
Window windowOf(const Trace& trace, std::optional<Nanos> from = {}, std::optional<Nanos> to = {});

/// Tasks by tid or by comm.
class TaskFilter {
public:
    TaskFilter() = default; ///< every task
    /// A tid in decimal digits, or a glob of comms (`postgres*`).
    explicit TaskFilter(std::string pattern);

    bool all() const { return !m_pattern; }
    bool matches(std::int32_t tid, std::string_view comm) const;
    bool matchesTid(std::int32_t tid) const { return !m_pattern || m_tid == tid; }

private:
    std::optional<std::string> m_pattern;
    std::optional<std::int32_t> m_tid;
};

/// CPUs by number. "None" and "no filter" are different values.
class CpuFilter {
public:
    /// CPUs from first to last, both included.
    struct Span {
        std::int32_t first = 0;
        std::int32_t last = 0;
    };

    CpuFilter() = default; ///< every CPU
    explicit CpuFilter(std::vector<Span> ranges)
        : m_ranges(std::move(ranges)) {}
    /// "0,2-5"; nothing where the text is no such list.
    static std::optional<CpuFilter> parse(std::string_view list);

    bool all() const { return !m_ranges; }
    bool matches(std::int32_t cpu) const;

private:
    std::optional<std::vector<Span>> m_ranges;
};

struct Selection {
    Window window;
    CpuFilter cpus;
    TaskFilter tasks;
};

} // namespace twolane
