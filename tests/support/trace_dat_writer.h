// Writes trace.dat files for tests: any content, right or wrong, without trace-cmd.
#pragma once

#include "importers/trace_dat/decompressor.h"
#include "tests/support/event_shape.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twolane::tests {

/// One page of a ring buffer. Records are taken as they are; times are those of the records.
class PageWriter {
public:
    explicit PageWriter(std::uint64_t stamp, std::uint32_t wordSize = 8,
                        ByteOrder order = ByteOrder::little)
        : m_stamp(stamp)
        , m_last(stamp)
        , m_wordSize(wordSize)
        , m_order(order) {}

    /// Adds an event, with a time extend before it where 27 bits do not suffice.
    PageWriter& event(std::uint64_t time, std::string_view record);
    /// Adds an event with a length word of its own, as those above 112 bytes have.
    PageWriter& largeEvent(std::uint64_t time, std::string_view record);
    PageWriter& absolute(std::uint64_t time); ///< stores the low 59 bits
    PageWriter& discarded(std::uint32_t delta, std::uint32_t size);
    PageWriter& paddingToEnd();
    PageWriter& raw(std::string_view bytes);
    /// Events were lost before this page: a count, 0 for one that is not told.
    PageWriter& missed(std::uint64_t count);

    std::size_t dataSize() const { return m_data.size(); }
    std::string bytes(std::uint32_t pageSize = 4096) const;

private:
    void extend(std::uint64_t time);
    void word(std::uint64_t type, std::uint64_t delta);

    std::uint64_t m_stamp;
    std::uint64_t m_last;
    std::uint32_t m_wordSize;
    ByteOrder m_order;
    std::string m_data;
    bool m_missed = false;
    std::uint64_t m_missedCount = 0;
};

/// A record and when and where it was made.
struct Recorded {
    std::int32_t cpu = 0;
    std::uint64_t time = 0;
    std::string record;
};

class TraceDatWriter {
public:
    struct Buffer {
        std::string name;
        std::string clock = "mono";
        std::map<std::int32_t, std::vector<std::string>> pages; ///< of each CPU
    };

    int version = 7;
    ByteOrder byteOrder = ByteOrder::little; ///< records and pages have theirs from elsewhere
    Codec codec = Codec::zstd;
    std::uint32_t longSize = 8;
    std::uint32_t pageSize = 4096;
    std::uint32_t pagesInChunk = 2;
    std::uint32_t cpus = 4;
    std::string clocks = "local global [mono] boot";
    std::string uname = "Linux host 6.1.0-test x86_64";
    std::string headerPage;                                     ///< empty: that of longSize
    std::vector<std::pair<std::uint16_t, std::string>> options; ///< beyond those always written
    std::vector<EventShape> events;
    std::vector<Buffer> buffers{Buffer{}}; ///< the first one is the top buffer
    std::vector<std::pair<std::int32_t, std::string>> commandLines;
    std::string latencyText; ///< stands in place of the buffers

    /// Puts records of one buffer into pages, `perPage` on each; they must be in order for each
    /// CPU.
    void record(std::size_t buffer, const std::vector<Recorded>& records, std::size_t perPage = 20);
    std::string bytes() const;

private:
    std::string headers() const;
    std::string formats() const;
    std::string version6() const;
    std::string version7() const;
};

} // namespace twolane::tests
