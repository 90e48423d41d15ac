#include "importers/trace_dat/container.h"

#include "importers/trace_dat/option_text.h"
#include "importers/trace_dat/recover.h"
#include "importers/trace_dat/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

namespace twolane {
namespace {

constexpr std::array<unsigned char, 10> magic{0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

// Far beyond what any kernel can be built for.
constexpr std::uint32_t mostCpus = 1U << 16;
constexpr std::uint32_t largestPage = 4U << 20;
constexpr std::uint32_t smallestPage = 256;
// Texts of options are a few KiB; longer ones are no texts of ours.
constexpr std::uint32_t longestOption = 1U << 20;
constexpr std::size_t mostOptionSections = 4096;
constexpr std::size_t mostBuffers = 4096;

/// Reads one file's structure.
class ContainerReader {
public:
    ContainerReader(ByteSource& source, Diagnostics& diagnostics)
        : m_source(source)
        , m_diagnostics(diagnostics) {}

    Result<DatContainer> run();

private:
    Status readVersion6(ByteReader& reader);
    Status readVersion7(ByteReader& reader);
    Status readOptionSections(std::uint64_t first);
    Result<std::uint64_t> readOptionSection(const SectionHeader& header);
    Result<std::uint64_t> readOptions(ByteReader& reader);
    void tellCutOff(std::uint64_t options);
    void readOption(std::uint16_t id, const std::string& data, std::uint64_t at);
    void readBuffer(const std::string& data, std::uint64_t at);
    void readBufferText(const std::string& data, std::uint64_t at);
    void readStatistics(std::string_view text);
    bool readAreasVersion6(ByteReader& reader, std::uint32_t cpus, DatBuffer& buffer);
    void addArea(DatBuffer& buffer, CpuArea area);
    void ignoredOption(std::uint16_t id, std::uint64_t at, std::string_view why);
    void noteUnknown();
    void dropOverlaps();
    bool pageSizeFits(std::uint32_t size) const {
        return size >= smallestPage && size <= largestPage && size % 4 == 0;
    }

    ByteSource& m_source;
    Diagnostics& m_diagnostics;
    DatContainer m_container;
    std::uint32_t m_pageSize = 0;
    std::uint64_t m_sectionsBegin = 0;
    std::string m_statisticsBuffer;
    // Buffers of version 6 are lists of areas elsewhere in the file.
    std::vector<std::pair<std::uint64_t, std::string>> m_distantBuffers;
    std::set<std::uint16_t> m_unknown;
    std::uint64_t m_unknownAt = 0;
    bool m_optionsCutOff = false;
};

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

void ContainerReader::tellCutOff(std::uint64_t options) {
    m_optionsCutOff = true;
    m_diagnostics.add({"truncated", Severity::dataLoss, 1, "the file ends before its data do",
                       fmt::format("cut off at byte {}, before the end of the options at byte {}",
                                   m_source.size(), options),
                       "copy or record the file again; what is whole is shown"});
}

Result<std::uint64_t> ContainerReader::readOptionSection(const SectionHeader& header) {
    if (!header.compressed) {
        // Sizes of sections are not relied upon: the last option ends them.
        ByteReader reader(m_source, header.begin, m_source.size(), m_container.byteOrder);
        return readOptions(reader);
    }
    auto content = decompressSection(m_source, m_container, header.begin);
    if (!content)
        return content.error();
    MemorySource memory({content->first.get(), content->second});
    ByteReader reader(memory, 0, memory.size(), m_container.byteOrder);
    return readOptions(reader);
}

Status ContainerReader::readOptionSections(std::uint64_t first) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t offset = first; offset != 0;) {
        // A chain that comes back to where it was has been read to its end.
        if (!seen.insert(offset).second || seen.size() > mostOptionSections) {
            m_diagnostics.add({"option_loop", Severity::info, 1,
                               "the sections of options are chained in a loop",
                               fmt::format("byte {}", offset), ""});
            break;
        }
        const auto header = sectionAt(m_source, offset, m_container.byteOrder);
        if (!header) {
            if (seen.size() == 1)
                return damaged("cut off before its options", offset);
            tellCutOff(offset);
            break;
        }
        if (header->id != optionDone) {
            if (seen.size() == 1)
                return damaged("has no options where they should be", offset);
            m_diagnostics.add({"bad_option", Severity::info, 1,
                               "a section that should hold options holds something else",
                               fmt::format("byte {}", offset), ""});
            break;
        }
        const auto next = readOptionSection(*header);
        if (!next) {
            if (seen.size() == 1)
                return next.error();
            tellCutOff(offset);
            break;
        }
        offset = *next;
    }
    return success();
}

/// Returns where the next options are (version 7); 0: nowhere.
Result<std::uint64_t> ContainerReader::readOptions(ByteReader& reader) {
    for (;;) {
        const std::uint64_t at = reader.position();
        const std::uint16_t id = reader.u16();
        if (id == optionDone && m_container.version == 6 && reader.ok())
            return std::uint64_t{0};
        const std::uint32_t size = reader.u32();
        if (!reader.ok() || size > reader.left())
            return damaged(fmt::format("names an option {} that does not fit into the file", id),
                           at);
        switch (id) {
        case optionDone:
            if (size < 8)
                return std::uint64_t{0};
            return reader.u64();
        case optionDate:
        case optionCpuStat:
        case optionBuffer:
        case optionBufferText:
        case optionTraceClock:
        case optionUname:
        case optionOffset:
        case optionCpuCount:
        case optionTscToNs:
        case optionHeaders:
        case optionFtraceFormats:
        case optionEventFormats:
        case optionCommandLines: {
            std::string data;
            if (size <= longestOption) {
                reader.append(data, size);
                if (!reader.ok())
                    return damaged("cut off inside its options", reader.position());
                readOption(id, data, at);
            } else {
                reader.skip(size);
                ignoredOption(id, at, "too long to be believed");
            }
            break;
        }
        case optionTimeShift:
            reader.skip(size);
            m_diagnostics.add(
                {"guest_clock", Severity::info, 1,
                 "the guest's stamps are kept in its own clock, not moved to its host's",
                 fmt::format("byte {}", at), ""});
            break;
        case optionHook:
        case optionVersion:
        case optionProcMaps:
        case optionTraceId:
        case optionGuest:
        case optionStrings:
        case optionKallsyms:
        case optionPrintk:
        case optionBtf:
        case optionLastBoot:
        case optionModules:
            reader.skip(size);
            break;
        default:
            if (m_unknown.empty())
                m_unknownAt = at;
            m_unknown.insert(id);
            reader.skip(size);
        }
    }
}

void ContainerReader::ignoredOption(std::uint16_t id, std::uint64_t at, std::string_view why) {
    m_diagnostics.add({"bad_option", Severity::info, 1, "an option was ignored",
                       fmt::format("option {} at byte {}: {}", id, at, why), ""});
}

void ContainerReader::noteUnknown() {
    if (m_unknown.empty())
        return;
    std::string ids;
    std::size_t named = 0;
    for (const std::uint16_t id : m_unknown) {
        if (++named > 8) {
            ids += ", …";
            break;
        }
        ids += fmt::format("{}{}", named > 1 ? ", " : "", id);
    }
    m_diagnostics.add({"unknown_option", Severity::info, m_unknown.size(),
                       fmt::format("option{} {} skipped", m_unknown.size() > 1 ? "s" : "", ids),
                       fmt::format("byte {}", m_unknownAt), ""});
}

void ContainerReader::readOption(std::uint16_t id, const std::string& data, std::uint64_t at) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data.data());
    switch (id) {
    case optionDate:
    case optionOffset: {
        const auto value = signedNumber(data);
        if (!value) {
            ignoredOption(id, at, "not a number");
            break;
        }
        // Wrapping on purpose: any sum is a stamp, and hostile ones must not trap.
        const std::uint64_t scale = id == optionDate ? 1000 : 1; // DATE counts microseconds
        m_container.stampOffset =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(m_container.stampOffset) +
                                      static_cast<std::uint64_t>(*value) * scale);
        break;
    }
    case optionCpuStat:
        readStatistics(untilNul(data));
        break;
    case optionBuffer:
        if (m_container.buffers.size() + m_distantBuffers.size() >= mostBuffers)
            ignoredOption(id, at, "too many buffers");
        else
            readBuffer(data, at);
        break;
    case optionBufferText:
        readBufferText(data, at);
        break;
    case optionTraceClock: {
        std::string clock = bracketed(untilNul(data));
        if (!clock.empty())
            m_container.traceClock = std::move(clock);
        break;
    }
    case optionUname:
        m_container.uname = untilNul(data);
        break;
    case optionCpuCount: {
        // Forks of trace-cmd gave this number to an option of their own.
        const std::uint32_t count =
            data.size() == 4 ? loadNumber<std::uint32_t>(bytes, m_container.byteOrder) : 0;
        if (count == 0 || count > mostCpus)
            ignoredOption(id, at, "not a number of CPUs");
        else
            m_container.cpuCount = count;
        break;
    }
    case optionTscToNs:
        if (data.size() < 16)
            ignoredOption(id, at, "too short");
        else
            m_container.tsc = TscScale{loadNumber<std::uint32_t>(bytes, m_container.byteOrder),
                                       loadNumber<std::uint32_t>(bytes + 4, m_container.byteOrder),
                                       loadNumber<std::uint64_t>(bytes + 8, m_container.byteOrder)};
        break;
    case optionHeaders:
    case optionFtraceFormats:
    case optionEventFormats:
    case optionCommandLines: {
        if (data.size() < 8) {
            ignoredOption(id, at, "too short");
            break;
        }
        const DatSection section = id == optionHeaders         ? DatSection::headers
                                   : id == optionFtraceFormats ? DatSection::ftraceFormats
                                   : id == optionEventFormats  ? DatSection::eventFormats
                                                               : DatSection::commandLines;
        m_container.sections[static_cast<std::size_t>(section)] =
            loadNumber<std::uint64_t>(bytes, m_container.byteOrder);
        break;
    }
    default:
        break;
    }
}

