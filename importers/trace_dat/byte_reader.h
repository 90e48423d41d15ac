// Reads little-endian numbers and texts one after the other, within bounds.
#pragma once

#include "importers/common/byte_source.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace twolane {

/// The little-endian number at `from`, whatever its alignment.
template <class T>
T loadLittle(const std::byte* from) {
    static_assert(std::is_integral_v<T>);
    // Big-endian machines are not supported by this reader (checked when the project is built).
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Walks over `[offset, limit)` of a source. The first read that does not fit fails, and so do all
/// after it: callers may read several values and ask ok() once.
class ByteReader {
public:
    ByteReader(ByteSource& source, std::uint64_t offset, std::uint64_t limit);

    bool ok() const { return !m_failed; }
    /// Where the next byte comes from.
    std::uint64_t position() const { return m_position; }
    std::uint64_t left() const { return m_failed ? 0 : m_limit - m_position; }

    std::uint8_t u8() { return number<std::uint8_t>(); }
    std::uint16_t u16() { return number<std::uint16_t>(); }
    std::uint32_t u32() { return number<std::uint32_t>(); }
    std::uint64_t u64() { return number<std::uint64_t>(); }
    /// Up to the next NUL, which is passed over. Fails where there is none within `longest` bytes.
    std::string text(std::size_t longest);
    /// Appends `count` bytes. Nothing is reserved before they are known to be there.
    void append(std::string& to, std::uint64_t count);
    void skip(std::uint64_t count);

private:
    template <class T>
    T number() {
        std::array<std::byte, sizeof(T)> bytes{};
        take(bytes);
        return m_failed ? T{0} : loadLittle<T>(bytes.data());
    }
    void take(std::span<std::byte> to);
    bool fill();

    ByteSource& m_source;
    std::uint64_t m_position;
    std::uint64_t m_limit;
    bool m_failed = false;
    std::vector<std::byte> m_buffer; // holds [m_bufferAt, m_bufferAt + its size) of the source
    std::uint64_t m_bufferAt = 0;
};

} // namespace twolane
