#include "model/query/window.h"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>

namespace twolane {
namespace {

template <class Number>
std::optional<Number> wholeNumber(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

Window windowOf(const Trace& trace, std::optional<Nanos> from, std::optional<Nanos> to) {
    const Nanos length = trace.range.length();
    const Nanos first = std::clamp<Nanos>(from.value_or(0), 0, length);
    const Nanos last = std::clamp<Nanos>(to.value_or(length), first, length);
    // An event at the trace's very end belongs to a window that reaches it.
    return {{trace.range.begin + first, trace.range.begin + last}, !to || *to >= length};
}

TaskFilter::TaskFilter(std::string pattern)
    : m_pattern(std::move(pattern)) {
    m_tid = wholeNumber<std::int32_t>(*m_pattern);
}

bool TaskFilter::matches(std::int32_t tid, std::string_view comm) const {
    if (!m_pattern)
        return true;
    if (m_tid && *m_tid == tid)
        return true;
    return fnmatch(m_pattern->c_str(), std::string(comm).c_str(), 0) == 0;
}

std::optional<CpuFilter> CpuFilter::parse(std::string_view list) {
    std::vector<Span> spans;
    while (true) {
        const auto comma = list.find(',');
        const std::string_view item = list.substr(0, comma);
        const auto dash = item.find('-');
        const auto first = wholeNumber<std::int32_t>(item.substr(0, dash));
        const auto last = dash == std::string_view::npos
                              ? first
                              : wholeNumber<std::int32_t>(item.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first)
            return std::nullopt;
        spans.push_back({*first, *last});
        if (comma == std::string_view::npos)
            break;
        list.remove_prefix(comma + 1);
    }
    return CpuFilter(std::move(spans));
}

bool CpuFilter::matches(std::int32_t cpu) const {
    if (!m_ranges)
        return true;
    return std::any_of(m_ranges->begin(), m_ranges->end(),
                       [cpu](const Span& span) { return span.first <= cpu && cpu <= span.last; });
}

} // namespace twolane
