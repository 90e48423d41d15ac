// Numbers in kernel text, free of locale and of floating point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twolane {

constexpr bool isDigit(char c) {
    return static_cast<unsigned char>(c - '0') < 10;
}
constexpr bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

/// Takes decimal digits from `at` on, at most 19 of them. False where there is none, or more.
constexpr bool takeDigits(const char*& at, const char* end, std::uint64_t& value) {
    const char* const begin = at;
    std::uint64_t sum = 0;
    while (at != end && isDigit(*at)) {
        sum = sum * 10 + static_cast<std::uint64_t>(*at - '0');
        ++at;
        if (at - begin > 19)
            return false;
    }
    value = sum;
    return at != begin;
}

/// The same for hexadecimal digits, without a prefix.
bool takeHexDigits(const char*& at, const char* end, std::uint64_t& value);

/// Takes one number as the kernel and trace-cmd print it: "120", "-1", "007" (decimal), "0x1f",
/// "0x1f (31)". False where there is none or it does not fit into 64 bits; hexadecimal ones wrap to
/// negative.
bool takeNumber(const char*& at, const char* end, std::int64_t& value);

/// The kernel's 32-bit fields: unsigned prints of negative numbers become negative again
/// (4294967295 is -1). False where it does not fit into 32 bits.
constexpr bool toInt32(std::int64_t value, std::int32_t& out) {
    if (value < INT32_MIN || value > static_cast<std::int64_t>(UINT32_MAX))
        return false;
    out = static_cast<std::int32_t>(static_cast<std::uint32_t>(value & 0xffffffff));
    return true;
}

} // namespace twolane
