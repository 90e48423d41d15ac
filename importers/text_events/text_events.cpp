#include "importers/text_events/text_events.h"

#include "importers/common/sched_fields.h"
#include "importers/common/text_number.h"

#include <fmt/format.h>

#include <algorithm>

namespace twolane {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;
using std::string_view;

// Behind an event its stack is looked for: the kernel's has at most 127 frames, and other CPUs' may
// stand before it.
constexpr std::size_t maxStackLines = 2048;

bool isNameChar(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The length of "name=" at the front of `text`, 0 where there is none.
std::size_t keyLength(string_view text) {
    std::size_t n = 0;
    while (n < text.size() && isNameChar(text[n]))
        ++n;
    return n > 0 && !isDigit(text[0]) && n < text.size() && text[n] == '=' ? n + 1 : 0;
}

bool addPairs(string_view text, Fields& fields) {
    std::size_t key = keyLength(text);
    if (key == 0)
        return false;
    while (key > 0) {
        std::size_t end = key;
        std::size_t nextKey = 0;
        for (; end < text.size(); ++end)
            if (text[end] == ' ' && (nextKey = keyLength(text.substr(end + 1))) > 0)
                break;
        string_view value = text.substr(key, end - key);
        while (!value.empty() && isBlank(value.back()))
            value.remove_suffix(1);
        fields.emplace_back(text.substr(0, key - 1), value);
        text.remove_prefix(end == text.size() ? end : end + 1);
        key = nextKey;
    }
    return true;
}

void add(Fields& fields, string_view name, string_view value) {
    fields.emplace_back(name, value);
}
void add(Fields& fields, string_view name, std::int32_t value) {
    fields.emplace_back(name, fmt::to_string(value));
}

/// Comms may look like pairs, so these are taken apart as for the model.
bool addSched(const EventLine& line, Fields& fields) {
    SchedFields parser;
    PayloadForm form;
    EventHeader header;
    header.pid = line.pid;
    switch (schedEventOf(line.event)) {
    case SchedEvent::schedSwitch: {
        SchedSwitch event;
        event.header = header;
        if (!parser.parse(line.payload, event, form))
            return false;
        if (form.comms)
            add(fields, "prev_comm", event.prev_comm);
        add(fields, "prev_pid", event.prev_pid);
        add(fields, "prev_prio", event.prev_prio);
        if (form.stateTold)
            add(fields, "prev_state", form.state);
        add(fields, "next_comm", event.next_comm);
        add(fields, "next_pid", event.next_pid);
        add(fields, "next_prio", event.next_prio);
        return true;
    }
    case SchedEvent::schedWaking:
    case SchedEvent::schedWakeup:
    case SchedEvent::schedWakeupNew: {
        SchedWake event;
        if (!parser.parse(line.payload, event, form))
            return false;
        add(fields, "comm", event.comm);
        add(fields, "pid", event.pid);
        add(fields, "prio", event.prio);
        if (event.target_cpu >= 0)
            add(fields, "target_cpu", event.target_cpu);
        return true;
    }
    case SchedEvent::schedMigrateTask: {
        SchedMigrateTask event;
        if (!parser.parse(line.payload, event))
            return false;
        add(fields, "comm", event.comm);
        add(fields, "pid", event.pid);
        add(fields, "prio", event.prio);
        add(fields, "orig_cpu", event.orig_cpu);
        add(fields, "dest_cpu", event.dest_cpu);
        return true;
    }
    case SchedEvent::schedProcessFork: {
        SchedProcessFork event;
        if (!parser.parse(line.payload, event))
            return false;
        add(fields, "parent_comm", event.parent_comm);
        add(fields, "parent_pid", event.parent_pid);
        add(fields, "child_comm", event.child_comm);
        add(fields, "child_pid", event.child_pid);
        return true;
    }
    case SchedEvent::schedProcessExit: {
        SchedProcessExit event;
        if (!parser.parse(line.payload, event))
            return false;
        add(fields, "comm", event.comm);
        add(fields, "pid", event.pid);
        add(fields, "prio", event.prio);
        return true;
    }
    default: // their comms, if any, are told well enough by pairs
        return false;
    }
}

} // namespace

std::vector<std::pair<std::string, std::string>> payloadFields(const EventLine& line) {
    Fields fields;
    if (addSched(line, fields) || addPairs(line.payload, fields))
        return fields;
    if (!line.payload.empty())
        add(fields, "text", line.payload);
    return fields;
}

Result<RecordedEvent> TextEventReader::at(std::uint64_t index) {
    if (index >= m_offsets.size())
        return Error{m_source->name(), fmt::format("has no event {}", index), "",
                     fmt::format("it has {} events, numbered from 0", m_offsets.size())};
    const std::uint64_t offset = m_offsets[static_cast<std::size_t>(index)];
    Result<std::string_view> text = m_fetcher.at(offset);
    if (!text)
        return text.error();
    EventLine line;
    if (m_parser->parse(*text, line) != LineKind::event)
        return Error{m_source->name(), "has changed since it was loaded",
                     fmt::format("byte {}", offset), "open it again"};
    RecordedEvent event;
    event.header = {line.time, line.cpu, line.pid, index};
    event.name = line.event;
    event.task = line.comm();
    event.fields = payloadFields(line);
    if (m_stacks)
        if (std::string stack = stackBehind(line.cpu); !stack.empty())
            event.fields.emplace_back("stack", std::move(stack));
    return event;
}

// Frames stand behind a line of their own (the stack's title), which names the CPU again: in
// between there may be events of other CPUs. trace-cmd's stacks are events that the frames directly
// follow.
std::string TextEventReader::stackBehind(std::int32_t cpu) {
    std::string stack;
    bool mine = true;
    for (std::size_t lines = 0; lines < maxStackLines && m_fetcher.next() != UINT64_MAX; ++lines) {
        const Result<std::string_view> text = m_fetcher.at(m_fetcher.next());
        if (!text)
            break;
        EventLine line;
        switch (m_parser->parse(*text, line)) {
        case LineKind::stackFrame:
            if (mine) {
                std::string_view frame = text->substr(text->find("=>") + 2);
                frame.remove_prefix(std::min(frame.find_first_not_of(' '), frame.size()));
                stack += (stack.empty() ? "" : "\n") + std::string(frame);
            }
            break;
        case LineKind::stackTitle:
            mine = line.cpu == cpu;
            break;
        case LineKind::event:
            if (line.cpu == cpu)
                return stack;
            mine = false;
            break;
        default:
            mine = false;
            break;
        }
    }
    return stack;
}

} // namespace twolane
