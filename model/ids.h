// Dense indices that do not mix.
#pragma once

#include <compare>
#include <cstdint>

namespace twolane {

/// A four-byte index into one kind of table. Ids of different kinds neither convert nor compare.
template <class Tag>
class Id {
public:
    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t value)
        : m_value(value) {}

    constexpr bool valid() const { return m_value != none; }
    constexpr std::uint32_t value() const { return m_value; }
    constexpr auto operator<=>(const Id&) const = default;

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    std::uint32_t m_value = none;
};

/// One life of one task in one trace (tids are reused; a tid is only an attribute of a life).
using TaskId = Id<struct TaskTag>;
/// A text kept once by a StringPool: a comm, most of the time.
using StringId = Id<struct StringTag>;

} // namespace twolane
