#include "importers/common/text_number.h"

namespace twolane {
namespace {

int hexDigit(char c) {
    if (isDigit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

} // namespace

bool takeHexDigits(const char*& at, const char* end, std::uint64_t& value) {
    const char* const begin = at;
    std::uint64_t sum = 0;
    for (int digit = 0; at != end && (digit = hexDigit(*at)) >= 0; ++at) {
        if (sum >> 60)
            return false;
        sum = sum << 4 | static_cast<std::uint64_t>(digit);
    }
    value = sum;
    return at != begin;
}

bool takeNumber(const char*& at, const char* end, std::int64_t& value) {
    std::uint64_t sum = 0;
    if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        at += 2;
        if (!takeHexDigits(at, end, sum))
            return false;
        value = static_cast<std::int64_t>(sum);
        // The option `fields` repeats it in decimal, and there the sign is right.
        if (end - at > 3 && at[0] == ' ' && at[1] == '(') {
            const char* inner = at + 2;
            std::int64_t decimal = 0;
            if (*inner != '0' || inner[1] != 'x') {
                if (takeNumber(inner, end, decimal) && inner != end && *inner == ')') {
                    value = decimal;
                    at = inner + 1;
                }
            }
        }
        return true;
    }
    const bool negative = at != end && *at == '-';
    if (negative)
        ++at;
    if (!takeDigits(at, end, sum) || sum > static_cast<std::uint64_t>(INT64_MAX))
        return false;
    value = negative ? -static_cast<std::int64_t>(sum) : static_cast<std::int64_t>(sum);
    return true;
}

} // namespace twolane
