#include "importers/trace_dat/sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace twolane {
namespace {

constexpr std::uint64_t largestContent = std::uint64_t{32} << 20;
constexpr std::size_t sectionHeaderSize = 16;
constexpr std::uint16_t compressedFlag = 1;

} // namespace

Error damaged(std::string what, std::uint64_t at) {
    return Error{"", std::move(what), fmt::format("byte {}", at),
                 "the file is cut short or damaged; copy or record it again"};
}

std::optional<SectionHeader> sectionAt(ByteSource& source, std::uint64_t offset, ByteOrder order) {
    if (offset > source.size() || source.size() - offset < sectionHeaderSize)
        return std::nullopt;
    ByteReader reader(source, offset, source.size(), order);
    SectionHeader header;
    header.id = reader.u16();
    header.compressed = (reader.u16() & compressedFlag) != 0;
    reader.u32(); // where its description is in the table of strings
    header.size = reader.u64();
    header.begin = reader.position();
    if (!reader.ok())
        return std::nullopt;
    return header;
}

Result<std::pair<std::unique_ptr<std::byte[]>, std::size_t>>
decompressSection(ByteSource& source, const DatContainer& container, std::uint64_t begin) {
    ByteReader reader(source, begin, source.size(), container.byteOrder);
    const std::uint32_t packedSize = reader.u32();
    const std::uint32_t size = reader.u32();
    if (!reader.ok() || packedSize > reader.left())
        return damaged("cut off inside a compressed section", source.size());
    if (size > largestContent)
        return damaged(fmt::format("names a section of {} bytes, more than can be believed", size),
                       begin + 4);
    std::unique_ptr<std::byte[]> packed(new std::byte[packedSize]);
    const std::span<std::byte> in(packed.get(), packedSize);
    if (source.readAvailable(reader.position(), in) != packedSize)
        return damaged("cut off inside a compressed section", source.size());
    Decompressor decompressor(container.codec);
    if (!decompressor.plausible(in, size))
        return damaged("has a compressed section that is not as long as it says", begin);
    std::unique_ptr<std::byte[]> content(new std::byte[size]);
    if (!decompressor.run(in, {content.get(), size}))
        return damaged("has a compressed section that cannot be decompressed", begin);
    return std::pair{std::move(content), std::size_t{size}};
}

Result<SectionContent> openSection(ByteSource& source, const DatContainer& container,
                                   DatSection section) {
    constexpr std::array<std::uint16_t, 4> ids{optionHeaders, optionFtraceFormats,
                                               optionEventFormats, optionCommandLines};
    const std::uint64_t offset = container.sections[static_cast<std::size_t>(section)];
    SectionContent content;
    content.m_source = &source;
    content.m_order = container.byteOrder;
    if (offset == 0)
        return content; // an empty one
    if (container.version == 6) {
        content.m_begin = offset;
        content.m_end = source.size();
        return content;
    }
    const auto header = sectionAt(source, offset, container.byteOrder);
    if (!header || header->id != ids[static_cast<std::size_t>(section)])
        return damaged("has no section of this kind where its options say", offset);
    if (!header->compressed) {
        content.m_begin = header->begin;
        content.m_end = header->begin + std::min(header->size, source.size() - header->begin);
        return content;
    }
    auto bytes = decompressSection(source, container, header->begin);
    if (!bytes)
        return bytes.error();
    content.m_end = bytes->second;
    content.m_content = std::move(bytes.value().first);
    content.m_memory = std::make_unique<MemorySource>(std::span<const std::byte>(
        content.m_content.get(), static_cast<std::size_t>(content.m_end)));
    content.m_source = content.m_memory.get();
    return content;
}

} // namespace twolane
