#include "importers/ftrace_text/text_head.h"

#include <algorithm>
#include <map>

namespace twolane {

using std::string_view;

namespace {

/// Looks at the whole lines in `head` as at ones of one form.
TextHead lookAtHead(std::string_view head, LineForm form) {
    TextHead result;
    result.form = form;
    result.dashColumn = FtraceLineParser::commWidth(form);
    const FtraceLineParser parser(form);
    std::map<std::size_t, std::size_t> columns;
    while (!head.empty()) {
        const std::size_t feed = head.find('\n');
        if (feed == string_view::npos && result.lines > 0)
            break;
        const string_view text = head.substr(0, feed);
        head.remove_prefix(feed == string_view::npos ? head.size() : feed + 1);
        EventLine line;
        ++result.lines;
        if (parser.parse(text, line) != LineKind::event)
            continue;
        if (result.events++ == 0) {
            result.integerStamps = line.decimals == 0;
            result.firstStamp = line.time;
        }
        result.largestStamp = std::max(result.largestStamp, line.time);
        ++columns[line.left.size()];
    }
    for (const auto& [column, count] : columns)
        if (count * 2 > result.events)
            result.dashColumn = column;
    return result;
}

} // namespace

TextHead lookAtHead(std::string_view head) {
    TextHead best = lookAtHead(head, LineForm::standard);
    // User text in single lines may look like another form, so most lines decide.
    if (best.events * 2 > best.lines)
        return best;
    for (const LineForm form : {LineForm::latency, LineForm::verbose})
        if (TextHead seen = lookAtHead(head, form); seen.events > best.events)
            best = seen;
    return best;
}

} // namespace twolane