void ContainerReader::readStatistics(std::string_view text) {
    // Statistics of an instance are preceded by one that only names it.
    constexpr std::string_view heading = "Buffer: ";
    if (const std::size_t found = text.find(heading); found != std::string_view::npos) {
        std::string_view name = text.substr(found + heading.size());
        m_statisticsBuffer = std::string(name.substr(0, name.find('\n')));
        return;
    }
    const auto cpu = lineValue(text, "CPU:");
    if (!cpu || *cpu >= mostCpus)
        return;
    CpuStatistics statistics;
    statistics.buffer = m_statisticsBuffer;
    statistics.cpu = static_cast<std::int32_t>(*cpu);
    statistics.overrun = lineValue(text, "overrun:").value_or(0);
    statistics.dropped = lineValue(text, "dropped events:").value_or(0);
    statistics.held =
        lineValue(text, "entries:").value_or(0) | lineValue(text, "read events:").value_or(0);
    m_container.statistics.push_back(std::move(statistics));
}

/// Version 7: the offset of the text's section, and names that are of no use here.
void ContainerReader::readBufferText(const std::string& data, std::uint64_t at) {
    if (data.size() < 8) {
        ignoredOption(optionBufferText, at, "too short");
        return;
    }
    const auto offset = loadNumber<std::uint64_t>(reinterpret_cast<const std::byte*>(data.data()),
                                                  m_container.byteOrder);
    const auto section = sectionAt(m_source, offset, m_container.byteOrder);
    if (!section || section->id != optionBufferText) {
        ignoredOption(optionBufferText, at, "its text is not where it says");
        return;
    }
    const std::uint64_t there = m_source.size() - section->begin;
    m_container.latencyText = LatencyText{
        section->begin, section->begin + std::min(section->size, there), section->compressed};
}

