#include "importers/trace_dat/event_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace twolane {
namespace {

constexpr std::size_t mostEvents = 65536; // their ids have 16 bits
constexpr std::uint64_t largestFormat = 1U << 20;
constexpr std::uint64_t mostText = std::uint64_t{32} << 20;

Error badPage(std::string what) {
    return Error{"", std::move(what), "", "print it with 'trace-cmd report' and open the text"};
}

} // namespace

Result<PageLayout> readPageLayout(ByteSource& source, const DatContainer& container) {
    auto section = openSection(source, container, DatSection::headers);
    if (!section)
        return section.error();
    ByteReader reader = section->reader();
    std::string texts[2]; // header_page, header_event
    for (std::string& text : texts) {
        reader.text(32);
        const std::uint64_t size = reader.u64();
        if (size > largestFormat)
            break;
        reader.append(text, size);
    }
    PageLayout layout;
    layout.order = container.byteOrder;
    if (texts[0].empty())
        return layout;

    EventFormat page;
    page.fields = parseFields(texts[0]);
    const FieldFormat* stamp = page.field("timestamp");
    const FieldFormat* commit = page.field("commit");
    const FieldFormat* data = page.field("data");
    if (!stamp || !commit || !data || stamp->size != 8 || (commit->size != 4 && commit->size != 8))
        return badPage("describes its pages in a way that is not known");
    layout.stampOffset = stamp->offset;
    layout.commitOffset = commit->offset;
    layout.wordSize = commit->size;
    layout.dataOffset = data->offset;
    if (std::max(stamp->end(), commit->end()) > layout.dataOffset)
        return badPage("describes pages whose header overlaps their data");
    // Kernels up to 2.6.30 packed records in another way.
    if (const std::size_t at = texts[1].find("type_len"); at != std::string::npos) {
        const std::string_view line = std::string_view(texts[1]).substr(at);
        if (line.substr(0, line.find('\n')).find(" 5 bits") == std::string_view::npos)
            return badPage("packs its records in a way that is not known");
    }
    return layout;
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

Result<EventFormats> EventFormats::read(ByteSource& source, const DatContainer& container) {
    EventFormats formats;
    formats.m_byteOrder = container.byteOrder;
    formats.m_commonType.name = "common_type";
    formats.m_commonType.size = 2;
    const auto readList = [&](ByteReader& reader) {
        for (std::uint32_t count = reader.u32(); count > 0 && reader.ok(); --count) {
            const std::uint64_t size = reader.u64();
            const std::size_t begin = formats.m_texts.size();
            if (size > largestFormat || begin + size > mostText) {
                reader.skip(size);
            } else if (size > 0) {
                reader.append(formats.m_texts, size);
                formats.add(begin);
            }
        }
    };
    formats.m_systems.emplace_back("ftrace");
    {
        auto section = openSection(source, container, DatSection::ftraceFormats);
        if (!section)
            return section.error();
        ByteReader reader = section->reader();
        readList(reader);
    }
    auto section = openSection(source, container, DatSection::eventFormats);
    if (!section)
        return section.error();
    ByteReader reader = section->reader();
    for (std::uint32_t systems = reader.u32(); systems > 0 && reader.ok(); --systems) {
        std::string system = reader.text(4096);
        // A damaged count must not make a list of empty names.
        if (formats.m_systems.size() < mostEvents)
            formats.m_systems.push_back(std::move(system));
        readList(reader);
    }
    if (formats.m_byId.empty())
        return Error{"", "describes no event", fmt::format("byte {}", reader.position()),
                     "the file is damaged; copy or record it again"};
    const std::uint32_t size = formats.m_commonType.size;
    if (size != 1 && size != 2 && size != 4)
        return Error{"", "describes ids of events in a way that is not known", "",
                     "print it with 'trace-cmd report' and open the text"};
    return formats;
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

std::unordered_map<std::int32_t, std::string> readCommandLines(ByteSource& source,
                                                               const DatContainer& container) {
    std::unordered_map<std::int32_t, std::string> names;
    auto section = openSection(source, container, DatSection::commandLines);
    if (!section)
        return names;
    ByteReader reader = section->reader();
    const std::uint64_t size = reader.u64();
    std::string all;
    if (size > largestFormat * 4)
        return names;
    reader.append(all, size);
    std::string_view rest = all;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        std::int32_t pid = 0;
        const auto [last, code] = std::from_chars(line.data(), line.data() + line.size(), pid);
        if (code != std::errc{} || last == line.data() + line.size() || *last != ' ')
            continue;
        names.emplace(pid,
                      std::string(line.substr(static_cast<std::size_t>(last - line.data()) + 1)));
    }
    return names;
}

} // namespace twolane
