#include "importers/perf_data/record_teller.h"

#include "importers/perf_data/perf_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace twolane {

std::string_view nameOf(PerfType type) {
    switch (type) {
    case PerfType::comm:
        return "PERF_RECORD_COMM";
    case PerfType::exit:
        return "PERF_RECORD_EXIT";
    case PerfType::fork:
        return "PERF_RECORD_FORK";
    case PerfType::taskSwitch:
        return "PERF_RECORD_SWITCH";
    case PerfType::switchCpuWide:
        return "PERF_RECORD_SWITCH_CPU_WIDE";
    default:
        return {};
    }
}

std::string nameOf(const PerfAttr& attr) {
    return attr.name.empty() ? fmt::format("event of type {}, config {:#x}", attr.type, attr.config)
                             : attr.name;
}

std::int32_t int32At(std::span<const std::byte> body, std::size_t offset, ByteOrder order) {
    return offset + 4 <= body.size() ? loadNumber<std::int32_t>(body.data() + offset, order) : -1;
}

std::string_view commIn(std::span<const std::byte> body) {
    constexpr std::size_t behindTids = 8;
    if (body.size() <= behindTids)
        return {};
    const std::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
    const std::string_view comm = text.substr(behindTids);
    return comm.substr(0, comm.find('\0'));
}

RecordTeller::RecordTeller(const PerfFile& file, EventSink& sink, Diagnostics& diagnostics)
    : m_index(file.index())
    , m_session(file.session())
    , m_names(file.index().names)
    , m_hasSwitches(file.hasSwitches())
    , m_stamps(file.index().stamps)
    , m_sink(sink)
    , m_decoder(m_session.formats(), m_session.release(), sink, diagnostics)
    , m_others(m_session.events().size()) {}

std::string_view RecordTeller::nameOfTask(std::int32_t tid) const {
    const auto found = m_names.find(tid);
    return found == m_names.end() ? std::string_view() : std::string_view(found->second);
}

void RecordTeller::tell(const PerfRecord& record, std::int32_t cpu, Nanos time,
                        std::uint64_t index) {
    EventHeader header{time, cpu, -1, index};
    if (record.type == PerfType::sample)
        return sample(record, header);
    ++m_records[record.type];
    const ByteOrder order = m_session.order();
    if (const PerfEvent* const event = m_session.ofTrailer(record.body)) {
        PerfStamp stamp;
        if (event->layout.trailer(record.body, order, stamp))
            header.pid = stamp.tid;
    }
    learnNames(record);
    header.sideBand = m_hasSwitches;
    if (header.sideBand && (time < m_stamps.begin || time > m_stamps.end))
        return m_sink.otherEvent(header);
    switch (record.type) {
    case PerfType::taskSwitch:
    case PerfType::switchCpuWide:
        taskSwitch(record, header);
        break;
    case PerfType::comm: {
        const std::int32_t tid = int32At(record.body, 4, order);
        m_sink.taskRename({header, tid, {}, nameOfTask(tid)});
        break;
    }
    case PerfType::fork: { // pid, ppid, tid, ptid
        const std::int32_t child = int32At(record.body, 8, order);
        const std::int32_t parent = int32At(record.body, 12, order);
        m_sink.schedProcessFork({header, {}, parent, nameOfTask(child), child});
        break;
    }
    case PerfType::exit:
        m_sink.schedProcessExit({header, {}, int32At(record.body, 8, order), 0});
        break;
    default:
        m_sink.otherEvent(header);
    }
}

void RecordTeller::learnNames(const PerfRecord& record) {
    const ByteOrder order = m_session.order();
    if (record.type == PerfType::comm) {
        m_names.insert_or_assign(int32At(record.body, 4, order), std::string(commIn(record.body)));
    } else if (record.type == PerfType::fork) {
        const auto parent = m_names.find(int32At(record.body, 12, order));
        if (parent != m_names.end())
            m_names.insert_or_assign(int32At(record.body, 8, order), std::string(parent->second));
    }
}

void RecordTeller::sample(const PerfRecord& record, EventHeader header) {
    const PerfEvent* const event = m_session.ofSample(record.body);
    const ByteOrder order = m_session.order();
    if (event && event->attr.type == perfTypeTracepoint) {
        // Without raw data there is an event of which nothing is known.
        const auto raw = event->layout.raw(record.body, order);
        if (raw && !raw->empty())
            return m_decoder.decode(header.cpu, header.time, header.index, raw->data(),
                                    static_cast<std::uint32_t>(raw->size()));
    }
    if (event) {
        ++m_others[static_cast<std::size_t>(event - m_session.events().data())];
        PerfStamp stamp;
        if (event->layout.stamp(record.body, order, stamp))
            header.pid = stamp.tid;
    } else {
        ++m_records[PerfType::sample];
    }
    m_sink.otherEvent(header);
}

void RecordTeller::taskSwitch(const PerfRecord& record, EventHeader header) {
    if (m_hasSwitches)
        return m_sink.otherEvent(header);
    SwitchRecord event;
    event.header = header;
    event.pid = header.pid;
    event.comm = nameOfTask(header.pid);
    event.out = (record.misc & perfMiscSwitchOut) != 0;
    event.preempted = event.out && (record.misc & perfMiscSwitchOutPreempt) != 0;
    if (record.type == PerfType::switchCpuWide)
        event.other_pid = int32At(record.body, 4, m_session.order());
    m_sink.switchRecord(event);
}

std::vector<EventCount> RecordTeller::counts() const {
    std::map<std::string, std::uint64_t> byName;
    for (const EventCount& count : m_decoder.counts())
        byName[count.event] += count.count;
    for (std::size_t i = 0; i < m_others.size(); ++i)
        if (m_others[i] > 0)
            byName[nameOf(m_session.events()[i].attr)] += m_others[i];
    for (std::size_t i = 0; i < m_index.unplacedSamples.size(); ++i) {
        const std::uint64_t count = m_index.unplacedSamples[i];
        if (count == 0)
            continue;
        const PerfAttr& attr = m_session.events()[i].attr;
        const std::string_view name =
            attr.type == perfTypeTracepoint && attr.config < 65536
                ? m_session.formats().name(static_cast<std::uint32_t>(attr.config))
                : std::string_view();
        byName[name.empty() ? nameOf(attr) : std::string(name)] += count;
    }
    for (const auto& [type, count] : m_records) {
        const std::string_view name = nameOf(type);
        byName[name.empty() ? std::string("other records") : std::string(name)] += count;
    }
    std::vector<EventCount> counts;
    for (const auto& [name, count] : byName)
        counts.push_back({name, count});
    return counts;
}

} // namespace twolane
