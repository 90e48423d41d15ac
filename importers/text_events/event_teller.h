// Turns event lines into calls of an EventSink, and counts what is odd about their payloads.
#pragma once

#include "importers/common/sched_fields.h"
#include "importers/text_events/event_line.h"
#include "importers/text_events/perf_records.h"
#include "importers/text_events/text_scan.h"
#include "model/diagnostics.h"
#include "model/event.h"
#include "model/trace_info.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace twolane {

class EventTeller {
public:
    EventTeller(EventSink& sink, SchedFields fields, const BufferScan& buffer)
        : m_sink(sink)
        , m_fields(std::move(fields))
        , m_loss(buffer.losses.begin())
        , m_lastLoss(buffer.losses.end())
        , m_hasSwitches(buffer.hasSwitches)
        , m_stamps(buffer.stamps) {}

    /// Takes the lines in the order of visitInOrder().
    void tell(const EventLine& line, LinePosition position);
    /// Tells the losses behind the last event.
    void finish();

    std::vector<EventCount> eventCounts() const;
    bool sawPlugins() const { return m_plugins > 0; }
    bool sawSwitchFields() const { return m_switchFields > 0; }
    std::uint64_t switches() const { return m_known[1]; }
    std::uint64_t numericStates() const { return m_numericStates; }
    std::uint64_t pluginLines() const { return m_plugins; }
    /// Switches that do not tell the state of prev.
    std::uint64_t statesNotTold() const { return m_statesNotTold; }
    /// Entries of the old sched_switch tracer.
    std::uint64_t tracerEntries() const { return m_tracerEntries; }
    std::uint64_t unknownStates() const { return m_unknownStates; }
    /// Switch records that sched_switch makes superfluous.
    std::uint64_t switchRecordsUnused() const { return m_switchRecordsUnused; }
    const std::string& firstUnknownState() const { return m_firstUnknownState; }
    /// Events of the scheduler whose payload could not be read; they are told as otherEvent.
    std::uint64_t unreadable() const { return m_unreadable; }
    std::uint64_t firstUnreadable() const { return m_firstUnreadable; } ///< number of its line

private:
    bool tellSched(SchedEvent kind, const EventLine& line, const EventHeader& header);
    bool tellPerf(PerfRecord kind, const EventLine& line, const EventHeader& header);
    void unreadable(LinePosition position, const EventHeader& header);
    void count(std::string_view name);
    void note(const PayloadForm& form);

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };
    using Names = std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>>;

    EventSink& m_sink;
    SchedFields m_fields;
    std::vector<PlannedLoss>::const_iterator m_loss;
    std::vector<PlannedLoss>::const_iterator m_lastLoss;
    bool m_hasSwitches; ///< switch records are not needed
    TimeRange m_stamps; ///< of the scheduler events, where there are switches
    std::uint64_t m_index = 0;
    std::array<std::uint64_t, schedEventCount> m_known{};
    Names m_others;
    Names::value_type* m_recent = nullptr;
    std::uint64_t m_plugins = 0;
    std::uint64_t m_switchFields = 0;
    std::uint64_t m_numericStates = 0;
    std::uint64_t m_statesNotTold = 0;
    std::uint64_t m_tracerEntries = 0;
    std::uint64_t m_switchRecordsUnused = 0;
    std::uint64_t m_unknownStates = 0;
    std::string m_firstUnknownState;
    std::uint64_t m_unreadable = 0;
    std::uint64_t m_firstUnreadable = 0;
};

} // namespace twolane
