// Goes from record to record of a perf.data file, in the file's order.
#pragma once

#include "importers/common/byte_reader.h"
#include "importers/common/byte_source.h"
#include "importers/perf_data/perf_format.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace twolane {

struct PerfRecord {
    PerfType type{};
    std::uint16_t misc = 0;
    std::uint64_t offset = 0;        ///< in the source
    std::span<const std::byte> body; ///< behind the header; valid until the next step
};

class RecordWalker {
public:
    /// The records in [begin, end) of `source`, which must outlive it.
    RecordWalker(ByteSource& source, std::uint64_t begin, std::uint64_t end, ByteOrder order);

    /// The next record; nothing behind the last one, and where the rest holds none.
    std::optional<PerfRecord> next();
    /// Passes over bytes that follow the record without being one.
    void skip(std::uint64_t bytes);

    /// Where the next record begins; behind the last step, where whole records end.
    std::uint64_t position() const { return m_at; }
    /// Whether next() stopped before the end: at a record that is cut off, or is shorter than its
    /// own header.
    bool stoppedEarly() const { return m_at < m_end; }
    /// The range's end, as far as the source goes.
    std::uint64_t end() const { return m_end; }

private:
    bool has(std::size_t bytes);
    std::size_t compressedSize();

    ByteSource& m_source;
    std::uint64_t m_at;
    std::uint64_t m_end;
    ByteOrder m_order;
    std::unique_ptr<std::byte[]> m_buffer;
    std::uint64_t m_bufferAt = 0;
    std::size_t m_buffered = 0;
};

} // namespace twolane
