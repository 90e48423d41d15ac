// The first pass over a file of events as text: what it is, which buffers it holds, what is lost
// and where the lines are out of order. Needs memory for oddities only, not for lines in order.
#pragma once

#include "importers/common/line_reader.h"
#include "importers/text_events/line_parser.h"
#include "model/event.h"
#include "model/trace_info.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace twolane {

/// Events are told in this order; equal ones as they stand in the file.
struct EventKey {
    Nanos time = 0;
    std::int32_t cpu = 0;

    auto operator<=>(const EventKey&) const = default;
};

/// Bytes [begin, end) whose lines must be sorted. All events before are no later, all events behind
/// no earlier than those inside.
struct DisorderedPart {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// A loss, and the event after which it is told.
struct PlannedLoss {
    LostEvents loss;
    EventKey after;
    std::uint64_t afterOffset = 0; ///< of that event's line
};

/// What the first pass learnt about one buffer.
struct BufferScan {
    std::string name; ///< "" for the top one
    std::uint64_t events = 0;
    std::uint64_t bytes = 0; ///< of its event lines
    bool hasSchedulerEvents = false;
    bool hasSwitches = false; ///< sched_switch, that is
    TimeRange stamps{INT64_MAX,
                     INT64_MIN};          ///< first and last one of events that are no perf records
    std::vector<DisorderedPart> disorder; ///< ascending, disjoint
    std::vector<PlannedLoss> losses;      ///< ordered by the event after which they are told
    std::uint64_t lateEvents = 0;         ///< lines with a stamp below that of an earlier line
    Nanos latest = 0;                     ///< by how much at most
    std::uint64_t backwardEvents = 0;     ///< the same inside the lines of one CPU
    Nanos furthestBack = 0;
    std::string firstBackward;       ///< "CPU 1 at line 17"
    std::uint8_t fewestDecimals = 9; ///< of the stamps seen; 0: integers
};

/// What the first pass learnt about the file.
struct TextScan : TextFacts {
    std::vector<BufferScan> buffers; ///< in the order of their first event
    std::uint64_t end = 0;           ///< offset behind the last whole line
    std::uint64_t rejectedLines = 0;
    std::uint64_t firstRejected = 0; ///< its line number, from 1
    std::uint64_t longLines = 0;     ///< among the rejected ones
    bool cutOff = false;             ///< the last line is half a line
    std::uint64_t lines = 0;

    bool stacks = false;              ///< there are frames of stacks
    bool relativeStamps = false;      ///< they count from the buffer's beginning
    std::uint64_t lostSomewhere = 0;  ///< events, on CPUs that are not told
    std::uint64_t unplacedEvents = 0; ///< whose CPU is not told
    std::uint64_t firstUnplaced = 0;  ///< line number of the first of them
    std::map<std::string, std::uint64_t, std::less<>> unplaced; ///< how many, by event
};

Result<TextScan> scanText(ByteSource& source, const LineParser& parser,
                          const LineReader::GoOnFn& goOn);

} // namespace twolane
