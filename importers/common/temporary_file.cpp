#include "importers/common/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace twolane {

Result<std::unique_ptr<TemporaryBytes>> TemporaryBytes::create(std::string name) {
    std::error_code failed;
    std::string folder = std::filesystem::temp_directory_path(failed).string();
    if (failed)
        folder = "/tmp";
    int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (descriptor < 0) { // not every file system can
        std::string pattern = folder + "/twolane-XXXXXX";
        descriptor = ::mkostemp(pattern.data(), O_CLOEXEC);
        if (descriptor >= 0)
            ::unlink(pattern.c_str());
    }
    if (descriptor < 0)
        return Error{folder, fmt::format("no temporary file can be made: {}", std::strerror(errno)),
                     "", "name a folder that can be written to in TMPDIR"};
    return std::unique_ptr<TemporaryBytes>(
        new TemporaryBytes(descriptor, std::move(name), std::move(folder)));
}

TemporaryBytes::~TemporaryBytes() {
    ::close(m_descriptor);
}

Status TemporaryBytes::append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written =
            ::pwrite(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(m_size));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return Error{m_name,
                         fmt::format("cannot be unpacked into {}: {}", m_folder,
                                     std::strerror(written < 0 ? errno : ENOSPC)),
                         fmt::format("byte {} of the content", m_size),
                         "name a folder with more room in TMPDIR"};
        m_size += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return success();
}

Result<std::size_t> TemporaryBytes::read(std::uint64_t offset, std::span<std::byte> to) {
    std::size_t done = 0;
    while (done < to.size() && offset + done < m_size) {
        const ssize_t got = ::pread(m_descriptor, to.data() + done, to.size() - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return Error{m_name, fmt::format("cannot be read again: {}", std::strerror(errno)),
                         fmt::format("byte {}", offset + done), "open it again"};
        done += static_cast<std::size_t>(got);
    }
    return done;
}

} // namespace twolane
