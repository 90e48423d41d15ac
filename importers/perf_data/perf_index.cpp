#include "importers/perf_data/perf_index.h"

#include "importers/perf_data/perf_format.h"
#include "importers/perf_data/record_walker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>

namespace twolane {
namespace {

constexpr std::int32_t mostCpus = 65536;
constexpr std::uint64_t stopInterval = 4096;           // records
constexpr std::uint64_t progressInterval = 1ULL << 20; // bytes
constexpr std::size_t mostNames = 1U << 20;

/// Nothing that perf records shrinks to less.
std::uint64_t mostUnpacked(std::uint64_t packed) {
    constexpr std::uint64_t ratio = 1024;
    constexpr std::uint64_t always = std::uint64_t{64} << 20;
    return packed > UINT64_MAX / ratio - always ? UINT64_MAX : packed * ratio + always;
}

Error interrupted() {
    Error error{"", "loading was stopped", "", ""};
    error.interrupted = true;
    return error;
}

std::string_view endedText(std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return text.substr(0, text.find('\0'));
}

} // namespace

/// Takes the records of one source after the other.
class PerfFile::Indexer {
public:
    Indexer(PerfSession& session, PerfIndex& index, const std::stop_token& stop,
            const ProgressFn& progress, std::uint64_t total)
        : m_session(session)
        , m_index(index)
        , m_stop(stop)
        , m_progress(progress)
        , m_total(total) {}

    void beginSource(ByteSource& source) {
        m_index.sources.push_back(&source);
        m_listOfCpu.clear();
    }

    void take(const PerfRecord& record) {
        switch (record.type) {
        case PerfType::sample:
            sample(record);
            break;
        case PerfType::taskSwitch:
        case PerfType::switchCpuWide:
        case PerfType::comm:
        case PerfType::fork:
        case PerfType::exit:
        case PerfType::lost:
            sideBand(record);
            break;
        case PerfType::lostSamples:
            if ((record.misc & perfMiscLostSamplesBpf) == 0 && record.body.size() >= 8)
                m_index.lostSamples +=
                    loadNumber<std::uint64_t>(record.body.data(), m_session.order());
            break;
        default:
            break;
        }
    }

    /// False after a stop request.
    bool goOn(std::uint64_t position) {
        if (m_progress && position - m_told >= progressInterval) {
            m_told = position;
            m_progress(position / 2, m_total);
        }
        return ++m_records % stopInterval != 0 || !m_stop.stop_requested();
    }
    /// Of the next source.
    void restartProgress() { m_told = 0; }

    void finish() {
        for (RecordList& list : m_index.lists) {
            const auto earlier = [](const IndexedRecord& a, const IndexedRecord& b) {
                return a.time < b.time;
            };
            if (list.records.empty())
                continue;
            IndexedRecord* const begin = &list.records[0];
            IndexedRecord* const end = begin + list.records.size();
            if (!std::is_sorted(begin, end, earlier))
                std::stable_sort(begin, end, earlier);
        }
        std::sort(m_index.lists.begin(), m_index.lists.end(),
                  [](const RecordList& a, const RecordList& b) {
                      return std::tie(a.cpu, a.source) < std::tie(b.cpu, b.source);
                  });
    }

private:
    static constexpr std::size_t none = SIZE_MAX;

    void sample(const PerfRecord& record) {
        const PerfEvent* const event = m_session.ofSample(record.body);
        PerfStamp stamp;
        if (!event || !event->layout.stamp(record.body, m_session.order(), stamp)) {
            ++m_index.unknownEvent;
            return;
        }
        m_index.samples.resize(m_session.events().size());
        m_index.unplacedSamples.resize(m_session.events().size());
        const auto place = static_cast<std::size_t>(event - m_session.events().data());
        ++m_index.samples[place];
        if (!event->attr.has(perfSampleTime))
            stamp.cpu = -1;
        const auto time = add(stamp, record.offset);
        if (!time) {
            ++m_index.unplacedSamples[place];
        } else {
            m_index.stamps.begin = std::min(m_index.stamps.begin, *time);
            m_index.stamps.end = std::max(m_index.stamps.end, *time);
        }
    }

