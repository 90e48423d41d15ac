#include "importers/common/event_format.h"

#include <algorithm>
#include <charconv>

namespace twolane {
namespace {

constexpr std::uint32_t largestField = 64U << 10;
constexpr std::size_t mostFields = 4096;

std::string_view trim(std::string_view text) {
    constexpr std::string_view space = " \t\r";
    const std::size_t first = text.find_first_not_of(space);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// Takes the text up to `end` (or all of it) off the front.
std::string_view takeUntil(std::string_view& text, char end) {
    const std::size_t at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return taken;
}

std::optional<std::uint32_t> number(std::string_view text) {
    text = trim(text);
    std::uint32_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

bool hasWord(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
        const auto inWord = [&](std::size_t i) {
            return i < text.size() &&
                   (text[i] == '_' || (text[i] >= '0' && text[i] <= '9') ||
                    (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z'));
        };
        if (!(at > 0 && inWord(at - 1)) && !inWord(at + word.size()))
            return true;
    }
    return false;
}

/// Kernels before 2.6.33 wrote no "signed:".
bool looksSigned(std::string_view type) {
    return !hasWord(type, "unsigned") && !hasWord(type, "u8") && !hasWord(type, "u16") &&
           !hasWord(type, "u32") && !hasWord(type, "u64") && !hasWord(type, "size_t") &&
           type.find('*') == std::string_view::npos;
}

bool isIntegerSize(std::uint32_t size) {
    return size == 1 || size == 2 || size == 4 || size == 8;
}

void classify(FieldFormat& field, std::uint32_t elements) {
    const std::string_view type = field.type;
    const bool chars = hasWord(type, "char");
    const bool isArray = type.find('[') != std::string_view::npos;
    field.isPointer = type.find('*') != std::string_view::npos;
    field.isLong = hasWord(type, "unsigned") && hasWord(type, "long") &&
                   type.find("long long") == std::string_view::npos;
    if (type.starts_with("__data_loc") || type.starts_with("__rel_loc")) {
        const bool relative = type.starts_with("__rel_loc");
        if (field.size != 4 || !chars)
            field.kind = FieldFormat::Kind::bytes;
        else
            field.kind =
                relative ? FieldFormat::Kind::relativeText : FieldFormat::Kind::dynamicText;
    } else if (isArray && chars) {
        field.kind = FieldFormat::Kind::text;
    } else if (isArray) {
        field.kind = FieldFormat::Kind::bytes;
        if (elements > 0 && field.size % elements == 0 && isIntegerSize(field.size / elements)) {
            field.kind = FieldFormat::Kind::array;
            field.elementSize = field.size / elements;
        }
    } else {
        field.kind =
            isIntegerSize(field.size) ? FieldFormat::Kind::integer : FieldFormat::Kind::bytes;
    }
}

std::optional<FieldFormat> parseField(std::string_view line) {
    line = trim(line);
    constexpr std::string_view opening = "field:";
    constexpr std::string_view special = "field special:";
    if (line.starts_with(opening))
        line.remove_prefix(opening.size());
    else if (line.starts_with(special))
        line.remove_prefix(special.size());
    else
        return std::nullopt;

    const std::string_view declaration = trim(takeUntil(line, ';'));
    std::optional<std::uint32_t> offset;
    std::optional<std::uint32_t> size;
    std::optional<std::uint32_t> isSigned;
    while (!line.empty()) {
        std::string_view value = trim(takeUntil(line, ';'));
        const std::string_view key = takeUntil(value, ':');
        if (key == "offset")
            offset = number(value);
        else if (key == "size")
            size = number(value);
        else if (key == "signed")
            isSigned = number(value);
    }
    if (!offset || !size || *size == 0 || *size > largestField || *offset > largestField)
        return std::nullopt;

    // "TYPE NAME", "TYPE NAME[N]", "TYPE *NAME", "__data_loc TYPE[] NAME".
    std::string_view name = declaration;
    std::string_view dimension;
    if (name.ends_with(']')) {
        const std::size_t open = name.rfind('[');
        if (open == std::string_view::npos)
            return std::nullopt;
        dimension = name.substr(open);
        name = trim(name.substr(0, open));
    }
    const std::size_t before = name.find_last_of(" \t*]");
    if (before == std::string_view::npos)
        return std::nullopt;
    FieldFormat field;
    field.type = std::string(trim(name.substr(0, before + 1))) + std::string(dimension);
    field.name = std::string(name.substr(before + 1));
    if (field.name.empty())
        return std::nullopt;
    field.offset = *offset;
    field.size = *size;
    field.isSigned = isSigned ? *isSigned != 0 : looksSigned(field.type);
    field.isCommon = field.name.starts_with("common_");
    std::uint32_t elements = 0;
    if (dimension.size() > 2)
        elements = number(dimension.substr(1, dimension.size() - 2)).value_or(0);
    classify(field, elements);
    return field;
}

constexpr std::string_view printOpening = "print fmt:";

} // namespace

const FieldFormat* EventFormat::field(std::string_view fieldName) const {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const FieldFormat& f) { return f.name == fieldName; });
    return found == fields.end() ? nullptr : &*found;
}

std::optional<EventIdentity> identifyFormat(std::string_view text) {
    EventIdentity identity;
    bool hasId = false;
    // Both stand in the first two lines of every kernel's text.
    for (int i = 0; i < 8 && !text.empty() && (identity.name.empty() || !hasId); ++i) {
        std::string_view line = trim(takeUntil(text, '\n'));
        if (line.starts_with("name:")) {
            identity.name = trim(line.substr(5));
        } else if (line.starts_with("ID:")) {
            const auto id = number(line.substr(3));
            if (!id)
                return std::nullopt;
            identity.id = *id;
            hasId = true;
        }
    }
    if (identity.name.empty() || !hasId)
        return std::nullopt;
    return identity;
}

std::optional<EventFormat> parseEventFormat(std::string_view text) {
    const auto identity = identifyFormat(text);
    if (!identity)
        return std::nullopt;
    EventFormat format;
    format.name = std::string(identity->name);
    format.id = identity->id;
    std::string_view rest = text;
    if (text.starts_with(printOpening))
        rest = {};
    const std::size_t print = text.find("\nprint fmt:");
    if (print != std::string_view::npos) {
        format.printFormat = text.substr(print + 1 + printOpening.size());
        rest = text.substr(0, print);
    }
    format.fields = parseFields(rest);
    return format;
}

std::vector<FieldFormat> parseFields(std::string_view text) {
    std::vector<FieldFormat> fields;
    while (!text.empty() && fields.size() < mostFields)
        if (auto field = parseField(takeUntil(text, '\n')))
            fields.push_back(std::move(*field));
    return fields;
}

} // namespace twolane
