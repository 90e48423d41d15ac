#include "importers/trace_dat/container.h"

#include "importers/trace_dat/container_reader.h"
#include "importers/trace_dat/option_text.h"
#include "importers/trace_dat/recover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace twolane {
namespace {

constexpr std::array<unsigned char, 10> magic{0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

} // namespace

Result<DatContainer> ContainerReader::run() {
    ByteReader reader(m_source, 0, m_source.size(), ByteOrder::little);
    std::string opening;
    reader.append(opening, magic.size());
    if (!reader.ok() || std::memcmp(opening.data(), magic.data(), magic.size()) != 0)
        return Error{"", "is not a trace.dat file", "byte 0", "give a file written by trace-cmd"};
    const std::string version = reader.text(16);
    m_container.byteOrder = reader.u8() == 1 ? ByteOrder::big : ByteOrder::little;
    reader.setOrder(m_container.byteOrder);
    m_container.longSize = reader.u8();
    m_pageSize = reader.u32();
    if (!reader.ok())
        return damaged("cut off inside the file header", reader.position());
    if (version != "6" && version != "7")
        return Error{"", fmt::format("is of trace.dat version '{}', which is not known", version),
                     fmt::format("byte {}", magic.size()),
                     "convert it with: trace-cmd convert --file-version 7"};
    m_container.version = version == "6" ? 6 : 7;
    if (!pageSizeFits(m_pageSize))
        return damaged(fmt::format("names a page size of {} bytes", m_pageSize), magic.size() + 4);

    const Status status = m_container.version == 6 ? readVersion6(reader) : readVersion7(reader);
    noteUnknown();
    if (!status)
        return status.error();
    std::stable_partition(m_container.buffers.begin(), m_container.buffers.end(),
                          [](const DatBuffer& b) { return b.name.empty(); });
    dropOverlaps();
    return std::move(m_container);
}

Status ContainerReader::readVersion6(ByteReader& reader) {
    m_container.codecName = "none";
    auto& sections = m_container.sections;
    const auto cutOff = [&](std::string_view inside) {
        return damaged(fmt::format("cut off inside {}", inside), reader.position());
    };

    sections[static_cast<std::size_t>(DatSection::headers)] = reader.position();
    for (int i = 0; i < 2; ++i) {
        reader.text(32);
        reader.skip(reader.u64());
    }
    if (!reader.ok())
        return cutOff("the description of its pages");

    sections[static_cast<std::size_t>(DatSection::ftraceFormats)] = reader.position();
    for (std::uint32_t count = reader.u32(); count > 0 && reader.ok(); --count)
        reader.skip(reader.u64());
    sections[static_cast<std::size_t>(DatSection::eventFormats)] = reader.position();
    for (std::uint32_t systems = reader.u32(); systems > 0 && reader.ok(); --systems) {
        reader.text(4096);
        for (std::uint32_t count = reader.u32(); count > 0 && reader.ok(); --count)
            reader.skip(reader.u64());
    }
    if (!reader.ok())
        return cutOff("the formats of the events");

    reader.skip(reader.u32()); // kallsyms
    reader.skip(reader.u32()); // printk formats
    sections[static_cast<std::size_t>(DatSection::commandLines)] = reader.position();
    reader.skip(reader.u64());
    std::uint32_t cpus = reader.u32();
    std::string tag;
    reader.append(tag, 10);
    if (!reader.ok())
        return cutOff("the symbols or the names of tasks");

    if (untilNul(tag) == "options  ") {
        if (const auto next = readOptions(reader); !next)
            return next.error();
        tag.clear();
        reader.append(tag, 10);
        if (!reader.ok())
            return cutOff("the options");
    }
    if (untilNul(tag) == "latency  ") {
        m_container.latencyText = LatencyText{reader.position(), m_source.size(), false};
        return success();
    }
    if (untilNul(tag) != "flyrecord")
        return damaged("has no table of CPU data where one should be", reader.position() - 10);

    if (m_container.cpuCount)
        cpus = *m_container.cpuCount;
    if (cpus > mostCpus)
        return damaged(fmt::format("names {} CPUs", cpus), reader.position());
    DatBuffer top;
    top.pageSize = m_pageSize;
    if (!readAreasVersion6(reader, cpus, top))
        return cutOff("the table of CPU data");
    // Old writers put the list of clocks behind the table and left the option empty.
    if (m_container.traceClock.empty()) {
        std::string clocks;
        const std::uint64_t size = reader.u64();
        if (reader.ok() && size < 4096) {
            reader.append(clocks, size);
            if (reader.ok())
                m_container.traceClock = bracketed(clocks);
        }
    }
    top.clock = m_container.traceClock;
    m_container.buffers.push_back(std::move(top));

    for (const auto& [offset, name] : m_distantBuffers) {
        DatBuffer buffer;
        buffer.name = name;
        buffer.clock = m_container.traceClock;
        buffer.pageSize = m_pageSize;
        ByteReader distant(m_source, offset, m_source.size(), m_container.byteOrder);
        std::string distantTag;
        distant.append(distantTag, 10);
        if (!distant.ok() || untilNul(distantTag) != "flyrecord" ||
            !readAreasVersion6(distant, cpus, buffer))
            m_diagnostics.add({"truncated", Severity::dataLoss, 1,
                               fmt::format("the table of the buffer '{}' is not in the file", name),
                               fmt::format("byte {}", offset), "copy or record the file again"});
        m_container.buffers.push_back(std::move(buffer));
    }
    return success();
}

bool ContainerReader::readAreasVersion6(ByteReader& reader, std::uint32_t cpus, DatBuffer& buffer) {
    buffer.namedCpus = cpus;
    for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
        CpuArea area;
        area.cpu = static_cast<std::int32_t>(cpu);
        area.offset = reader.u64();
        area.size = reader.u64();
        if (!reader.ok())
            return false;
        addArea(buffer, area);
    }
    return true;
}

