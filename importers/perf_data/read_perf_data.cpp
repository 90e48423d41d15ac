#include "importers/perf_data/read_perf_data.h"

#include "importers/common/stream_merge.h"
#include "importers/perf_data/perf_index.h"
#include "importers/perf_data/record_stream.h"
#include "importers/perf_data/record_teller.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

namespace twolane {
namespace {

constexpr std::uint64_t stopInterval = 4096; // events

/// clockid_t as the kernel's trace clocks are called.
std::string clockName(const PerfSession& session) {
    for (const PerfEvent& event : session.events()) {
        if (!event.attr.clock)
            continue;
        switch (*event.attr.clock) {
        case 0:
            return "realtime";
        case 1:
            return "mono";
        case 4:
            return "mono_raw";
        case 7:
            return "boot";
        case 11:
            return "tai";
        default:
            return fmt::format("clock {}", *event.attr.clock);
        }
    }
    return "perf";
}

class Loader {
public:
    Loader(RecordTeller& teller, ImportContext& context, std::uint64_t events, std::uint64_t bytes)
        : m_teller(teller)
        , m_context(context)
        , m_events(events)
        , m_bytes(bytes) {}

    bool event(RecordStream& stream) {
        if (stream.lost()) [[unlikely]]
            tellLoss(stream, stream.time(), stream.time());
        if (const auto record = stream.record()) [[likely]] {
            m_teller.tell(*record, stream.cpu(), stream.time(), m_index++);
        } else {
            ++m_vanished;
        }
        if (++m_seen % stopInterval != 0)
            return true;
        if (m_context.progress)
            m_context.progress(m_bytes / 2 +
                                   static_cast<std::uint64_t>(
                                       static_cast<double>(m_bytes - m_bytes / 2) *
                                       static_cast<double>(m_seen) / static_cast<double>(m_events)),
                               m_bytes);
        return !m_context.stop.stop_requested();
    }

    void after(RecordStream& stream, Nanos last, bool ended) {
        // Behind a CPU's last event nothing tells how long the loss went on.
        const Nanos behind = last < std::numeric_limits<Nanos>::max() ? last + 1 : last;
        tellLoss(stream, last, ended ? behind : stream.time());
    }

    /// Records that the file holds no more.
    std::uint64_t vanished() const { return m_vanished; }

private:
    void tellLoss(RecordStream& stream, Nanos begin, Nanos end) {
        const std::int64_t count = stream.takeLoss();
        m_context.sink.lostEvents({stream.cpu(), {begin, end}, count});
    }

    RecordTeller& m_teller;
    ImportContext& m_context;
    std::uint64_t m_events;
    std::uint64_t m_bytes;
    std::uint64_t m_index = 0;
    std::uint64_t m_seen = 0;
    std::uint64_t m_vanished = 0;
};

void diagnose(const PerfFile& file, ImportContext& context) {
    const PerfIndex& index = file.index();
    Diagnostics& diagnostics = context.diagnostics;
    diagnostics.add({"no_cpu", Severity::dataLoss, index.unplaced,
                     "events do not tell their CPU or their time: they cannot be placed", "",
                     "record all CPUs: perf sched record, or perf record -a"});
    diagnostics.add({"unknown_event", Severity::dataLoss, index.unknownEvent,
                     "samples are of events that the file does not describe", "",
                     "copy or record the file again"});
    diagnostics.add({"late_events", Severity::info, index.late,
                     fmt::format("events stood late in the file, by {} ns at most; they were "
                                 "sorted in by their stamps",
                                 index.latest),
                     "", ""});
    // The counts at the end hold those of the gaps too.
    const std::uint64_t elsewhere = index.lostSamples - std::min(index.lostSamples, index.lost);
    context.info.lostElsewhere += elsewhere;
    diagnostics.add({"lost_samples", Severity::dataLoss, elsewhere,
                     "samples were lost, it is not told on which CPU: any wait may be wrong", "",
                     "record with bigger buffers: perf record -m 4096"});
    if (file.hasSwitches())
        diagnostics.add({"switch_records_unused", Severity::info, index.switchRecords,
                         "perf's switch records were not needed: sched_switch tells more", "", ""});
    const auto& events = file.session().events();
    std::uint64_t tracepoints = 0;
    for (std::size_t i = 0; i < index.samples.size(); ++i)
        tracepoints += events[i].attr.type == perfTypeTracepoint ? index.samples[i] : 0;
    if (!file.session().hasFormats())
        diagnostics.add({"no_formats", Severity::error, tracepoints,
                         "tracepoints cannot be read: the file does not hold their formats", "",
                         "record again, and end perf record by Ctrl-C"});
}

} // namespace

Status readPerfData(ByteSource& source, ImportContext& context) {
    auto opened = PerfFile::open(source, context.diagnostics, context.stop, context.progress);
    if (!opened)
        return opened.error();
    const PerfFile& file = **opened;
    const PerfSession& session = file.session();
    const PerfIndex& index = file.index();

    TraceInfo& info = context.info;
    info.formatDetail = session.isPipe() ? "pipe" : session.isDirectory() ? "directory" : "file";
    if (file.isCompressed())
        info.formatDetail += ", zstd";
    if (!session.perfVersion().empty())
        info.formatDetail += ", perf " + session.perfVersion();
    info.clock = clockName(session);
    info.resolution = 1;
    info.host = session.host();
    info.kernel = session.release();
    info.cpuCount = session.cpuCount();

    PieceCache cache(2 * index.lists.size() + 8);
    std::vector<RecordStream> streams;
    streams.reserve(index.lists.size());
    for (const RecordList& list : index.lists)
        streams.emplace_back(list, *index.sources[list.source], session.order(), cache);
    RecordTeller teller(file, context.sink, context.diagnostics);
    Loader loader(teller, context, index.events, source.size());
    StreamMerge merge(streams);
    for (std::uint32_t i = 0; i < streams.size(); ++i)
        if (streams[i].next())
            merge.add(i);
        else if (streams[i].lost())
            streams[i].takeLoss(); // nothing is known of this CPU
    merge.run(loader);
    if (context.stop.stop_requested()) {
        Error error{"", "loading was stopped", "", ""};
        error.interrupted = true;
        return error;
    }

    info.events = teller.counts();
    diagnose(file, context);
    context.diagnostics.add({"file_changed", Severity::dataLoss, loader.vanished(),
                             "records could not be read again: the file has become shorter", "",
                             "open it again"});
    if (context.progress)
        context.progress(source.size(), source.size());
    return success();
}

} // namespace twolane