    void sideBand(const PerfRecord& record) {
        const PerfEvent* const event = m_session.ofTrailer(record.body);
        PerfStamp stamp;
        const bool stamped = event && event->layout.trailer(record.body, m_session.order(), stamp);
        if (!stamped || stamp.time == 0) {
            // What perf wrote itself describes the tasks from before the recording.
            if (record.type == PerfType::comm)
                formerName(record.body);
            else if (record.type == PerfType::lost)
                m_index.lostSamples += lostCount(record.body);
            return;
        }
        if (record.type == PerfType::lost)
            return loss(stamp, record);
        if (record.type == PerfType::taskSwitch || record.type == PerfType::switchCpuWide)
            ++m_index.switchRecords;
        add(stamp, record.offset);
    }

    std::uint64_t lostCount(std::span<const std::byte> body) const {
        return body.size() < 16 ? 0 : loadNumber<std::uint64_t>(body.data() + 8, m_session.order());
    }

    void formerName(std::span<const std::byte> body) {
        if (body.size() < 9 || m_index.names.size() == mostNames)
            return;
        const auto tid = loadNumber<std::int32_t>(body.data() + 4, m_session.order());
        m_index.names.insert_or_assign(tid, std::string(endedText(body.subspan(8))));
    }

    std::optional<Nanos> add(const PerfStamp& stamp, std::uint64_t offset) {
        if (stamp.cpu < 0 || stamp.cpu >= mostCpus || stamp.time > INT64_MAX) {
            ++m_index.unplaced;
            return std::nullopt;
        }
        const auto time = static_cast<Nanos>(stamp.time);
        auto& records = listOf(stamp.cpu).records;
        if (!records.empty() && time < records.back().time) {
            ++m_index.late;
            m_index.latest = std::max(m_index.latest, records.back().time - time);
        }
        records.push_back({time, offset});
        ++m_index.events;
        return time;
    }

    // It stands behind the last event before the loss; its own stamp may be above that of the event
    // that follows it.
    void loss(const PerfStamp& stamp, const PerfRecord& record) {
        const std::uint64_t count = lostCount(record.body);
        if (stamp.cpu < 0 || stamp.cpu >= mostCpus) {
            m_index.lostSamples += count;
            return;
        }
        m_index.lost += count;
        auto& records = listOf(stamp.cpu).records;
        const Nanos time = records.empty() ? 0 : records.back().time;
        records.push_back({time, record.offset | IndexedRecord::lossBit});
    }

    RecordList& listOf(std::int32_t cpu) {
        const auto place = static_cast<std::size_t>(cpu);
        if (place >= m_listOfCpu.size())
            m_listOfCpu.resize(place + 1, none);
        if (m_listOfCpu[place] == none) {
            m_listOfCpu[place] = m_index.lists.size();
            m_index.lists.push_back(
                {cpu, static_cast<std::uint32_t>(m_index.sources.size() - 1), {}});
        }
        return m_index.lists[m_listOfCpu[place]];
    }

