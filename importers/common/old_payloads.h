// The payloads of scheduler events that old kernels print:
//   2.6.30 to 2.6.32             task a:1 [120] (S) ==> b:2 [120]        2.6.30: without "(S)"
//                                task a:1 [120] success=1 [000]          2.6.30: without "[000]"
//                                task a:1 [120] from: 0  to: 1
//                                parent a:1  child b:2
//   the sched_switch tracer      1:120:S ==> [000]     2:120:R b         older: without CPU and
//   comm (2.6.27 to 3.15; wakeups     1:120:S   + [000]     2:120:R b in the wakeup tracers still)
// Sources: TP_printk() of include/trace/events/sched.h and trace_ctxwake_print() of
// kernel/trace/trace_output.c in those kernels.
#pragma once

#include "importers/common/payload_cuts.h"
#include "model/event.h"

#include <string_view>

namespace twolane {

// Each fills in the fields of the event behind its header as views into `payload`. False where the
// payload is not of that form; the event is then undefined but for its header.

bool cutOldSwitch(std::string_view payload, SwitchCut& best);
bool cutOldWake(std::string_view payload, SchedWake& event);
bool cutOldMigrate(std::string_view payload, SchedMigrateTask& event);
bool cutOldFork(std::string_view payload, SchedProcessFork& event);
bool cutOldExit(std::string_view payload, SchedProcessExit& event);

bool cutTracerSwitch(std::string_view payload, SwitchCut& best);
bool cutTracerWake(std::string_view payload, SchedWake& event);

} // namespace twolane
