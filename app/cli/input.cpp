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

std::vector<std::string> headerOf(const Trace& trace, const CommonOptions& options) {
    const Window window = windowOf(trace, options.from, options.to);
    const Nanos resolution = trace.info.resolution;
    std::string line = fmt::format("{}: {} events, {} CPUs, {}", labelOf(trace, 0, options),
                                   formatCount(trace.eventCount), trace.cpus.size(),
                                   formatDuration(window.range.length(), resolution));
    if (window.range != trace.range)
        line += fmt::format(" from +{} of {}",
                            formatDuration(window.range.begin - trace.range.begin, resolution),
                            formatDuration(trace.range.length(), resolution));
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
