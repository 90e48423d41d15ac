// From recorded bytes to typed events.
#pragma once

#include "importers/common/event_formats.h"
#include "importers/common/sched_event.h"
#include "model/diagnostics.h"
#include "model/event.h"
#include "model/task_state.h"
#include "model/trace_info.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace twolane {

/// The text of a field, ended at its NUL; empty where it does not lie inside the record.
std::string_view fieldText(const FieldFormat& field, const std::byte* data, std::uint32_t size,
                           ByteOrder order);

/// Translates events and counts them. An event's format is compiled once, at its first record, into
/// the few loads that it needs.
class EventDecoder {
public:
    /// `formats`, `sink` and `diagnostics` must outlive it. `release` is the kernel's, for files
    /// whose own sched_switch does not explain its states.
    EventDecoder(const EventFormats& formats, std::string_view release, EventSink& sink,
                 Diagnostics& diagnostics);

    /// Tells the sink of one event by exactly one call.
    void decode(std::int32_t cpu, Nanos time, std::uint64_t index, const std::byte* data,
                std::uint32_t size);

    /// How often each event was decoded, by name in alphabetical order.
    std::vector<EventCount> counts() const;

private:
    using Integer = IntegerField;
    struct Text {
        std::uint32_t offset = 0;
        std::uint32_t size = 0; ///< 0: the record has none
        FieldFormat::Kind kind = FieldFormat::Kind::text;
    };
    struct Plan {
        SchedEvent kind = SchedEvent::none;
        std::uint32_t id = 0;
        std::uint32_t needed = 0; ///< a record must have so many bytes
        Integer pid;              ///< of the header
        std::array<Integer, 5> integers;
        std::array<Text, 2> texts;
        std::uint64_t count = 0;
    };

    Plan& planFor(const std::byte* data, std::uint32_t size);
    Plan& compile(std::uint32_t id);
    static Integer integer(const EventFormat& format, std::string_view name, Plan& plan);
    static Text text(const EventFormat& format, std::string_view name, Plan& plan);
    std::uint64_t load(const Integer& field, const std::byte* data) const;
    std::int32_t value(const Integer& field, const std::byte* data, std::int32_t absent) const;
    std::string_view view(const Text& field, const std::byte* data, std::uint32_t size) const;
    PrevState prevState(std::uint64_t raw);
    void chooseStates(std::string_view release);
    void shortRecord(const Plan& plan, const EventHeader& header);

    const EventFormats& m_formats;
    const ByteOrder m_order;
    EventSink& m_sink;
    Diagnostics& m_diagnostics;
    PrevStateDecoder m_states;
    std::vector<std::uint32_t> m_planOfId; ///< 0: none yet, else its place in m_plans + 1
    std::vector<Plan> m_plans;
    Plan m_unreadable; ///< for records too short to have an id

    struct CachedState {
        std::uint64_t raw = 0;
        PrevState state;
        bool known = false;
    };
    std::array<CachedState, 64> m_stateCache;
};

} // namespace twolane
