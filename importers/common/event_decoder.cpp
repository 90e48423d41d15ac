#include "importers/common/event_decoder.h"

#include "importers/common/prev_state_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <string>

namespace twolane {
namespace {

std::string_view endedText(const std::byte* data, std::size_t size) {
    const char* begin = reinterpret_cast<const char*>(data);
    const void* end = std::memchr(begin, 0, size);
    return {begin, end ? static_cast<std::size_t>(static_cast<const char*>(end) - begin) : size};
}

/// Bytes before the first NUL of 16, without a loop: nearly all names of tasks are read by it.
std::size_t lengthIn16(const std::byte* text) {
    const auto zeros = [](std::uint64_t word) {
        return (word - 0x0101010101010101U) & ~word & 0x8080808080808080U;
    };
    const std::uint64_t low = zeros(loadNumber<std::uint64_t>(text, ByteOrder::little));
    if (low != 0)
        return static_cast<std::size_t>(std::countr_zero(low)) / 8;
    const std::uint64_t high = zeros(loadNumber<std::uint64_t>(text + 8, ByteOrder::little));
    return high != 0 ? 8 + static_cast<std::size_t>(std::countr_zero(high)) / 8 : 16;
}

/// A text whose place the record itself tells.
std::string_view placedText(std::uint32_t offset, bool relative, const std::byte* data,
                            std::uint32_t size, ByteOrder order) {
    const auto place = loadNumber<std::uint32_t>(data + offset, order);
    std::uint64_t begin = place & 0xffff;
    const std::uint64_t length = place >> 16;
    if (relative)
        begin += std::uint64_t{offset} + 4;
    if (begin > size || length > size - begin)
        return {};
    return endedText(data + begin, static_cast<std::size_t>(length));
}

} // namespace

std::string_view fieldText(const FieldFormat& field, const std::byte* data, std::uint32_t size,
                           ByteOrder order) {
    if (field.end() > size)
        return {};
    switch (field.kind) {
    case FieldFormat::Kind::text:
        return endedText(data + field.offset, field.size);
    case FieldFormat::Kind::dynamicText:
        return placedText(field.offset, false, data, size, order);
    case FieldFormat::Kind::relativeText:
        return placedText(field.offset, true, data, size, order);
    default:
        return {};
    }
}

EventDecoder::EventDecoder(const EventFormats& formats, std::string_view release, EventSink& sink,
                           Diagnostics& diagnostics)
    : m_formats(formats)
    , m_order(formats.byteOrder())
    , m_sink(sink)
    , m_diagnostics(diagnostics)
    , m_planOfId(65536) {
    m_unreadable.needed = UINT32_MAX;
    chooseStates(release);
}

void EventDecoder::chooseStates(std::string_view release) {
    const auto format = m_formats.formatByName("sched", "sched_switch");
    if (!format || !format->field("prev_state"))
        return;
    if (auto fromFormat = prevStateFromPrintFormat(format->printFormat)) {
        m_states = std::move(*fromFormat);
        return;
    }
    if (auto fromRelease = PrevStateDecoder::forRelease(release)) {
        m_states = std::move(*fromRelease);
        return;
    }
    m_diagnostics.add({"prev_state_guessed", Severity::info, 1,
                       "the file does not explain the states of tasks; those of Linux 4.14 and "
                       "later are assumed",
                       "", ""});
}

EventDecoder::Integer EventDecoder::integer(const EventFormat& format, std::string_view name,
                                            Plan& plan) {
    const FieldFormat* field = format.field(name);
    if (!field || field->kind != FieldFormat::Kind::integer)
        return {};
    plan.needed = std::max(plan.needed, static_cast<std::uint32_t>(field->end()));
    return {field->offset, static_cast<std::uint8_t>(field->size), field->isSigned};
}

EventDecoder::Text EventDecoder::text(const EventFormat& format, std::string_view name,
                                      Plan& plan) {
    const FieldFormat* field = format.field(name);
    if (!field)
        return {};
    using Kind = FieldFormat::Kind;
    if (field->kind != Kind::text && field->kind != Kind::dynamicText &&
        field->kind != Kind::relativeText)
        return {};
    plan.needed = std::max(plan.needed, static_cast<std::uint32_t>(field->end()));
    return {field->offset, field->size, field->kind};
}

EventDecoder::Plan& EventDecoder::compile(std::uint32_t id) {
    Plan plan;
    plan.id = id;
    if (const auto format = m_formats.format(id)) {
        const std::string_view system = m_formats.system(id);
        if (system == "sched" || system == "task")
            plan.kind = schedEventOf(format->name);
        plan.pid = integer(*format, "common_pid", plan);
        const auto number = [&](std::string_view name) { return integer(*format, name, plan); };
        const auto words = [&](std::string_view name) { return text(*format, name, plan); };
        // The places in the arrays are those that decode() looks at.
        switch (plan.kind) {
        case SchedEvent::schedSwitch:
            plan.integers = {number("prev_pid"), number("prev_prio"), number("prev_state"),
                             number("next_pid"), number("next_prio")};
            plan.texts = {words("prev_comm"), words("next_comm")};
            break;
        case SchedEvent::schedWaking:
        case SchedEvent::schedWakeup:
        case SchedEvent::schedWakeupNew:
            plan.integers = {number("pid"), number("prio"), number("target_cpu")};
            if (plan.integers[2].size == 0)
                plan.integers[2] = number("cpu"); // before 2.6.33
            plan.texts = {words("comm")};
            break;
        case SchedEvent::schedMigrateTask:
            plan.integers = {number("pid"), number("prio"), number("orig_cpu"), number("dest_cpu")};
            plan.texts = {words("comm")};
            break;
        case SchedEvent::schedProcessFork:
            plan.integers = {number("child_pid"), number("parent_pid")};
            plan.texts = {words("parent_comm"), words("child_comm")};
            break;
        case SchedEvent::schedProcessExec:
            plan.integers = {number("pid"), number("old_pid")};
            plan.texts = {words("filename")};
            break;
        case SchedEvent::schedProcessExit:
            plan.integers = {number("pid"), number("prio")};
            plan.texts = {words("comm")};
            break;
        case SchedEvent::taskNewtask:
            plan.integers = {number("pid")};
            plan.texts = {words("comm")};
            break;
        case SchedEvent::taskRename:
            plan.integers = {number("pid")};
            plan.texts = {words("oldcomm"), words("newcomm")};
            break;
        case SchedEvent::none:
            break;
        }
        const bool useless = plan.integers[0].size == 0 ||
                             (plan.kind == SchedEvent::schedSwitch && plan.integers[3].size == 0);
        if (plan.kind != SchedEvent::none && useless) {
            m_diagnostics.add({"event_format", Severity::error, 1,
                               "events were not used because their format names no task",
                               format->name, ""});
            plan.kind = SchedEvent::none;
        }
    } else {
        plan.pid = m_formats.commonPid();
    }
    if (plan.kind == SchedEvent::none)
        plan.needed = plan.pid.offset + plan.pid.size;
    m_plans.push_back(plan);
    m_planOfId[id] = static_cast<std::uint32_t>(m_plans.size());
    return m_plans.back();
}

inline EventDecoder::Plan& EventDecoder::planFor(const std::byte* data, std::uint32_t size) {
    const FieldFormat& type = m_formats.commonType();
    if (type.end() > size) [[unlikely]]
        return m_unreadable;
    std::uint32_t id = 0;
    if (type.size == 2) [[likely]]
        id = loadNumber<std::uint16_t>(data + type.offset, m_order);
    else
        id = static_cast<std::uint32_t>(
            load({type.offset, static_cast<std::uint8_t>(type.size), false}, data) & 0xffff);
    const std::uint32_t place = m_planOfId[id];
    return place != 0 ? m_plans[place - 1U] : compile(id);
}

inline std::uint64_t EventDecoder::load(const Integer& field, const std::byte* data) const {
    const std::byte* from = data + field.offset;
    switch (field.size) {
    case 4:
        return loadNumber<std::uint32_t>(from, m_order);
    case 8:
        return loadNumber<std::uint64_t>(from, m_order);
    case 2:
        return loadNumber<std::uint16_t>(from, m_order);
    default:
        return loadNumber<std::uint8_t>(from, m_order);
    }
}

inline std::int32_t EventDecoder::value(const Integer& field, const std::byte* data,
                                        std::int32_t absent) const {
    const std::byte* from = data + field.offset;
    switch (field.size) {
    case 4:
        return loadNumber<std::int32_t>(from, m_order);
    case 0:
        return absent;
    case 8:
        return static_cast<std::int32_t>(loadNumber<std::uint64_t>(from, m_order));
    case 2:
        return field.isSigned ? loadNumber<std::int16_t>(from, m_order)
                              : loadNumber<std::uint16_t>(from, m_order);
    default:
        return field.isSigned ? loadNumber<std::int8_t>(from, m_order)
                              : loadNumber<std::uint8_t>(from, m_order);
    }
}

inline std::string_view EventDecoder::view(const Text& field, const std::byte* data,
                                           std::uint32_t size) const {
    if (field.kind != FieldFormat::Kind::text)
        return placedText(field.offset, field.kind == FieldFormat::Kind::relativeText, data, size,
                          m_order);
    const std::byte* begin = data + field.offset;
    if (field.size == 16) [[likely]]
        return {reinterpret_cast<const char*>(begin), lengthIn16(begin)};
    return endedText(begin, field.size);
}

inline PrevState EventDecoder::prevState(std::uint64_t raw) {
    CachedState& cached = m_stateCache[(raw ^ (raw >> 6)) % m_stateCache.size()];
    if (!cached.known || cached.raw != raw)
        cached = {raw, m_states.fromRaw(raw), true};
    return cached.state;
}

void EventDecoder::shortRecord(const Plan& plan, const EventHeader& header) {
    m_diagnostics.add({"short_record", Severity::dataLoss, 1,
                       "records that are shorter than their format could not be used",
                       fmt::format("event {} on CPU {}", plan.id, header.cpu),
                       "copy or record the file again"});
    m_sink.otherEvent(header);
}

void EventDecoder::decode(std::int32_t cpu, Nanos time, std::uint64_t index, const std::byte* data,
                          std::uint32_t size) {
    Plan& plan = planFor(data, size);
    ++plan.count;
    EventHeader header{time, cpu, -1, index};
    if (plan.needed > size) [[unlikely]]
        return shortRecord(plan, header);
    header.pid = value(plan.pid, data, -1);
    const auto number = [&](std::size_t i, std::int32_t absent = -1) {
        return value(plan.integers[i], data, absent);
    };
    const auto words = [&](std::size_t i) {
        const Text& field = plan.texts[i];
        return field.size == 0 ? std::string_view{} : view(field, data, size);
    };
    switch (plan.kind) {
    case SchedEvent::none:
        m_sink.otherEvent(header);
        break;
    case SchedEvent::schedSwitch: {
        SchedSwitch event;
        event.header = header;
        event.prev_comm = words(0);
        event.prev_pid = number(0);
        event.prev_prio = number(1, 0);
        if (plan.integers[2].size != 0)
            event.prev_state = prevState(load(plan.integers[2], data));
        event.next_comm = words(1);
        event.next_pid = number(3);
        event.next_prio = number(4, 0);
        m_sink.schedSwitch(event);
        break;
    }
    case SchedEvent::schedWaking:
        m_sink.schedWaking({header, words(0), number(0), number(1, 0), number(2)});
        break;
    case SchedEvent::schedWakeup:
        m_sink.schedWakeup({header, words(0), number(0), number(1, 0), number(2)});
        break;
    case SchedEvent::schedWakeupNew:
        m_sink.schedWakeupNew({header, words(0), number(0), number(1, 0), number(2)});
        break;
    case SchedEvent::schedMigrateTask:
        m_sink.schedMigrateTask({header, words(0), number(0), number(1, 0), number(2), number(3)});
        break;
    case SchedEvent::schedProcessFork:
        m_sink.schedProcessFork({header, words(0), number(1), words(1), number(0)});
        break;
    case SchedEvent::taskNewtask:
        // It runs in the parent's context.
        m_sink.schedProcessFork({header, {}, header.pid, words(0), number(0)});
        break;
    case SchedEvent::schedProcessExec:
        m_sink.schedProcessExec({header, words(0), number(0), number(1)});
        break;
    case SchedEvent::schedProcessExit:
        m_sink.schedProcessExit({header, words(0), number(0), number(1, 0)});
        break;
    case SchedEvent::taskRename:
        m_sink.taskRename({header, number(0), words(0), words(1)});
        break;
    }
}

std::vector<EventCount> EventDecoder::counts() const {
    std::map<std::string, std::uint64_t> byName;
    for (const Plan& plan : m_plans) {
        const std::string_view name = m_formats.name(plan.id);
        if (plan.count > 0)
            byName[name.empty() ? fmt::format("event {}", plan.id) : std::string(name)] +=
                plan.count;
    }
    if (m_unreadable.count > 0)
        byName["event without id"] += m_unreadable.count;
    std::vector<EventCount> counts;
    for (const auto& [name, count] : byName)
        counts.push_back({name, count});
    return counts;
}

} // namespace twolane
