// Options whose text is turned into a value.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <utility>

namespace twolane::cli {

/// An option whose text is turned into a value, with a message that says how it is written.
template <class T, class Parse>
CLI::Option* addParsed(CLI::App& app, const std::string& name, T& target, Parse parse,
                       const std::string& help, const std::string& expected) {
    return app.add_option_function<std::string>(
        name,
        [&target, parse, name, expected](const std::string& text) {
            auto value = parse(text);
            if (!value)
                throw CLI::ValidationError(name, fmt::format("'{}' is not {}", text, expected));
            target = std::move(*value);
        },
        help);
}

/// "800x600", each from 1 to 10000.
inline std::optional<std::pair<int, int>> parseSize(const std::string& text) {
    int width = 0;
    int height = 0;
    const char* end = text.data() + text.size();
    const auto [middle, wrong] = std::from_chars(text.data(), end, width);
    if (wrong != std::errc() || middle == end || *middle != 'x')
        return std::nullopt;
    const auto [rest, bad] = std::from_chars(middle + 1, end, height);
    if (bad != std::errc() || rest != end || std::min(width, height) < 1 ||
        std::max(width, height) > 10'000)
        return std::nullopt;
    return std::pair(width, height);
}

} // namespace twolane::cli
