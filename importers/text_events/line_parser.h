// What readers of texts of events differ in: how one line is taken apart.
#pragma once

#include "importers/text_events/event_line.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace twolane {

/// What a text tells of itself beside its events.
struct TextFacts {
    bool tracerHeader = false; ///< "# tracer:"
    bool traceCmd = false;     ///< a header or the columns of trace-cmd report
    std::uint32_t cpuCount = 0;
    std::string kernel;
    std::string host;
    std::uint64_t entriesInBuffer = 0;
    std::uint64_t entriesWritten = 0;
};

/// Const after its making: for any thread.
class LineParser {
public:
    static constexpr std::int32_t maxCpu = 65535;

    LineParser() = default;
    virtual ~LineParser() = default;

    /// `line` is without its line feed. For kinds other than event, unplaced, the losses and
    /// stackTitle `out` is undefined.
    virtual LineKind parse(std::string_view line, EventLine& out) const = 0;
    /// Takes in what a line of kind header or note tells.
    virtual void readFacts(LineKind kind, std::string_view line, TextFacts& facts) const = 0;

protected:
    LineParser(const LineParser&) = default;
    LineParser& operator=(const LineParser&) = default;
};

} // namespace twolane
