// Turns the records of a perf.data file into calls of an EventSink.
#pragma once

#include "importers/common/event_decoder.h"
#include "importers/perf_data/perf_index.h"
#include "importers/perf_data/perf_session.h"
#include "importers/perf_data/record_walker.h"
#include "model/diagnostics.h"
#include "model/event.h"
#include "model/trace_info.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace twolane {

/// "PERF_RECORD_COMM"; empty for records that are no events.
std::string_view nameOf(PerfType type);
/// A name, or what identifies the event.
std::string nameOf(const PerfAttr& attr);
/// What COMM, SWITCH and the like bear behind their header, in front of the trailer.
std::int32_t int32At(std::span<const std::byte> body, std::size_t offset, ByteOrder order);
std::string_view commIn(std::span<const std::byte> body);

class RecordTeller {
public:
    /// All must outlive it.
    RecordTeller(const PerfFile& file, EventSink& sink, Diagnostics& diagnostics);

    /// Tells the sink of one record by exactly one call.
    void tell(const PerfRecord& record, std::int32_t cpu, Nanos time, std::uint64_t index);

    /// By name, in alphabetical order; those that cannot be placed too.
    std::vector<EventCount> counts() const;

private:
    void learnNames(const PerfRecord& record);
    void sample(const PerfRecord& record, EventHeader header);
    void taskSwitch(const PerfRecord& record, EventHeader header);
    std::string_view nameOfTask(std::int32_t tid) const;

    const PerfIndex& m_index;
    const PerfSession& m_session;
    std::map<std::int32_t, std::string> m_names;
    bool m_hasSwitches; ///< switch records are not needed
    TimeRange m_stamps; ///< of the samples
    EventSink& m_sink;
    EventDecoder m_decoder;
    std::vector<std::uint64_t> m_others; ///< samples of other events, by place in the session
    std::map<PerfType, std::uint64_t> m_records;
};

} // namespace twolane
