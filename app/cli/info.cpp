#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "model/format/numbers.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace twolane::cli {
namespace {

Cell text(std::string_view value) {
    return value.empty() ? Cell() : Cell(std::string(value));
}
Cell number(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

/// CPUs the file names, or, where it does not tell, those with events.
std::uint64_t cpuCount(const Trace& trace) {
    return trace.info.cpuCount > 0 ? trace.info.cpuCount : trace.cpus.size();
}

std::vector<Cell> infoRow(const Trace& trace, Nanos offset) {
    const TraceInfo& info = trace.info;
    return {text(info.file),
            text(info.format),
            text(info.clock),
            info.resolution > 0 && info.stampsAreNanoseconds ? Cell(info.resolution) : Cell(),
            text(info.host),
            text(info.kernel),
            number(cpuCount(trace)),
            number(trace.tasks.size()),
            number(trace.eventCount),
            trace.lostUncounted && trace.lostEvents == 0 ? Cell() : number(trace.lostEvents),
            text(nameOf(trace.wakeEdge)),
            trace.range.begin - offset,
            trace.range.end - offset,
            trace.range.length()};
}

Table infoTable() {
    Table table;
    for (const char* name :
         {"file", "format", "clock", "resolution_ns", "host", "kernel", "cpus", "tasks", "events",
          "lost_events", "wake_edge", "start_ns", "end_ns", "duration_ns"})
        table.columns.push_back({name, Unit::none, name});
    return table;
}

/// The same facts as lines for people, with everything that was odd.
std::string infoText(const Trace& trace, const std::string& label) {
    const TraceInfo& info = trace.info;
    const auto orNot = [](const std::string& value) {
        return value.empty() ? std::string("not told by the file") : printable(value);
    };
    std::string out;
    const auto line = [&out](std::string_view name, const std::string& value) {
        out += fmt::format("{:<10}  {}\n", name, value);
    };

    line("file", printable(info.file));
    if (label != info.kernel)
        line("label", printable(label));
    line("format", info.formatDetail.empty()
                       ? info.format
                       : fmt::format("{} ({})", info.format, info.formatDetail));
    if (!info.buffer.empty())
        line("buffer", printable(info.buffer));
    line("clock",
         orNot(info.clock) + (info.stampsAreNanoseconds ? "" : " (counts, not nanoseconds)"));
    if (info.resolution > 0 && info.stampsAreNanoseconds)
        line("resolution", formatDuration(info.resolution, 1));
    line("host", orNot(info.host));
    line("kernel", orNot(info.kernel));
    line("CPUs",
         trace.cpus.size() == cpuCount(trace)
             ? std::to_string(cpuCount(trace))
             : fmt::format("{}, {} of them with events", cpuCount(trace), trace.cpus.size()));
    line("tasks", formatCount(trace.tasks.size()));
    line("events", formatCount(trace.eventCount));
    line("lost", trace.lostEvents == 0 && !trace.lostUncounted
                     ? "nothing"
                     : fmt::format("{}{} events", formatCount(trace.lostEvents),
                                   trace.lostUncounted ? " or more" : ""));
    line("wake edge", trace.wakeEdge == WakeEdge::none ? "none: no wakes were recorded"
                                                       : std::string(nameOf(trace.wakeEdge)));
    const auto stamp = [&info](Nanos at) {
        return info.stampsAreNanoseconds ? formatSeconds(at, info.resolution) + " s"
                                         : std::to_string(at);
    };
    line("start", stamp(trace.range.begin));
    line("end", stamp(trace.range.end));
    line("duration", info.stampsAreNanoseconds ? stamp(trace.range.length())
                                               : lengthText(trace, trace.range.length()));
    for (const Oddity& oddity : trace.diagnostics.all()) {
        const char* word = oddity.severity == Severity::info       ? "note"
                           : oddity.severity == Severity::dataLoss ? "data loss"
                                                                   : "error";
        line(word, printable(oddity.message()));
    }
    return out;
}

void addEventRows(Table& table, const Trace& trace) {
    for (const EventCount& event : trace.info.events)
        table.rows.push_back({text(trace.info.file), event.event, number(event.count)});
}

Exit runInfo(const CommonOptions& options, bool events) {
    Table table = infoTable();
    if (events)
        table.columns = {{"file", Unit::none, "file"},
                         {"event", Unit::none, "event"},
                         {"count", Unit::none, "count"}};
    std::string out;
    Presentation presentation;
    presentation.command = "info";
    bool failed = false;
    for (std::size_t i = 0; i < options.inputs.size(); ++i) {
        auto trace = loadInput(options.inputs[i], options);
        if (!trace) {
            if (fail(trace.error()) == Exit::interrupted)
                return Exit::interrupted;
            failed = true; // the others are still told about
            continue;
        }
        const auto warnings = warningsOf((*trace)->info.file, (*trace)->diagnostics);
        printWarnings(warnings);
        presentation.warnings.insert(presentation.warnings.end(), warnings.begin(), warnings.end());
        if (events)
            addEventRows(table, **trace);
        else
            table.rows.push_back(infoRow(**trace, options.relative ? (*trace)->range.begin : 0));
        out += (out.empty() ? "" : "\n") + infoText(**trace, labelOf(**trace, i, options));
    }
    if (table.rows.empty() && failed)
        return Exit::failed;
    const Exit written = options.format == Format::text && !events
                             ? write(out, options)
                             : write(table, presentation, options);
    return failed && written == Exit::done ? Exit::failed : written;
}

} // namespace

void addInfo(CLI::App& app, Exit& exit, std::stop_token stop) {
    auto options = std::make_shared<CommonOptions>();
    auto events = std::make_shared<bool>(false);
    options->stop = std::move(stop);
    CLI::App* command =
        app.add_subcommand("info", "What a file is: format, kernel, clock, events, losses");
    addInputOptions(*command, *options, true);
    addOutputOptions(*command, *options);
    command->add_flag("--events", *events, "Count the recorded events by name");
    command->add_flag("--relative", options->relative, "Count stamps from the trace's start");
    command->callback([options, events, &exit] { exit = runInfo(*options, *events); });
}

} // namespace twolane::cli
