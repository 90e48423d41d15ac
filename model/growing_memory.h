// A block of memory that grows without being copied.
#pragma once

#include <cstddef>
#include <utility>

namespace twolane {

/// Large blocks are pages of their own, which mremap() moves to where there is room for more: each
/// page is touched once while a long column is built. malloc() would do the same until the first
/// large block was freed, and then copy.
class GrowingMemory {
public:
    GrowingMemory() = default;
    ~GrowingMemory();
    GrowingMemory(GrowingMemory&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr))
        , m_bytes(std::exchange(other.m_bytes, 0)) {}
    GrowingMemory& operator=(GrowingMemory&& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_bytes, other.m_bytes);
        return *this;
    }

    void* data() { return m_data; }
    std::size_t bytes() const { return m_bytes; }
    /// Makes room for `least` values of `valueSize` bytes, and for half as many again as there was
    /// room for. What is new is not initialised. Throws std::bad_alloc.
    void grow(std::size_t least, std::size_t valueSize);

private:
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace twolane
