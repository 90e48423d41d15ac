// A sink that keeps everything it is told, texts copied, one line of text an event.
#pragma once

#include "importers/importer.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twolane::tests {

/// What was told, in order. `lines` are "TIME CPU PID INDEX NAME fields…" and "TIME..TIME CPU lost
/// N".
class CollectingSink final : public EventSink {
public:
    std::vector<std::string> lines;
    std::vector<EventHeader> headers;  ///< of events, in order
    std::vector<SchedSwitch> switches; ///< their texts are kept in `texts`
    std::vector<LostEvents> losses;

    void schedSwitch(const SchedSwitch& e) override {
        add(e.header,
            fmt::format("switch {}:{}:{} {} => {}:{}:{}", e.prev_comm, e.prev_pid, e.prev_prio,
                        e.prev_state.state == TaskState::unknown ? "?" : toString(e.prev_state),
                        e.next_comm, e.next_pid, e.next_prio));
        SchedSwitch kept = e;
        kept.prev_comm = keep(e.prev_comm);
        kept.next_comm = keep(e.next_comm);
        switches.push_back(kept);
    }
    void switchRecord(const SwitchRecord& e) override {
        add(e.header, fmt::format("record {}:{} {}{} {}", e.comm, e.pid, e.out ? "out" : "in",
                                  e.preempted ? " preempted" : "", e.other_pid));
    }
    void schedWaking(const SchedWake& e) override { wake("waking", e); }
    void schedWakeup(const SchedWake& e) override { wake("wakeup", e); }
    void schedWakeupNew(const SchedWake& e) override { wake("wakeup_new", e); }
    void schedMigrateTask(const SchedMigrateTask& e) override {
        add(e.header, fmt::format("migrate {}:{}:{} {} => {}", e.comm, e.pid, e.prio, e.orig_cpu,
                                  e.dest_cpu));
    }
    void schedProcessFork(const SchedProcessFork& e) override {
        add(e.header, fmt::format("fork {}:{} => {}:{}", e.parent_comm, e.parent_pid, e.child_comm,
                                  e.child_pid));
    }
    void schedProcessExec(const SchedProcessExec& e) override {
        add(e.header, fmt::format("exec {} {} {}", e.filename, e.pid, e.old_pid));
    }
    void schedProcessExit(const SchedProcessExit& e) override {
        add(e.header, fmt::format("exit {}:{}:{}", e.comm, e.pid, e.prio));
    }
    void taskRename(const TaskRename& e) override {
        add(e.header, fmt::format("rename {} {} => {}", e.pid, e.oldcomm, e.newcomm));
    }
    void otherEvent(const EventHeader& header) override { add(header, "other"); }
    void lostEvents(const LostEvents& loss) override {
        losses.push_back(loss);
        lines.push_back(fmt::format("{}..{} {} lost {}", loss.range.begin, loss.range.end, loss.cpu,
                                    loss.count));
    }

private:
    void wake(std::string_view name, const SchedWake& e) {
        add(e.header, fmt::format("{} {}:{}:{} on {}", name, e.comm, e.pid, e.prio, e.target_cpu));
    }
    void add(const EventHeader& h, std::string_view rest) {
        headers.push_back(h);
        lines.push_back(fmt::format("{} {} {} {} {}", h.time, h.cpu, h.pid, h.index, rest));
    }
    std::string_view keep(std::string_view text) {
        // Interned for the life of the sink: a list never moves its elements.
        for (const auto& kept : m_texts)
            if (*kept == text)
                return *kept;
        m_texts.push_back(std::make_unique<std::string>(text));
        return *m_texts.back();
    }
    std::vector<std::unique_ptr<std::string>> m_texts;
};

/// One import with all that it tells.
struct Import {
    CollectingSink sink;
    TraceInfo info;
    Diagnostics diagnostics;
    Status status = success();
};

} // namespace twolane::tests
