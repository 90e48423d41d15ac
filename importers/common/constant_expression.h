// Integer constants as the kernel's print formats write them: "0x40UL", "(2048)",
// "(((0x0 | 0x1) + 1) << 1)".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace twolane {

/// The value of a constant expression of numbers, parentheses and the C operators
/// ~ - + * << >> & ^ |, computed in 64 bits without sign. Nothing for any other text, for shifts
/// by 64 and more, and for nestings deeper than 64. Takes time linear in the text.
std::optional<std::uint64_t> evaluateConstant(std::string_view text);

} // namespace twolane
