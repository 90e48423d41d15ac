#include "importers/common/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace twolane {

Result<std::unique_ptr<ByteSource>> ByteSource::beside(const std::string& file) {
    return Error{name(), "has no files beside it: '" + file + "' is missing", "",
                 "give the recording as it was written"};
}

Result<std::unique_ptr<ByteSource>> FileSource::beside(const std::string& file) {
    return open(std::filesystem::path(m_name).parent_path() / file);
}

Result<std::unique_ptr<ByteSource>> FileSource::open(const std::filesystem::path& path) {
    // Not blocking, for the path may have become a pipe since it was looked at.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st {};
    if (descriptor < 0 || fstat(descriptor, &st) != 0) {
        const int code = errno;
        if (descriptor >= 0)
            ::close(descriptor);
        return Error{path.string(), fmt::format("cannot be opened: {}", std::strerror(code)), "",
                     "check the path and its permissions"};
    }
    if (!S_ISREG(st.st_mode)) {
        ::close(descriptor);
        return Error{path.string(), "is not a file", "", "give a trace file"};
    }
    return std::unique_ptr<ByteSource>(
        new FileSource(descriptor, static_cast<std::uint64_t>(st.st_size), path.string()));
}

FileSource::~FileSource() {
    ::close(m_descriptor);
}

Result<std::size_t> FileSource::read(std::uint64_t offset, std::span<std::byte> to) {
    std::size_t done = 0;
    while (done < to.size() && offset + done < m_size) {
        const ssize_t got = ::pread(m_descriptor, to.data() + done, to.size() - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Error{m_name, fmt::format("cannot be read: {}", std::strerror(errno)),
                         fmt::format("byte {}", offset + done), "copy the file and try again"};
        if (got == 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

Result<std::size_t> MemorySource::read(std::uint64_t offset, std::span<std::byte> to) {
    if (offset >= m_bytes.size())
        return std::size_t{0};
    const std::size_t count =
        std::min(to.size(), m_bytes.size() - static_cast<std::size_t>(offset));
    if (count > 0)
        std::memcpy(to.data(), m_bytes.data() + offset, count);
    return count;
}

} // namespace twolane
