#include "importers/perf_data/record_unpacker.h"

#include <zstd.h>

#include <utility>

namespace twolane {
namespace {

constexpr std::size_t bufferSize = std::size_t{1} << 20;
constexpr int largestWindow = 27; // 128 MiB: far beyond the levels that perf uses

} // namespace

struct RecordUnpacker::Stream {
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };
    std::unique_ptr<ZSTD_DStream, Free> zstd{ZSTD_createDStream()};
};

RecordUnpacker::RecordUnpacker(std::string name, std::uint64_t mostBytes)
    : m_name(std::move(name))
    , m_left(mostBytes)
    , m_stream(std::make_unique<Stream>())
    , m_buffer(std::make_unique_for_overwrite<std::byte[]>(bufferSize)) {
    if (!m_stream->zstd || ZSTD_isError(ZSTD_DCtx_setParameter(m_stream->zstd.get(),
                                                               ZSTD_d_windowLogMax, largestWindow)))
        m_damaged = true;
}

RecordUnpacker::~RecordUnpacker() = default;

Status RecordUnpacker::take(std::span<const std::byte> packed) {
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    bool more = true;
    while (more && !m_damaged) {
        ZSTD_outBuffer out{m_buffer.get(), bufferSize, m_used};
        const std::size_t before = out.pos;
        const std::size_t code = ZSTD_decompressStream(m_stream->zstd.get(), &out, &in);
        const std::size_t produced = out.pos - before;
        if (ZSTD_isError(code) || produced > m_left) {
            m_damaged = true;
            break;
        }
        m_left -= produced;
        m_used = out.pos;
        // A full buffer may not be all that the piece holds.
        more = in.pos < in.size || m_used == bufferSize;
        if (m_used == bufferSize)
            if (Status status = flush(); !status)
                return status;
    }
    return success();
}

Status RecordUnpacker::flush() {
    if (m_used == 0)
        return success();
    if (!m_file) {
        auto file = TemporaryBytes::create(m_name);
        if (!file)
            return file.error();
        m_file = std::move(file).value();
    }
    Status status = m_file->append({m_buffer.get(), m_used});
    m_used = 0;
    return status;
}

Result<ByteSource*> RecordUnpacker::content() {
    if (Status status = flush(); !status)
        return status.error();
    return static_cast<ByteSource*>(m_file.get());
}

} // namespace twolane
