// The events of several CPUs in the order of (time, CPU, position in the file).
#pragma once

#include "model/time.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace twolane {

/// Merges streams that are in the order of their CPUs' numbers. A stream has `bool next()`, which
/// goes on to its next event, `Nanos time()` of that one, and `bool lost()`: whether events were
/// lost ahead of it. The handler has
///   `bool event(Stream&)`, which returns false to stop, and
///   `void after(Stream&, Nanos last, bool ended)`, called after the stream went on where events
///   were lost between the one at `last` and the next, or behind it where the stream has ended.
/// Losses ahead of a stream's first event are left in the stream for event() to find.
template <class Stream>
class StreamMerge {
public:
    explicit StreamMerge(std::vector<Stream>& streams)
        : m_streams(streams) {}

    /// Takes in streams that stand at an event.
    void add(std::uint32_t stream) {
        m_heap.push_back({m_streams[stream].time(), stream});
        std::push_heap(m_heap.begin(), m_heap.end(), later);
    }

    template <class Handler>
    void run(Handler& handler) {
        while (!m_heap.empty()) {
            const std::uint32_t index = m_heap.front().stream;
            Stream& stream = m_streams[index];
            const Entry bound = runnerUp();
            bool alive = false;
            Entry key;
            // A CPU's events come in bursts: the heap is left alone while the next one is its too.
            do {
                if (!handler.event(stream))
                    return;
                const Nanos last = stream.time();
                alive = stream.next();
                if (stream.lost()) [[unlikely]]
                    handler.after(stream, last, !alive);
                key = {stream.time(), index};
            } while (alive && before(key, bound));
            if (alive) {
                m_heap.front() = key;
            } else {
                m_heap.front() = m_heap.back();
                m_heap.pop_back();
            }
            siftDown();
        }
    }

private:
    struct Entry {
        Nanos time = 0;
        std::uint32_t stream = 0;
    };
    static bool before(const Entry& a, const Entry& b) {
        return a.time != b.time ? a.time < b.time : a.stream < b.stream;
    }
    static bool later(const Entry& a, const Entry& b) { return before(b, a); }

    Entry runnerUp() const {
        if (m_heap.size() > 2)
            return before(m_heap[1], m_heap[2]) ? m_heap[1] : m_heap[2];
        if (m_heap.size() == 2)
            return m_heap[1];
        return {std::numeric_limits<Nanos>::max(), std::numeric_limits<std::uint32_t>::max()};
    }

    void siftDown() {
        if (m_heap.empty())
            return;
        const Entry moved = m_heap.front();
        std::size_t hole = 0;
        for (;;) {
            std::size_t child = 2 * hole + 1;
            if (child >= m_heap.size())
                break;
            if (child + 1 < m_heap.size() && before(m_heap[child + 1], m_heap[child]))
                ++child;
            if (!before(m_heap[child], moved))
                break;
            m_heap[hole] = m_heap[child];
            hole = child;
        }
        m_heap[hole] = moved;
    }

    std::vector<Stream>& m_streams;
    std::vector<Entry> m_heap;
};

} // namespace twolane
