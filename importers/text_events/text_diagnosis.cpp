#include "importers/text_events/text_diagnosis.h"

#include <fmt/format.h>

#include <string>

namespace twolane {
namespace {

/// "70 us", or "70001 ns": every digit is kept. "70001" where stamps are counts.
std::string lengthText(Nanos length, bool counts) {
    if (counts)
        return fmt::format("{}", length);
    if (length % 1000 == 0 && length != 0)
        return fmt::format("{} us", length / 1000);
    return fmt::format("{} ns", length);
}

} // namespace

std::uint64_t overwrittenEvents(const TextScan& scan, const BufferScan& buffer) {
    const bool told = !buffer.losses.empty() || scan.entriesWritten <= scan.entriesInBuffer;
    return told ? 0 : scan.entriesWritten - scan.entriesInBuffer;
}

void diagnoseLines(const TextScan& scan, const BufferScan& buffer, bool counts,
                   Diagnostics& diagnostics) {
    const std::string firstRejected = fmt::format("line {}", scan.firstRejected);
    diagnostics.add({"rejected_lines", Severity::error, scan.rejectedLines,
                     "lines are no events and were skipped", firstRejected, ""});
    if (scan.rejectedLines > buffer.events)
        diagnostics.add({"mostly_rejected", Severity::error, 1,
                         fmt::format("more lines were skipped ({}) than read ({})",
                                     scan.rejectedLines, buffer.events),
                         firstRejected, "check that this is the right file"});
    if (scan.cutOff)
        diagnostics.add({"cut_off", Severity::dataLoss, 1,
                         "the text is cut off at end of file: half a line was skipped",
                         fmt::format("line {}", scan.lines), "check that the copy is complete"});
    if (const std::uint64_t overwritten = overwrittenEvents(scan, buffer))
        diagnostics.add({"overwritten_events", Severity::dataLoss, overwritten,
                         "events were overwritten before the first line: each CPU's part begins "
                         "where its buffer does",
                         "", "record with a bigger buffer: trace-cmd record -b KIBIBYTES"});
    diagnostics.add({"late_events", Severity::info, buffer.lateEvents,
                     fmt::format("events stood late in the file, by {} at most; they were sorted "
                                 "in by their stamps",
                                 lengthText(buffer.latest, counts)),
                     "", ""});
    diagnostics.add({"cpu_time_backward", Severity::dataLoss, buffer.backwardEvents,
                     fmt::format("stamps go backward inside one CPU's events, by {} at most",
                                 lengthText(buffer.furthestBack, counts)),
                     buffer.firstBackward,
                     "check that the file is one recording, and its clock a steady one"});
}

void diagnosePayloads(const TextScan& scan, const EventTeller& teller, const char* plainText,
                      Diagnostics& diagnostics) {
    if (teller.unreadable() > 0)
        diagnostics.add({"unreadable_events", Severity::error, teller.unreadable(),
                         "scheduler events have fields that cannot be read",
                         fmt::format("line {}", teller.firstUnreadable()), ""});
    if (teller.sawPlugins())
        diagnostics.add({"plugin_text", Severity::info, teller.pluginLines(),
                         "lines are in the words of libtraceevent's plug-ins, which do not tell R+ "
                         "from R",
                         "", plainText});
    if (teller.numericStates() > 0 && !PrevStateDecoder::forRelease(scan.kernel))
        diagnostics.add(
            {"state_table_assumed", Severity::info, teller.numericStates(),
             "task states are numbers, and the text does not name its kernel: read with "
             "the table of Linux 4.14 and later",
             "", "for older kernels load the trace.dat file itself"});
    diagnostics.add({"switch_records_unused", Severity::info, teller.switchRecordsUnused(),
                     "perf's switch records were not needed: sched_switch tells more", "", ""});
    diagnostics.add({"states_not_told", Severity::dataLoss, teller.statesNotTold(),
                     "switches do not tell the state of the task that leaves the CPU: a wait and a "
                     "sleep look the same",
                     "", ""});
    if (teller.unknownStates() > 0)
        diagnostics.add({"unknown_states", Severity::dataLoss, teller.unknownStates(),
                         "task states are unknown letters: off the CPU, state not known",
                         fmt::format("'{}'", teller.firstUnknownState()), ""});
}

} // namespace twolane
