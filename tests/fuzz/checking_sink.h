// What the fuzz targets of texts read into.
#pragma once

#include "model/trace_builder.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace twolane {

/// Passes everything on to a TraceBuilder and ends the program where an event comes too early.
class CheckingSink final : public EventSink {
public:
    TraceBuilder builder;
    std::uint64_t events = 0;

    void schedSwitch(const SchedSwitch& e) override { take(e.header), builder.schedSwitch(e); }
    void switchRecord(const SwitchRecord& e) override { take(e.header), builder.switchRecord(e); }
    void schedWaking(const SchedWake& e) override { take(e.header), builder.schedWaking(e); }
    void schedWakeup(const SchedWake& e) override { take(e.header), builder.schedWakeup(e); }
    void schedWakeupNew(const SchedWake& e) override { take(e.header), builder.schedWakeupNew(e); }
    void schedMigrateTask(const SchedMigrateTask& e) override {
        take(e.header), builder.schedMigrateTask(e);
    }
    void schedProcessFork(const SchedProcessFork& e) override {
        take(e.header), builder.schedProcessFork(e);
    }
    void schedProcessExec(const SchedProcessExec& e) override {
        take(e.header), builder.schedProcessExec(e);
    }
    void schedProcessExit(const SchedProcessExit& e) override {
        take(e.header), builder.schedProcessExit(e);
    }
    void taskRename(const TaskRename& e) override { take(e.header), builder.taskRename(e); }
    void otherEvent(const EventHeader& header) override {
        take(header), builder.otherEvent(header);
    }
    void lostEvents(const LostEvents& loss) override {
        if (loss.range.begin > loss.range.end || (events > 0 && loss.range.begin < m_last.first))
            std::abort();
        builder.lostEvents(loss);
    }

private:
    void take(const EventHeader& header) {
        const std::pair key(header.time, header.cpu);
        if (header.index != events || header.cpu < 0 || (events > 0 && key < m_last))
            std::abort();
        m_last = key;
        ++events;
    }

    std::pair<Nanos, std::int32_t> m_last;
};

} // namespace twolane
