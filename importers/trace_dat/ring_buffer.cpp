#include "importers/trace_dat/ring_buffer.h"

#include <algorithm>

namespace twolane {

PageCursor::Step PageCursor::special(std::uint32_t type, std::uint32_t delta) {
    constexpr std::uint32_t largeEvent = 0;
    constexpr std::uint32_t padding = 29;
    constexpr std::uint32_t timeExtend = 30;
    constexpr int deltaBits = 27;
    constexpr std::uint64_t absoluteBits = std::uint64_t{1} << 59;

    if (type == padding && delta == 0) {
        // Nothing but padding up to the page's end.
        m_stop = true;
        return Step::end;
    }
    if (m_end - m_at < 8)
        return Step::broken;
    const auto second = loadNumber<std::uint32_t>(m_at + 4, m_order);
    const auto left = static_cast<std::uint64_t>(m_end - m_at);
    switch (type) {
    case largeEvent:
        // The second word is the length of itself and the data.
        if (second < 4 || std::uint64_t{second} + 4 > left)
            return Step::broken;
        m_stamp += delta;
        m_data = m_at + 8;
        m_size = second - 4;
        m_at +=
            std::min<std::uint64_t>(left, 4 + ((std::uint64_t{second} + 3) & ~std::uint64_t{3}));
        return Step::event;
    case padding: {
        // An event that was discarded after its place had been taken; its time still counts.
        const std::uint64_t size = 4 + (std::uint64_t{second} & ~std::uint64_t{3});
        if (size > left)
            return Step::broken;
        m_stamp += delta;
        m_at += size;
        return Step::end;
    }
    case timeExtend:
        m_stamp += (std::uint64_t{second} << deltaBits) + delta;
        m_at += 8;
        return Step::end;
    default: {
        // An absolute stamp has room for 59 bits; those above are the ones of the time before, or
        // one more where the low ones have wrapped around since.
        std::uint64_t stamp = (std::uint64_t{second} << deltaBits) + delta;
        const std::uint64_t above = m_stamp & ~(absoluteBits - 1);
        if (above != 0) {
            stamp |= above;
            if (stamp < m_stamp)
                stamp += absoluteBits;
        }
        m_stamp = stamp;
        m_at += 8;
        return Step::end;
    }
    }
}

} // namespace twolane
