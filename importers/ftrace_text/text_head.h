// What the first bytes of a file of ftrace text tell, before any pass.
#pragma once

#include "importers/ftrace_text/ftrace_line.h"

#include <cstddef>
#include <string_view>

namespace twolane {

/// What the first bytes tell, before any pass.
struct TextHead {
    LineForm form = LineForm::standard; ///< of most of the events
    std::size_t dashColumn = FtraceLineParser::commWidth(LineForm::standard);
    bool integerStamps = false;
    Nanos firstStamp = 0; ///< of the first event, integers as they stand
    Nanos largestStamp = 0;
    std::size_t events = 0;
    std::size_t lines = 0;
};

/// Looks at the whole lines in `head`, the first bytes of a file.
TextHead lookAtHead(std::string_view head);

} // namespace twolane
