// Numbers for machines and for people, free of the locale.
#pragma once

#include "model/time.h"

#include <optional>
#include <string>
#include <string_view>

namespace twolane {

/// "12.5ms", "3us", "1.2s", "0.5" (seconds): exact to the nanosecond. Nothing for other texts and
/// for values outside Nanos.
std::optional<Nanos> parseTime(std::string_view text);

/// "1.235 ms": three decimals in the largest fitting unit, but no digit finer than `resolution`
/// (0: 1 ns).
std::string formatDuration(Nanos value, Nanos resolution);

/// "12.345678901" seconds with the digits that `resolution` has.
std::string formatSeconds(Nanos value, Nanos resolution);

/// "1 234 567": groups of three digits.
std::string formatCount(std::uint64_t value);

} // namespace twolane
