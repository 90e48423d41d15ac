#include "importers/common/line_reader.h"

#include <cstring>
#include <utility>

namespace twolane {

LineReader::LineReader(ByteSource& source, GoOnFn goOn, std::uint64_t begin, std::uint64_t end)
    : m_source(source)
    , m_goOn(std::move(goOn))
    , m_end(end)
    , m_bufferOffset(begin)
    , m_buffer(new char[bufferSize]) {
    if (begin == 0 && refill() && m_filled >= 3 &&
        std::memcmp(m_buffer.get(), "\xEF\xBB\xBF", 3) == 0)
        m_begin = 3;
}

// Moves what is left of the buffer to its front and reads behind it. False where nothing came.
bool LineReader::refill() {
    if (m_atEnd || m_failure)
        return false;
    if (m_goOn && !m_goOn(m_bufferOffset + m_filled)) {
        m_failure = Error{m_source.name(), "interrupted", "", "", true};
        return false;
    }
    const std::size_t left = m_filled - m_begin;
    if (left > 0 && m_begin > 0)
        std::memmove(m_buffer.get(), m_buffer.get() + m_begin, left);
    m_bufferOffset += m_begin;
    m_begin = 0;
    m_filled = left;
    Result<std::size_t> got =
        m_source.read(m_bufferOffset + left,
                      std::as_writable_bytes(std::span(m_buffer.get() + left, bufferSize - left)));
    if (!got) {
        m_failure = got.error();
        return false;
    }
    m_filled += *got;
    m_atEnd = m_filled < bufferSize;
    return *got > 0;
}

bool LineReader::next(RawLine& line) {
    std::size_t searched = 0;
    for (;;) {
        const std::uint64_t offset = m_bufferOffset + m_begin;
        if (offset >= m_end || m_failure)
            return false;
        const char* begin = m_buffer.get() + m_begin;
        const std::size_t available = m_filled - m_begin;
        const void* found = std::memchr(begin + searched, '\n', available - searched);
        std::size_t length = available;
        if (found) {
            length = static_cast<std::size_t>(static_cast<const char*>(found) - begin);
        } else if (available <= maxLine) {
            searched = available;
            if (refill())
                continue;
            if (m_failure || available == 0)
                return false;
            begin = m_buffer.get() + m_begin; // the last line, without a line feed
        } else {
            return skipLongLine(line);
        }

        line.offset = offset;
        line.terminated = found != nullptr;
        line.next = offset + length + (found ? 1 : 0);
        m_begin += length + (found ? 1 : 0);
        line.tooLong = length > maxLine;
        if (line.tooLong)
            length = 0;
        else if (length > 0 && begin[length - 1] == '\r')
            --length;
        line.text = {begin, length};
        return true;
    }
}

bool LineReader::skipLongLine(RawLine& line) {
    line.offset = m_bufferOffset + m_begin;
    line.text = {};
    line.tooLong = true;
    for (;;) {
        const char* begin = m_buffer.get() + m_begin;
        const void* found = std::memchr(begin, '\n', m_filled - m_begin);
        if (found) {
            m_begin += static_cast<std::size_t>(static_cast<const char*>(found) - begin) + 1;
            line.terminated = true;
            break;
        }
        m_begin = m_filled;
        if (!refill()) {
            if (m_failure)
                return false;
            line.terminated = false;
            break;
        }
    }
    line.next = m_bufferOffset + m_begin;
    return true;
}

} // namespace twolane
