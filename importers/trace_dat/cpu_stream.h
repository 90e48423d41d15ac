// One CPU's events in the file's order, read chunk by chunk with memory for one chunk.
#pragma once

#include "importers/trace_dat/container.h"
#include "importers/trace_dat/decompressor.h"
#include "importers/trace_dat/ring_buffer.h"
#include "model/diagnostics.h"
#include "model/time.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <vector>

namespace twolane {

/// From the ring buffer's own stamps to those of the trace.
struct StampMap {
    std::uint32_t multiplier = 0; ///< 0: stamps are not scaled
    std::uint32_t shift = 0;      ///< below 64
    std::int64_t offset = 0;

    Nanos map(std::uint64_t stamp) const {
        if (multiplier != 0)
            stamp = scaled(stamp);
        return static_cast<Nanos>(stamp + static_cast<std::uint64_t>(offset));
    }

private:
    std::uint64_t scaled(std::uint64_t stamp) const;
};

/// What the streams of one buffer share. Must outlive them and stay where it is.
struct StreamContext {
    StreamContext(ByteSource& from, Codec codec)
        : source(from)
        , decompressor(codec) {}

    ByteSource& source;
    Decompressor decompressor;
    PageLayout layout;
    std::uint32_t pageSize = 4096;
    StampMap stamps;
    Diagnostics* diagnostics = nullptr;          ///< may be nullptr: nothing is told
    std::stop_token stop;                        ///< looked at whenever a chunk is taken
    std::function<void(std::uint64_t)> consumed; ///< bytes of the file; may be empty

    std::unique_ptr<std::byte[]> packed; ///< a chunk before it is decompressed
    std::size_t packedCapacity = 0;
    /// What all chunks together may still take. Files of real recorders need 40 KiB a CPU.
    std::uint64_t memoryLeft = std::uint64_t{48} << 20;
};

/// Events known to be lost between two that are there.
struct Loss {
    bool any = false;
    bool counted = true; ///< false: for some of the losses no number was told
    std::int64_t count = 0;

    void add(std::int64_t events) {
        any = true;
        if (events < 0)
            counted = false;
        else if (__builtin_add_overflow(count, events, &count))
            counted = false;
    }
    /// As LostEvents::count.
    std::int64_t told() const { return counted ? count : -1; }
};

class CpuStream {
public:
    CpuStream(StreamContext& context, const CpuArea& area);

    /// Goes on to the next event. False at the end of the stream, and after a stop request.
    bool next() {
        for (;;) {
            const PageCursor::Step step = m_cursor.next();
            if (step == PageCursor::Step::event) [[likely]] {
                const Nanos time = m_context->stamps.map(m_cursor.stamp());
                if (time >= m_time) [[likely]] {
                    m_time = time;
                    return true;
                }
                goneBackward(time);
            } else if (!goOn(step)) {
                return false;
            }
        }
    }

    // Of the event that next() went to.
    Nanos time() const { return m_time; }
    const std::byte* data() const { return m_cursor.data(); }
    std::uint32_t size() const { return m_cursor.size(); }
    std::int32_t cpu() const { return m_area.cpu; }

    /// What was lost between the last event before the latest next() and the one it went to.
    bool lost() const { return m_loss.any; }
    Loss takeLoss();

    /// Where a stream is, to come back to. 56 bytes.
    struct Position {
        std::uint64_t chunk = 0; ///< where in the file
        std::uint64_t stamp = 0;
        Nanos time = 0;
        std::uint32_t chunksLeft = 0;
        std::uint32_t page = 0; ///< bytes from the chunk's begin, as all that follow
        std::uint32_t data = 0;
        std::uint32_t size = 0;
        std::uint32_t at = 0;
        bool ended = true;
    };
    /// Of the event that next() went to.
    Position position() const;
    Position endPosition() const { return {}; }
    /// Goes to an event again. False where its bytes cannot be had any more.
    bool restore(const Position& position);

private:
    bool goOn(PageCursor::Step step);
    bool nextPage();
    bool nextChunk();
    bool takePlainChunk();
    enum class Taken : std::uint8_t { chunk, unusable, nothing };
    Taken takePackedChunk();
    bool reserve(std::size_t size);
    void cutOff();
    void goneBackward(Nanos time);
    void brokenPage();
    void tell(const char* code, const char* what, std::string first, const char* advice);

    StreamContext* m_context;
    CpuArea m_area;
    PageCursor m_cursor;
    Nanos m_time = std::numeric_limits<Nanos>::min();
    Loss m_loss;

    std::unique_ptr<std::byte[]> m_chunk;
    std::size_t m_capacity = 0;
    std::size_t m_chunkSize = 0;
    std::size_t m_page = 0; ///< begin of the page in the chunk
    std::size_t m_nextPage = 0;
    std::uint64_t m_chunkAt = 0; ///< in the file
    std::uint64_t m_offset = 0;  ///< of the next chunk in the file
    std::uint64_t m_end = 0;     ///< of the area in the file
    std::uint32_t m_chunksLeft = 0;
    bool m_started = false;
    std::uint64_t m_backward = 0;
    Nanos m_backwardTime = 0;
};

} // namespace twolane
