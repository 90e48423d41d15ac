#include "importers/trace_dat/option_text.h"

#include <charconv>

namespace twolane {

std::string_view untilNul(std::string_view text) {
    return text.substr(0, text.find('\0'));
}

std::optional<std::int64_t> signedNumber(std::string_view text) {
    text = untilNul(text);
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (code != std::errc{})
        return std::nullopt;
    return static_cast<std::int64_t>(negative ? std::uint64_t{0} - value : value);
}

std::optional<std::uint64_t> lineValue(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (!line.starts_with(key))
            continue;
        line.remove_prefix(key.size());
        while (!line.empty() && line.front() == ' ')
            line.remove_prefix(1);
        std::uint64_t value = 0;
        const auto [last, code] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (code != std::errc{})
            return std::nullopt;
        return value;
    }
    return std::nullopt;
}

std::string bracketed(std::string_view clocks) {
    const std::size_t open = clocks.find('[');
    const std::size_t close = clocks.find(']', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos)
        return {};
    return std::string(clocks.substr(open + 1, close - open - 1));
}

} // namespace twolane
