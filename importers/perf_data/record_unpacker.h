// The zstd stream that runs through the COMPRESSED records of a perf.data file.
#pragma once

#include "importers/common/temporary_file.h"
#include "model/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace twolane {

/// Unpacks into a file without a name: records may be far longer than what they were packed into.
class RecordUnpacker {
public:
    /// `name`: what its content is called in messages. At most `mostBytes` come out of it.
    RecordUnpacker(std::string name, std::uint64_t mostBytes);
    ~RecordUnpacker();

    /// The next piece of the stream. An error where the disk is full; a damaged stream is none, but
    /// all that follows is lost.
    Status take(std::span<const std::byte> packed);
    /// The stream could not be unpacked to its end.
    bool damaged() const { return m_damaged; }
    /// What came out so far, pushed to the file. Null where nothing did.
    Result<ByteSource*> content();

private:
    struct Stream;

    Status flush();

    std::string m_name;
    std::uint64_t m_left;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<TemporaryBytes> m_file;
    std::unique_ptr<std::byte[]> m_buffer;
    std::size_t m_used = 0;
    bool m_damaged = false;
};

} // namespace twolane
