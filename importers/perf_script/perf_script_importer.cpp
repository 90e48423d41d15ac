#include "importers/perf_script/perf_script_importer.h"

#include "importers/perf_script/perf_line.h"
#include "importers/text_events/text_diagnosis.h"
#include "importers/text_events/text_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace twolane {
namespace {

constexpr std::size_t headSize = std::size_t{64} << 10;

Result<PerfLineParser> parserFor(ByteSource& source) {
    std::string head(headSize, '\0');
    const Result<std::size_t> got = source.read(0, std::as_writable_bytes(std::span(head)));
    if (!got)
        return got.error();
    head.resize(*got);
    return PerfLineParser(lookAtPerfHead(head).column);
}

constexpr TextNames names{"perf script's text",
                          "print it with: perf script --ns -F comm,pid,tid,cpu,time,event,trace"};

/// The counts of both lists, by event.
std::vector<EventCount> together(std::vector<EventCount> counts, const TextScan& scan) {
    for (const auto& [event, count] : scan.unplaced) {
        const auto same = std::find_if(counts.begin(), counts.end(),
                                       [&name = event](const auto& c) { return c.event == name; });
        if (same == counts.end())
            counts.push_back({event, count});
        else
            same->count += count;
    }
    std::sort(counts.begin(), counts.end(),
              [](const EventCount& a, const EventCount& b) { return a.event < b.event; });
    return counts;
}

void diagnosePerf(const TextScan& scan, Diagnostics& diagnostics) {
    diagnostics.add({"no_cpu", Severity::dataLoss, scan.unplacedEvents,
                     "events do not tell their CPU: they are counted but cannot be placed",
                     fmt::format("line {}", scan.firstUnplaced),
                     "record all CPUs (perf sched record, or perf record -a), and print with: perf "
                     "script --ns -F comm,pid,tid,cpu,time,event,trace"});
    diagnostics.add({"lost_samples", Severity::dataLoss, scan.lostSomewhere,
                     "samples were lost, it is not told on which CPU: any wait may be wrong", "",
                     "record with bigger buffers: perf record -m 4096"});
}

} // namespace

FormatInfo PerfScriptImporter::format() const {
    return {"perf script", "perf script, of perf sched record and perf record",
            "lines of the form: comm tid [cpu] time: system:event: fields", "perf sched record"};
}

Confidence PerfScriptImporter::sniff(const SourceProbe& probe) const {
    if (probe.head.empty())
        return Confidence::none;
    std::string_view head = probe.text();
    if (head.starts_with("\xEF\xBB\xBF"))
        head.remove_prefix(3);
    const PerfHead seen = lookAtPerfHead(head);
    if (seen.events + seen.records == 0)
        return head.find("# captured on") != std::string_view::npos &&
                       head.find("# perf version") != std::string_view::npos
                   ? Confidence::likely
                   : Confidence::none;
    return seen.events + seen.records >= seen.others ? Confidence::likely : Confidence::possible;
}

Status PerfScriptImporter::read(ByteSource& source, const LoadOptions& options,
                                ImportContext& context) const {
    const Result<PerfLineParser> parser = parserFor(source);
    if (!parser)
        return parser.error();
    const TwoPasses progress(context.progress, context.stop, source.size());
    const Result<ScannedText> text =
        scanChosen(source, *parser, options.buffer, names, progress.firstPass());
    if (!text)
        return text.error();
    EventTeller teller = makeTeller(context.sink, *text);
    if (Status status = tellEvents(source, *parser, *text, progress, context, teller); !status)
        return status;

    const TextScan& scan = text->scan;
    const BufferScan& buffer = text->buffer();
    TraceInfo& info = context.info;
    info.kernel = scan.kernel;
    info.host = scan.host;
    info.cpuCount = scan.cpuCount;
    info.resolution = 1;
    for (int i = buffer.events > 0 ? buffer.fewestDecimals : 9; i < 9; ++i)
        info.resolution *= 10;
    info.events = together(teller.eventCounts(), scan);
    diagnoseLines(scan, buffer, false, context.diagnostics);
    diagnosePerf(scan, context.diagnostics);
    diagnosePayloads(scan, teller,
                     "print it with a perf that has no plug-ins in its way: perf "
                     "script --ns",
                     context.diagnostics);
    return success();
}

Result<std::unique_ptr<EventReader>>
PerfScriptImporter::openEvents(std::unique_ptr<ByteSource> source,
                               const LoadOptions& options) const {
    const Result<PerfLineParser> parser = parserFor(*source);
    if (!parser)
        return parser.error();
    return openTextEvents(std::move(source), std::make_unique<PerfLineParser>(*parser),
                          options.buffer, names);
}

} // namespace twolane
