#include "app/chart/chart_request.h"
#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/parsed_option.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

namespace twolane::cli {
namespace {

using chart::ChartRequest;

/// Kinds of the contract that this version does not draw yet.
const std::vector<std::string> laterKinds{"depth", "utilisation", "throughput", "bars"};

Exit refuse(const std::string& what) {
    fmt::print(stderr, "twolane: {}\nTry 'twolane chart --help'.\n", printable(what));
    return Exit::usage;
}

/// "nan" is neither below a range nor above it.
std::string isNumber(std::string& text) {
    return text.find_first_of("nN") == std::string::npos ? "" : text + " is not a number";
}

std::string endingOf(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return ending;
}

/// What the command line chooses of its inputs, as it was written there.
std::vector<std::string> scopeOf(const CLI::App& command) {
    std::vector<std::string> scope;
    for (const auto& [option, words] : {std::pair("--cpu", "CPUs "), std::pair("--task", "tasks "),
                                        std::pair("--from", "from "), std::pair("--to", "up to ")})
        if (const CLI::Option* given = command.get_option(option); given->count() > 0)
            scope.push_back(words + given->results().back());
    return scope;
}

Exit runChart(const CommonOptions& options, const std::string& kind, ChartRequest request,
              const DrawChart& drawChart) {
    const std::map<std::string, ChartRequest::Kind> kinds{
        {"timeline", ChartRequest::Kind::timeline},
        {"timeslices", ChartRequest::Kind::timeslices},
        {"latency", ChartRequest::Kind::latency}};
    if (std::find(laterKinds.begin(), laterKinds.end(), kind) != laterKinds.end())
        return refuse(
            fmt::format("this version draws no chart of the kind '{}': it draws timeline, "
                        "timeslices and latency",
                        kind));
    const auto known = kinds.find(kind);
    if (known == kinds.end())
        return refuse(fmt::format(
            "'{}' is no kind of chart: there are timeline, timeslices and latency", kind));
    if (options.inputs.size() > 2)
        return refuse("a chart shows one trace, or two: baseline and candidate");
    const std::string ending = endingOf(options.output);
    if (ending == ".txt" && known->second == ChartRequest::Kind::timeline)
        return refuse("a timeline is not drawn in characters: give it a name that ends in .png, "
                      ".svg or .pdf");
    if (ending != ".png" && ending != ".svg" && ending != ".pdf" && ending != ".txt")
        return refuse(fmt::format("'{}' is of no kind that a chart can be written to: give it a "
                                  "name that ends in .png, .svg or .pdf",
                                  options.output));
    if (options.from && options.to && *options.to <= *options.from)
        return refuse("--to is not after --from");
    std::error_code failed;
    if (!options.force && std::filesystem::exists(options.output, failed))
        return fail({options.output, "exists already", "", "replace it with --force"});

    Nanos longest = 1;
    for (std::size_t i = 0; i < options.inputs.size(); ++i) {
        auto trace = loadInput(options.inputs[i], options);
        if (!trace)
            return fail(trace.error());
        printWarnings(warningsOf((*trace)->info.file, (*trace)->diagnostics));
        longest = std::max(longest, (*trace)->range.length());
        // Without a --label the picture names kernel and file itself.
        request.inputs.push_back(
            {*trace,
             request.kind == ChartRequest::Kind::timeline && i >= options.labels.size()
                 ? std::string()
                 : labelOf(**trace, i, options),
             selectionOf(**trace, options)});
    }
    request.kind = known->second;
    if (request.kind != ChartRequest::Kind::timeline)
        for (std::size_t i = 0; i < request.inputs.size(); ++i)
            request.inputs[i].label = labelOf(*request.inputs[i].trace, i, options);
    if (options.from || options.to)
        request.span = TimeRange{options.from.value_or(0), options.to.value_or(longest)};
    if (request.span && request.span->empty())
        return fail({options.inputs.back(), "has nothing in that span", "",
                     "choose --from before the trace's end ('twolane info' tells its length)"});
    request.output = options.output;
    request.force = options.force;
    request.stop = options.stop;
    const chart::ChartOutcome outcome = drawChart(request);
    if (!outcome)
        return fail(outcome.error());
    std::vector<std::string> warnings = *outcome;
    printWarnings(warnings);
    return Exit::done;
}

} // namespace

void addChart(CLI::App& app, Exit& exit, std::stop_token stop, const DrawChart& drawChart) {
    auto options = std::make_shared<CommonOptions>();
    auto request = std::make_shared<ChartRequest>();
    auto kind = std::make_shared<std::string>();
    options->stop = std::move(stop);
    CLI::App* command = app.add_subcommand(
        "chart", "A picture of one trace or two: timeline, timeslices or latency");
    command->add_option("kind", *kind, "timeline (run/wait swimlanes), timeslices or latency")
        ->required()
        ->option_text("KIND");
    addInputOptions(*command, *options, true);
    command
        ->add_option("-o", options->output,
                     "Write to this file: .png, .svg, .pdf, or .txt (timeslices and latency)")
        ->required()
        ->option_text("FILE");
    command->add_flag("--force", options->force, "Replace an existing output file");
    addSelectionOptions(*command, *options);
    command->remove_option(command->get_option("--relative")); // charts show no stamps
    addParsed(
        *command, "--size", *request,
        [request](const std::string& text) {
            const auto size = parseSize(text);
            if (!size)
                return std::optional<ChartRequest>();
            auto changed = std::optional(*request);
            std::tie(changed->width, changed->height) = *size;
            return changed;
        },
        "Size in pixels, of a PDF in points (1600x900)", "a size such as 1600x900")
        ->option_text("WxH");
    command->add_option("--scale", request->scale, "Device pixels a pixel (1)")
        ->check(CLI::Range(0.5, 8.0) & CLI::Validator(isNumber, ""))
        ->option_text("F");
    command->add_option("--theme", request->look, "Colours (light)")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, ChartRequest::Look>{{"light", ChartRequest::Look::light},
                                                      {"dark", ChartRequest::Look::dark},
                                                      {"print", ChartRequest::Look::print}}))
        ->option_text("light|dark|print");
    command
        ->add_option("--layout", request->sideBySide, "How two timelines share the room (stacked)")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, bool>{{"stacked", false}, {"side-by-side", true}}))
        ->option_text("stacked|side-by-side");
    command->add_option("--title", request->title, "A line above the picture")->option_text("TEXT");
    command->add_flag("--log-x", request->logX,
                      "A logarithmic axis of lengths (timeslices and latency have one always)");
    command->add_flag("--log-y", request->logY, "A logarithmic axis of shares, to see the tails");
    command->callback([options, request, kind, drawChart, command, &exit] {
        request->scope = scopeOf(*command);
        exit = runChart(*options, *kind, *request, drawChart);
    });
}

} // namespace twolane::cli
