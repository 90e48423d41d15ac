#include "importers/ftrace_text/ftrace_text_importer.h"

#include "importers/ftrace_text/event_teller.h"
#include "importers/ftrace_text/ordered_lines.h"
#include "importers/ftrace_text/text_dress.h"
#include "importers/ftrace_text/text_events.h"
#include "importers/ftrace_text/text_scan.h"

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

/// Bytes of both passes as one progress over the file's size.
class Progress {
public:
    Progress(const ProgressFn& progress, std::stop_token stop, std::uint64_t size)
        : m_progress(progress)
        , m_stop(std::move(stop))
        , m_size(size) {}

    LineReader::GoOnFn firstPass() const {
        return [this](std::uint64_t offset) { return tell(std::min(offset, m_size) / 3); };
    }
    LineReader::GoOnFn secondPass() const {
        return [this](std::uint64_t offset) {
            return tell(m_size / 3 + std::min(offset, m_size) / 3 * 2);
        };
    }

private:
    bool tell(std::uint64_t done) const {
        if (m_progress)
            m_progress(std::min(done, m_size), m_size);
        return !m_stop.stop_requested();
    }

    const ProgressFn& m_progress;
    std::stop_token m_stop;
    std::uint64_t m_size;
};

std::string nameOf(const BufferScan& buffer) {
    return buffer.name.empty() ? "the top buffer" : fmt::format("'{}'", buffer.name);
}

/// The buffer asked for, else the first one with scheduler events, the top one first.
Result<std::size_t> chooseBuffer(const std::vector<BufferScan>& buffers,
                                 const std::optional<std::string>& wanted,
                                 const std::string& file) {
    if (wanted) {
        std::string known;
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            if (buffers[i].name == *wanted)
                return i;
            known += (known.empty() ? "" : ", ") + nameOf(buffers[i]);
        }
        return Error{file, fmt::format("has no buffer '{}'", *wanted), "", "it has " + known};
    }
    const auto rank = [](const BufferScan& buffer) {
        return (buffer.hasSchedulerEvents ? 0 : 2) + (buffer.name.empty() ? 0 : 1);
    };
    const auto best = std::min_element(
        buffers.begin(), buffers.end(),
        [&rank](const BufferScan& a, const BufferScan& b) { return rank(a) < rank(b); });
    return static_cast<std::size_t>(best - buffers.begin());
}

/// Whether the text holds no event at all, and that is a fault.
std::optional<Error> nothingReadable(const TextScan& scan, const std::string& file) {
    for (const BufferScan& buffer : scan.buffers)
        if (buffer.events > 0)
            return std::nullopt;
    if (scan.rejectedLines == 0 && !scan.cutOff)
        return std::nullopt; // an empty recording
    return Error{
        file, "holds no line of ftrace text",
        fmt::format("line {}", scan.rejectedLines > 0 ? scan.firstRejected : scan.lines),
        "give the text of /sys/kernel/tracing/trace, of trace_pipe or of trace-cmd report"};
}

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

/// "70 us", or "70001 ns": every digit is kept. "70001" where stamps are counts.
std::string lengthText(Nanos length, bool counts) {
    if (counts)
        return fmt::format("{}", length);
    if (length % 1000 == 0 && length != 0)
        return fmt::format("{} us", length / 1000);
    return fmt::format("{} ns", length);
}

/// Written to the buffer but not in the text any more, where no line of a loss tells the same.
std::uint64_t overwrittenEvents(const TextScan& scan, const BufferScan& buffer) {
    const bool told = !buffer.losses.empty() || scan.entriesWritten <= scan.entriesInBuffer;
    return told ? 0 : scan.entriesWritten - scan.entriesInBuffer;
}

void diagnoseLines(const TextScan& scan, const BufferScan& buffer, bool counts,
                   Diagnostics& diagnostics) {
    const std::string firstRejected = fmt::format("line {}", scan.firstRejected);
    diagnostics.add({"rejected_lines", Severity::error, scan.rejectedLines,
                     "lines are no ftrace text and were skipped", firstRejected, ""});
    if (scan.rejectedLines > buffer.events)
        diagnostics.add({"mostly_rejected", Severity::error, 1,
                         fmt::format("more lines were skipped ({}) than read ({})",
                                     scan.rejectedLines, buffer.events),
                         firstRejected, "check that this is the right file"});
    if (scan.cutOff)
        diagnostics.add({"cut_off", Severity::dataLoss, 1,
                         "the text is cut off at end of file: half a line was skipped",
                         fmt::format("line {}", scan.lines), "check that the copy is complete"});
    if (const std::uint64_t overwritten = overwrittenEvents(scan, buffer))
        diagnostics.add({"overwritten_events", Severity::dataLoss, overwritten,
                         "events were overwritten before the first line: each CPU's part begins "
                         "where its buffer does",
                         "", "record with a bigger buffer: trace-cmd record -b KIBIBYTES"});
    diagnostics.add({"late_events", Severity::info, buffer.lateEvents,
                     fmt::format("events stood late in the file, by {} at most; they were sorted "
                                 "in by their stamps",
                                 lengthText(buffer.latest, counts)),
                     "", ""});
    diagnostics.add({"cpu_time_backward", Severity::dataLoss, buffer.backwardEvents,
                     fmt::format("stamps go backward inside one CPU's events, by {} at most",
                                 lengthText(buffer.furthestBack, counts)),
                     buffer.firstBackward,
                     "check that the file is one recording, and its clock a steady one"});
}

