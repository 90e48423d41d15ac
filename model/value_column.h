// A growing array of fixed-size values.
#pragma once

#include "model/growing_memory.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace twolane {

/// Like std::vector for plain values, but it grows in place where it can: see GrowingMemory.
/// What resize() adds is not initialised.
template <class T>
class ValueColumn {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    ValueColumn() = default;
    ValueColumn(ValueColumn&& other) noexcept
        : m_memory(std::move(other.m_memory))
        , m_data(std::exchange(other.m_data, nullptr))
        , m_size(std::exchange(other.m_size, 0))
        , m_capacity(std::exchange(other.m_capacity, 0)) {}
    ValueColumn& operator=(ValueColumn&& other) noexcept {
        std::swap(m_memory, other.m_memory);
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
        return *this;
    }

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const T* data() const { return m_data; }
    const T* begin() const { return m_data; }
    const T* end() const { return m_data + m_size; }
    const T& front() const { return m_data[0]; }
    const T& back() const { return m_data[m_size - 1]; }
    T& operator[](std::size_t i) { return m_data[i]; }
    const T& operator[](std::size_t i) const { return m_data[i]; }

    void push_back(T value) {
        if (m_size == m_capacity)
            grow(m_size + 1);
        m_data[m_size++] = value;
    }
    void resize(std::size_t size) {
        if (size > m_capacity)
            grow(size);
        m_size = size;
    }

private:
    void grow(std::size_t least) {
        m_memory.grow(least, sizeof(T));
        m_data = static_cast<T*>(m_memory.data());
        m_capacity = m_memory.bytes() / sizeof(T);
    }

    GrowingMemory m_memory;
    T* m_data = nullptr;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

} // namespace twolane
