#include "model/build/gap_list.h"

#include <algorithm>

namespace twolane {

void GapList::add(TimeRange gap) {
    if (gap.empty())
        return;
    m_begins.push_back(gap.begin);
    m_latestEnds.push_back(m_latestEnds.empty() ? gap.end : std::max(m_latestEnds.back(), gap.end));
}

bool GapList::overlaps(TimeRange range) const {
    return firstInside(range).has_value();
}

std::optional<Nanos> GapList::firstInside(TimeRange range) const {
    if (m_begins.empty() || m_latestEnds.back() <= range.begin)
        return std::nullopt; // the usual case
    // The first gap that ends after the range begins is, among all that do, the one that begins
    // first: begins ascend, and it is the one that raised the latest end.
    const auto ends = std::upper_bound(m_latestEnds.begin(), m_latestEnds.end(), range.begin);
    const Nanos begin = m_begins[static_cast<std::size_t>(ends - m_latestEnds.begin())];
    if (begin >= range.end)
        return std::nullopt;
    return std::max(begin, range.begin);
}

} // namespace twolane