void diagnosePayloads(const TextScan& scan, const EventTeller& teller, Diagnostics& diagnostics) {
    if (teller.unreadable() > 0)
        diagnostics.add({"unreadable_events", Severity::error, teller.unreadable(),
                         "scheduler events have fields that cannot be read",
                         fmt::format("line {}", teller.firstUnreadable()), ""});
    if (teller.sawPlugins())
        diagnostics.add({"plugin_text", Severity::info, teller.pluginLines(),
                         "lines are in the words of trace-cmd's plug-ins, which do not tell R+ "
                         "from R",
                         "", "print it with: trace-cmd report -R -t"});
    if (teller.numericStates() > 0 && !PrevStateDecoder::forRelease(scan.kernel))
        diagnostics.add(
            {"state_table_assumed", Severity::info, teller.numericStates(),
             "task states are numbers, and the text does not name its kernel: read with "
             "the table of Linux 4.14 and later",
             "", "for older kernels load the trace.dat file itself"});
    diagnostics.add({"states_not_told", Severity::dataLoss, teller.statesNotTold(),
                     "switches do not tell the state of the task that leaves the CPU: a wait and a "
                     "sleep look the same",
                     "", ""});
    if (teller.unknownStates() > 0)
        diagnostics.add({"unknown_states", Severity::dataLoss, teller.unknownStates(),
                         "task states are unknown letters: off the CPU, state not known",
                         fmt::format("'{}'", teller.firstUnknownState()), ""});
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
    if (probe.isDirectory || probe.head.empty())
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

Result<std::vector<BufferInfo>>
FtraceTextImporter::buffers(const std::filesystem::path& path) const {
    Result<std::unique_ptr<ByteSource>> source = FileSource::open(path);
    if (!source)
        return source.error();
    return buffers(**source);
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

Status FtraceTextImporter::read(const std::filesystem::path& path, const LoadOptions& options,
                                ImportContext& context) const {
    Result<std::unique_ptr<ByteSource>> source = FileSource::open(path);
    if (!source)
        return source.error();
    return read(**source, options, context);
}

Status FtraceTextImporter::read(ByteSource& source, const LoadOptions& options,
                                ImportContext& context) const {
    Result<Opened> opened = openText(source, options);
    if (!opened)
        return opened.error();
    const Progress progress(context.progress, context.stop, source.size());
    Result<TextScan> scan = scanText(source, opened->parser, progress.firstPass());
    if (!scan)
        return scan.error();
    if (auto error = nothingReadable(*scan, source.name()))
        return *error;
    if (scan->buffers.empty())
        scan->buffers.emplace_back();
    Result<std::size_t> chosen = chooseBuffer(scan->buffers, options.buffer, source.name());
    if (!chosen)
        return chosen.error();
    const BufferScan& buffer = scan->buffers[*chosen];

    EventTeller teller(
        context.sink,
        SchedFields(PrevStateDecoder::forRelease(scan->kernel).value_or(PrevStateDecoder())),
        buffer.losses);
    Status status =
        visitInOrder(source, opened->parser, buffer, scan->end, progress.secondPass(), context.stop,
                     [&teller](const FtraceLine& line, LinePosition at) { teller.tell(line, at); });
    if (!status)
        return status;
    teller.finish();
    if (context.progress)
        context.progress(source.size(), source.size());

    TraceInfo& info = context.info;
    info.formatDetail = detailOf(*scan, opened->parser.form(), buffer, teller);
    info.buffer = buffer.name;
    info.kernel = scan->kernel;
    info.cpuCount = scan->cpuCount;
    info.resolution = buffer.events > 0 ? resolutionOf(*opened, buffer.fewestDecimals) : 0;
    info.stampsAreNanoseconds = !(buffer.fewestDecimals == 0 && opened->unit == StampUnit::ticks);
    info.events = teller.eventCounts();
    diagnoseLines(*scan, buffer, !info.stampsAreNanoseconds, context.diagnostics);
    context.info.lostElsewhere = overwrittenEvents(*scan, buffer);
    diagnoseClock(*opened, *scan, context.diagnostics);
    diagnosePayloads(*scan, teller, context.diagnostics);
    return success();
}

Result<std::unique_ptr<EventReader>>
FtraceTextImporter::openEvents(const std::filesystem::path& path,
                               const LoadOptions& options) const {
    Result<std::unique_ptr<ByteSource>> source = FileSource::open(path);
    if (!source)
        return source.error();
    return openEvents(std::move(*source), options);
}

Result<std::unique_ptr<EventReader>>
FtraceTextImporter::openEvents(std::unique_ptr<ByteSource> source,
                               const LoadOptions& options) const {
    Result<Opened> opened = openText(*source, options);
    if (!opened)
        return opened.error();
    Result<TextScan> scan = scanText(*source, opened->parser, {});
    if (!scan)
        return scan.error();
    if (scan->buffers.empty())
        scan->buffers.emplace_back();
    Result<std::size_t> chosen = chooseBuffer(scan->buffers, options.buffer, source->name());
    if (!chosen)
        return chosen.error();
    const BufferScan& buffer = scan->buffers[*chosen];
    std::vector<std::uint64_t> offsets;
    offsets.reserve(static_cast<std::size_t>(buffer.events));
    Status status = visitInOrder(
        *source, opened->parser, buffer, scan->end, {}, {},
        [&offsets](const FtraceLine&, LinePosition at) { offsets.push_back(at.offset); });
    if (!status)
        return status.error();
    std::unique_ptr<EventReader> reader = std::make_unique<TextEventReader>(
        std::move(source), opened->parser, std::move(offsets), scan->stacks);
    return reader;
}

} // namespace twolane
