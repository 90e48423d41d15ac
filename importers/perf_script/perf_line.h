// One line of `perf script` taken apart (tools/perf/builtin-script.c of Linux,
// perf_sample__fprintf_start):
//
//   comm tid      [cpu] misc  time: period system:event: payload
//   comm pid/tid  [cpu]       time:        system:event: payload
//   comm tid cpu              time:        system:event: payload      with -L
//
// Cpu, misc and period may be missing. The comm may look like anything.
#pragma once

#include "importers/text_events/line_parser.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twolane {

/// How a file's lines tell the CPU.
enum class CpuColumn : std::uint8_t {
    brackets, ///< "[003]"; lines without it have no CPU
    bare,     ///< "3", as -L writes it
};

class PerfLineParser final : public LineParser {
public:
    explicit PerfLineParser(CpuColumn column = CpuColumn::brackets)
        : m_column(column) {}

    LineKind parse(std::string_view line, EventLine& out) const override;
    void readFacts(LineKind kind, std::string_view line, TextFacts& facts) const override;

private:
    CpuColumn m_column;
};

/// What the first bytes of a file tell.
struct PerfHead {
    CpuColumn column = CpuColumn::brackets;
    std::size_t events = 0;  ///< also those without a CPU
    std::size_t records = 0; ///< side-band: PERF_RECORD_…
    std::size_t others = 0;  ///< lines that are none of these, nor part of one
};

/// Looks at the whole lines in `head`.
PerfHead lookAtPerfHead(std::string_view head);

} // namespace twolane
