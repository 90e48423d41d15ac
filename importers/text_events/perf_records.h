// perf's own records as `perf script --show-switch-events --show-task-events` prints them
// (tools/perf/util/event.c of Linux):
//
//   PERF_RECORD_SWITCH OUT preempt
//   PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid: 25557/25562
//   PERF_RECORD_COMM exec: name:pid/tid
//   PERF_RECORD_FORK(pid:tid):(parent's pid:parent's tid)
//   PERF_RECORD_EXIT(pid:tid):(parent's pid:parent's tid)
#pragma once

#include "importers/text_events/event_line.h"
#include "model/event.h"

#include <cstdint>
#include <string_view>

namespace twolane {

/// The records that the model uses.
enum class PerfRecord : std::uint8_t { none, taskSwitch, comm, fork, exit };

/// By its name: "PERF_RECORD_COMM".
PerfRecord perfRecordOf(std::string_view name);

// Each fills in the fields of `event` behind its header; `line.payload` is what follows the
// record's name. False where it is not of that record.

bool parsePerfRecord(const EventLine& line, SwitchRecord& event);
bool parsePerfRecord(const EventLine& line, TaskRename& event);
bool parsePerfRecord(const EventLine& line, SchedProcessFork& event);
bool parsePerfRecord(const EventLine& line, SchedProcessExit& event);

} // namespace twolane
