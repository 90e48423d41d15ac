#include "importers/ftrace_text/ftrace_text_importer.h"

#include "importers/ftrace_text/text_dress.h"
#include "importers/ftrace_text/text_head.h"
#include "importers/text_events/text_diagnosis.h"
#include "importers/text_events/text_reading.h"
#include "importers/text_events/text_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace twolane {
namespace {

using std::string_view;

constexpr std::size_t headSize = std::size_t{64} << 10;
// Integer stamps from here on are taken for nanoseconds: counters and jiffies hardly get there, an
// uptime in nanoseconds does in 10 s.
constexpr Nanos leastNanoseconds = 10'000'000'000;

/// A file before its first pass.
struct Opened {
    FtraceLineParser parser;
    StampUnit unit = StampUnit::nanoseconds; ///< of integer stamps, never automatic
    bool integerStamps = false;
    bool unitAssumed = false;
};

Result<Opened> openText(ByteSource& source, const LoadOptions& options) {
    std::string head(headSize, '\0');
    // A text out of another file has line feeds in front, one for each line there.
    for (std::uint64_t at = 0;;) {
        Result<std::size_t> got = source.read(at, std::as_writable_bytes(std::span(head)));
        if (!got)
            return got.error();
        const std::size_t feeds = std::min(head.find_first_not_of('\n'), *got);
        if (feeds == 0 || *got == 0) {
            head.resize(*got);
            break;
        }
        at += feeds;
    }
    if (auto dress = foreignDress(head))
        return Error{source.name(), dress->what, "", dress->remedy};

    const TextHead seen = lookAtHead(head);
    Opened opened;
    opened.integerStamps = seen.integerStamps;
    opened.unit = options.clock;
    if (options.clock == StampUnit::automatic) {
        opened.unitAssumed = seen.integerStamps;
        opened.unit = seen.integerStamps && seen.largestStamp < leastNanoseconds
                          ? StampUnit::ticks
                          : StampUnit::nanoseconds;
    }
    opened.parser = FtraceLineParser(seen.form, seen.dashColumn,
                                     opened.unit == StampUnit::microseconds ? 1000 : 1);
    return opened;
}

constexpr TextNames names{
    "ftrace text",
    "give the text of /sys/kernel/tracing/trace, of trace_pipe or of trace-cmd report"};

std::string detailOf(const TextScan& scan, LineForm form, const BufferScan& buffer,
                     const EventTeller& teller) {
    std::string detail;
    if (scan.traceCmd && !scan.tracerHeader) {
        detail = "trace-cmd report";
        if (form == LineForm::latency)
            detail += " -l";
        if (teller.sawSwitchFields())
            detail += " -R";
        else if (!teller.sawPlugins() && teller.switches() > 0)
            detail += " -N";
        if (buffer.fewestDecimals == 9)
            detail += " -t";
        return detail;
    }
    detail = scan.tracerHeader ? "trace" : "trace_pipe";
    if (form != LineForm::standard)
        detail += ", option latency-format";
    if (form == LineForm::verbose)
        detail += ", option verbose";
    if (teller.sawSwitchFields())
        detail += ", option fields";
    if (teller.tracerEntries() > 0)
        detail += ", sched_switch tracer";
    return detail;
}

Nanos resolutionOf(const Opened& opened, std::uint8_t decimals) {
    if (decimals == 0)
        return opened.unit == StampUnit::microseconds ? 1000 : 1;
    Nanos resolution = 1;
    for (int i = decimals; i < 9; ++i)
        resolution *= 10;
    return resolution;
}

void diagnoseClock(const Opened& opened, const TextScan& scan, Diagnostics& diagnostics) {
    if (scan.relativeStamps)
        diagnostics.add({"relative_stamps", Severity::info, 1,
                         "stamps count from the buffer's beginning, in whole microseconds", "",
                         "for absolute ones: echo nolatency-format > "
                         "/sys/kernel/tracing/trace_options"});
    if (!opened.unitAssumed)
        return;
    if (opened.unit == StampUnit::ticks)
        diagnostics.add({"clock_assumed", Severity::dataLoss, 1,
                         "stamps are integers of an unknown unit: taken for ticks, no durations in "
                         "seconds",
                         "", "name their unit with --clock ns or --clock us"});
    else
        diagnostics.add({"clock_assumed", Severity::dataLoss, 1,
                         "stamps are integers of an unknown unit: taken for nanoseconds", "",
                         "name their unit with --clock ns, us or ticks"});
}

} // namespace

