#include "app/window/details.h"

#include <utility>

namespace twolane::window {
using namespace chart;
namespace {

/// Collects rows about one trace.
class Rows {
public:
    explicit Rows(const LoadedTrace& loaded)
        : m_trace(*loaded.trace)
        , m_times(loaded.times()) {}

    void add(const char* what, const QString& value) {
        m_rows.emplace_back(QString::fromUtf8(what), value);
    }
    void addInstant(const char* what, Nanos at) { add(what, sinceStart(m_trace, at, m_times)); }
    void addLength(const char* what, Nanos length) { add(what, durationText(length, m_times)); }
    QString length(Nanos begin, Nanos end) const {
        return durationText(TimeRange{begin, end}.length(), m_times);
    }
    const Trace& trace() const { return m_trace; }
    std::vector<std::pair<QString, QString>> take() { return std::move(m_rows); }

private:
    const Trace& m_trace;
    TimeFormat m_times;
    std::vector<std::pair<QString, QString>> m_rows;
};

QString kindText(WaitKind kind) {
    switch (kind) {
    case WaitKind::wakeup:
        return QStringLiteral("woken from sleep");
    case WaitKind::fork:
        return QStringLiteral("newly forked");
    case WaitKind::preempted:
        return QStringLiteral("preempted, still runnable");
    }
    return {};
}

QString wakerText(const Trace& trace, const Wait& wait) {
    if (!wait.wakerTid)
        return QStringLiteral("not known");
    QString who;
    if (*wait.wakerTid == 0)
        who = QStringLiteral("an interrupt on an idle CPU");
    else if (wait.waker.valid())
        who = QStringLiteral("%1, tid %2")
                  .arg(printable(trace.commAt(wait.waker, wait.wakeAt)),
                       QString::number(*wait.wakerTid));
    else
        who = QStringLiteral("tid %1").arg(*wait.wakerTid);
    return wait.wakerCpu ? who + QStringLiteral(", on CPU %1").arg(*wait.wakerCpu) : who;
}

QString certaintyText(const Wait& wait) {
    switch (wait.certainty) {
    case Certainty::exact:
        return QStringLiteral("exact");
    case Certainty::clipped:
        return QStringLiteral("clipped: its end was not seen, it lasted longer");
    case Certainty::doubtful:
        if (!wait.start)
            return QStringLiteral("doubtful: the wake is stamped after the switch-in");
        if (wait.lastWakeAt)
            return QStringLiteral("doubtful: woken twice");
        return QStringLiteral("doubtful: a gap, or a wake that was not recorded");
    }
    return {};
}

/// The facts of a wait, after what `Rows` holds already.
void addWait(Rows& rows, WaitRow row) {
    const Trace& trace = rows.trace();
    const Wait wait = trace.waits[row];
    rows.add("waited because", kindText(wait.kind));
    if (wait.start)
        rows.addInstant("ready at", *wait.start);
    rows.addInstant(wait.certainty == Certainty::clipped ? "last known at" : "on the CPU at",
                    wait.end);
    rows.add("waited", wait.start ? rows.length(*wait.start, wait.end)
                                  : QStringLiteral("a time that is not known"));
    if (wait.kind != WaitKind::preempted)
        rows.add("woken by", wakerText(trace, wait));
    if (wait.queuedCpu) {
        QString queued = QStringLiteral("CPU %1").arg(*wait.queuedCpu);
        if (wait.queuedAt && wait.start && *wait.queuedAt > *wait.start)
            queued +=
                QStringLiteral(", %1 after the wake").arg(rows.length(*wait.start, *wait.queuedAt));
        rows.add("queued on", queued);
    }
    if (wait.lastWakeAt)
        rows.addInstant("woken again at", *wait.lastWakeAt);
    rows.add("the wait is", certaintyText(wait));
}

/// What the task did before `begin`: its state at the end of its slice before, and for how long.
void addBefore(Rows& rows, const std::optional<SliceRef>& before, Nanos until, bool preempted) {
    if (!before)
        return rows.add("state before", QStringLiteral("not known"));
    const Trace& trace = rows.trace();
    const CpuTimeline& cpu = trace.cpus[before->lane];
    const Timeslice slice = cpu.slices[before->row];
    if (!slice.endState)
        return rows.add("state before", QStringLiteral("not known"));
    QString text = endStateText(slice);
    if (!preempted)
        text += QStringLiteral(", for ") + rows.length(slice.range.end, until);
    rows.add("state before", text);
    rows.add("ran before", QStringLiteral("%1 on CPU %2")
                               .arg(rows.length(slice.range.begin, slice.range.end))
                               .arg(cpu.cpu));
}

Facts sliceDetails(const LoadedTrace& loaded, SliceRef ref) {
    const Trace& trace = *loaded.trace;
    const CpuTimeline& cpu = trace.cpus[ref.lane];
    const Timeslice slice = cpu.slices[ref.row];
    Rows rows(loaded);
    rows.addInstant("switched in", slice.range.begin);
    rows.addInstant("switched out", slice.range.end);
    rows.addLength("length", slice.range.length());
    rows.add("the slice is", slice.clipped() ? QStringLiteral("clipped: ") + clippedText(slice)
                                             : QStringLiteral("exact"));
    rows.add("state after", endStateText(slice));
    rows.add("priority", priorityText(slice));
    if (slice.migrated)
        rows.add("migrated", QStringLiteral("ran on another CPU before"));
    if (const auto wait = waitBefore(trace, loaded.neighbours, ref)) {
        addWait(rows, *wait);
        const Wait facts = trace.waits[*wait];
        addBefore(rows, sliceBefore(trace, loaded.neighbours, *wait),
                  facts.start.value_or(facts.wakeAt), facts.kind == WaitKind::preempted);
    } else {
        rows.add("the wait before",
                 slice.openLeft ? QStringLiteral("ran already") : QStringLiteral("not seen"));
    }
    if (const auto next = nextOnCpu(trace, ref)) {
        const Timeslice after = cpu.slices[next->row];
        rows.add("then ran here",
                 after.range.begin == slice.range.end
                     ? QStringLiteral("%1, tid %2")
                           .arg(nameOf(trace, after.comm, after.tid), QString::number(after.tid))
                     : QStringLiteral("nobody at once"));
    }
    return {QStringLiteral("%1 %2 ran %3 on CPU %4")
                .arg(nameOf(trace, slice.comm, slice.tid), QString::number(slice.tid),
                     durationText(slice.range.length(), loaded.times()), QString::number(cpu.cpu)),
            rows.take(), slice.comm};
}

Facts waitDetails(const LoadedTrace& loaded, WaitRow row) {
    const Trace& trace = *loaded.trace;
    const Wait wait = trace.waits[row];
    Rows rows(loaded);
    addWait(rows, row);
    addBefore(rows, sliceBefore(trace, loaded.neighbours, row), wait.start.value_or(wait.wakeAt),
              wait.kind == WaitKind::preempted);
    if (const auto after = sliceAfter(trace, loaded.neighbours, row)) {
        const Timeslice slice = trace.cpus[after->lane].slices[after->row];
        rows.add("then ran", QStringLiteral("%1 on CPU %2")
                                 .arg(durationText(slice.range.length(), loaded.times()))
                                 .arg(trace.cpus[after->lane].cpu));
    }
    QString title = QStringLiteral("%1 %2 waited")
                        .arg(nameOf(trace, wait.comm, wait.tid), QString::number(wait.tid));
    if (wait.start)
        title += QStringLiteral(" ") +
                 durationText(TimeRange{*wait.start, wait.end}.length(), loaded.times());
    if (wait.cpu)
        title += QStringLiteral(" for CPU %1").arg(*wait.cpu);
    return {title, rows.take(), wait.comm};
}

} // namespace

Facts detailsOf(const LoadedTrace& loaded, const Picked& picked) {
    if (const auto* slice = std::get_if<SliceRef>(&picked.what))
        return sliceDetails(loaded, *slice);
    return waitDetails(loaded, std::get<WaitRow>(picked.what));
}

} // namespace twolane::window
