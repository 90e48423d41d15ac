#include "app/cli/input.h"

#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "importers/load.h"
#include "model/format/numbers.h"

#include <fmt/format.h>

namespace twolane::cli {

Result<std::shared_ptr<const Trace>> loadInput(const std::string& path,
                                               const CommonOptions& options) {
    ProgressLine progress(path, options.quiet);
    return load(path, options.load, options.stop, progress.callback());
}

std::string labelOf(const Trace& trace, std::size_t input, const CommonOptions& options) {
    if (input < options.labels.size())
        return options.labels[input];
    if (!trace.info.kernel.empty())
        return trace.info.kernel;
    return std::filesystem::path(trace.info.file).filename().string();
}

std::string lengthText(const Trace& trace, Nanos length) {
    if (!trace.info.stampsAreNanoseconds)
        return formatCount(static_cast<std::uint64_t>(length)) + " counts";
    return formatDuration(length, trace.info.resolution);
}

std::vector<std::string> headerOf(const Trace& trace, const CommonOptions& options) {
    const Window window = windowOf(trace, options.from, options.to);
    std::string line = fmt::format("{}: {} events, {} CPUs, {}", labelOf(trace, 0, options),
                                   formatCount(trace.eventCount), trace.cpus.size(),
                                   lengthText(trace, window.range.length()));
    if (window.range != trace.range)
        line += fmt::format(" from +{} of {}",
                            lengthText(trace, window.range.begin - trace.range.begin),
                            lengthText(trace, trace.range.length()));
    std::string source =
        fmt::format("{}, clock {}, wake edge {}", trace.info.format,
                    trace.info.clock.empty() ? "not named" : trace.info.clock,
                    trace.wakeEdge == WakeEdge::none ? "none" : nameOf(trace.wakeEdge));
    source += trace.lostEvents == 0 && !trace.lostUncounted
                  ? ", nothing lost"
                  : fmt::format(", {}{} events lost", formatCount(trace.lostEvents),
                                trace.lostUncounted ? " or more" : "");
    return {line, source};
}

} // namespace twolane::cli
