#include "importers/perf_data/perf_session.h"

#include "importers/perf_data/perf_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace twolane {
namespace {

constexpr std::string_view magicLittle = "PERFILE2";
constexpr std::string_view magicBig = "2ELIFREP";
constexpr std::string_view magicOld = "PERFFILE";
constexpr std::uint64_t pipeHeader = 16;
constexpr std::uint64_t fileHeader = 104;
constexpr std::uint64_t mostEvents = 65536;
constexpr std::uint64_t smallIds = 65536; // ids count from 1 for each event and CPU
constexpr std::uint64_t longestText = 65536;
constexpr std::uint32_t mostCpus = 1U << 20;

std::string_view textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A length, and so many bytes, padded with NUL.
std::string perfText(ByteReader& reader) {
    const std::uint32_t length = reader.u32();
    std::string text;
    if (length > std::min(longestText, reader.left()))
        return text;
    reader.append(text, length);
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
}

Error damaged(std::string what, std::uint64_t at) {
    return Error{"", std::move(what), fmt::format("byte {}", at), "copy or record the file again"};
}

} // namespace

std::optional<ByteOrder> perfByteOrder(std::span<const std::byte> head) {
    const std::string_view text = textOf(head);
    if (text.starts_with(magicLittle))
        return ByteOrder::little;
    if (text.starts_with(magicBig))
        return ByteOrder::big;
    return std::nullopt;
}

bool isOldPerf(std::span<const std::byte> head) {
    return textOf(head).starts_with(magicOld);
}

Status PerfSession::readHeader(ByteSource& source, Diagnostics& diagnostics) {
    ByteReader reader(source, magicLittle.size(), source.size(), m_order);
    const std::uint64_t size = reader.u64();
    if (reader.ok() && size == pipeHeader) {
        m_isPipe = true;
        m_dataBegin = pipeHeader;
        m_dataEnd = source.size();
        return success();
    }
    const std::uint64_t entrySize = reader.u64();
    const auto section = [&reader] {
        const std::uint64_t offset = reader.u64();
        return Section{offset, reader.u64()};
    };
    const Section attrs = section();
    const Section data = section();
    section(); // names of events, until Linux 2.6.39
    std::array<std::uint64_t, perfFeatureBits / 64> flags{};
    for (std::uint64_t& word : flags)
        word = reader.u64();
    if (!reader.ok() || size < fileHeader)
        return damaged("is a perf.data file whose header is cut off", reader.position());

    m_dataBegin = std::min(data.offset, source.size());
    m_dataEnd = m_dataBegin + std::min(data.size, source.size() - m_dataBegin);
    if (Status status = readAttrs(source, attrs, entrySize); !status)
        return status;
    if (data.size == 0 && m_dataBegin < source.size()) {
        // perf record writes sizes and features when it ends.
        m_dataEnd = source.size();
        diagnostics.add({"recorder_killed", Severity::dataLoss, 1,
                         "the recorder did not end properly: the file tells neither how long its "
                         "records are nor what its events look like",
                         fmt::format("byte {}", m_dataBegin), "end perf record by Ctrl-C"});
        return success();
    }
    if (data.size > source.size() - m_dataBegin)
        diagnostics.add({"cut_off", Severity::dataLoss, 1,
                         "the file is cut off: records are missing, and so is what stands behind "
                         "them",
                         fmt::format("byte {}", source.size()), "check that the copy is complete"});
    else
        readFeatures(source, flags);
    return success();
}

