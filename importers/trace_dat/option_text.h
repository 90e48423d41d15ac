// Texts inside the options of trace.dat files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace twolane {

std::string_view untilNul(std::string_view text);

/// "0x1f", "-0x1f" or "31", as trace-cmd writes offsets; what follows the number is ignored.
std::optional<std::int64_t> signedNumber(std::string_view text);

/// The number in the line that begins with `key`.
std::optional<std::uint64_t> lineValue(std::string_view text, std::string_view key);

/// The chosen one of "local [mono] boot"; empty where none is.
std::string bracketed(std::string_view clocks);

} // namespace twolane
