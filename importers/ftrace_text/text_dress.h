// Names the texts that look like ftrace's but are not read by this importer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace twolane {

struct ForeignDress {
    std::string what;   ///< "is ftrace text in the latency format"
    std::string remedy; ///< what to do
};

/// What the first bytes of a file are, where they are of a known kind that cannot be read here.
/// Nothing for ftrace text that can be read, and for what is not known at all.
std::optional<ForeignDress> foreignDress(std::string_view head);

} // namespace twolane
