// What a perf.data file tells beside its records: its events, the machine, and where the records
// are. In pipe form all of it comes as records.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/common/event_formats.h"
#include "importers/perf_data/perf_attr.h"
#include "importers/perf_data/perf_format.h"
#include "model/diagnostics.h"
#include "model/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace twolane {

/// The byte order, by the first bytes of a perf.data file of any form; nothing for other files.
std::optional<ByteOrder> perfByteOrder(std::span<const std::byte> head);
/// Whether the first bytes are those of the first version of the format, from before Linux 2.6.32.
bool isOldPerf(std::span<const std::byte> head);

/// One event of the recording.
struct PerfEvent {
    PerfAttr attr;
    SampleLayout layout;
};

class PerfSession {
public:
    explicit PerfSession(ByteOrder order)
        : m_order(order)
        , m_formats(order) {}

    /// Reads the header of a file, and its feature sections. Errors have no file name.
    Status readHeader(ByteSource& source, Diagnostics& diagnostics);

    // For pipes, whose records tell the same piece by piece.

    /// Bytes behind the header of a HEADER_ATTR record.
    void takeAttr(std::span<const std::byte> body);
    /// HEADER_FEATURE likewise.
    void takeFeature(std::span<const std::byte> body);
    /// [begin, end) of what follows a TRACING_DATA record.
    void takeTracingData(ByteSource& source, std::uint64_t begin, std::uint64_t end);

    ByteOrder order() const { return m_order; }
    bool isPipe() const { return m_isPipe; }
    /// Where the records are in the file.
    std::uint64_t dataBegin() const { return m_dataBegin; }
    std::uint64_t dataEnd() const { return m_dataEnd; }

    const std::vector<PerfEvent>& events() const { return m_events; }
    /// The event of a sample, by its body; of another record, by its body with the trailer. Null
    /// where there are several and none has that id.
    const PerfEvent* ofSample(std::span<const std::byte> body) const;
    const PerfEvent* ofTrailer(std::span<const std::byte> body) const;

    const EventFormats& formats() const { return m_formats; }
    bool hasFormats() const { return m_hasFormats; }
    /// The data of the records are in files beside: data.0, data.1, …
    bool isDirectory() const { return m_isDirectory; }

    const std::string& host() const { return m_host; }
    const std::string& release() const { return m_release; }
    const std::string& perfVersion() const { return m_perfVersion; }
    std::uint32_t cpuCount() const { return m_cpuCount; }

private:
    struct Section {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };

    Status readAttrs(ByteSource& source, Section section, std::uint64_t entrySize);
    void readFeatures(ByteSource& source, std::span<const std::uint64_t> flags);
    void readFeature(PerfFeature feature, ByteReader reader);
    void nameEvents(ByteReader& reader);
    void addEvent(const PerfAttr& attr, std::span<const std::uint64_t> ids);
    const PerfEvent* ofId(std::uint64_t id) const;

    ByteOrder m_order;
    bool m_isPipe = false;
    bool m_isDirectory = false;
    bool m_hasFormats = false;
    std::uint64_t m_dataBegin = 0;
    std::uint64_t m_dataEnd = 0;
    std::vector<PerfEvent> m_events;
    std::unordered_map<std::uint64_t, std::uint32_t> m_eventOfId;
    std::vector<std::uint32_t> m_eventOfSmallId; ///< UINT32_MAX: none
    std::size_t m_idOffset = SIZE_MAX;           ///< of a sample's id in its body
    EventFormats m_formats;
    std::string m_host;
    std::string m_release;
    std::string m_perfVersion;
    std::uint32_t m_cpuCount = 0;
};

} // namespace twolane
