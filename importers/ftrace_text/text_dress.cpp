#include "importers/ftrace_text/text_dress.h"

#include "importers/common/sched_event.h"
#include "importers/ftrace_text/ftrace_line.h"
#include "importers/ftrace_text/text_head.h"
#include "importers/text_events/text_scan.h"

#include <cstddef>

namespace twolane {
namespace {

using std::string_view;

/// "sched_switch: prev_comm=…" from the first column on.
bool isLineWithoutContext(string_view line) {
    const std::size_t colon = line.find(": ");
    return colon != string_view::npos && schedEventOf(line.substr(0, colon)) != SchedEvent::none;
}

} // namespace

std::optional<ForeignDress> foreignDress(std::string_view head) {
    std::size_t events = 0;
    std::size_t escaped = 0;
    std::size_t perf = 0;
    std::size_t bare = 0;
    bool html = false;
    const string_view whole = head;
    const FtraceLineParser parser;
    EventLine parsed;
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
        case LineKind::otherTool:
            ++perf;
            break;
        case LineKind::foreign:
            if (isLineWithoutContext(line))
                ++bare;
            break;
        default:
            break;
        }
    }
    if (html || escaped > events)
        return ForeignDress{"is a systrace page (HTML), not plain ftrace text",
                            "leave out --input-format, or read it as systrace"};
    if (events > 0)
        return std::nullopt;
    if (perf > 0)
        return ForeignDress{"is text of perf script, not of ftrace",
                            "leave out --input-format, or name it: --input-format \"perf script\""};
    if (bare > lookAtHead(whole).events)
        return ForeignDress{"is ftrace text without task, CPU and time (option nocontext-info)",
                            "read it again with: echo context-info > "
                            "/sys/kernel/tracing/trace_options"};
    return std::nullopt;
}

} // namespace twolane