Status PerfSession::readAttrs(ByteSource& source, Section section, std::uint64_t entrySize) {
    constexpr std::uint64_t idsSection = 16;
    if (entrySize < idsSection || section.offset > source.size() ||
        section.size > source.size() - section.offset || section.size / entrySize > mostEvents)
        return damaged("describes its events in a way that cannot be read", section.offset);
    std::string bytes;
    for (std::uint64_t at = section.offset; at + entrySize <= section.offset + section.size;
         at += entrySize) {
        ByteReader reader(source, at, at + entrySize, m_order);
        bytes.clear();
        reader.append(bytes, entrySize - idsSection);
        const std::uint64_t offset = reader.u64();
        const std::uint64_t length = reader.u64();
        const auto attr = readAttr(std::as_bytes(std::span(bytes)), m_order);
        if (!reader.ok() || !attr || offset > source.size() || length > source.size() - offset)
            return damaged("describes an event in a way that cannot be read", at);
        std::vector<std::uint64_t> ids;
        ByteReader list(source, offset, offset + length, m_order);
        while (list.left() >= sizeof(std::uint64_t) && list.ok())
            ids.push_back(list.u64());
        addEvent(*attr, ids);
    }
    return success();
}

void PerfSession::addEvent(const PerfAttr& attr, std::span<const std::uint64_t> ids) {
    if (m_events.size() == mostEvents)
        return;
    const auto place = static_cast<std::uint32_t>(m_events.size());
    m_events.push_back({attr, SampleLayout(attr)});
    if (place == 0) {
        // Where a sample's id stands is the same for all events, or they could not be told apart.
        if (attr.has(perfSampleIdentifier)) {
            m_idOffset = 0;
        } else if (attr.has(perfSampleId)) {
            m_idOffset = 0;
            for (const std::uint64_t bit :
                 {perfSampleIp, perfSampleTid, perfSampleTime, perfSampleAddr})
                m_idOffset += attr.has(bit) ? 8 : 0;
        }
    }
    for (const std::uint64_t id : ids) {
        if (id >= smallIds) {
            m_eventOfId.insert_or_assign(id, place);
            continue;
        }
        if (id >= m_eventOfSmallId.size())
            m_eventOfSmallId.resize(static_cast<std::size_t>(id) + 1, UINT32_MAX);
        m_eventOfSmallId[static_cast<std::size_t>(id)] = place;
    }
}

const PerfEvent* PerfSession::ofId(std::uint64_t id) const {
    if (id < m_eventOfSmallId.size()) {
        const std::uint32_t place = m_eventOfSmallId[static_cast<std::size_t>(id)];
        if (place != UINT32_MAX)
            return &m_events[place];
    } else if (const auto found = m_eventOfId.find(id); found != m_eventOfId.end()) {
        return &m_events[found->second];
    }
    return m_events.size() == 1 ? &m_events.front() : nullptr;
}

const PerfEvent* PerfSession::ofSample(std::span<const std::byte> body) const {
    if (m_events.size() == 1)
        return &m_events.front();
    if (m_idOffset == SIZE_MAX) // they are all alike, then
        return m_events.empty() ? nullptr : &m_events.front();
    if (body.size() < m_idOffset + 8)
        return nullptr;
    return ofId(loadNumber<std::uint64_t>(body.data() + m_idOffset, m_order));
}

const PerfEvent* PerfSession::ofTrailer(std::span<const std::byte> body) const {
    if (m_events.empty())
        return nullptr;
    if (m_events.size() == 1 || !m_events.front().attr.has(perfSampleIdentifier))
        return &m_events.front();
    if (body.size() < 8)
        return nullptr;
    // Records that perf itself made have the id 0, and all trailers are alike then.
    const auto id = loadNumber<std::uint64_t>(body.data() + body.size() - 8, m_order);
    const PerfEvent* const event = ofId(id);
    return event || id != 0 ? event : &m_events.front();
}

