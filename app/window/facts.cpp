#include "app/window/facts.h"

namespace twolane::window {
using namespace chart;

QString Facts::plain() const {
    QString out = title;
    for (const auto& [what, value] : rows)
        out += QStringLiteral("\n%1: %2").arg(what, value);
    return out;
}

QString nameOf(const Trace& trace, StringId comm, std::int32_t tid) {
    return comm.valid() ? printable(trace.strings.text(comm))
                        : QStringLiteral("tid %1, never named").arg(tid);
}

/// Differences saturate: a trace may span more than Nanos can hold.
QString sinceStart(const Trace& trace, Nanos time, const TimeFormat& times) {
    return instantText(TimeRange{trace.range.begin, time}.length(), times);
}

QString priorityText(const Timeslice& slice) {
    return slice.prio ? QString::number(*slice.prio) : QStringLiteral("not recorded");
}

QString endStateText(const Timeslice& slice) {
    if (!slice.endState)
        return QStringLiteral("not seen");
    const auto letter = QString::fromStdString(toString(*slice.endState));
    const auto word = printable(describe(slice.endState->state));
    return letter.isEmpty() ? word : QStringLiteral("%1 (%2)").arg(word, letter);
}

QString clippedText(const Timeslice& slice) {
    if (slice.openLeft && slice.openRight)
        return QStringLiteral("start and end not seen: lasted longer");
    return slice.openLeft ? QStringLiteral("start not seen: lasted longer")
                          : QStringLiteral("end not seen: may have lasted longer");
}

} // namespace twolane::window
