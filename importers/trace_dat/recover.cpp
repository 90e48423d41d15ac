#include "importers/trace_dat/recover.h"

#include "importers/trace_dat/dat_formats.h"
#include "importers/trace_dat/sections.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace twolane {
namespace {

constexpr int mostSections = 4096;

std::optional<SectionHeader> findData(ByteSource& source, std::uint64_t offset, ByteOrder order) {
    for (int i = 0; i < mostSections; ++i) {
        const auto header = sectionAt(source, offset, order);
        if (!header || header->id == optionBuffer)
            return header;
        if (header->size > source.size() - header->begin)
            break;
        offset = header->begin + header->size;
    }
    return std::nullopt;
}

std::uint64_t nextPage(std::uint64_t offset, std::uint32_t pageSize) {
    const std::uint64_t past = offset % pageSize;
    return offset + (past ? pageSize - past : 0);
}

/// Where the area of chunks at `offset` ends; nothing where the file ends before.
std::optional<std::uint64_t> endOfChunks(ByteSource& source, std::uint64_t offset,
                                         ByteOrder order) {
    ByteReader reader(source, offset, source.size(), order);
    for (std::uint32_t chunks = reader.u32(); chunks > 0 && reader.ok(); --chunks) {
        const std::uint32_t packed = reader.u32();
        reader.u32();
        reader.skip(packed);
    }
    if (!reader.ok())
        return std::nullopt;
    return reader.position();
}

/// Where the area of plain pages at `offset` ends; nothing where the file ends before.
std::optional<std::uint64_t> endOfPages(ByteSource& source, std::uint64_t offset,
                                        std::uint32_t pageSize, const PageLayout& layout) {
    std::uint64_t last = 0;
    std::array<std::byte, 8> bytes{};
    for (; source.readAvailable(offset + layout.stampOffset, bytes) == bytes.size();
         offset += pageSize) {
        const auto stamp = loadNumber<std::uint64_t>(bytes.data(), layout.order);
        if (stamp < last)
            return offset;
        last = stamp;
    }
    return std::nullopt;
}

} // namespace

std::optional<DatBuffer> recoverBuffer(ByteSource& source, const DatContainer& container,
                                       std::uint32_t pageSize, std::uint64_t sectionsBegin) {
    const auto data = findData(source, sectionsBegin, container.byteOrder);
    const auto layout = readPageLayout(source, container);
    if (!data || !layout)
        return std::nullopt;
    DatBuffer buffer;
    buffer.pageSize = pageSize;
    std::uint64_t offset = nextPage(data->begin, pageSize);
    for (const CpuStatistics& statistics : container.statistics) {
        if (!statistics.buffer.empty() || statistics.held == 0)
            continue;
        if (offset >= source.size())
            break;
        const auto end = data->compressed ? endOfChunks(source, offset, container.byteOrder)
                                          : endOfPages(source, offset, pageSize, *layout);
        CpuArea area;
        area.cpu = statistics.cpu;
        area.offset = offset;
        area.compressed = data->compressed;
        area.cutOff = !end;
        area.size = end.value_or(source.size()) - offset;
        buffer.areas.push_back(area);
        ++buffer.namedCpus;
        if (!end)
            break;
        offset = nextPage(*end, pageSize);
    }
    if (buffer.areas.empty())
        return std::nullopt;
    return buffer;
}

} // namespace twolane
