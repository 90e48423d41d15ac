#include "importers/perf_data/perf_event_reader.h"

#include "importers/common/field_value.h"
#include "importers/common/stream_merge.h"
#include "importers/perf_data/perf_format.h"
#include "importers/perf_data/record_teller.h"

#include <fmt/format.h>

#include <utility>

namespace twolane {

/// Notes the order of all events.
struct PerfEventReader::Collector {
    PerfEventReader& reader;
    const RecordStream* first;

    bool event(RecordStream& stream) {
        if (stream.lost())
            stream.takeLoss();
        reader.m_order.push_back({static_cast<std::uint32_t>(&stream - first), stream.row()});
        return true;
    }
    void after(RecordStream& stream, Nanos, bool) { stream.takeLoss(); }
};

Result<std::unique_ptr<EventReader>> PerfEventReader::open(std::unique_ptr<ByteSource> source) {
    std::unique_ptr<PerfEventReader> reader(new PerfEventReader);
    reader->m_source = std::move(source);
    Diagnostics ignored; // the load has told them
    auto file = PerfFile::open(*reader->m_source, ignored, {}, {});
    if (!file)
        return file.error();
    reader->m_file = std::move(file).value();
    const PerfIndex& index = reader->m_file->index();
    reader->m_cache = std::make_unique<PieceCache>(8);
    reader->m_order.reserve(static_cast<std::size_t>(index.events));

    std::vector<RecordStream> streams;
    for (const RecordList& list : index.lists)
        streams.emplace_back(list, *index.sources[list.source], reader->m_file->session().order(),
                             *reader->m_cache);
    StreamMerge merge(streams);
    for (std::uint32_t i = 0; i < streams.size(); ++i)
        if (streams[i].next())
            merge.add(i);
    Collector collector{*reader, streams.data()};
    merge.run(collector);
    return std::unique_ptr<EventReader>(std::move(reader));
}

Result<RecordedEvent> PerfEventReader::at(std::uint64_t index) {
    if (index >= m_order.size())
        return Error{"", fmt::format("has no event {}", index), "",
                     fmt::format("it has {} events, numbered from 0", m_order.size())};
    const Place place = m_order[static_cast<std::size_t>(index)];
    const RecordList& list = m_file->index().lists[place.list];
    RecordStream stream(list, *m_file->index().sources[list.source], m_file->session().order(),
                        *m_cache);
    stream.restart(place.row);
    const auto record = stream.next() ? stream.record() : std::nullopt;
    if (!record)
        return Error{"", "has changed since it was opened", "", "open it again"};
    return render(*record, {stream.time(), stream.cpu(), -1, index});
}

RecordedEvent PerfEventReader::render(const PerfRecord& record, const EventHeader& header) const {
    const PerfSession& session = m_file->session();
    const ByteOrder order = session.order();
    const bool isSample = record.type == PerfType::sample;
    const PerfEvent* const event =
        isSample ? session.ofSample(record.body) : session.ofTrailer(record.body);
    RecordedEvent out;
    out.header = header;
    PerfStamp stamp;
    if (event && (isSample ? event->layout.stamp(record.body, order, stamp)
                           : event->layout.trailer(record.body, order, stamp)))
        out.header.pid = stamp.tid;
    if (out.header.pid == 0)
        out.task = "<idle>";
    else if (const auto name = m_file->index().names.find(out.header.pid);
             name != m_file->index().names.end())
        out.task = name->second;

    const auto number = [&](const char* name, std::size_t offset) {
        out.fields.emplace_back(name, fmt::to_string(int32At(record.body, offset, order)));
    };
    switch (record.type) {
    case PerfType::sample:
        break;
    case PerfType::comm:
        number("pid", 0);
        number("tid", 4);
        out.fields.emplace_back("comm", commIn(record.body));
        break;
    case PerfType::fork:
    case PerfType::exit:
        number("pid", 0);
        number("ppid", 4);
        number("tid", 8);
        number("ptid", 12);
        break;
    case PerfType::switchCpuWide:
        number((record.misc & perfMiscSwitchOut) != 0 ? "next_pid" : "prev_pid", 0);
        number((record.misc & perfMiscSwitchOut) != 0 ? "next_tid" : "prev_tid", 4);
        [[fallthrough]];
    case PerfType::taskSwitch:
        out.fields.emplace_back("direction", (record.misc & perfMiscSwitchOut) == 0 ? "in"
                                             : (record.misc & perfMiscSwitchOutPreempt) != 0
                                                 ? "out, preempted"
                                                 : "out");
        break;
    default:
        break;
    }
    if (!isSample) {
        out.name = nameOf(record.type);
        return out;
    }
    if (!event)
        return out;
    out.name = nameOf(event->attr);
    const auto raw = event->layout.raw(record.body, order);
    const auto format =
        event->attr.type == perfTypeTracepoint && event->attr.config < 65536
            ? session.formats().format(static_cast<std::uint32_t>(event->attr.config))
            : std::nullopt;
    if (!format || !raw)
        return out;
    out.name = format->name;
    for (const FieldFormat& field : format->fields)
        if (!field.isCommon)
            out.fields.emplace_back(field.name, fieldValue(field, raw->data(),
                                                           static_cast<std::uint32_t>(raw->size()),
                                                           session.formats().byteOrder()));
    return out;
}

} // namespace twolane
