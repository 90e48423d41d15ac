// The parts of a line of ftrace text that all its forms share. Each function leaves `at` where it
// is when it answers false.
#pragma once

#include "importers/common/text_number.h"
#include "importers/ftrace_text/ftrace_line.h"

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

/// Seconds with 1 to 9 decimals, or a bare integer, up to a ':' that a blank or the line's end
/// follows.
inline bool takeStamp(const char*& at, const char* end, Nanos integerScale, FtraceLine& out) {
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

/// "(  123)", "(-------)", behind the pid. Leaves `at` where it is if there is none.
inline bool takeTgid(const char*& at, const char* end, std::int32_t& tgid) {
    tgid = -1;
    if (at == end || *at != '(')
        return true;
    const char* p = skipBlanks(at + 1, end);
    std::uint64_t value = 0;
    if (p != end && *p == '-') {
        while (p != end && *p == '-')
            ++p;
    } else if (takeDigits(p, end, value) && value <= static_cast<std::uint64_t>(INT32_MAX)) {
        tgid = static_cast<std::int32_t>(value);
    } else {
        return false;
    }
    if (p == end || *p != ')')
        return false;
    at = p + 1;
    return true;
}

inline bool takeCpu(const char*& at, const char* end, std::int32_t& cpu) {
    if (at == end || *at != '[')
        return false;
    const char* p = at + 1;
    std::uint64_t value = 0;
    if (!takeDigits(p, end, value) ||
        value > static_cast<std::uint64_t>(FtraceLineParser::maxCpu) || p == end || *p != ']')
        return false;
    cpu = static_cast<std::int32_t>(value);
    at = p + 1;
    return true;
}

/// What follows the stamp: the event's name and payload, a stack's title, or an entry of the old
/// sched_switch tracer, which is named as the event in its place.
LineKind takeEvent(const char* at, const char* end, FtraceLine& out);

} // namespace twolane
