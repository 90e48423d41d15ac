#include "importers/common/event_formats.h"

#include <fmt/format.h>

#include <utility>

namespace twolane {
namespace {

constexpr std::size_t mostEvents = 65536; // their ids have 16 bits
constexpr std::uint64_t largestFormat = 1U << 20;
constexpr std::uint64_t mostText = std::uint64_t{32} << 20;

} // namespace

EventFormats::EventFormats(ByteOrder order)
    : m_byteOrder(order) {
    m_commonType.name = "common_type";
    m_commonType.size = 2;
}

void EventFormats::readList(ByteReader& reader) {
    for (std::uint32_t count = reader.u32(); count > 0 && reader.ok(); --count) {
        const std::uint64_t size = reader.u64();
        const std::size_t begin = m_texts.size();
        if (size > largestFormat || begin + size > mostText) {
            reader.skip(size);
        } else if (size > 0) {
            reader.append(m_texts, size);
            add(begin);
        }
    }
}

void EventFormats::readTracers(ByteReader& reader) {
    m_systems.emplace_back("ftrace");
    readList(reader);
}

void EventFormats::readSystems(ByteReader& reader) {
    for (std::uint32_t systems = reader.u32(); systems > 0 && reader.ok(); --systems) {
        std::string system = reader.text(4096);
        // A damaged count must not make a list of empty names.
        if (m_systems.size() < mostEvents)
            m_systems.push_back(std::move(system));
        readList(reader);
    }
}

std::optional<Error> EventFormats::fault() const {
    if (m_byId.empty())
        return Error{"", "describes no event", "", "the file is damaged; copy or record it again"};
    const std::uint32_t size = m_commonType.size;
    if (size != 1 && size != 2 && size != 4)
        return Error{"", "describes ids of events in a way that is not known", "",
                     "print it with the tool that recorded it, and open the text"};
    return std::nullopt;
}

void EventFormats::add(std::size_t begin) {
    const Entry entry{begin, m_texts.size() - begin,
                      static_cast<std::uint32_t>(m_systems.size() - 1)};
    const auto identity = identifyFormat(text(entry));
    if (!identity || identity->id >= mostEvents) {
        m_texts.resize(begin);
        return;
    }
    if (m_byId.empty()) {
        const auto first = parseEventFormat(text(entry));
        if (const FieldFormat* type = first ? first->field("common_type") : nullptr)
            m_commonType = *type;
        if (const FieldFormat* pid = first ? first->field("common_pid") : nullptr)
            if (pid->kind == FieldFormat::Kind::integer)
                m_commonPid = {pid->offset, static_cast<std::uint8_t>(pid->size), pid->isSigned};
    }
    m_byId.insert_or_assign(identity->id, entry);
}

std::string_view EventFormats::name(std::uint32_t id) const {
    const auto found = m_byId.find(id);
    if (found == m_byId.end())
        return {};
    const auto identity = identifyFormat(text(found->second));
    return identity ? identity->name : std::string_view{};
}

std::optional<EventFormat> EventFormats::format(std::uint32_t id) const {
    const auto found = m_byId.find(id);
    if (found == m_byId.end())
        return std::nullopt;
    return parseEventFormat(text(found->second));
}

std::string_view EventFormats::system(std::uint32_t id) const {
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? std::string_view{} : m_systems[found->second.system];
}

std::optional<EventFormat> EventFormats::formatByName(std::string_view system,
                                                      std::string_view name) const {
    for (const auto& [id, entry] : m_byId) {
        if (m_systems[entry.system] != system)
            continue;
        const auto identity = identifyFormat(text(entry));
        if (identity && identity->name == name)
            return parseEventFormat(text(entry));
    }
    return std::nullopt;
}

} // namespace twolane
