#include "importers/ftrace_text/text_dress.h"

#include "importers/common/sched_fields.h"
#include "importers/common/text_number.h"
#include "importers/ftrace_text/ftrace_line.h"

#include <cstddef>

namespace twolane {
namespace {

using std::string_view;

std::optional<ForeignDress> compressed(string_view head) {
    struct Magic {
        string_view bytes;
        string_view program;
        string_view unpack;
    };
    static constexpr Magic magics[] = {
        {"\x1f\x8b", "gzip", "gunzip -k"},
        {"\xfd"
         "7zXZ",
         "xz", "unxz -k"},
        {"\x28\xb5\x2f\xfd", "zstd", "unzstd"},
        {"BZh", "bzip2", "bunzip2 -k"},
    };
    for (const Magic& magic : magics)
        if (head.starts_with(magic.bytes))
            return ForeignDress{"is compressed with " + std::string(magic.program),
                                "unpack it first: " + std::string(magic.unpack) + " FILE"};
    return std::nullopt;
}

/// "runtop.s-18189   1d..2.  1122.471148: …", "  run.sh-15605     0..... 69728us : …": the CPU is
/// glued to the flags.
bool isLatencyLine(string_view line) {
    const char* at = line.data();
    const char* const end = at + line.size();
    for (const char* dash = at; dash != end; ++dash) {
        if (*dash != '-')
            continue;
        at = dash + 1;
        std::uint64_t number = 0;
        if (!takeDigits(at, end, number) || at == end || !isBlank(*at))
            continue;
        while (at != end && isBlank(*at))
            ++at;
        if (at != end && *at == '(') { // tgid
            while (at != end && *at != ')')
                ++at;
            while (at != end && (*at == ')' || isBlank(*at)))
                ++at;
        }
        if (!takeDigits(at, end, number))
            continue;
        const char* const flags = at;
        while (at != end && !isBlank(*at) && !isDigit(*at))
            ++at;
        if (at - flags < 3)
            continue;
        while (at != end && !isBlank(*at))
            ++at;
        while (at != end && isBlank(*at))
            ++at;
        if (takeDigits(at, end, number) && at != end &&
            (*at == '.' || string_view(at, static_cast<std::size_t>(end - at)).starts_with("us")))
            return true;
    }
    return false;
}

/// "… [3f69c4ad] 69.728ms (+0.004ms): …"
bool isVerboseLatencyLine(string_view line) {
    const std::size_t at = line.find("ms (+");
    return at != string_view::npos && line.find("ms): ", at) != string_view::npos;
}

/// "sched_switch: prev_comm=…" from the first column on.
bool isLineWithoutContext(string_view line) {
    const std::size_t colon = line.find(": ");
    return colon != string_view::npos && schedEventOf(line.substr(0, colon)) != SchedEvent::none;
}

} // namespace

std::optional<ForeignDress> foreignDress(std::string_view head) {
    if (auto dress = compressed(head))
        return dress;
    std::size_t events = 0;
    std::size_t escaped = 0;
    std::size_t perf = 0;
    std::size_t old = 0;
    std::size_t latency = 0;
    std::size_t bare = 0;
    bool html = false;
    const FtraceLineParser parser;
    FtraceLine parsed;
    while (!head.empty()) {
        const std::size_t feed = head.find('\n');
        string_view line = head.substr(0, feed);
        head.remove_prefix(feed == string_view::npos ? head.size() : feed + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        html = html || line.starts_with("<!DOCTYPE") || line.starts_with("<!doctype") ||
               line.starts_with("<html") || line.starts_with("<HTML");
        const bool continued = line.ends_with("\\n\\");
        switch (parser.parse(line, parsed)) {
        case LineKind::event:
            ++(continued ? escaped : events);
            break;
        case LineKind::perfScript:
            ++perf;
            break;
        case LineKind::oldTracer:
            ++old;
            break;
        case LineKind::foreign:
            if (isVerboseLatencyLine(line) || isLatencyLine(line))
                ++latency;
            else if (isLineWithoutContext(line))
                ++bare;
            break;
        default:
            break;
        }
    }
    if (html || escaped > events)
        return ForeignDress{"is a systrace page (HTML), not plain ftrace text",
                            "save the trace itself: atrace without -z, or Perfetto's traceconv "
                            "systrace, and open that text"};
    if (events > 0)
        return std::nullopt;
    if (perf > 0)
        return ForeignDress{"is text of perf script, not of ftrace",
                            "open the perf.data file that it was printed from"};
    if (latency > 0)
        return ForeignDress{"is ftrace text in the latency format, whose stamps are relative and "
                            "rounded",
                            "read it again without: echo nolatency-format > "
                            "/sys/kernel/tracing/trace_options, or trace-cmd report without -l"};
    if (old > 0)
        return ForeignDress{
            "is text of the old sched_switch tracer (kernels before 3.16)",
            "record the scheduler's events in its place: trace-cmd record -e sched"};
    if (bare > 0)
        return ForeignDress{"is ftrace text without task, CPU and time (option nocontext-info)",
                            "read it again with: echo context-info > "
                            "/sys/kernel/tracing/trace_options"};
    return std::nullopt;
}

} // namespace twolane
