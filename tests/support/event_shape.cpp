#include "tests/support/event_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace twolane::tests {

void putNumber(std::string& to, std::uint64_t value, int bytes, ByteOrder order) {
    for (int i = 0; i < bytes; ++i)
        to.push_back(static_cast<char>(
            value >> (8 * (order == ByteOrder::little ? i : bytes - 1 - i)) & 0xff));
}
void put8(std::string& to, std::uint64_t value) {
    putNumber(to, value, 1, ByteOrder::little);
}
void put16(std::string& to, std::uint64_t value, ByteOrder order) {
    putNumber(to, value, 2, order);
}
void put32(std::string& to, std::uint64_t value, ByteOrder order) {
    putNumber(to, value, 4, order);
}
void put64(std::string& to, std::uint64_t value, ByteOrder order) {
    putNumber(to, value, 8, order);
}

EventShape::EventShape(std::string system, std::string name, std::uint32_t id,
                       std::uint32_t headerSize)
    : m_system(std::move(system))
    , m_name(std::move(name))
    , m_id(id)
    , m_pidOffset(headerSize - 4)
    , m_end(headerSize) {}

EventShape& EventShape::add(Kind kind, std::string_view declaration, std::uint32_t size,
                            bool isSigned) {
    const std::uint32_t alignment = kind == Kind::integer ? size : kind == Kind::text ? 1 : 4;
    m_end = (m_end + alignment - 1) / alignment * alignment;
    m_fields.push_back({kind, m_end, size});
    m_fieldLines += fmt::format("\tfield:{};\toffset:{};\tsize:{};\tsigned:{};\n", declaration,
                                m_end, size, isSigned ? 1 : 0);
    m_end += size;
    return *this;
}

EventShape& EventShape::integer(std::string_view type, std::string_view name, std::uint32_t size,
                                bool isSigned) {
    return add(Kind::integer, fmt::format("{} {}", type, name), size, isSigned);
}
EventShape& EventShape::text(std::string_view name, std::uint32_t size) {
    return add(Kind::text, fmt::format("char {}[{}]", name, size), size, true);
}
EventShape& EventShape::dataLoc(std::string_view name) {
    return add(Kind::dataLoc, fmt::format("__data_loc char[] {}", name), 4, true);
}
EventShape& EventShape::relLoc(std::string_view name) {
    return add(Kind::relLoc, fmt::format("__rel_loc char[] {}", name), 4, true);
}
EventShape& EventShape::print(std::string_view format) {
    m_print = format;
    return *this;
}

EventShape& EventShape::order(ByteOrder order) {
    m_order = order;
    return *this;
}

std::string EventShape::formatText() const {
    std::string text =
        fmt::format("name: {}\nID: {}\nformat:\n"
                    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
                    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n",
                    m_name, m_id);
    if (m_pidOffset > 4)
        text += "\tfield:unsigned char common_preempt_lazy_count;\toffset:4;\tsize:1;\tsigned:0;\n";
    text += fmt::format("\tfield:int common_pid;\toffset:{};\tsize:4;\tsigned:1;\n\n", m_pidOffset);
    return text + m_fieldLines + "\nprint fmt: " + (m_print.empty() ? "\"\"" : m_print) + "\n";
}

std::string EventShape::record(std::int32_t pid, const std::vector<Value>& values) const {
    if (values.size() != m_fields.size())
        throw std::runtime_error("a value for each field");
    std::string bytes;
    put16(bytes, m_id, m_order);
    bytes.resize(m_pidOffset);
    put32(bytes, static_cast<std::uint32_t>(pid), m_order);
    bytes.resize(m_end);
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        const Field& field = m_fields[i];
        std::string value;
        if (const auto* number = std::get_if<std::int64_t>(&values[i])) {
            putNumber(value, static_cast<std::uint64_t>(*number), static_cast<int>(field.size), m_order);
        } else {
            const std::string& text = std::get<std::string>(values[i]);
            if (field.kind == Kind::text) {
                value = text.substr(0, field.size);
                value.resize(field.size);
            } else {
                std::uint64_t place = bytes.size();
                if (field.kind == Kind::relLoc)
                    place -= field.offset + 4;
                put32(value, place | (text.size() + 1) << 16, m_order);
                bytes += text;
                bytes.push_back('\0');
            }
        }
        bytes.replace(field.offset, field.size, value);
    }
    bytes.resize((bytes.size() + 3) / 4 * 4);
    return bytes;
}
std::string switchPrintFormat() {
    const std::string above = "(((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | "
                              "0x00000010 | 0x00000020 | 0x00000040) + 1) << 1)";
    return "\"prev_state=%s%s\", (REC->prev_state & (" + above +
           " - 1)) ? __print_flags(REC->prev_state & (" + above +
           " - 1), \"|\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, "
           "{ 0x00000008, \"t\" }, { 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, "
           "{ 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\", REC->prev_state & " +
           above + " ? \"+\" : \"\", REC->next_comm";
}

EventShape switchShape(std::uint32_t headerSize, std::uint32_t stateSize) {
    EventShape shape("sched", "sched_switch", 314, headerSize);
    shape.text("prev_comm").integer("pid_t", "prev_pid", 4).integer("int", "prev_prio", 4);
    if (stateSize > 0)
        shape.integer("long", "prev_state", stateSize);
    shape.text("next_comm").integer("pid_t", "next_pid", 4).integer("int", "next_prio", 4);
    return shape.print(switchPrintFormat());
}

EventShape wakeShape(std::string name, std::uint32_t id) {
    EventShape shape("sched", std::move(name), id);
    shape.text("comm")
        .integer("pid_t", "pid", 4)
        .integer("int", "prio", 4)
        .integer("int", "target_cpu", 4);
    return shape;
}

std::string switchRecord(const EventShape& shape, const std::string& prev, std::int32_t prevPid,
                         std::int64_t state, const std::string& next, std::int32_t nextPid) {
    // Shapes without prev_state have six fields.
    std::vector<EventShape::Value> values{prev, std::int64_t{prevPid}, std::int64_t{120}};
    if (shape.formatText().find(" prev_state;") != std::string::npos)
        values.emplace_back(state);
    values.insert(values.end(), {next, std::int64_t{nextPid}, std::int64_t{120}});
    return shape.record(prevPid, values);
}

} // namespace twolane::tests
