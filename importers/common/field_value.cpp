#include "importers/common/field_value.h"

#include "importers/common/event_decoder.h"

#include <fmt/format.h>

namespace twolane {
namespace {

std::string integerText(const FieldFormat& field, const std::byte* from, std::uint32_t size,
                        ByteOrder order) {
    std::uint64_t value = 0;
    std::int64_t asSigned = 0;
    switch (size) {
    case 1:
        value = loadNumber<std::uint8_t>(from, order);
        asSigned = loadNumber<std::int8_t>(from, order);
        break;
    case 2:
        value = loadNumber<std::uint16_t>(from, order);
        asSigned = loadNumber<std::int16_t>(from, order);
        break;
    case 4:
        value = loadNumber<std::uint32_t>(from, order);
        asSigned = loadNumber<std::int32_t>(from, order);
        break;
    default:
        value = loadNumber<std::uint64_t>(from, order);
        asSigned = loadNumber<std::int64_t>(from, order);
    }
    // An unsigned long is a number, or an address: those are beyond what is ever counted.
    constexpr std::uint64_t addresses = std::uint64_t{1} << 40;
    if (field.isPointer || (field.isLong && value >= addresses))
        return fmt::format("{:#x}", value);
    return field.isSigned ? fmt::format("{}", asSigned) : fmt::format("{}", value);
}

} // namespace

std::string fieldValue(const FieldFormat& field, const std::byte* data, std::uint32_t size,
                       ByteOrder order) {
    if (field.end() > size)
        return {};
    const std::byte* from = data + field.offset;
    using Kind = FieldFormat::Kind;
    switch (field.kind) {
    case Kind::integer:
        return integerText(field, from, field.size, order);
    case Kind::text:
    case Kind::dynamicText:
    case Kind::relativeText:
        return std::string(fieldText(field, data, size, order));
    case Kind::array: {
        std::string text = "{";
        for (std::uint32_t i = 0; i < field.size; i += field.elementSize)
            text += (i ? ", " : "") + integerText(field, from + i, field.elementSize, order);
        return text + "}";
    }
    case Kind::bytes:
        break;
    }
    std::string text;
    for (std::uint32_t i = 0; i < field.size; ++i)
        text += fmt::format("{}{:02x}", i ? " " : "", loadNumber<std::uint8_t>(from + i, order));
    return text;
}

} // namespace twolane
