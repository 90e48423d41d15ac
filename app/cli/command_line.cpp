#include "app/cli/command_line.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/parsed_option.h"
#include "model/format/numbers.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

namespace twolane::cli {
namespace {

constexpr const char* version = "twolane " TWOLANE_VERSION;

/// "1.2s..1.25s".
std::optional<TimeRange> parseSpan(const std::string& text) {
    const auto dots = text.find("..");
    if (dots == std::string::npos)
        return std::nullopt;
    const auto from = parseTime(std::string_view(text).substr(0, dots));
    const auto to = parseTime(std::string_view(text).substr(dots + 2));
    if (!from || !to || *from < 0 || *to <= *from)
        return std::nullopt;
    return TimeRange{*from, *to};
}

/// The options of the window: those that draw it into a file.
void addWindowOptions(CLI::App& app, std::string& png, WindowRequest::Grab& grab) {
    const std::string group = "Window";
    auto* file =
        app.add_option(
               "--grab", png,
               "Draw the window with the given traces into this PNG file, without a display")
            ->option_text("FILE.png")
            ->group(group);
    addParsed(
        app, "--grab-size", grab,
        [&grab](const std::string& text) {
            auto changed = std::optional(grab);
            const auto size = parseSize(text);
            if (!size)
                return std::optional<WindowRequest::Grab>();
            std::tie(changed->width, changed->height) = *size;
            return changed;
        },
        "Size of the window (1600x1000)", "a size such as 1600x1000")
        ->option_text("WxH")
        ->group(group)
        ->needs(file);
    app.add_option("--grab-scale", grab.scale, "Device pixels a pixel (1)")
        ->check(CLI::Range(0.5, 4.0))
        ->option_text("F")
        ->group(group)
        ->needs(file);
    app.add_option("--grab-theme", grab.dark, "Colours (light)")
        ->transform(
            CLI::CheckedTransformer(std::map<std::string, bool>{{"light", false}, {"dark", true}}))
        ->option_text("light|dark")
        ->group(group)
        ->needs(file);
    addParsed(
        app, "--grab-span", grab.span,
        [](const std::string& text) {
            const auto span = parseSpan(text);
            return span ? std::optional(std::optional(*span)) : std::nullopt;
        },
        "What to show, from the traces' starts (all)", "a span such as 1.2s..1.25s")
        ->option_text("FROM..TO")
        ->group(group)
        ->needs(file);
}

} // namespace

void addInputOptions(CLI::App& app, CommonOptions& options, bool severalInputs) {
    auto* inputs =
        app.add_option("trace", options.inputs, severalInputs ? "Trace files" : "A trace file")
            ->required();
    inputs->option_text(severalInputs ? "TRACE..." : "TRACE");
    if (!severalInputs)
        inputs->expected(1);
    app.add_option_function<std::string>(
        "--buffer", [&options](const std::string& name) { options.load.buffer = name; },
        "The buffer (instance) of a file that has several");
    app.add_option("--clock", options.load.clock,
                   "Unit of integer stamps in text that does not name its clock")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, StampUnit>{{"ns", StampUnit::nanoseconds},
                                             {"us", StampUnit::microseconds},
                                             {"ticks", StampUnit::ticks}}))
        ->option_text("ns|us|ticks");
    app.add_option("--input-format", options.load.inputFormat,
                   "Read as this format (a name that 'twolane formats' prints)");
    app.add_option("--label", options.labels, "What to call each input, in the order of the inputs")
        ->expected(1)
        ->take_all();
    app.add_flag("--quiet", options.quiet, "No progress on standard error");
}

void addOutputOptions(CLI::App& app, CommonOptions& options) {
    app.add_option("--format", options.format, "How to print")
        ->transform(CLI::CheckedTransformer(std::map<std::string, Format>{
            {"text", Format::text}, {"csv", Format::csv}, {"json", Format::json}}))
        ->option_text("text|csv|json");
    app.add_option("-o", options.output, "Write to this file instead of standard output");
    app.add_flag("--force", options.force, "Replace an existing output file");
}

void addSelectionOptions(CLI::App& app, CommonOptions& options) {
    const std::string time = "a time such as 12.5ms, 3us, 1.2s or 0.5 (seconds)";
    addParsed(
        app, "--from", options.from, [](const std::string& text) { return parseTime(text); },
        "Start of the span, from the trace's start", time);
    addParsed(
        app, "--to", options.to, [](const std::string& text) { return parseTime(text); },
        "End of the span, from the trace's start", time);
    addParsed(
        app, "--cpu", options.cpus, [](const std::string& text) { return CpuFilter::parse(text); },
        "Limit to CPUs", "a list of CPUs such as 0,2-5");
    addParsed(
        app, "--task", options.tasks,
        [](const std::string& text) { return std::optional(TaskFilter(text)); },
        "Limit to tasks by tid or by a pattern of comms (postgres*)", "a pattern");
    app.add_flag("--relative", options.relative, "Count stamps from the trace's start");
}

Selection selectionOf(const Trace& trace, const CommonOptions& options) {
    return {windowOf(trace, options.from, options.to), options.cpus, options.tasks};
}

Exit fail(const Error& error) {
    if (error.interrupted)
        return Exit::interrupted;
    fmt::print(stderr, "twolane: {}\n", printable(error.message()));
    return Exit::failed;
}

int run(int argc, const char* const* argv, std::stop_token stop, const OpenWindow& openWindow,
        const DrawChart& drawChart) {
    CLI::App app{"Reads Linux scheduler traces, shows them, and compares two kernels.\n"
                 "Without a subcommand it opens the window.",
                 "twolane"};
    app.set_version_flag("--version", version);
    WindowRequest request;
    WindowRequest::Grab grab;
    std::string png;
    addWindowOptions(app, png, grab);
    app.add_option("file", request.files,
                   "Up to two traces to open in the window: baseline, candidate")
        ->option_text("FILE...")
        ->expected(0, 2);

    Exit exit = Exit::done;
    addFormats(app, exit, stop);
    addInfo(app, exit, stop);
    addStats(app, exit, stop);
    addSlices(app, exit, stop);
    addLatencies(app, exit, stop);
    addChart(app, exit, stop, drawChart);
    app.require_subcommand(0, 1);
    for (CLI::App* command : app.get_subcommands({}))
        command->set_version_flag("--version", version);

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wanted) { // --help and --version
        return app.exit(wanted);
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "twolane: {}\nTry 'twolane --help' or 'twolane SUBCOMMAND --help'.\n",
                   printable(error.what()));
        return static_cast<int>(Exit::usage);
    }
    if (app.get_subcommands().empty()) {
        grab.png = png;
        if (!png.empty())
            request.grab = grab;
        return openWindow(request);
    }
    return static_cast<int>(exit);
}

} // namespace twolane::cli