void ContainerReader::addArea(DatBuffer& buffer, CpuArea area) {
    if (area.size == 0)
        return; // its offset may lie past the end, and means nothing
    const std::uint64_t fileSize = m_source.size();
    // A compressed area is followed by nothing that its size counts but the count of chunks.
    const std::uint64_t counted = area.compressed ? 4 : 0;
    const std::uint64_t there = area.offset < fileSize ? fileSize - area.offset : 0;
    if (area.size > there || area.size + counted > there) {
        area.cutOff = true;
        area.size = there;
        m_diagnostics.add(
            {"truncated", Severity::dataLoss, 1, "the file ends before its data do",
             fmt::format("cut off at byte {}, inside the data of CPU {}", fileSize, area.cpu),
             "copy or record the file again; what is whole is shown"});
    } else {
        area.size += counted;
    }
    if (area.size > 0)
        buffer.areas.push_back(area);
}

Status ContainerReader::readVersion7(ByteReader& reader) {
    m_container.codecName = reader.text(64);
    const std::string codecVersion = reader.text(64);
    const std::uint64_t firstOptions = reader.u64();
    if (!reader.ok())
        return damaged("cut off inside the file header", reader.position());
    const auto codec = codecByName(m_container.codecName);
    if (!codec)
        return Error{
            "", fmt::format("is compressed with '{}', which is not known", m_container.codecName),
            fmt::format("byte {}", magic.size() + 8),
            "convert it with: trace-cmd convert --compression none"};
    m_container.codec = *codec;
    m_sectionsBegin = reader.position();
    if (Status status = readOptionSections(firstOptions); !status)
        return status;
    if (m_container.buffers.empty() && m_container.latencyText)
        return success();
    if (m_container.buffers.empty() && m_optionsCutOff)
        if (auto found = recoverBuffer(m_source, m_container, m_pageSize, m_sectionsBegin))
            m_container.buffers.push_back(std::move(*found));
    if (m_container.buffers.empty())
        return Error{"", "has no table of trace data", fmt::format("byte {}", m_source.size()),
                     m_optionsCutOff ? "the file is cut short; copy or record it again"
                                     : "record it again with trace-cmd record"};
    for (DatBuffer& buffer : m_container.buffers)
        if (buffer.clock.empty())
            buffer.clock = m_container.traceClock;
    return success();
}

/// Data that several CPUs claim would be read once for each of them: a small file could keep the
/// program busy for hours.
void ContainerReader::dropOverlaps() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
    for (const DatBuffer& buffer : m_container.buffers)
        for (const CpuArea& area : buffer.areas)
            taken.emplace_back(area.offset, area.size);
    std::sort(taken.begin(), taken.end());
    std::set<std::pair<std::uint64_t, std::uint64_t>> bad;
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < taken.size(); ++i) {
        // Areas end inside the file, so the sum cannot wrap.
        if (i > 0 && taken[i] == taken[i - 1])
            continue;
        if (taken[i].first < end)
            bad.insert(taken[i]);
        end = std::max(end, taken[i].first + taken[i].second);
    }
    std::set<std::pair<std::uint64_t, std::uint64_t>> kept;
    for (DatBuffer& buffer : m_container.buffers)
        std::erase_if(buffer.areas, [&](const CpuArea& area) {
            const std::pair place{area.offset, area.size};
            if (!bad.contains(place) && kept.insert(place).second)
                return false;
            m_diagnostics.add({"overlapping_data", Severity::dataLoss, 1,
                               "the data of two CPUs overlap; those of the later one were left out",
                               fmt::format("CPU {} at byte {}", area.cpu, area.offset), ""});
            return true;
        });
}

std::uint64_t DatBuffer::bytes() const {
    std::uint64_t sum = 0;
    for (const CpuArea& area : areas)
        sum += area.size;
    return sum;
}

bool isTraceDat(std::span<const std::byte> head) {
    return head.size() >= magic.size() && std::memcmp(head.data(), magic.data(), magic.size()) == 0;
}

Result<DatContainer> readContainer(ByteSource& source, Diagnostics& diagnostics) {
    return ContainerReader(source, diagnostics).run();
}

} // namespace twolane