void PerfSession::readFeatures(ByteSource& source, std::span<const std::uint64_t> flags) {
    ByteReader table(source, m_dataEnd, source.size(), m_order);
    std::vector<std::pair<PerfFeature, Section>> sections;
    for (std::uint32_t bit = 0; bit < perfFeatureBits && table.ok(); ++bit) {
        if ((flags[bit / 64] >> (bit % 64) & 1) == 0)
            continue;
        const std::uint64_t offset = table.u64();
        const Section section{offset, table.u64()};
        if (table.ok() && section.offset <= source.size() &&
            section.size <= source.size() - section.offset)
            sections.emplace_back(static_cast<PerfFeature>(bit), section);
    }
    for (const auto& [feature, section] : sections) {
        const std::uint64_t end = section.offset + section.size;
        if (feature == PerfFeature::tracingData)
            takeTracingData(source, section.offset, end);
        else
            readFeature(feature, ByteReader(source, section.offset, end, m_order));
    }
}

void PerfSession::readFeature(PerfFeature feature, ByteReader reader) {
    switch (feature) {
    case PerfFeature::hostname:
        m_host = perfText(reader);
        break;
    case PerfFeature::osRelease:
        m_release = perfText(reader);
        break;
    case PerfFeature::version:
        m_perfVersion = perfText(reader);
        break;
    case PerfFeature::cpuCount: {
        reader.u32(); // those that the machine could have
        const std::uint32_t online = reader.u32();
        if (reader.ok() && online <= mostCpus)
            m_cpuCount = online;
        break;
    }
    case PerfFeature::eventDescriptions:
        nameEvents(reader);
        break;
    case PerfFeature::dirFormat:
        m_isDirectory = true;
        break;
    default:
        break;
    }
}

/// The events again, in the same order, with their names.
void PerfSession::nameEvents(ByteReader& reader) {
    const std::uint32_t count = reader.u32();
    const std::uint32_t attrSize = reader.u32();
    for (std::uint32_t i = 0; i < count && reader.ok() && i < m_events.size(); ++i) {
        reader.skip(attrSize);
        const std::uint32_t ids = reader.u32();
        std::string name = perfText(reader);
        reader.skip(std::uint64_t{ids} * 8);
        if (reader.ok())
            m_events[i].attr.name = std::move(name);
    }
}

void PerfSession::takeAttr(std::span<const std::byte> body) {
    constexpr std::size_t smallest = 64;
    if (body.size() < smallest)
        return;
    std::size_t size = loadNumber<std::uint32_t>(body.data() + 4, m_order);
    size = std::min(std::max(size, smallest), body.size());
    const auto attr = readAttr(body.first(size), m_order);
    std::vector<std::uint64_t> ids;
    for (std::size_t at = size; at + 8 <= body.size(); at += 8)
        ids.push_back(loadNumber<std::uint64_t>(body.data() + at, m_order));
    if (attr)
        addEvent(*attr, ids);
}

void PerfSession::takeFeature(std::span<const std::byte> body) {
    if (body.size() < 8)
        return;
    const auto feature = loadNumber<std::uint64_t>(body.data(), m_order);
    if (feature >= perfFeatureBits)
        return;
    MemorySource memory(body.subspan(8));
    readFeature(static_cast<PerfFeature>(feature), ByteReader(memory, 0, memory.size(), m_order));
}

void PerfSession::takeTracingData(ByteSource& source, std::uint64_t begin, std::uint64_t end) {
    // As the head of a trace.dat file of version 6 (trace-event-info.c of perf).
    constexpr std::uint64_t magicSize = 10;
    constexpr std::uint64_t longestPage = 1U << 20;
    ByteReader reader(source, begin, end, m_order);
    reader.skip(magicSize);
    reader.text(32); // its version
    const bool big = reader.u8() != 0;
    reader.setOrder(big ? ByteOrder::big : ByteOrder::little);
    reader.u8();                  // size of a long
    reader.u32();                 // size of a page
    for (int i = 0; i < 2; ++i) { // header_page, header_event
        reader.text(32);
        const std::uint64_t size = reader.u64();
        if (size > longestPage)
            return;
        reader.skip(size);
    }
    EventFormats formats(reader.order());
    formats.readTracers(reader);
    formats.readSystems(reader);
    if (formats.fault())
        return;
    m_formats = std::move(formats);
    m_hasFormats = true;
}

} // namespace twolane
