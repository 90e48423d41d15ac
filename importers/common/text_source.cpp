#include "importers/common/text_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace twolane {
namespace {

class FileText final : public TextSource {
public:
    FileText(int fd, std::uint64_t size, std::string name)
        : m_fd(fd)
        , m_size(size)
        , m_name(std::move(name)) {}
    ~FileText() override { close(m_fd); }

    const std::string& name() const override { return m_name; }
    std::uint64_t size() const override { return m_size; }

    Result<std::size_t> read(std::uint64_t offset, std::span<char> into) override {
        std::size_t done = 0;
        while (done < into.size()) {
            const ssize_t got = pread(m_fd, into.data() + done, into.size() - done,
                                      static_cast<off_t>(offset + done));
            if (got < 0) {
                if (errno == EINTR)
                    continue;
                return Error{m_name, fmt::format("cannot be read: {}", std::strerror(errno)),
                             fmt::format("byte {}", offset + done), "copy the file and try again"};
            }
            if (got == 0)
                break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

private:
    int m_fd;
    std::uint64_t m_size;
    std::string m_name;
};

} // namespace

Result<std::unique_ptr<TextSource>> openTextFile(const std::filesystem::path& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return Error{path.string(), fmt::format("cannot be opened: {}", std::strerror(errno)), "",
                     "check the path and the permissions of the file"};
    struct stat st {};
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return Error{path.string(), "is not a regular file", "", "give the trace file itself"};
    }
    std::unique_ptr<TextSource> source =
        std::make_unique<FileText>(fd, static_cast<std::uint64_t>(st.st_size), path.string());
    return source;
}

Result<std::size_t> MemoryText::read(std::uint64_t offset, std::span<char> into) {
    if (offset >= m_bytes.size())
        return std::size_t{0};
    const std::size_t count =
        std::min(into.size(), m_bytes.size() - static_cast<std::size_t>(offset));
    std::memcpy(into.data(), m_bytes.data() + offset, count);
    return count;
}

} // namespace twolane
