// Reads numbers and texts one after the other, within bounds, in the order of bytes of the machine
// that wrote them.
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

enum class ByteOrder : std::uint8_t { little, big };

/// The number at `from`, whatever its alignment.
template <class T>
T loadNumber(const std::byte* from, ByteOrder order) {
    static_assert(std::is_integral_v<T>);
    constexpr ByteOrder native =
        std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big;
    T value;
    std::memcpy(&value, from, sizeof value);
    if (order == native) [[likely]]
        return value;
    if constexpr (sizeof value == 8)
        return static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(value)));
    else if constexpr (sizeof value == 4)
        return static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(value)));
    else if constexpr (sizeof value == 2)
        return static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(value)));
    else
        return value;
}

/// Walks over `[offset, limit)` of a source. The first read that does not fit fails, and so do all
/// after it: callers may read several values and ask ok() once.
class ByteReader {
public:
    ByteReader(ByteSource& source, std::uint64_t offset, std::uint64_t limit, ByteOrder order);

    bool ok() const { return !m_failed; }
    ByteOrder order() const { return m_order; }
    /// For a file that tells its order in its first bytes.
    void setOrder(ByteOrder order) { m_order = order; }
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
        return m_failed ? T{0} : loadNumber<T>(bytes.data(), m_order);
    }
    void take(std::span<std::byte> to);
    bool fill();

    ByteSource& m_source;
    std::uint64_t m_position;
    std::uint64_t m_limit;
    ByteOrder m_order;
    bool m_failed = false;
    std::vector<std::byte> m_buffer; // holds [m_bufferAt, m_bufferAt + its size) of the source
    std::uint64_t m_bufferAt = 0;
};

} // namespace twolane
