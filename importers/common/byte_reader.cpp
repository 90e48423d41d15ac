#include "importers/common/byte_reader.h"

#include <algorithm>

namespace twolane {
namespace {

constexpr std::size_t bufferSize = std::size_t{16} << 10;

} // namespace

ByteReader::ByteReader(ByteSource& source, std::uint64_t offset, std::uint64_t limit,
                       ByteOrder order)
    : m_source(source)
    , m_position(offset)
    , m_limit(std::min(limit, source.size()))
    , m_order(order) {
    if (offset > m_limit)
        m_failed = true;
}

bool ByteReader::fill() {
    m_buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(bufferSize, left())));
    m_bufferAt = m_position;
    m_buffer.resize(m_source.readAvailable(m_position, m_buffer));
    if (m_buffer.empty())
        m_failed = true;
    return !m_failed;
}

void ByteReader::take(std::span<std::byte> to) {
    if (to.size() > left())
        m_failed = true;
    while (!m_failed && !to.empty()) {
        if (m_position < m_bufferAt || m_position >= m_bufferAt + m_buffer.size())
            if (!fill())
                return;
        const auto at = static_cast<std::size_t>(m_position - m_bufferAt);
        const std::size_t count = std::min(to.size(), m_buffer.size() - at);
        std::memcpy(to.data(), m_buffer.data() + at, count);
        m_position += count;
        to = to.subspan(count);
    }
}

std::string ByteReader::text(std::size_t longest) {
    std::string result;
    while (!m_failed) {
        if (left() == 0 || result.size() > longest) {
            m_failed = true;
            break;
        }
        if (m_position < m_bufferAt || m_position >= m_bufferAt + m_buffer.size())
            if (!fill())
                break;
        const auto at = static_cast<std::size_t>(m_position - m_bufferAt);
        const char* begin = reinterpret_cast<const char*>(m_buffer.data()) + at;
        const std::size_t there = std::min<std::size_t>(m_buffer.size() - at, longest + 1);
        const void* end = std::memchr(begin, 0, there);
        const std::size_t count =
            end ? static_cast<std::size_t>(static_cast<const char*>(end) - begin) : there;
        result.append(begin, count);
        m_position += count + (end ? 1 : 0);
        if (end)
            return result;
    }
    return {};
}

void ByteReader::append(std::string& to, std::uint64_t count) {
    if (count > left())
        m_failed = true;
    while (!m_failed && count > 0) {
        if (m_position < m_bufferAt || m_position >= m_bufferAt + m_buffer.size())
            if (!fill())
                return;
        const auto at = static_cast<std::size_t>(m_position - m_bufferAt);
        const auto part =
            static_cast<std::size_t>(std::min<std::uint64_t>(count, m_buffer.size() - at));
        to.append(reinterpret_cast<const char*>(m_buffer.data()) + at, part);
        m_position += part;
        count -= part;
    }
}

void ByteReader::skip(std::uint64_t count) {
    if (count > left())
        m_failed = true;
    else
        m_position += count;
}

} // namespace twolane
