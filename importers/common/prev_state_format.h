// The meaning of prev_state's bits, from the print format of a file's own sched_switch.
#pragma once

#include "model/task_state.h"

#include <optional>
#include <string_view>

namespace twolane {

/// From a format such as
/// `"…", … __print_flags(REC->prev_state & …, "|", { 0x1, "S" }, …) : "R", REC->prev_state & (2048)
/// ? "+" : ""` takes the table of letters and the mask that prints as "+" (0 where nothing does).
/// Nothing where either is not understood: a table read in part would name wrong states. Linear in
/// the text.
std::optional<PrevStateDecoder> prevStateFromPrintFormat(std::string_view printFormat);

} // namespace twolane
