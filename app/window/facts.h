// What is known of a slice, a wait or a moment, in words.
#pragma once

#include "app/chart/loaded_trace.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace twolane::window {

/// Plain text: names of tasks are shown as they are, never as markup.
struct Facts {
    QString title;
    std::vector<std::pair<QString, QString>> rows; ///< what, value
    std::optional<StringId> comm;                  ///< whose colour to show beside the title

    QString plain() const; ///< all of it, for the clipboard, a screen reader, a test
};

// Words that several texts share.

/// "postgres"; "tid 12, never named".
QString nameOf(const Trace& trace, StringId comm, std::int32_t tid);
/// A stamp as time since the trace's start.
QString sinceStart(const Trace& trace, Nanos time, const chart::TimeFormat& times);
/// "sleeping (S)"; "not seen".
QString endStateText(const Timeslice& slice);
/// "120", or that it was not recorded.
QString priorityText(const Timeslice& slice);
/// What of a clipped slice was not seen.
QString clippedText(const Timeslice& slice);

} // namespace twolane::window