    PerfSession& m_session;
    PerfIndex& m_index;
    const std::stop_token& m_stop;
    const ProgressFn& m_progress;
    std::uint64_t m_total;
    std::uint64_t m_told = 0;
    std::uint64_t m_records = 0;
    std::vector<std::size_t> m_listOfCpu; ///< of the present source
};

/// The records of one file, then what they hold compressed.
Status PerfFile::walk(ByteSource& source, std::uint64_t begin, std::uint64_t end, Indexer& indexer,
                      Diagnostics& diagnostics) {
    const ByteOrder order = m_session.order();
    RecordWalker walker(source, begin, end, order);
    indexer.beginSource(source);
    std::unique_ptr<RecordUnpacker> unpacker;
    while (const auto record = walker.next()) {
        if (!indexer.goOn(walker.position()))
            return interrupted();
        switch (record->type) {
        case PerfType::headerAttr:
            if (m_session.isPipe())
                m_session.takeAttr(record->body);
            break;
        case PerfType::headerFeature:
            if (m_session.isPipe())
                m_session.takeFeature(record->body);
            break;
        case PerfType::tracingData: {
            if (record->body.size() < 4)
                break;
            const auto size = loadNumber<std::uint32_t>(record->body.data(), order);
            const std::uint64_t from = walker.position();
            walker.skip(size);
            if (m_session.isPipe())
                m_session.takeTracingData(source, from, walker.position());
            break;
        }
        case PerfType::auxtrace:
            if (record->body.size() >= 8)
                walker.skip(loadNumber<std::uint64_t>(record->body.data(), order));
            break;
        case PerfType::compressed:
        case PerfType::compressed2: {
            auto packed = record->body;
            if (record->type == PerfType::compressed2) {
                if (packed.size() < 8)
                    break;
                const auto size = loadNumber<std::uint64_t>(packed.data(), order);
                packed = packed.subspan(8);
                packed = packed.first(
                    static_cast<std::size_t>(std::min<std::uint64_t>(size, packed.size())));
            }
            if (!unpacker)
                unpacker =
                    std::make_unique<RecordUnpacker>(source.name(), mostUnpacked(source.size()));
            if (Status status = unpacker->take(packed); !status)
                return status;
            break;
        }
        default:
            indexer.take(*record);
        }
    }
    if (walker.stoppedEarly())
        diagnostics.add({"cut_off", Severity::dataLoss, 1,
                         "the records end in the middle of one: what follows is missing",
                         fmt::format("byte {}", walker.position()),
                         "check that the copy is complete"});
    if (!unpacker)
        return success();
    const auto unpacked = unpacker->content();
    if (!unpacked)
        return unpacked.error();
    if (unpacker->damaged())
        diagnostics.add({"damaged_compression", Severity::dataLoss, 1,
                         "compressed records could not be unpacked to their end", "",
                         "check that the copy is complete"});
    if (*unpacked) {
        RecordWalker inner(**unpacked, 0, (*unpacked)->size(), order);
        indexer.beginSource(**unpacked);
        while (const auto record = inner.next()) {
            if (!indexer.goOn(0))
                return interrupted();
            indexer.take(*record);
        }
    }
    m_unpackers.push_back(std::move(unpacker));
    return success();
}

/// What perf record --threads wrote beside the file: a file for each of its threads.
Status PerfFile::walkParts(Indexer& indexer, Diagnostics& diagnostics) {
    constexpr int mostParts = 65536;
    for (int i = 0; i < mostParts; ++i) {
        auto part = m_source.beside(fmt::format("data.{}", i));
        if (!part) {
            if (i == 0)
                return Error{"",
                             "is the head of a recording in a directory, whose records are "
                             "missing",
                             "", "give the directory as perf record --threads wrote it"};
            break;
        }
        m_parts.push_back(std::move(part).value());
        ByteSource& source = *m_parts.back();
        indexer.restartProgress();
        if (Status status = walk(source, 0, source.size(), indexer, diagnostics); !status)
            return status;
    }
    return success();
}

Result<std::unique_ptr<PerfFile>> PerfFile::open(ByteSource& source, Diagnostics& diagnostics,
                                                 const std::stop_token& stop,
                                                 const ProgressFn& progress) {
    std::array<std::byte, 8> magic{};
    source.readAvailable(0, magic);
    if (isOldPerf(magic))
        return Error{"", "is a perf.data file of the first version, from before Linux 2.6.32",
                     "byte 0", "print it with the perf that wrote it: perf script"};
    const auto order = perfByteOrder(magic);
    if (!order)
        return Error{"", "is no perf.data file", "byte 0", ""};
    std::unique_ptr<PerfFile> file(new PerfFile(source, *order));
    if (Status status = file->m_session.readHeader(source, diagnostics); !status)
        return status.error();

    PerfSession& session = file->m_session;
    Indexer indexer(session, file->m_index, stop, progress, source.size());
    if (Status status =
            file->walk(source, session.dataBegin(), session.dataEnd(), indexer, diagnostics);
        !status)
        return status.error();
    if (session.isDirectory())
        if (Status status = file->walkParts(indexer, diagnostics); !status)
            return status.error();
    indexer.finish();
    return file;
}

bool PerfFile::hasSwitches() const {
    const auto& events = m_session.events();
    for (std::size_t i = 0; i < m_index.samples.size(); ++i)
        if (m_index.samples[i] > 0 && events[i].attr.type == perfTypeTracepoint &&
            events[i].attr.config < 65536 &&
            m_session.formats().name(static_cast<std::uint32_t>(events[i].attr.config)) ==
                "sched_switch")
            return true;
    return false;
}

} // namespace twolane
