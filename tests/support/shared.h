// The recordings and samples that live beside the checkout, where they are present.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace twolane::tests {

/// The path of `relative` below the shared folder ($TWOLANE_SHARED, else ../shared beside the
/// checkout). Where it is absent a line "skipped: …" is printed and nothing is returned: the test
/// then ends without a verdict.
std::optional<std::filesystem::path> shared(std::string_view relative);

} // namespace twolane::tests
