// Nearest-rank percentiles of exact values.
#pragma once

#include "model/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace twolane {

/// A collection of durations in ns. Percentiles are values that occurred: nothing is interpolated.
class Distribution {
public:
    void add(Nanos value) { m_values.push_back(value); }
    void reserve(std::size_t n) { m_values.reserve(n); }

    std::uint64_t n() const { return m_values.size(); }
    /// Rounded to the nearest ns; nothing where n() is 0.
    std::optional<Nanos> mean() const;
    /// The value of rank ceil(permille · n / 1000), counted from 1 in ascending order. Reorders
    /// the values inside; nothing where n() is 0.
    std::optional<Nanos> permille(std::uint32_t permille);
    std::optional<Nanos> percentile(std::uint32_t percent) { return permille(percent * 10); }
    std::optional<Nanos> max() { return permille(1000); }
    /// All of them, in no particular order.
    std::span<const Nanos> values() const { return m_values; }

private:
    std::vector<Nanos> m_values;
};

} // namespace twolane
