#include "importers/trace_dat/read_events.h"

#include "importers/common/event_decoder.h"
#include "importers/common/stream_merge.h"
#include "importers/trace_dat/dat_file.h"
#include "importers/trace_dat/latency_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace twolane {
namespace {

constexpr std::uint64_t stopInterval = 4096;           // events
constexpr std::uint64_t progressInterval = 1ULL << 20; // bytes of the file

class Loader {
public:
    Loader(EventDecoder& decoder, ImportContext& context)
        : m_decoder(decoder)
        , m_context(context) {}

    bool event(CpuStream& stream) {
        if (stream.lost()) [[unlikely]]
            tell(stream, stream.time(), stream.time());
        m_decoder.decode(stream.cpu(), stream.time(), m_index, stream.data(), stream.size());
        return ++m_index % stopInterval != 0 || !m_context.stop.stop_requested();
    }

    void after(CpuStream& stream, Nanos last, bool ended) {
        // Behind a CPU's last event nothing tells how long the loss went on, only that there is
        // one.
        const Nanos behind = last < std::numeric_limits<Nanos>::max() ? last + 1 : last;
        tell(stream, last, ended ? behind : stream.time());
    }

    /// Losses of a CPU as its pages told them.
    Loss told(std::int32_t cpu) const {
        const auto found = m_told.find(cpu);
        return found == m_told.end() ? Loss{} : found->second;
    }

private:
    void tell(CpuStream& stream, Nanos begin, Nanos end) {
        const Loss loss = stream.takeLoss();
        m_told[stream.cpu()].add(loss.told());
        m_context.sink.lostEvents({stream.cpu(), {begin, end}, loss.told()});
    }

    EventDecoder& m_decoder;
    ImportContext& m_context;
    std::uint64_t m_index = 0;
    std::map<std::int32_t, Loss> m_told;
};

Error interrupted() {
    Error error{"", "loading was stopped", "", ""};
    error.interrupted = true;
    return error;
}

/// The recorder's own statistics also know of losses that no page tells: those behind the last
/// event, and those of kernels that do not mark the place.
void tellUnplacedLosses(const DatContainer& container, const DatBuffer& buffer,
                        const Loader& loader, ImportContext& context) {
    for (const CpuStatistics& statistics : container.statistics) {
        if (statistics.buffer != buffer.name)
            continue;
        const std::uint64_t lost = statistics.overrun + statistics.dropped;
        const Loss told = loader.told(statistics.cpu);
        if (told.any && !told.counted)
            continue; // which of them are the same cannot be known
        const auto placed = static_cast<std::uint64_t>(told.count);
        if (lost <= placed)
            continue;
        context.info.lostElsewhere += lost - placed;
        context.diagnostics.add({"lost_events", Severity::dataLoss, lost - placed,
                                 "events were lost at places that the file does not tell",
                                 fmt::format("CPU {}", statistics.cpu),
                                 "record with a larger buffer: trace-cmd record -b"});
    }
}

} // namespace

Status readTraceDat(ByteSource& source, const LoadOptions& options, ImportContext& context) {
    auto opened = DatFile::open(source, context.diagnostics);
    if (!opened)
        return opened.error();
    DatFile& file = **opened;
    const DatContainer& container = file.container();
    if (holdsLatencyText(container))
        return readLatencyText(source, container, options, context);
    const auto chosen = file.choose(options.buffer, context.stop);
    if (!chosen)
        return chosen.error();
    const DatBuffer& buffer = **chosen;

    const UnameParts uname = splitUname(container.uname);
    TraceInfo& info = context.info;
    info.formatDetail = container.version == 6
                            ? "version 6"
                            : fmt::format("version {}, {}", container.version, container.codecName);
    info.buffer = buffer.name;
    info.clock = buffer.clock;
    info.stampsAreNanoseconds = file.stampsAreNanoseconds(buffer);
    info.resolution = info.stampsAreNanoseconds ? 1 : 0;
    info.host = uname.host;
    info.kernel = uname.release;
    info.cpuCount = container.cpuCount.value_or(buffer.namedCpus);

    const auto shared = file.context(buffer);
    shared->diagnostics = &context.diagnostics;
    shared->stop = context.stop;
    if (context.progress)
        shared->consumed = [&, total = buffer.bytes(), done = std::uint64_t{0},
                            told = std::uint64_t{0}](std::uint64_t bytes) mutable {
            done += bytes;
            if (done - told < progressInterval)
                return;
            told = done;
            context.progress(std::min(done, total), total);
        };

    EventDecoder decoder(file.formats(), uname.release, context.sink, context.diagnostics);
    Loader loader(decoder, context);
    std::vector<CpuStream> streams = DatFile::streams(*shared, buffer);
    StreamMerge merge(streams);
    for (std::uint32_t i = 0; i < streams.size(); ++i) {
        if (streams[i].next())
            merge.add(i);
        else
            streams[i].takeLoss();
    }
    merge.run(loader);
    if (context.stop.stop_requested())
        return interrupted();

    info.events = decoder.counts();
    tellUnplacedLosses(container, buffer, loader, context);
    if (context.progress)
        context.progress(buffer.bytes(), buffer.bytes());
    return success();
}

} // namespace twolane
