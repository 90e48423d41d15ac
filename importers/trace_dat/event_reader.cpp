#include "importers/trace_dat/event_reader.h"

#include "importers/common/field_value.h"
#include "importers/common/stream_merge.h"
#include "importers/trace_dat/latency_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace twolane {
namespace {

constexpr std::uint64_t stretchSize = 1024; // events

} // namespace

/// Notes where the streams are at the beginning of each stretch.
struct DatEventReader::Indexer {
    DatEventReader& reader;

    bool event(CpuStream& stream) {
        if (stream.lost())
            stream.takeLoss();
        if (reader.m_count++ % stretchSize == 0)
            for (const CpuStream& each : reader.m_streams)
                reader.m_positions.push_back(each.data() ? each.position() : each.endPosition());
        return true;
    }
    void after(CpuStream& stream, Nanos, bool) { stream.takeLoss(); }
};

/// Copies the events of one stretch.
struct DatEventReader::Copier {
    DatEventReader& reader;

    bool event(CpuStream& stream) {
        Copy copy{stream.time(), stream.cpu(), static_cast<std::uint32_t>(reader.m_bytes.size()),
                  stream.size()};
        reader.m_bytes.insert(reader.m_bytes.end(), stream.data(), stream.data() + stream.size());
        reader.m_copies.push_back(copy);
        return reader.m_copies.size() < stretchSize;
    }
    void after(CpuStream& stream, Nanos, bool) { stream.takeLoss(); }
};

DatEventReader::~DatEventReader() = default;

Result<std::unique_ptr<EventReader>> DatEventReader::open(std::unique_ptr<ByteSource> source,
                                                          const LoadOptions& options) {
    std::unique_ptr<DatEventReader> reader(new DatEventReader);
    reader->m_source = std::move(source);
    Diagnostics ignored; // the load has told them
    auto file = DatFile::open(*reader->m_source, ignored);
    if (!file)
        return file.error();
    if (holdsLatencyText((*file)->container()))
        return openLatencyText(std::move(reader->m_source), (*file)->container(), options);
    reader->m_file = std::move(file).value();
    const auto buffer = reader->m_file->choose(options.buffer);
    if (!buffer)
        return buffer.error();
    reader->m_tasks = readCommandLines(*reader->m_source, reader->m_file->container());
    reader->m_context = reader->m_file->context(**buffer);
    reader->m_streams = DatFile::streams(*reader->m_context, **buffer);

    StreamMerge merge(reader->m_streams);
    for (std::uint32_t i = 0; i < reader->m_streams.size(); ++i)
        if (reader->m_streams[i].next())
            merge.add(i);
    Indexer indexer{*reader};
    merge.run(indexer);
    return std::unique_ptr<EventReader>(std::move(reader));
}

bool DatEventReader::loadStretch(std::uint64_t stretch) {
    if (m_stretch == stretch)
        return true;
    m_stretch.reset();
    m_copies.clear();
    m_bytes.clear();
    StreamMerge merge(m_streams);
    const CpuStream::Position* positions = m_positions.data() + stretch * m_streams.size();
    for (std::uint32_t i = 0; i < m_streams.size(); ++i) {
        if (m_streams[i].restore(positions[i]))
            merge.add(i);
        else if (!positions[i].ended)
            return false;
    }
    Copier copier{*this};
    merge.run(copier);
    m_stretch = stretch;
    return true;
}

const EventFormat* DatEventReader::format(std::uint32_t id) {
    auto found = m_formats.find(id);
    if (found == m_formats.end())
        found = m_formats.emplace(id, m_file->formats().format(id)).first;
    return found->second ? &*found->second : nullptr;
}

RecordedEvent DatEventReader::render(std::uint64_t index, const Copy& copy) {
    const std::byte* data = m_bytes.data() + copy.begin;
    const ByteOrder order = m_file->formats().byteOrder();
    RecordedEvent event;
    event.header = {copy.time, copy.cpu, -1, index};
    const FieldFormat& type = m_file->formats().commonType();
    if (type.end() > copy.size)
        return event;
    std::uint32_t id = loadNumber<std::uint8_t>(data + type.offset, order);
    if (type.size == 2)
        id = loadNumber<std::uint16_t>(data + type.offset, order);
    if (type.size == 4)
        id = loadNumber<std::uint32_t>(data + type.offset, order) & 0xffff;
    const IntegerField& pid = m_file->formats().commonPid();
    if (pid.size == 4 && pid.offset + pid.size <= copy.size)
        event.header.pid = loadNumber<std::int32_t>(data + pid.offset, order);
    if (event.header.pid == 0) {
        event.task = "<idle>";
    } else if (const auto task = m_tasks.find(event.header.pid); task != m_tasks.end()) {
        event.task = task->second;
    }
    const EventFormat* known = format(id);
    if (!known) {
        event.name = fmt::format("event {}", id);
        return event;
    }
    event.name = known->name;
    for (const FieldFormat& field : known->fields)
        if (!field.isCommon)
            event.fields.emplace_back(field.name, fieldValue(field, data, copy.size, order));
    return event;
}

Result<RecordedEvent> DatEventReader::at(std::uint64_t index) {
    if (index >= m_count)
        return Error{"", fmt::format("has no event {}", index), "", ""};
    const std::uint64_t place = index % stretchSize;
    if (!loadStretch(index / stretchSize) || place >= m_copies.size()) {
        m_stretch.reset();
        return Error{"", "has changed since it was opened", "", "open it again"};
    }
    return render(index, m_copies[static_cast<std::size_t>(place)]);
}

} // namespace twolane
