#include "model/format/numbers.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace twolane {
namespace {

struct UnitOf {
    std::string_view name;
    int digits; ///< decimal digits from ns to one of it
};
constexpr std::array units{UnitOf{"s", 9}, UnitOf{"ms", 6}, UnitOf{"us", 3}, UnitOf{"ns", 0}};

constexpr std::array<Nanos, 10> powersOfTen{
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

/// How many digits after the point a unit of 10^digits ns may show.
int decimals(int digits, Nanos resolution) {
    int fine = 0;
    while (fine < 9 && powersOfTen[static_cast<std::size_t>(fine)] < resolution)
        ++fine;
    return std::max(0, digits - fine);
}

/// value / 10^digits rounded half away from zero to `places` decimals.
std::string fixed(Nanos value, int digits, int places) {
    const bool negative = value < 0;
    auto magnitude =
        negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    const auto dropped =
        static_cast<std::uint64_t>(powersOfTen[static_cast<std::size_t>(digits - places)]);
    magnitude =
        magnitude / dropped + (magnitude % dropped >= (dropped + 1) / 2 && dropped > 1 ? 1 : 0);
    const auto one = static_cast<std::uint64_t>(powersOfTen[static_cast<std::size_t>(places)]);
    const std::string_view sign = negative && magnitude > 0 ? "-" : "";
    if (places == 0)
        return fmt::format("{}{}", sign, magnitude);
    return fmt::format("{}{}.{:0{}}", sign, magnitude / one, magnitude % one, places);
}

} // namespace

std::optional<Nanos> parseTime(std::string_view text) {
    int digits = 9;
    for (const UnitOf& unit : units) {
        // "s" is the end of "ms" and "us" too: take it only where a digit or a point stands before.
        if (!text.ends_with(unit.name))
            continue;
        const std::string_view number = text.substr(0, text.size() - unit.name.size());
        if (number.empty() ||
            std::string_view("0123456789.").find(number.back()) == std::string_view::npos)
            continue;
        text = number;
        digits = unit.digits;
        break;
    }
    const bool negative = text.starts_with('-');
    if (negative)
        text.remove_prefix(1);

    const auto point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
    if (whole.empty() && fraction.empty())
        return std::nullopt;
    while (fraction.ends_with('0'))
        fraction.remove_suffix(1);
    if (fraction.size() > static_cast<std::size_t>(digits))
        return std::nullopt; // finer than 1 ns

    // Everything in units of 10^-fraction, then scaled up to ns.
    Nanos value = 0;
    for (const std::string_view part : {whole, fraction}) {
        for (const char c : part) {
            if (c < '0' || c > '9')
                return std::nullopt;
            if (__builtin_mul_overflow(value, Nanos{10}, &value) ||
                __builtin_add_overflow(value, Nanos{c - '0'}, &value))
                return std::nullopt;
        }
    }
    const Nanos scale = powersOfTen[static_cast<std::size_t>(digits) - fraction.size()];
    if (__builtin_mul_overflow(value, scale, &value))
        return std::nullopt;
    return negative ? -value : value;
}

std::string formatDuration(Nanos value, Nanos resolution) {
    const auto magnitude =
        value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    for (const UnitOf& unit : units) {
        if (unit.digits > 0 && magnitude < static_cast<std::uint64_t>(
                                               powersOfTen[static_cast<std::size_t>(unit.digits)]))
            continue;
        const int places = std::min(3, decimals(unit.digits, resolution));
        return fmt::format("{} {}", fixed(value, unit.digits, places), unit.name);
    }
    return {}; // not reached: ns takes everything
}

std::string formatSeconds(Nanos value, Nanos resolution) {
    return fixed(value, 9, decimals(9, resolution));
}

std::string formatCount(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3)
        digits.insert(static_cast<std::size_t>(place), 1, ' ');
    return digits;
}

} // namespace twolane
