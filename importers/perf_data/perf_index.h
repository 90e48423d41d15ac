// The first pass over a perf.data file: which records are events, when and on which CPU.
#pragma once

#include "importers/importer.h"
#include "importers/perf_data/perf_session.h"
#include "importers/perf_data/record_unpacker.h"
#include "model/diagnostics.h"
#include "model/time.h"
#include "model/value_column.h"

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace twolane {

/// An event, or a mark that events are missing between its neighbours.
struct IndexedRecord {
    static constexpr std::uint64_t lossBit = std::uint64_t{1} << 63;

    Nanos time = 0;          ///< of a loss: of the event before it
    std::uint64_t place = 0; ///< in the stream's source; with lossBit: a LOST record

    bool isLoss() const { return (place & lossBit) != 0; }
    std::uint64_t offset() const { return place & ~lossBit; }
};

/// The records of one CPU in one source, in the order of their stamps, equal ones as in the file.
struct RecordList {
    std::int32_t cpu = 0;
    std::uint32_t source = 0; ///< in PerfIndex::sources
    ValueColumn<IndexedRecord> records;
};

struct PerfIndex {
    std::vector<ByteSource*> sources;
    std::vector<RecordList> lists; ///< by CPU, then by source
    std::uint64_t events = 0;      ///< records in the lists that are no losses
    /// What tasks were called before the recording, by tid.
    std::map<std::int32_t, std::string> names;
    TimeRange stamps{INT64_MAX, INT64_MIN}; ///< first and last one of the samples
    std::vector<std::uint64_t> samples;     ///< by place in PerfSession::events()
    std::uint64_t switchRecords = 0;
    std::uint64_t lost = 0;                     ///< events in gaps of known place
    std::uint64_t lostSamples = 0;              ///< in all, as counted at the recording's end
    std::uint64_t unplaced = 0;                 ///< events that do not tell their CPU or time
    std::vector<std::uint64_t> unplacedSamples; ///< among these, as `samples`
    std::uint64_t unknownEvent = 0; ///< samples of an event that the file does not describe
    std::uint64_t late = 0;         ///< records with a stamp below that of one before on their CPU
    Nanos latest = 0;               ///< by how much at most
};

/// A perf.data file opened for its records.
class PerfFile {
public:
    /// Errors have no file name. `progress` counts the bytes of the file.
    static Result<std::unique_ptr<PerfFile>> open(ByteSource& source, Diagnostics& diagnostics,
                                                  const std::stop_token& stop,
                                                  const ProgressFn& progress);

    const PerfSession& session() const { return m_session; }
    const PerfIndex& index() const { return m_index; }
    bool isCompressed() const { return !m_unpackers.empty(); }
    /// Whether any sample is of sched_switch.
    bool hasSwitches() const;

private:
    class Indexer;

    PerfFile(ByteSource& source, ByteOrder order)
        : m_source(source)
        , m_session(order) {}

    Status walkParts(Indexer& indexer, Diagnostics& diagnostics);
    Status walk(ByteSource& source, std::uint64_t begin, std::uint64_t end, Indexer& indexer,
                Diagnostics& diagnostics);

    ByteSource& m_source;
    PerfSession m_session;
    PerfIndex m_index;
    std::vector<std::unique_ptr<ByteSource>> m_parts; ///< data.0, …
    std::vector<std::unique_ptr<RecordUnpacker>> m_unpackers;
};

} // namespace twolane
