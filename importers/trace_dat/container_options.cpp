#include "importers/trace_dat/container_reader.h"
#include "importers/trace_dat/option_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace twolane {
namespace {

// Texts of options are a few KiB; longer ones are no texts of ours.
constexpr std::uint32_t longestOption = 1U << 20;
constexpr std::size_t mostOptionSections = 4096;
constexpr std::size_t mostBuffers = 4096;

} // namespace

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

} // namespace twolane
