// One line of ftrace text taken apart. Its forms, as the kernel writes them to tracefs `trace` and
// `trace_pipe` (trace_print_context and trace_print_lat_context of kernel/trace/trace_output.c),
// and as `trace-cmd report` does:
//
//   standard   comm-pid (tgid) [cpu] flags time: event: payload
//   latency    comm-pid cpuflags time: event: payload
//   verbose    comm pid cpu flags preempt index [time in us, hex] time.ms (+time.ms): event:
//   payload
//
// Tgid and flags may be missing. The comm may look like anything, so it is not what a line is found
// by. Behind the time the old sched_switch tracer has an entry of its own in place of the event.
#pragma once

#include "importers/text_events/line_parser.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twolane {

/// How a file's lines are written.
enum class LineForm : std::uint8_t {
    standard,
    latency, ///< tracefs option latency-format, and trace-cmd report -l
    verbose, ///< tracefs options latency-format and verbose
};

class FtraceLineParser final : public LineParser {
public:
    /// The width of the comm column, in which the name is right-aligned.
    static constexpr std::size_t commWidth(LineForm form) {
        return form == LineForm::latency ? 8 : 16;
    }

    FtraceLineParser() = default;
    explicit FtraceLineParser(LineForm form)
        : FtraceLineParser(form, commWidth(form), 1) {}
    /// `dashColumn` is where most lines of the file have the '-' between comm and pid: looked at
    /// first, so that no comm can imitate the rest of a line. Integer stamps are multiplied by
    /// `integerScale` ns.
    explicit FtraceLineParser(LineForm form, std::size_t dashColumn, Nanos integerScale)
        : m_form(form)
        , m_dashColumn(dashColumn)
        , m_integerScale(integerScale) {}

    LineForm form() const { return m_form; }
    std::size_t dashColumn() const { return m_dashColumn; }

    LineKind parse(std::string_view line, EventLine& out) const override;
    void readFacts(LineKind kind, std::string_view line, TextFacts& facts) const override;

private:
    LineKind fromDash(std::string_view line, std::size_t dash, EventLine& out) const;
    LineKind behindCpu(const char* at, const char* end, EventLine& out) const;
    LineKind bySearch(std::string_view line, EventLine& out) const;
    LineKind latency(std::string_view line, EventLine& out) const;
    LineKind latencyFromDash(std::string_view line, std::size_t dash, EventLine& out) const;
    LineKind verbose(std::string_view line, EventLine& out) const;

    LineForm m_form = LineForm::standard;
    std::size_t m_dashColumn = 16;
    Nanos m_integerScale = 1;
};

} // namespace twolane
