// What the user picked in the timeline.
#pragma once

#include "model/query/neighbour.h"

#include <cstddef>
#include <variant>

namespace twolane::window {

struct Picked {
    std::size_t side = 0;
    std::variant<SliceRef, WaitRow> what;

    bool operator==(const Picked&) const = default;
};

} // namespace twolane::window
