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

#include "model/time.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twolane {

/// Where a line stands in its file.
struct LinePosition {
    std::uint64_t offset = 0; ///< of its first byte
    std::uint64_t number = 0; ///< from 1
};

enum class LineKind : std::uint8_t {
    event,
    blank,
    header,     ///< "# …"
    note,       ///< "cpus=4", "version = 6", "CPU 0 is empty", "##### CPU 1 buffer started ####"
    loss,       ///< "CPU:0 [LOST 452 EVENTS]", "CPU:0 [250 EVENTS DROPPED]", …
    stackTitle, ///< "… <stack trace>": the frames behind it are of the event before on its CPU
    stackFrame, ///< " => schedule"
    perfScript, ///< "comm pid [cpu] time: system:event:" of perf script
    foreign,
};

/// How a file's lines are written.
enum class LineForm : std::uint8_t {
    standard,
    latency, ///< tracefs option latency-format, and trace-cmd report -l
    verbose, ///< tracefs options latency-format and verbose
};

struct FtraceLine {
    std::string_view left; ///< what precedes "-pid": the comm column, and the buffer's name if any
    std::int32_t pid = -1;
    std::int32_t tgid = -1; ///< -1: no such column, or dashes in it
    std::int32_t cpu = 0;
    std::string_view flags; ///< "d..2."; may be empty
    Nanos time = 0;
    std::uint8_t decimals = 0; ///< digits behind the point of the stamp; 0: an integer stamp
    std::string_view event;
    std::string_view payload;
    std::uint8_t commWidth =
        16;                ///< columns, the name right-aligned in them: 8 of them in `latency`
    bool relative = false; ///< `time` counts from the buffer's beginning
    bool padded = false;   ///< more than one blank behind the event's name: trace-cmd's columns

    // Of a stackTitle `cpu` is set. For a loss `left` is what precedes "CPU:", and these are set:
    std::int64_t lost = -1; ///< -1: not told

    /// The buffer named before the comm column, "" for the top one.
    std::string_view buffer() const;
    /// The comm column without its padding: a name from the time of reading, not of the event.
    std::string_view comm() const;
};

class FtraceLineParser {
public:
    static constexpr std::int32_t maxCpu = 65535;

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

    /// `line` is without its line feed. For kinds other than event, loss and stackTitle `out` is
    /// undefined.
    LineKind parse(std::string_view line, FtraceLine& out) const;

private:
    LineKind fromDash(std::string_view line, std::size_t dash, FtraceLine& out) const;
    LineKind behindCpu(const char* at, const char* end, FtraceLine& out) const;
    LineKind bySearch(std::string_view line, FtraceLine& out) const;
    LineKind latency(std::string_view line, FtraceLine& out) const;
    LineKind latencyFromDash(std::string_view line, std::size_t dash, FtraceLine& out) const;
    LineKind verbose(std::string_view line, FtraceLine& out) const;

    LineForm m_form = LineForm::standard;
    std::size_t m_dashColumn = 16;
    Nanos m_integerScale = 1;
};

} // namespace twolane
