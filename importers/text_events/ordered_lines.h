// The second pass: the event lines of one buffer in the order of (time, cpu, position in the file).
#pragma once

#include "importers/common/line_reader.h"
#include "importers/text_events/line_parser.h"
#include "importers/text_events/text_scan.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace twolane {

/// Fetches single lines by offset, through a cache of a few MiB.
class LineFetcher {
public:
    explicit LineFetcher(ByteSource& source)
        : m_source(source) {}

    /// The line at `offset`, without its line feed and carriage return, valid until the next call.
    /// Empty beyond the end of the file; cut where it is longer than LineReader::maxLine.
    Result<std::string_view> at(std::uint64_t offset);
    /// Where the line behind the one last asked for begins; UINT64_MAX where there is none, or that
    /// one is too long.
    std::uint64_t next() const { return m_next; }

private:
    struct Block {
        std::uint64_t number = UINT64_MAX;
        std::size_t size = 0;
        std::unique_ptr<char[]> bytes;
    };
    static constexpr std::size_t blockSize = std::size_t{32} << 10;
    static constexpr std::size_t blockCount = 256; // 8 bits of a hash

    Result<std::string_view> block(std::uint64_t number);

    ByteSource& m_source;
    std::vector<Block> m_blocks = std::vector<Block>(blockCount); ///< by a hash of the number
    std::string m_joined; ///< of a line that lies in two blocks
    std::uint64_t m_next = UINT64_MAX;
};

/// Told of each event line. The line is valid during the call.
using LineVisitor = std::function<void(const EventLine& line, LinePosition position)>;

/// Walks the event lines of `buffer` in order. `end` is TextScan::end. Asks `goOn` now and then as
/// LineReader does, and looks at `stop` while it sorts.
Status visitInOrder(ByteSource& source, const LineParser& parser, const BufferScan& buffer,
                    std::uint64_t end, const LineReader::GoOnFn& goOn, const std::stop_token& stop,
                    const LineVisitor& visit);

} // namespace twolane
