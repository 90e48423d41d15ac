#include "importers/trace_dat/dat_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace twolane {
namespace {

constexpr std::uint64_t largestFormat = 1U << 20;

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

Result<EventFormats> readEventFormats(ByteSource& source, const DatContainer& container) {
    EventFormats formats(container.byteOrder);
    {
        auto section = openSection(source, container, DatSection::ftraceFormats);
        if (!section)
            return section.error();
        ByteReader reader = section->reader();
        formats.readTracers(reader);
    }
    auto section = openSection(source, container, DatSection::eventFormats);
    if (!section)
        return section.error();
    ByteReader reader = section->reader();
    formats.readSystems(reader);
    if (auto fault = formats.fault()) {
        if (fault->where.empty())
            fault->where = fmt::format("byte {}", reader.position());
        return *fault;
    }
    return formats;
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
