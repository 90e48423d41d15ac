// The descriptions of events that a recording carries: trace.dat and perf.data hold them alike.
#pragma once

#include "importers/common/byte_reader.h"
#include "importers/common/event_format.h"
#include "model/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace twolane {

/// An integer field; size 0: the record has none.
struct IntegerField {
    std::uint32_t offset = 0;
    std::uint8_t size = 0;
    bool isSigned = false;
};

/// All event formats of a file. Their texts are kept and taken apart only when asked for: a file
/// may describe 2,000 events and record ten of them.
class EventFormats {
public:
    explicit EventFormats(ByteOrder order = ByteOrder::little);

    /// A count, then so many formats, each behind its length: those of the tracers.
    void readTracers(ByteReader& reader);
    /// A count, then so many systems: a name, and formats as above.
    void readSystems(ByteReader& reader);
    /// Whether events can be told apart; nothing where they can.
    std::optional<Error> fault() const;

    /// The event's name, or empty where the file does not describe it.
    std::string_view name(std::uint32_t id) const;
    std::optional<EventFormat> format(std::uint32_t id) const;
    std::optional<EventFormat> formatByName(std::string_view system, std::string_view name) const;
    /// The system of an event, "ftrace" for the ones of the tracers; empty where it is not known.
    std::string_view system(std::uint32_t id) const;

    /// Of the numbers in records.
    ByteOrder byteOrder() const { return m_byteOrder; }
    /// Where the event's id is in every record.
    const FieldFormat& commonType() const { return m_commonType; }
    /// Where the pid of the current task is in records of events that the file does not describe.
    const IntegerField& commonPid() const { return m_commonPid; }

private:
    struct Entry {
        std::size_t begin = 0;
        std::size_t size = 0;
        std::uint32_t system = 0; ///< its place in m_systems
    };
    void readList(ByteReader& reader);
    void add(std::size_t begin);
    std::string_view text(const Entry& entry) const {
        return std::string_view(m_texts).substr(entry.begin, entry.size);
    }

    ByteOrder m_byteOrder;
    std::string m_texts;
    std::vector<std::string> m_systems;
    std::unordered_map<std::uint32_t, Entry> m_byId;
    FieldFormat m_commonType;
    IntegerField m_commonPid;
};

} // namespace twolane
