#include "importers/trace_dat/cpu_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace twolane {
namespace {

constexpr std::size_t plainChunk = std::size_t{64} << 10;
constexpr std::size_t chunkHeader = 8; // two sizes

} // namespace

std::uint64_t StampMap::scaled(std::uint64_t stamp) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(stamp) * multiplier) >> shift);
}

CpuStream::CpuStream(StreamContext& context, const CpuArea& area)
    : m_context(&context)
    , m_area(area)
    , m_offset(area.offset)
    , m_end(area.offset + area.size) {}

Loss CpuStream::takeLoss() {
    if (m_backward > 0) {
        if (m_context->diagnostics)
            m_context->diagnostics->add(
                {"time_backward", Severity::dataLoss, m_backward,
                 "events that are earlier than the one before them on their CPU were left out",
                 fmt::format("CPU {} at {}.{:09}", m_area.cpu, m_backwardTime / 1'000'000'000,
                             std::abs(m_backwardTime % 1'000'000'000)),
                 "record with a clock that does not go back: trace-cmd record -C mono"});
        m_backward = 0;
    }
    return std::exchange(m_loss, Loss{});
}

void CpuStream::goneBackward(Nanos time) {
    if (m_backward++ == 0)
        m_backwardTime = time;
    m_loss.add(-1);
}

void CpuStream::tell(const char* code, const char* what, std::string first, const char* advice) {
    if (m_context->diagnostics)
        m_context->diagnostics->add({code, Severity::dataLoss, 1, what, std::move(first), advice});
}

void CpuStream::brokenPage() {
    m_loss.add(-1);
    // Inside compressed data only the chunk has a place in the file.
    tell("broken_page", "pages whose lengths do not add up were left out from there on",
         m_area.compressed ? fmt::format("CPU {}, in the chunk at byte {}", m_area.cpu, m_chunkAt)
                           : fmt::format("CPU {} at byte {}", m_area.cpu, m_chunkAt + m_page),
         "copy or record the file again");
}

void CpuStream::cutOff() {
    m_loss.add(-1);
    if (m_area.cutOff)
        return; // told when the table of areas was read
    m_area.cutOff = true;
    tell("truncated", "the file ends before its data do",
         fmt::format("cut off at byte {}, inside the data of CPU {}",
                     std::min(m_offset, m_context->source.size()), m_area.cpu),
         "copy or record the file again; what is whole is shown");
}

bool CpuStream::goOn(PageCursor::Step step) {
    if (step == PageCursor::Step::broken)
        brokenPage();
    return nextPage();
}

bool CpuStream::nextPage() {
    for (;;) {
        m_page = m_nextPage;
        if (m_page >= m_chunkSize) {
            if (!nextChunk()) {
                m_cursor = {};
                return false;
            }
            continue;
        }
        const std::size_t size = std::min<std::size_t>(m_context->pageSize, m_chunkSize - m_page);
        m_nextPage = m_page + size;
        const PageHeader header = readPageHeader(
            m_chunk.get() + m_page, static_cast<std::uint32_t>(size), m_context->layout);
        if (!header.valid) {
            brokenPage();
            continue;
        }
        if (header.missed)
            m_loss.add(header.missedCount);
        if (header.dataSize == 0)
            continue;
        m_cursor = PageCursor(m_chunk.get() + m_page, header, m_context->layout);
        return true;
    }
}

bool CpuStream::reserve(std::size_t size) {
    if (size <= m_capacity)
        return true;
    if (size - m_capacity > m_context->memoryLeft)
        return false;
    m_context->memoryLeft -= size - m_capacity;
    m_chunk.reset(new std::byte[size]); // not cleared: it is filled at once
    m_capacity = size;
    return true;
}

bool CpuStream::nextChunk() {
    m_chunkSize = m_page = m_nextPage = 0;
    if (m_context->stop.stop_requested())
        return false;
    if (!m_area.compressed)
        return takePlainChunk();
    if (!m_started) {
        m_started = true;
        std::byte count[4];
        if (m_end - m_offset < sizeof count ||
            m_context->source.readAvailable(m_offset, count) != sizeof count) {
            cutOff();
            m_offset = m_end;
            return false;
        }
        m_chunksLeft = loadNumber<std::uint32_t>(count, m_context->layout.order);
        m_offset += sizeof count;
    }
    for (;;) {
        if (m_context->stop.stop_requested())
            return false;
        switch (takePackedChunk()) {
        case Taken::chunk:
            return true;
        case Taken::unusable:
            m_loss.add(-1);
            tell("broken_chunk", "compressed pages that cannot be decompressed were left out",
                 fmt::format("CPU {} at byte {}", m_area.cpu, m_chunkAt),
                 "copy or record the file again");
            break;
        case Taken::nothing:
            return false;
        }
    }
}

bool CpuStream::takePlainChunk() {
    const std::uint64_t pageSize = m_context->pageSize;
    // Of a file that was cut short only whole pages can be trusted.
    std::uint64_t left = m_end - m_offset;
    if (m_area.cutOff)
        left -= left % pageSize;
    if (left == 0) {
        if (m_area.cutOff && m_offset < m_end)
            cutOff();
        m_offset = m_end;
        return false;
    }
    const std::uint64_t wanted =
        std::min(left, std::max<std::uint64_t>(pageSize, plainChunk / pageSize * pageSize));
    if (!reserve(static_cast<std::size_t>(wanted))) {
        m_loss.add(-1);
        tell("broken_page", "pages were left out that are larger than can be believed",
             fmt::format("CPU {} at byte {}", m_area.cpu, m_offset), "");
        m_offset = m_end;
        return false;
    }
    m_chunkAt = m_offset;
    const std::size_t got = m_context->source.readAvailable(
        m_offset, {m_chunk.get(), static_cast<std::size_t>(wanted)});
    m_offset += wanted;
    m_chunkSize = got;
    if (got < wanted) {
        m_chunkSize -= got % pageSize;
        m_offset = m_chunkAt + got;
        cutOff();
        m_offset = m_end;
    }
    if (m_context->consumed)
        m_context->consumed(wanted);
    return m_chunkSize > 0;
}

CpuStream::Taken CpuStream::takePackedChunk() {
    if (m_chunksLeft == 0)
        return Taken::nothing;
    m_chunkAt = m_offset;
    std::byte sizes[chunkHeader];
    if (m_end - m_offset < chunkHeader ||
        m_context->source.readAvailable(m_offset, sizes) != chunkHeader) {
        cutOff();
        m_chunksLeft = 0;
        return Taken::nothing;
    }
    const auto packedSize = loadNumber<std::uint32_t>(sizes, m_context->layout.order);
    const auto size = loadNumber<std::uint32_t>(sizes + 4, m_context->layout.order);
    if (packedSize > m_end - m_offset - chunkHeader) {
        cutOff();
        m_chunksLeft = 0;
        return Taken::nothing;
    }
    --m_chunksLeft;
    m_offset += chunkHeader + packedSize;
    if (m_context->consumed)
        m_context->consumed(chunkHeader + packedSize);
    // No codec needs much more room than the content itself.
    if (packedSize > std::uint64_t{size} + size / 8 + 4096 || !reserve(size))
        return Taken::unusable;
    if (packedSize > m_context->packedCapacity) {
        m_context->packed.reset(new std::byte[packedSize]);
        m_context->packedCapacity = packedSize;
    }
    const std::span<std::byte> packed(m_context->packed.get(), packedSize);
    if (m_context->source.readAvailable(m_chunkAt + chunkHeader, packed) != packedSize) {
        cutOff();
        m_chunksLeft = 0;
        return Taken::nothing;
    }
    if (!m_context->decompressor.plausible(packed, size) ||
        !m_context->decompressor.run(packed, {m_chunk.get(), size}))
        return Taken::unusable;
    m_chunkSize = size;
    return Taken::chunk;
}

CpuStream::Position CpuStream::position() const {
    const auto place = [&](const std::byte* p) {
        return static_cast<std::uint32_t>(p - m_chunk.get());
    };
    Position position;
    position.chunk = m_chunkAt;
    position.stamp = m_cursor.stamp();
    position.time = m_time;
    position.chunksLeft = m_chunksLeft;
    position.page = static_cast<std::uint32_t>(m_page);
    position.data = place(m_cursor.data());
    position.size = m_cursor.size();
    position.at = place(m_cursor.at());
    position.ended = false;
    return position;
}

bool CpuStream::restore(const Position& position) {
    m_loss = {};
    m_backward = 0;
    m_cursor = {};
    if (position.ended) {
        m_chunkSize = m_page = m_nextPage = 0;
        m_offset = m_end;
        m_chunksLeft = 0;
        m_started = true;
        return false;
    }
    if (position.chunk != m_chunkAt || m_chunkSize == 0) {
        m_offset = position.chunk;
        m_chunkSize = 0;
        if (m_area.compressed) {
            m_started = true;
            m_chunksLeft = position.chunksLeft + 1;
            if (takePackedChunk() != Taken::chunk)
                return false;
        } else if (!takePlainChunk()) {
            return false;
        }
    } else {
        m_chunksLeft = position.chunksLeft;
    }
    // The file may have changed since: every place is checked again.
    m_page = position.page;
    if (m_page >= m_chunkSize)
        return false;
    const std::size_t size = std::min<std::size_t>(m_context->pageSize, m_chunkSize - m_page);
    m_nextPage = m_page + size;
    const PageHeader header =
        readPageHeader(m_chunk.get() + m_page, static_cast<std::uint32_t>(size), m_context->layout);
    if (!header.valid)
        return false;
    m_cursor = PageCursor(m_chunk.get() + m_page, header, m_context->layout);
    const std::byte* base = m_chunk.get();
    if (position.at > m_chunkSize ||
        !m_cursor.restore(base + position.at, base + position.data, position.size, position.stamp))
        return false;
    m_time = position.time;
    return true;
}

} // namespace twolane
