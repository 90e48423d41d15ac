// Folds events into a Trace.
#pragma once

#include "model/event.h"
#include "model/trace.h"

#include <memory>

namespace twolane {

/// The sink behind every import. Feed it events in order, then finish() once.
class TraceBuilder final : public EventSink {
public:
    TraceBuilder();
    ~TraceBuilder() override;

    void schedSwitch(const SchedSwitch& event) override;
    void switchRecord(const SwitchRecord& event) override;
    void schedWaking(const SchedWake& event) override;
    void schedWakeup(const SchedWake& event) override;
    void schedWakeupNew(const SchedWake& event) override;
    void schedMigrateTask(const SchedMigrateTask& event) override;
    void schedProcessFork(const SchedProcessFork& event) override;
    void schedProcessExec(const SchedProcessExec& event) override;
    void schedProcessExit(const SchedProcessExit& event) override;
    void taskRename(const TaskRename& event) override;
    void otherEvent(const EventHeader& header) override;
    void lostEvents(const LostEvents& loss) override;

    /// Closes what is open at the last event's stamp and hands the trace over; the builder is
    /// spent. `info` and `diagnostics` are what the importer learnt; the builder's own findings
    /// are added behind.
    std::shared_ptr<const Trace> finish(TraceInfo info, Diagnostics diagnostics);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace twolane
