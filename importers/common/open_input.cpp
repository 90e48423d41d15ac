#include "importers/common/open_input.h"

#include "importers/common/decompressor.h"
#include "importers/common/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace twolane {
namespace {

using Tell = std::function<void(std::uint64_t, std::uint64_t)>;

constexpr std::size_t chunkSize = std::size_t{256} << 10;
constexpr int pollMilliseconds = 100;

Error interrupted(const std::string& name) {
    return {name, "interrupted", "", "", true};
}

/// Copies a pipe's bytes up to its end.
Result<std::unique_ptr<ByteSource>> copyPipe(const std::filesystem::path& path,
                                             const std::stop_token& stop, const Tell& progress) {
    const std::string name = path.string();
    // Not blocking: a pipe that nobody writes to must not keep us.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return Error{name, fmt::format("cannot be opened: {}", std::strerror(errno)), "",
                     "check the path and its permissions"};
    struct Closer {
        int descriptor;
        ~Closer() { ::close(descriptor); }
    } const closer{descriptor};
    auto copy = TemporaryBytes::create(name);
    if (!copy)
        return copy.error();
    std::vector<std::byte> chunk(chunkSize);
    while (true) {
        if (stop.stop_requested())
            return interrupted(name);
        pollfd wanted{descriptor, POLLIN, 0};
        if (::poll(&wanted, 1, pollMilliseconds) <= 0)
            continue; // silent still, or a signal came
        const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (got < 0)
            return Error{name, fmt::format("cannot be read: {}", std::strerror(errno)),
                         fmt::format("byte {}", (*copy)->size()), ""};
        if (got == 0)
            return std::unique_ptr<ByteSource>(std::move(*copy));
        if (Status status = (*copy)->append(std::span(chunk).first(static_cast<std::size_t>(got)));
            !status)
            return status.error();
        if (progress)
            progress((*copy)->size(), 0);
    }
}

/// Unpacks all streams of a source.
class Unpacking {
public:
    Unpacking(ByteSource& packed, Packing packing, const std::stop_token& stop,
              const Tell& progress)
        : m_packed(packed)
        , m_packing(packing)
        , m_stop(stop)
        , m_progress(progress)
        , m_decoder(makeDecompressor(packing)) {}

    Result<OpenedInput> run() {
        auto content = TemporaryBytes::create(m_packed.name());
        if (!content)
            return content.error();
        m_content = std::move(*content);
        if (Status status = unpack(); !status)
            return status.error();
        if (m_content->size() == 0)
            return Error{m_packed.name(),
                         fmt::format("holds nothing that {} can unpack", nameOf(m_packing)),
                         fmt::format("byte {}", m_at), "check that the copy is complete"};
        return OpenedInput{std::move(m_content), std::move(m_oddities)};
    }

private:
    Status unpack() {
        std::vector<std::byte> in(chunkSize);
        std::vector<std::byte> out(chunkSize * 4);
        bool inStream = true;
        while (true) {
            if (m_stop.stop_requested())
                return interrupted(m_packed.name());
            Result<std::size_t> got = m_packed.read(m_at, in);
            if (!got)
                return got.error();
            std::span<const std::byte> rest(in.data(), *got);
            if (rest.empty()) {
                if (inStream)
                    note("packed_cut", "the packed file ends in its middle: what precedes was "
                                       "read");
                return success();
            }
            if (!inStream) {
                // Zeros pad a file to whole blocks; whatever else follows is another stream, or not
                // ours.
                if (rest[0] == std::byte{0}) {
                    const auto end = std::find_if(rest.begin(), rest.end(),
                                                  [](std::byte b) { return b != std::byte{0}; });
                    m_at += static_cast<std::uint64_t>(end - rest.begin());
                    continue;
                }
                if (packingOf(rest) != m_packing) {
                    note("packed_rest", "bytes follow the packed file's end and were skipped");
                    return success();
                }
                m_decoder->restart();
                inStream = true;
            }
            const std::uint64_t before = m_at + m_content->size();
            while (inStream) {
                const Decompressor::Step step = m_decoder->step(rest, out);
                rest = rest.subspan(step.consumed);
                m_at += step.consumed;
                if (Status status = m_content->append(std::span(out).first(step.produced)); !status)
                    return status;
                if (Status status = checkSize(); !status)
                    return status;
                if (step.state == Decompressor::State::greedy)
                    return Error{m_packed.name(),
                                 fmt::format("asks for more memory to be unpacked than {} is given",
                                             nameOf(m_packing)),
                                 fmt::format("byte {}", m_at),
                                 fmt::format("unpack it first: {} {}", unpackCommand(m_packing),
                                             m_packed.name())};
                if (step.state == Decompressor::State::damaged) {
                    note("packed_damaged",
                         "the packed file is damaged: what precedes the damage was read");
                    return success();
                }
                if (step.state == Decompressor::State::ended)
                    inStream = false;
                else if (step.consumed == 0 && step.produced == 0)
                    break; // wants more
                if (m_stop.stop_requested())
                    return interrupted(m_packed.name());
            }
            if (m_at + m_content->size() == before) { // would go on for ever
                note("packed_damaged",
                     "the packed file is damaged: what precedes the damage was read");
                return success();
            }
            if (m_progress)
                m_progress(m_at, m_packed.size());
        }
    }

    Status checkSize() const {
        const std::uint64_t most = mostUnpacked(m_packed.size());
        if (m_content->size() <= most)
            return success();
        return Error{m_packed.name(),
                     fmt::format("unpacks to more than {} bytes, which no recording of {} packed "
                                 "bytes does",
                                 most, m_packed.size()),
                     fmt::format("byte {}", m_at),
                     fmt::format("if it is one, unpack it first: {} {}", unpackCommand(m_packing),
                                 m_packed.name())};
    }

    void note(const char* code, const char* what) {
        m_oddities.push_back({code, Severity::dataLoss, 1, what, fmt::format("byte {}", m_at),
                              "check that the copy is complete"});
    }

    ByteSource& m_packed;
    Packing m_packing;
    const std::stop_token& m_stop;
    const Tell& m_progress;
    std::unique_ptr<Decompressor> m_decoder;
    std::unique_ptr<TemporaryBytes> m_content;
    std::uint64_t m_at = 0; ///< of the packed bytes
    std::vector<Oddity> m_oddities;
};

} // namespace

Result<OpenedInput> unpackInput(std::unique_ptr<ByteSource> source, const std::stop_token& stop,
                                const Tell& progress) {
    std::array<std::byte, 16> head{};
    const Result<std::size_t> got = source->read(0, head);
    if (!got)
        return got.error();
    const auto packing = packingOf(std::span<const std::byte>(head).first(*got));
    if (!packing)
        return OpenedInput{std::move(source), {}};
    if (*packing == Packing::bzip2)
        return Error{
            source->name(), "is compressed with bzip2, which is not read", "byte 0",
            fmt::format("unpack it first: {} {}", unpackCommand(*packing), source->name())};
    return Unpacking(*source, *packing, stop, progress).run();
}

Result<OpenedInput> openInput(const std::filesystem::path& path, const std::stop_token& stop,
                              const Tell& progress) {
    struct stat st {};
    const bool pipe = ::stat(path.c_str(), &st) == 0 && S_ISFIFO(st.st_mode);
    Result<std::unique_ptr<ByteSource>> source =
        pipe ? copyPipe(path, stop, progress) : FileSource::open(path);
    if (!source)
        return source.error();
    return unpackInput(std::move(*source), stop, progress);
}

} // namespace twolane
