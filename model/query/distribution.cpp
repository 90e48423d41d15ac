#include "model/query/distribution.h"

#include <algorithm>

namespace twolane {

std::optional<Nanos> Distribution::mean() const {
    if (m_values.empty())
        return std::nullopt;
    __extension__ using Wide = __int128;
    Wide sum = 0;
    for (const Nanos value : m_values)
        sum += value;
    const auto n = static_cast<Wide>(m_values.size());
    return static_cast<Nanos>((sum + n / 2) / n);
}

std::optional<Nanos> Distribution::permille(std::uint32_t permille) {
    if (m_values.empty())
        return std::nullopt;
    const std::uint64_t rank = std::max<std::uint64_t>((permille * n() + 999) / 1000, 1);
    const auto place = m_values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(m_values.begin(), place, m_values.end());
    return *place;
}

} // namespace twolane