FormatInfo FtraceTextImporter::format() const {
    return {"ftrace text", "cat /sys/kernel/tracing/trace, trace_pipe; trace-cmd report; atrace",
            "lines of the form: comm-pid [cpu] flags time: event: fields, or those of the option "
            "latency-format (trace-cmd report -l)"};
}

Confidence FtraceTextImporter::sniff(const SourceProbe& probe) const {
    if (probe.head.empty())
        return Confidence::none;
    string_view head = probe.text();
    if (head.starts_with("\xEF\xBB\xBF"))
        head.remove_prefix(3);
    const bool tracer =
        head.starts_with("# tracer:") || head.find("\n# tracer:") != string_view::npos;
    if (auto dress = foreignDress(head)) {
        // Known by sight, so that the user is told what to do; but perf script's text and pages of
        // systrace are not ours, and others may know better about a compressed file.
        for (const string_view others : {"perf script", "systrace"})
            if (dress->what.find(others) != string_view::npos)
                return Confidence::none;
        return tracer && head[0] == '#' ? Confidence::certain : Confidence::possible;
    }
    if (tracer)
        return Confidence::certain;
    const TextHead seen = lookAtHead(head);
    if (seen.events == 0)
        return head.starts_with("version = ") || head.starts_with("cpus=") ||
                       head.starts_with("CPU 0 is empty")
                   ? Confidence::possible
                   : Confidence::none;
    return seen.events * 2 >= seen.lines ? Confidence::likely : Confidence::possible;
}

Result<std::vector<BufferInfo>> FtraceTextImporter::buffers(ByteSource& source) const {
    Result<Opened> opened = openText(source, {});
    if (!opened)
        return opened.error();
    Result<TextScan> scan = scanText(source, opened->parser, {});
    if (!scan)
        return scan.error();
    std::vector<BufferInfo> result;
    for (const BufferScan& buffer : scan->buffers)
        result.push_back({buffer.name, "", buffer.bytes, buffer.hasSchedulerEvents});
    if (result.empty())
        result.emplace_back();
    std::stable_partition(result.begin(), result.end(),
                          [](const BufferInfo& buffer) { return buffer.name.empty(); });
    return result;
}

Status FtraceTextImporter::read(ByteSource& source, const LoadOptions& options,
                                ImportContext& context) const {
    Result<Opened> opened = openText(source, options);
    if (!opened)
        return opened.error();
    const TwoPasses progress(context.progress, context.stop, source.size());
    const Result<ScannedText> text =
        scanChosen(source, opened->parser, options.buffer, names, progress.firstPass());
    if (!text)
        return text.error();
    EventTeller teller = makeTeller(context.sink, *text);
    if (Status status = tellEvents(source, opened->parser, *text, progress, context, teller);
        !status)
        return status;

    const TextScan& scan = text->scan;
    const BufferScan& buffer = text->buffer();
    TraceInfo& info = context.info;
    info.formatDetail = detailOf(scan, opened->parser.form(), buffer, teller);
    info.buffer = buffer.name;
    info.kernel = scan.kernel;
    info.cpuCount = scan.cpuCount;
    info.resolution = buffer.events > 0 ? resolutionOf(*opened, buffer.fewestDecimals) : 0;
    info.stampsAreNanoseconds = !(buffer.fewestDecimals == 0 && opened->unit == StampUnit::ticks);
    info.events = teller.eventCounts();
    diagnoseLines(scan, buffer, !info.stampsAreNanoseconds, context.diagnostics);
    context.info.lostElsewhere = overwrittenEvents(scan, buffer);
    diagnoseClock(*opened, scan, context.diagnostics);
    diagnosePayloads(scan, teller, "print it with: trace-cmd report -R -t", context.diagnostics);
    return success();
}

Result<std::unique_ptr<EventReader>>
FtraceTextImporter::openEvents(std::unique_ptr<ByteSource> source,
                               const LoadOptions& options) const {
    Result<Opened> opened = openText(*source, options);
    if (!opened)
        return opened.error();
    return openTextEvents(std::move(source), std::make_unique<FtraceLineParser>(opened->parser),
                          options.buffer, names);
}

} // namespace twolane
