#include "importers/text_events/ordered_lines.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace twolane {
namespace {

struct LinePlace {
    EventKey key;
    LinePosition position;

    bool operator<(const LinePlace& other) const { return key < other.key; }
};

constexpr std::size_t sortRun = std::size_t{64} << 10;

/// Sorts stably; false where told to stop. In runs, for std::stable_sort cannot be interrupted.
bool sortStably(std::vector<LinePlace>& places, const std::stop_token& stop) {
    const auto at = [&places](std::size_t i) {
        return places.begin() + static_cast<std::ptrdiff_t>(std::min(i, places.size()));
    };
    for (std::size_t i = 0; i < places.size(); i += sortRun) {
        if (stop.stop_requested())
            return false;
        std::stable_sort(at(i), at(i + sortRun));
    }
    std::vector<LinePlace> merged;
    for (std::size_t width = sortRun; width < places.size(); width *= 2) {
        merged.clear();
        merged.reserve(places.size());
        for (std::size_t i = 0; i < places.size(); i += 2 * width) {
            auto left = at(i);
            const auto middle = at(i + width);
            auto right = middle;
            const auto end = at(i + 2 * width);
            while (left != middle && right != end) {
                if (merged.size() % sortRun == 0 && stop.stop_requested())
                    return false;
                merged.push_back(*right < *left ? *right++ : *left++);
            }
            merged.insert(merged.end(), left, middle);
            merged.insert(merged.end(), right, end);
        }
        places.swap(merged);
    }
    return true;
}

Error interrupted(const ByteSource& source) {
    return Error{source.name(), "interrupted", "", "", true};
}

class Walk {
public:
    Walk(ByteSource& source, const LineParser& parser, const BufferScan& buffer,
         const LineReader::GoOnFn& goOn, const std::stop_token& stop, const LineVisitor& visit)
        : m_source(source)
        , m_parser(parser)
        , m_buffer(buffer)
        , m_goOn(goOn)
        , m_stop(stop)
        , m_visit(visit)
        , m_fetcher(source) {}

    Status run(std::uint64_t end) {
        LineReader reader(m_source, m_goOn, 0, end);
        RawLine raw;
        EventLine line;
        auto part = m_buffer.disorder.begin();
        const auto lastPart = m_buffer.disorder.end();
        LinePosition position;
        while (reader.next(raw)) {
            position = {raw.offset, position.number + 1};
            while (part != lastPart && raw.offset >= part->end) {
                if (Status status = replay(); !status)
                    return status;
                ++part;
            }
            if (raw.tooLong || m_parser.parse(raw.text, line) != LineKind::event ||
                line.buffer() != m_buffer.name)
                continue;
            const EventKey key{line.time, line.cpu};
            if (part != lastPart && raw.offset >= part->begin)
                m_places.push_back({key, position});
            else if (Status status = tell(line, key, position); !status)
                return status;
        }
        if (reader.failure())
            return *reader.failure();
        return replay();
    }

private:
    Status tell(const EventLine& line, EventKey key, LinePosition position) {
        if (m_told && key < m_last)
            return Error{m_source.name(), "changed while it was read", "",
                         "wait until it is written, or copy it, and open it again"};
        m_told = true;
        m_last = key;
        m_visit(line, position);
        return success();
    }

    // Tells the lines gathered from a part that is out of order.
    Status replay() {
        if (m_places.empty())
            return success();
        if (!sortStably(m_places, m_stop))
            return interrupted(m_source);
        EventLine line;
        std::size_t count = 0;
        for (const LinePlace& place : m_places) {
            if (++count % 4096 == 0 && m_stop.stop_requested())
                return interrupted(m_source);
            Result<std::string_view> text = m_fetcher.at(place.position.offset);
            if (!text)
                return text.error();
            if (m_parser.parse(*text, line) != LineKind::event ||
                EventKey{line.time, line.cpu} != place.key)
                continue; // the file has changed; tell() notices where that matters
            if (Status status = tell(line, place.key, place.position); !status)
                return status;
        }
        m_places.clear();
        return success();
    }

    ByteSource& m_source;
    const LineParser& m_parser;
    const BufferScan& m_buffer;
    const LineReader::GoOnFn& m_goOn;
    const std::stop_token& m_stop;
    const LineVisitor& m_visit;
    LineFetcher m_fetcher;
    std::vector<LinePlace> m_places;
    EventKey m_last;
    bool m_told = false;
};

} // namespace

Result<std::string_view> LineFetcher::block(std::uint64_t number) {
    // Spread, so that two places read in step do not drive each other out for long.
    Block& block = m_blocks[(number * 0x9E3779B97F4A7C15) >> 56];
    if (block.number != number) {
        if (!block.bytes)
            block.bytes.reset(new char[blockSize]);
        block.number = UINT64_MAX;
        Result<std::size_t> got = m_source.read(
            number * blockSize, std::as_writable_bytes(std::span(block.bytes.get(), blockSize)));
        if (!got)
            return got.error();
        block.size = *got;
        block.number = number;
    }
    return std::string_view(block.bytes.get(), block.size);
}

Result<std::string_view> LineFetcher::at(std::uint64_t offset) {
    const auto trim = [](std::string_view text) {
        if (text.ends_with('\r'))
            text.remove_suffix(1);
        return text;
    };
    m_next = UINT64_MAX;
    std::uint64_t number = offset / blockSize;
    Result<std::string_view> bytes = block(number);
    if (!bytes)
        return bytes.error();
    std::string_view rest = bytes->substr(std::min<std::size_t>(offset % blockSize, bytes->size()));
    std::size_t feed = rest.find('\n');
    if (feed != std::string_view::npos) {
        m_next = offset + feed + 1;
        return trim(rest.substr(0, feed));
    }
    m_joined = rest;
    while (bytes->size() == blockSize && m_joined.size() <= LineReader::maxLine) {
        bytes = block(++number);
        if (!bytes)
            return bytes.error();
        feed = bytes->find('\n');
        m_joined += bytes->substr(0, feed);
        if (feed != std::string_view::npos) {
            m_next = offset + m_joined.size() + 1;
            break;
        }
    }
    return trim(m_joined);
}

Status visitInOrder(ByteSource& source, const LineParser& parser, const BufferScan& buffer,
                    std::uint64_t end, const LineReader::GoOnFn& goOn, const std::stop_token& stop,
                    const LineVisitor& visit) {
    return Walk(source, parser, buffer, goOn, stop, visit).run(end);
}

} // namespace twolane
