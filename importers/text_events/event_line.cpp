#include "importers/text_events/event_line.h"

#include "importers/text_events/line_parts.h"

namespace twolane {
namespace {

using std::string_view;

/// The columns in front of the comm column: "  foo: ". Empty where `left` is the comm column alone.
string_view bufferColumn(string_view left, std::size_t width) {
    if (width == 0 || left.size() <= width + 2)
        return {};
    const string_view prefix = left.substr(0, left.size() - width);
    return prefix.ends_with(": ") ? prefix : string_view{};
}

} // namespace

string_view EventLine::buffer() const {
    string_view name = trimmed(bufferColumn(left, commWidth));
    if (!name.empty())
        name.remove_suffix(1);
    return name;
}

string_view EventLine::comm() const {
    return trimmed(left.substr(bufferColumn(left, commWidth).size()));
}

} // namespace twolane
