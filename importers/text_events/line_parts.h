// The parts of a line that texts of several tools share. Each function leaves `at` where it
// is when it answers false.
#pragma once

#include "importers/common/text_number.h"
#include "importers/text_events/line_parser.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twolane {

inline const char* skipBlanks(const char* at, const char* end) {
    while (at != end && isBlank(*at))
        ++at;
    return at;
}

inline std::string_view between(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}

/// Without blanks on either side.
inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Seconds with 1 to 9 decimals, or a bare integer, up to a ':' that a blank or the line's end
/// follows.
inline bool takeStamp(const char*& at, const char* end, Nanos integerScale, EventLine& out) {
    constexpr std::array<std::uint64_t, 10> scale{1000000000, 100000000, 10000000, 1000000, 100000,
                                                  10000,      1000,      100,      10,      1};
    const char* p = at;
    std::uint64_t whole = 0;
    if (!takeDigits(p, end, whole))
        return false;
    std::uint64_t fraction = 0;
    std::size_t decimals = 0;
    if (p != end && *p == '.') {
        const char* const first = ++p;
        if (!takeDigits(p, end, fraction))
            return false;
        decimals = static_cast<std::size_t>(p - first);
        if (decimals > 9)
            return false;
    }
    if (p == end || *p != ':' || (p + 1 != end && !isBlank(p[1])))
        return false;
    constexpr auto most = static_cast<std::uint64_t>(INT64_MAX);
    if (decimals > 0) {
        if (whole > most / 1000000000 - 1)
            return false;
        out.time = static_cast<Nanos>(whole * 1000000000 + fraction * scale[decimals]);
    } else {
        if (whole > most / static_cast<std::uint64_t>(integerScale))
            return false;
        out.time = static_cast<Nanos>(whole) * integerScale;
    }
    out.decimals = static_cast<std::uint8_t>(decimals);
    at = p + 1;
    return true;
}

/// "[003]".
inline bool takeCpu(const char*& at, const char* end, std::int32_t& cpu) {
    if (at == end || *at != '[')
        return false;
    const char* p = at + 1;
    std::uint64_t value = 0;
    if (!takeDigits(p, end, value) || value > static_cast<std::uint64_t>(LineParser::maxCpu) ||
        p == end || *p != ']')
        return false;
    cpu = static_cast<std::int32_t>(value);
    at = p + 1;
    return true;
}

} // namespace twolane
