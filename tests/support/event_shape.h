// Events as recorders of the kernel describe and store them, for files that tests make up.
#pragma once

#include "importers/common/byte_reader.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace twolane::tests {

/// The low `bytes` bytes of `value`.
void putNumber(std::string& to, std::uint64_t value, int bytes, ByteOrder order);
void put8(std::string& to, std::uint64_t value);
void put16(std::string& to, std::uint64_t value, ByteOrder order = ByteOrder::little);
void put32(std::string& to, std::uint64_t value, ByteOrder order = ByteOrder::little);
void put64(std::string& to, std::uint64_t value, ByteOrder order = ByteOrder::little);

/// One event's format text, and records that follow it.
class EventShape {
public:
    using Value = std::variant<std::int64_t, std::string>;

    /// `headerSize` 8 is today's common header; 12 has another field before common_pid.
    EventShape(std::string system, std::string name, std::uint32_t id,
               std::uint32_t headerSize = 8);

    EventShape& integer(std::string_view type, std::string_view name, std::uint32_t size,
                        bool isSigned = true);
    EventShape& text(std::string_view name, std::uint32_t size = 16);
    EventShape& dataLoc(std::string_view name);
    EventShape& relLoc(std::string_view name);
    EventShape& print(std::string_view format);
    /// Of the numbers in records made from now on.
    EventShape& order(ByteOrder order);

    const std::string& system() const { return m_system; }
    std::uint32_t id() const { return m_id; }
    std::string formatText() const;
    /// A record of the current task `pid`, with one value for each field.
    std::string record(std::int32_t pid, const std::vector<Value>& values) const;

private:
    enum class Kind { integer, text, dataLoc, relLoc };
    struct Field {
        Kind kind;
        std::uint32_t offset;
        std::uint32_t size;
    };
    EventShape& add(Kind kind, std::string_view declaration, std::uint32_t size, bool isSigned);

    std::string m_system;
    std::string m_name;
    std::uint32_t m_id;
    ByteOrder m_order = ByteOrder::little;
    std::uint32_t m_pidOffset;
    std::uint32_t m_end;
    std::string m_fieldLines;
    std::string m_print;
    std::vector<Field> m_fields;
};

/// sched_switch and its companions as Linux 6.1 describes them.
EventShape switchShape(std::uint32_t headerSize = 8, std::uint32_t stateSize = 8);
EventShape wakeShape(std::string name, std::uint32_t id);
/// The print format of sched_switch since 4.14.
std::string switchPrintFormat();

/// "prev:1 (raw state) => next:2" in one word.
std::string switchRecord(const EventShape& shape, const std::string& prev, std::int32_t prevPid,
                         std::int64_t state, const std::string& next, std::int32_t nextPid);

} // namespace twolane::tests
