// A map from small non-negative numbers (tids, CPU numbers) to dense indices.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace twolane {

/// Numbers below `dense` are looked up directly, others (which only a hostile file has) in a hash
/// map, so that memory never grows with a number alone.
class SparseIndex {
public:
    static constexpr std::uint32_t absent = UINT32_MAX;

    explicit SparseIndex(std::uint32_t dense)
        : m_limit(dense) {}

    std::uint32_t find(std::uint32_t number) const {
        if (number < m_dense.size())
            return m_dense[number];
        if (number < m_limit)
            return absent;
        const auto found = m_rest.find(number);
        return found == m_rest.end() ? absent : found->second;
    }
    void set(std::uint32_t number, std::uint32_t index) {
        if (number >= m_limit) {
            m_rest[number] = index;
            return;
        }
        if (number >= m_dense.size())
            m_dense.resize(number + 1, absent);
        m_dense[number] = index;
    }
    void erase(std::uint32_t number) {
        if (number < m_dense.size())
            m_dense[number] = absent;
        else
            m_rest.erase(number);
    }

private:
    std::uint32_t m_limit;
    std::vector<std::uint32_t> m_dense;
    std::unordered_map<std::uint32_t, std::uint32_t> m_rest;
};

} // namespace twolane
