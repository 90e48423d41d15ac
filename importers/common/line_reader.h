// Lines of a text of any size through one buffer of fixed size.
#pragma once

#include "importers/common/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace twolane {

/// A line as it stands in the file, without its line feed and one carriage return before that.
struct RawLine {
    std::string_view text;    ///< valid until the next line is asked for
    std::uint64_t offset = 0; ///< of its first byte (behind a byte-order mark)
    std::uint64_t next = 0;   ///< of the byte behind its line feed
    bool terminated = true;   ///< false: the input ends without a line feed
    bool tooLong = false;     ///< longer than maxLine: `text` is empty, the line was skipped
};

class LineReader {
public:
    static constexpr std::size_t maxLine = std::size_t{64} << 10;

    /// Asked before every refill, with the offset reached; false ends the reading as interrupted.
    using GoOnFn = std::function<bool(std::uint64_t offset)>;

    /// Reads the lines that begin in [begin, end). `source` must outlive the reader.
    explicit LineReader(ByteSource& source, GoOnFn goOn = {}, std::uint64_t begin = 0,
                        std::uint64_t end = UINT64_MAX);

    /// False at the end, after an error and when told to stop: see failure().
    bool next(RawLine& line);
    /// What stood in the way, if anything did.
    const std::optional<Error>& failure() const { return m_failure; }

private:
    bool refill();
    bool skipLongLine(RawLine& line);

    static constexpr std::size_t bufferSize = std::size_t{256} << 10;

    ByteSource& m_source;
    GoOnFn m_goOn;
    std::uint64_t m_end;
    std::uint64_t m_bufferOffset; ///< of the buffer's first byte in the file
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_begin = 0; ///< of the next line in the buffer
    std::size_t m_filled = 0;
    bool m_atEnd = false;
    std::optional<Error> m_failure;
};

} // namespace twolane
