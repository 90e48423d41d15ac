#include "importers/text_events/event_teller.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace twolane {
namespace {

constexpr std::size_t maxNames = 4096; // a kernel has about 2000 events
constexpr std::string_view otherNames = "(more names)";

constexpr std::array<std::string_view, schedEventCount> knownNames{
    "",
    "sched_switch",
    "sched_waking",
    "sched_wakeup",
    "sched_wakeup_new",
    "sched_migrate_task",
    "sched_process_fork",
    "sched_process_exec",
    "sched_process_exit",
    "task_rename",
    "task_newtask",
};

} // namespace

void EventTeller::tell(const EventLine& line, LinePosition position) {
    while (m_loss != m_lastLoss &&
           std::tuple(line.time, line.cpu, position.offset) >
               std::tuple(m_loss->after.time, m_loss->after.cpu, m_loss->afterOffset)) {
        m_sink.lostEvents(m_loss->loss);
        ++m_loss;
    }
    EventHeader header{line.time, line.cpu, line.pid, m_index++};
    const SchedEvent kind = schedEventOf(line.event);
    if (kind == SchedEvent::none) {
        count(line.event);
        const PerfRecord record = perfRecordOf(line.event);
        header.sideBand = record != PerfRecord::none && m_hasSwitches;
        const bool needless = record == PerfRecord::taskSwitch && m_hasSwitches;
        m_switchRecordsUnused += needless ? 1 : 0;
        const bool outside = line.time < m_stamps.begin || line.time > m_stamps.end;
        if (record == PerfRecord::none || needless || (header.sideBand && outside))
            m_sink.otherEvent(header);
        else if (!tellPerf(record, line, header))
            unreadable(position, header);
        return;
    }
    ++m_known[static_cast<std::size_t>(kind)];
    if (!tellSched(kind, line, header))
        unreadable(position, header);
}

void EventTeller::unreadable(LinePosition position, const EventHeader& header) {
    if (m_unreadable++ == 0)
        m_firstUnreadable = position.number;
    m_sink.otherEvent(header);
}

bool EventTeller::tellPerf(PerfRecord kind, const EventLine& line, const EventHeader& header) {
    switch (kind) {
    case PerfRecord::taskSwitch: {
        SwitchRecord event;
        event.header = header;
        if (!parsePerfRecord(line, event))
            return false;
        m_sink.switchRecord(event);
        return true;
    }
    case PerfRecord::comm: {
        TaskRename event;
        event.header = header;
        if (!parsePerfRecord(line, event))
            return false;
        m_sink.taskRename(event);
        return true;
    }
    case PerfRecord::fork: {
        SchedProcessFork event;
        event.header = header;
        if (!parsePerfRecord(line, event))
            return false;
        m_sink.schedProcessFork(event);
        return true;
    }
    case PerfRecord::exit: {
        SchedProcessExit event;
        event.header = header;
        if (!parsePerfRecord(line, event))
            return false;
        m_sink.schedProcessExit(event);
        return true;
    }
    case PerfRecord::none:
        break;
    }
    return false;
}

void EventTeller::finish() {
    for (; m_loss != m_lastLoss; ++m_loss)
        m_sink.lostEvents(m_loss->loss);
}

bool EventTeller::tellSched(SchedEvent kind, const EventLine& line, const EventHeader& header) {
    switch (kind) {
    case SchedEvent::schedSwitch: {
        SchedSwitch event;
        event.header = header;
        PayloadForm form;
        if (!m_fields.parse(line.payload, event, form))
            return false;
        note(form);
        m_switchFields += form.fields ? 1 : 0;
        m_statesNotTold += form.stateTold ? 0 : 1;
        m_tracerEntries += form.comms ? 0 : 1;
        // The column names the same task, and in this form next_comm too is a name from the time of
        // reading.
        if (!form.comms && event.prev_pid > 0 && event.prev_pid == line.pid)
            event.prev_comm = line.comm();
        m_sink.schedSwitch(event);
        return true;
    }
    case SchedEvent::schedWaking:
    case SchedEvent::schedWakeup:
    case SchedEvent::schedWakeupNew: {
        SchedWake event;
        event.header = header;
        PayloadForm form;
        if (!m_fields.parse(line.payload, event, form))
            return false;
        note(form);
        if (kind == SchedEvent::schedWaking)
            m_sink.schedWaking(event);
        else if (kind == SchedEvent::schedWakeup)
            m_sink.schedWakeup(event);
        else
            m_sink.schedWakeupNew(event);
        return true;
    }
    case SchedEvent::schedMigrateTask: {
        SchedMigrateTask event;
        event.header = header;
        if (!m_fields.parse(line.payload, event))
            return false;
        m_sink.schedMigrateTask(event);
        return true;
    }
    case SchedEvent::schedProcessFork:
    case SchedEvent::taskNewtask: {
        SchedProcessFork event;
        event.header = header;
        if (!(kind == SchedEvent::taskNewtask ? m_fields.parseNewtask(line.payload, event)
                                              : m_fields.parse(line.payload, event)))
            return false;
        m_sink.schedProcessFork(event);
        return true;
    }
    case SchedEvent::schedProcessExec: {
        SchedProcessExec event;
        event.header = header;
        if (!m_fields.parse(line.payload, event))
            return false;
        m_sink.schedProcessExec(event);
        return true;
    }
    case SchedEvent::schedProcessExit: {
        SchedProcessExit event;
        event.header = header;
        if (!m_fields.parse(line.payload, event))
            return false;
        m_sink.schedProcessExit(event);
        return true;
    }
    case SchedEvent::taskRename: {
        TaskRename event;
        event.header = header;
        if (!m_fields.parse(line.payload, event))
            return false;
        m_sink.taskRename(event);
        return true;
    }
    case SchedEvent::none:
        break;
    }
    return false;
}

void EventTeller::note(const PayloadForm& form) {
    m_plugins += form.plugin ? 1 : 0;
    m_numericStates += form.numericState ? 1 : 0;
    if (form.unknownState && m_unknownStates++ == 0)
        m_firstUnknownState = form.state;
}

void EventTeller::count(std::string_view name) {
    if (!m_recent || m_recent->first != name) {
        auto found = m_others.find(name);
        if (found == m_others.end())
            found = m_others.emplace(m_others.size() < maxNames ? name : otherNames, 0).first;
        m_recent = &*found;
    }
    ++m_recent->second;
}

std::vector<EventCount> EventTeller::eventCounts() const {
    std::vector<EventCount> counts;
    for (std::size_t i = 1; i < m_known.size(); ++i)
        if (m_known[i] > 0)
            counts.push_back({std::string(knownNames[i]), m_known[i]});
    for (const auto& [name, number] : m_others)
        counts.push_back({name, number});
    std::sort(counts.begin(), counts.end(),
              [](const EventCount& a, const EventCount& b) { return a.event < b.event; });
    return counts;
}

} // namespace twolane
