// What the command line asks of the window.
#pragma once

#include "model/time.h"

#include <optional>
#include <string>
#include <vector>

namespace twolane {

struct WindowRequest {
    std::vector<std::string> files; ///< up to two: baseline, candidate

    /// Draw the window into a file instead of opening it.
    struct Grab {
        std::string png;
        int width = 1600; ///< logical pixels
        int height = 1000;
        double scale = 1; ///< device pixels a logical pixel
        bool dark = false;
        std::optional<TimeRange> span; ///< from the traces' starts; nothing: all
    };
    std::optional<Grab> grab;
};

} // namespace twolane
