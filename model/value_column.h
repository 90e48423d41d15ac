// A growing array of fixed-size values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace twolane {

/// Like std::vector for plain values, but it grows in place where it can: realloc() moves the
/// pages of a large block instead of copying them, so that building long columns touches each page
/// once. What resize() adds is not initialised.
template <class T>
class ValueColumn {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    ValueColumn() = default;
    ~ValueColumn() { std::free(m_data); }
    ValueColumn(ValueColumn&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr))
        , m_size(std::exchange(other.m_size, 0))
        , m_capacity(std::exchange(other.m_capacity, 0)) {}
    ValueColumn& operator=(ValueColumn&& other) noexcept {
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
        std::size_t capacity = m_capacity + m_capacity / 2;
        if (capacity < least)
            capacity = least;
        if (capacity < smallest)
            capacity = smallest;
        if (capacity > SIZE_MAX / sizeof(T))
            throw std::bad_alloc();
        void* grown = std::realloc(m_data, capacity * sizeof(T));
        if (!grown)
            throw std::bad_alloc();
        m_data = static_cast<T*>(grown);
        m_capacity = capacity;
    }

    static constexpr std::size_t smallest = 64;

    T* m_data = nullptr;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

} // namespace twolane
