// Pages of the kernel's ring buffer, as trace-cmd stores them: a header with the time of the first
// record, then records that carry the time since the one before. A record's first word has 5 bits
// of type and 27 of time, the type in the low bits on little-endian machines and in the high ones
// on big-endian ones (struct ring_buffer_event of include/linux/ring_buffer.h).
#pragma once

#include "importers/common/byte_reader.h"

#include <cstddef>
#include <cstdint>

namespace twolane {

/// Where the parts of a page are, in bytes. The defaults are those of 64-bit kernels.
struct PageLayout {
    std::uint32_t stampOffset = 0;
    std::uint32_t commitOffset = 8;
    std::uint32_t wordSize = 8; ///< of the kernel's long: 4 or 8
    std::uint32_t dataOffset = 16;
    ByteOrder order = ByteOrder::little;
};

/// What a page's header tells.
struct PageHeader {
    std::uint64_t stamp = 0;
    std::uint32_t dataSize = 0;    ///< bytes of records
    bool missed = false;           ///< events were lost before the first record
    std::int64_t missedCount = -1; ///< -1: not told
    bool valid = false;            ///< false: the sizes do not fit into the page
};

/// Reads the header of a page of which `size` bytes are there.
inline PageHeader readPageHeader(const std::byte* page, std::uint32_t size,
                                 const PageLayout& layout) {
    constexpr std::uint32_t sizeMask = (1U << 27) - 1;
    constexpr std::uint32_t missedStored = 1U << 30;
    constexpr std::uint32_t missedEvents = 1U << 31;
    PageHeader header;
    if (size < layout.dataOffset)
        return header;
    header.stamp = loadNumber<std::uint64_t>(page + layout.stampOffset, layout.order);
    // The flags are in the low 32 bits whatever the size of the word.
    const std::uint32_t low = layout.order == ByteOrder::big
                                  ? layout.commitOffset + layout.wordSize - 4
                                  : layout.commitOffset;
    const auto commit = loadNumber<std::uint32_t>(page + low, layout.order);
    header.dataSize = commit & sizeMask;
    if (header.dataSize > size - layout.dataOffset)
        return header;
    header.valid = true;
    header.missed = (commit & missedEvents) != 0;
    const std::uint64_t behind = std::uint64_t{layout.dataOffset} + header.dataSize;
    if (header.missed && (commit & missedStored) != 0 && behind + layout.wordSize <= size) {
        const std::uint64_t count = layout.wordSize == 8
                                        ? loadNumber<std::uint64_t>(page + behind, layout.order)
                                        : loadNumber<std::uint32_t>(page + behind, layout.order);
        if (count > 0 && count <= static_cast<std::uint64_t>(INT64_MAX))
            header.missedCount = static_cast<std::int64_t>(count);
    }
    return header;
}

/// Walks over the records of one page. `page` must outlive it.
class PageCursor {
public:
    enum class Step : std::uint8_t { event, end, broken };

    PageCursor() = default;
    PageCursor(const std::byte* page, const PageHeader& header, const PageLayout& layout)
        : m_at(page + layout.dataOffset)
        , m_end(m_at + header.dataSize)
        , m_stamp(header.stamp)
        , m_order(layout.order) {}

    /// Goes on to the next event. `broken`: the rest of the page makes no sense.
    Step next() {
        while (m_end - m_at >= 4) {
            const auto word = loadNumber<std::uint32_t>(m_at, m_order);
            const bool big = m_order == ByteOrder::big;
            const std::uint32_t type = big ? word >> 27 : word & 31;
            const std::uint32_t delta = big ? word & ((1U << 27) - 1) : word >> 5;
            if (type - 1 < 28) {
                const std::uint32_t size = type * 4;
                if (static_cast<std::size_t>(m_end - m_at) < size + 4)
                    return Step::broken;
                m_stamp += delta;
                m_data = m_at + 4;
                m_size = size;
                m_at += size + 4;
                return Step::event;
            }
            const Step step = special(type, delta);
            if (step != Step::end)
                return step;
            if (m_stop)
                return Step::end;
        }
        return m_at == m_end ? Step::end : Step::broken;
    }

    std::uint64_t stamp() const { return m_stamp; }
    const std::byte* data() const { return m_data; }
    std::uint32_t size() const { return m_size; }
    const std::byte* at() const { return m_at; }

    /// Back to an event of the same page: where the next record is, the event's data and time.
    /// False where these places are not inside the page.
    bool restore(const std::byte* at, const std::byte* data, std::uint32_t size,
                 std::uint64_t stamp) {
        if (data < m_at || data > at || at > m_end || static_cast<std::size_t>(m_end - data) < size)
            return false;
        m_at = at;
        m_data = data;
        m_size = size;
        m_stamp = stamp;
        return true;
    }

private:
    /// Everything but a small event. `end` means here: go on with the next record.
    Step special(std::uint32_t type, std::uint32_t delta);

    const std::byte* m_at = nullptr;
    const std::byte* m_end = nullptr;
    std::uint64_t m_stamp = 0;
    const std::byte* m_data = nullptr;
    std::uint32_t m_size = 0;
    ByteOrder m_order = ByteOrder::little;
    bool m_stop = false;
};

} // namespace twolane
