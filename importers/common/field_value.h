// Any field of a recorded event as text, for a table.
#pragma once

#include "importers/common/byte_reader.h"
#include "importers/common/event_format.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace twolane {

/// A field's value as text: integers in decimal, addresses in hexadecimal, texts as they are,
/// arrays as "{1, 2}", anything else as hexadecimal bytes. Empty where the record is too short.
std::string fieldValue(const FieldFormat& field, const std::byte* data, std::uint32_t size,
                       ByteOrder order);

} // namespace twolane
