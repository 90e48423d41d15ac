// Numbers and names as the window shows them.
#pragma once

#include "model/time.h"

#include <QString>

#include <cstdint>
#include <string_view>

namespace twolane::chart {

/// How the stamps of a trace are to be written.
struct TimeFormat {
    Nanos resolution = 1;    ///< no digit finer than this
    bool nanoseconds = true; ///< false: bare counts of a clock without a known unit

    bool operator==(const TimeFormat&) const = default;
};

/// A name out of a trace, fit for one line of plain text: control characters and bytes that are no
/// UTF-8 are written as \n, \x1b, …
QString printable(std::string_view name);

/// "1.235 ms"; "1 234 counts".
QString durationText(Nanos length, const TimeFormat& format);
/// A time since the trace's start with all digits that the trace has: "+1.234567891 s".
QString instantText(Nanos sinceStart, const TimeFormat& format);
/// "698 836".
QString countText(std::uint64_t count);
/// "698 836 events", "1 event".
QString countText(std::uint64_t count, const char* one, const char* many);
/// "12.3 MB".
QString bytesText(std::uint64_t bytes);
/// "99.2 %", never rounded to 0 or 100 where it is neither.
QString shareText(double share);

} // namespace twolane::chart
