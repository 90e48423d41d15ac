// Writes down what an importer tells, one line an event, texts copied.
#pragma once

#include "model/event.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace twolane::tests {

class CollectingSink final : public EventSink {
public:
    std::vector<std::string> calls;
    std::vector<EventHeader> headers;  ///< of all events, losses left out
    std::vector<SchedSwitch> switches; ///< their texts are not valid any more
    std::vector<LostEvents> losses;

    void schedSwitch(const SchedSwitch& e) override {
        switches.push_back(e);
        add(e.header,
            fmt::format("switch {}:{}:{} {} > {}:{}:{}", e.prev_comm, e.prev_pid, e.prev_prio,
                        toString(e.prev_state), e.next_comm, e.next_pid, e.next_prio));
    }
    void switchRecord(const SwitchRecord& e) override {
        add(e.header, fmt::format("record {}:{} {}{} {}", e.comm, e.pid, e.out ? "out" : "in",
                                  e.preempted ? " preempted" : "", e.other_pid));
    }
    void schedWaking(const SchedWake& e) override { wake("waking", e); }
    void schedWakeup(const SchedWake& e) override { wake("wakeup", e); }
    void schedWakeupNew(const SchedWake& e) override { wake("wakeup_new", e); }
    void schedMigrateTask(const SchedMigrateTask& e) override {
        add(e.header,
            fmt::format("migrate {}:{}:{} {} > {}", e.comm, e.pid, e.prio, e.orig_cpu, e.dest_cpu));
    }
    void schedProcessFork(const SchedProcessFork& e) override {
        add(e.header, fmt::format("fork {}:{} > {}:{}", e.parent_comm, e.parent_pid, e.child_comm,
                                  e.child_pid));
    }
    void schedProcessExec(const SchedProcessExec& e) override {
        add(e.header, fmt::format("exec {} {} {}", e.filename, e.pid, e.old_pid));
    }
    void schedProcessExit(const SchedProcessExit& e) override {
        add(e.header, fmt::format("exit {}:{}:{}", e.comm, e.pid, e.prio));
    }
    void taskRename(const TaskRename& e) override {
        add(e.header, fmt::format("rename {} {} > {}", e.pid, e.oldcomm, e.newcomm));
    }
    void otherEvent(const EventHeader& header) override { add(header, "other"); }
    void lostEvents(const LostEvents& loss) override {
        losses.push_back(loss);
        calls.push_back(fmt::format("lost cpu{} {}-{} {}", loss.cpu, loss.range.begin,
                                    loss.range.end, loss.count));
    }

private:
    void wake(const char* what, const SchedWake& e) {
        add(e.header, fmt::format("{} {}:{}:{} cpu{}", what, e.comm, e.pid, e.prio, e.target_cpu));
    }
    void add(const EventHeader& header, const std::string& text) {
        headers.push_back(header);
        calls.push_back(text);
    }
};

} // namespace twolane::tests