void ContainerReader::readBuffer(const std::string& data, std::uint64_t at) {
    MemorySource memory({reinterpret_cast<const std::byte*>(data.data()), data.size()});
    ByteReader reader(memory, 0, memory.size(), m_container.byteOrder);
    const std::uint64_t offset = reader.u64();
    std::string name = reader.text(4096);
    if (m_container.version == 6) {
        if (reader.ok())
            m_distantBuffers.emplace_back(offset, std::move(name));
        else
            ignoredOption(optionBuffer, at, "too short");
        return;
    }
    DatBuffer buffer;
    buffer.name = std::move(name);
    buffer.clock = reader.text(4096);
    const std::uint32_t first = reader.u32();
    constexpr std::uint64_t entrySize = 20;
    std::uint32_t count = 0;
    buffer.pageSize = m_pageSize;
    // The first writers of version 7 named no page size here.
    if (reader.ok() && reader.left() == first * entrySize && reader.left() % entrySize == 0) {
        count = first;
    } else {
        if (pageSizeFits(first))
            buffer.pageSize = first;
        else
            ignoredOption(optionBuffer, at, fmt::format("page size {}", first));
        count = reader.u32();
    }
    if (!reader.ok()) {
        ignoredOption(optionBuffer, at, "too short");
        return;
    }
    const auto section = sectionAt(m_source, offset, m_container.byteOrder);
    const bool compressed = section && section->compressed;
    for (std::uint32_t i = 0; i < count; ++i) {
        CpuArea area;
        const std::uint32_t cpu = reader.u32();
        area.offset = reader.u64();
        area.size = reader.u64();
        area.compressed = compressed;
        if (!reader.ok()) {
            ignoredOption(optionBuffer, at, "fewer CPUs than it says");
            break;
        }
        if (cpu >= mostCpus) {
            ignoredOption(optionBuffer, at, fmt::format("CPU number {}", cpu));
            continue;
        }
        area.cpu = static_cast<std::int32_t>(cpu);
        ++buffer.namedCpus;
        addArea(buffer, area);
    }
    m_container.buffers.push_back(std::move(buffer));
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

} // namespace

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
