#include "importers/perf_data/record_walker.h"

#include <algorithm>

namespace twolane {
namespace {

constexpr std::size_t bufferSize = std::size_t{256} << 10; // a record has 64 KiB at most

} // namespace

RecordWalker::RecordWalker(ByteSource& source, std::uint64_t begin, std::uint64_t end,
                           ByteOrder order)
    : m_source(source)
    , m_at(std::min(begin, source.size()))
    , m_end(std::min(end, source.size()))
    , m_order(order)
    , m_buffer(std::make_unique_for_overwrite<std::byte[]>(bufferSize)) {}

bool RecordWalker::has(std::size_t bytes) {
    if (m_end < m_at || m_end - m_at < bytes)
        return false;
    if (m_at >= m_bufferAt && m_at + bytes <= m_bufferAt + m_buffered)
        return true;
    const std::uint64_t left = std::min<std::uint64_t>(m_end - m_at, bufferSize);
    m_bufferAt = m_at;
    m_buffered = m_source.readAvailable(m_at, {m_buffer.get(), static_cast<std::size_t>(left)});
    return m_buffered >= bytes;
}

/// perf writes 16 bits too few of a size of 64 KiB and more; behind the header these records tell
/// how many bytes of data they hold.
std::size_t RecordWalker::compressedSize() {
    constexpr std::size_t head = perfRecordHeaderSize + 8;
    if (!has(head))
        return 0;
    const std::byte* from = m_buffer.get() + (m_at - m_bufferAt);
    const auto data = loadNumber<std::uint64_t>(from + perfRecordHeaderSize, m_order);
    if (data > bufferSize)
        return 0;
    return (head + static_cast<std::size_t>(data) + 7) / 8 * 8;
}

std::optional<PerfRecord> RecordWalker::next() {
    if (!has(perfRecordHeaderSize))
        return std::nullopt;
    const std::byte* from = m_buffer.get() + (m_at - m_bufferAt);
    PerfRecord record;
    record.type = static_cast<PerfType>(loadNumber<std::uint32_t>(from, m_order));
    record.misc = loadNumber<std::uint16_t>(from + 4, m_order);
    std::size_t size = loadNumber<std::uint16_t>(from + 6, m_order);
    if (record.type == PerfType::compressed2)
        size = std::max(size, compressedSize());
    if (size < perfRecordHeaderSize || size > bufferSize || !has(size))
        return std::nullopt;
    from = m_buffer.get() + (m_at - m_bufferAt);
    record.offset = m_at;
    record.body = {from + perfRecordHeaderSize, size - perfRecordHeaderSize};
    m_at += size;
    return record;
}

void RecordWalker::skip(std::uint64_t bytes) {
    m_at += std::min(bytes, m_end - m_at);
}

} // namespace twolane
