// The kernel's description of an event (events/<system>/<event>/format), as it is stored in
// trace.dat and perf.data files: where the fields of a record are, and how it is printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twolane {

/// One "field:TYPE NAME; offset:N; size:N; signed:N;".
struct FieldFormat {
    enum class Kind : std::uint8_t {
        integer,      ///< 1, 2, 4 or 8 bytes
        text,         ///< a char array of fixed size, ended by NUL if shorter
        dynamicText,  ///< __data_loc char[]: 16 bits of offset in the record, 16 bits of length
        relativeText, ///< __rel_loc char[]: the same, the offset counted from the field's end
        array,        ///< several integers, `elementSize` bytes each
        bytes,        ///< anything else
    };

    std::string name;
    std::string type;         ///< as written, without the name: "unsigned long", "char[16]"
    std::uint32_t offset = 0; ///< bytes from the record's begin
    std::uint32_t size = 0;   ///< bytes
    std::uint32_t elementSize = 0;
    bool isSigned = false;
    bool isPointer = false;
    bool isLong = false;   ///< an unsigned long, which may be an address
    bool isCommon = false; ///< of the header that all events share
    Kind kind = Kind::integer;

    /// The first byte behind the field.
    std::uint64_t end() const { return std::uint64_t{offset} + size; }
};

struct EventFormat {
    std::string name; ///< without its system
    std::uint32_t id = 0;
    std::vector<FieldFormat> fields; ///< in the text's order, the common ones included
    std::string_view printFormat;    ///< what follows "print fmt:"; a part of the parsed text

    /// The field called so, or nullptr.
    const FieldFormat* field(std::string_view fieldName) const;
};

/// What a format text is about, found without parsing the rest. Points into the text.
struct EventIdentity {
    std::string_view name;
    std::uint32_t id = 0;
};
std::optional<EventIdentity> identifyFormat(std::string_view text);

/// Reads one format text. Lines that are not understood are passed over; nothing where name or ID
/// is missing. A field that overlaps the end of the address space, or of more than 64 KiB, is left
/// out. Takes time linear in the text.
std::optional<EventFormat> parseEventFormat(std::string_view text);

/// The fields of a text that has only "field:" lines, such as events/header_page.
std::vector<FieldFormat> parseFields(std::string_view text);

} // namespace twolane
