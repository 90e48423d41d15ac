// The outer structure of trace.dat files, versions 6 and 7: header, sections, options, and where
// the ring buffers' pages lie. Nothing of the events is read here.
#pragma once

#include "importers/common/byte_reader.h"
#include "importers/common/byte_source.h"
#include "importers/trace_dat/decompressor.h"
#include "model/diagnostics.h"
#include "model/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twolane {

/// The pages of one CPU.
struct CpuArea {
    std::int32_t cpu = 0;
    std::uint64_t offset = 0; ///< in the file
    std::uint64_t size = 0;   ///< bytes in the file, clipped to its end
    bool compressed = false;  ///< then a count of chunks precedes the chunks
    bool cutOff = false;      ///< the file ends before the area does
};

struct DatBuffer {
    std::string name; ///< empty: the top buffer
    std::string clock;
    std::uint32_t pageSize = 0;
    std::vector<CpuArea> areas;  ///< those that hold anything, in the file's order
    std::uint32_t namedCpus = 0; ///< CPUs that the file names for this buffer, empty ones included

    std::uint64_t bytes() const;
};

/// What per_cpu/cpuN/stats told when the recording ended.
struct CpuStatistics {
    std::string buffer;
    std::int32_t cpu = 0;
    std::uint64_t overrun = 0; ///< events overwritten before they were read
    std::uint64_t dropped = 0; ///< events that found the buffer full
    std::uint64_t held = 0;    ///< events read or still there
};

/// Ticks of the TSC to ns: (ticks * multiplier) >> shift.
struct TscScale {
    std::uint32_t multiplier = 0;
    std::uint32_t shift = 0;
    std::uint64_t offset = 0;
};

/// Where the text of a latency tracer is in the file.
struct LatencyText {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;   ///< clipped to that of the file
    bool compressed = false; ///< then a count of chunks precedes the chunks
};

/// Sections of version 7; in version 6 the same contents follow one another.
enum class DatSection : std::uint8_t { headers, ftraceFormats, eventFormats, commandLines };

struct DatContainer {
    int version = 0;
    ByteOrder byteOrder = ByteOrder::little; ///< of all numbers in the file
    std::uint32_t longSize = 8;
    std::string codecName; ///< "none" in version 6
    Codec codec = Codec::none;

    /// Where a section's content begins; of compressed ones, its section header. 0: there is none.
    std::array<std::uint64_t, 4> sections{};

    std::string uname;
    std::string traceClock; ///< the bracketed one of the clocks that the kernel listed
    std::optional<std::uint32_t> cpuCount;
    std::int64_t stampOffset = 0; ///< ns to add to every stamp
    std::optional<TscScale> tsc;
    std::vector<CpuStatistics> statistics;
    std::vector<DatBuffer> buffers;         ///< the top one first
    std::optional<LatencyText> latencyText; ///< stands in place of buffers
};

/// True for the first bytes of a trace.dat file of any version.
bool isTraceDat(std::span<const std::byte> head);

/// Reads the structure. Unknown options and sections are passed over and noted in `diagnostics`.
/// Errors have no file name.
Result<DatContainer> readContainer(ByteSource& source, Diagnostics& diagnostics);

/// The bytes of one section.
class SectionContent {
public:
    ByteReader reader() { return ByteReader(*m_source, m_begin, m_end, m_order); }

private:
    friend Result<SectionContent> openSection(ByteSource&, const DatContainer&, DatSection);
    ByteSource* m_source = nullptr;
    std::uint64_t m_begin = 0;
    std::uint64_t m_end = 0;
    ByteOrder m_order = ByteOrder::little;
    std::unique_ptr<std::byte[]> m_content; // of a compressed section
    std::unique_ptr<MemorySource> m_memory;
};

/// Opens a section, decompressing it where needed. At most 32 MiB of content are taken.
Result<SectionContent> openSection(ByteSource& source, const DatContainer& container,
                                   DatSection section);

} // namespace twolane
