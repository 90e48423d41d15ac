#include "tests/support/shared.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace twolane::tests {

std::optional<std::filesystem::path> shared(std::string_view relative) {
    const char* chosen = std::getenv("TWOLANE_SHARED");
    const std::filesystem::path path =
        std::filesystem::path(chosen ? chosen : TWOLANE_SHARED_DIR) / relative;
    if (std::filesystem::exists(path))
        return path;
    std::printf("skipped: %s is absent\n", path.string().c_str());
    return std::nullopt;
}

} // namespace twolane::tests
