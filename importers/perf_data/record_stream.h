// The second pass over a perf.data file: the records of one CPU in order, read again.
#pragma once

#include "importers/perf_data/perf_index.h"
#include "importers/perf_data/record_walker.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace twolane {

/// Pieces of the sources that the streams read at about the same time: a recorder writes what
/// belongs together in time side by side.
class PieceCache {
public:
    struct Piece {
        std::uint64_t begin = 0; ///< in the source
        std::size_t size = 0;
        std::unique_ptr<std::byte[]> bytes;
    };

    /// Keeps `most` pieces beside those that streams hold.
    explicit PieceCache(std::size_t most)
        : m_most(most) {}

    /// The piece that holds the byte at `offset`.
    std::shared_ptr<const Piece> at(ByteSource& source, std::uint64_t offset);

private:
    using Key = std::pair<const ByteSource*, std::uint64_t>;
    struct Hash {
        std::size_t operator()(const Key& key) const {
            return std::hash<const void*>{}(key.first) ^
                   std::hash<std::uint64_t>{}(key.second * 0x9e3779b97f4a7c15U);
        }
    };
    using Recent = std::list<std::pair<Key, std::shared_ptr<const Piece>>>;

    std::size_t m_most;
    Recent m_recent; ///< the last used first
    std::unordered_map<Key, Recent::iterator, Hash> m_pieces;
};

class RecordStream {
public:
    RecordStream(const RecordList& list, ByteSource& source, ByteOrder order, PieceCache& cache)
        : m_list(&list)
        , m_source(&source)
        , m_order(order)
        , m_cache(&cache) {}

    /// Goes on to the next event. False behind the last one.
    bool next() {
        while (m_next < m_list->records.size()) {
            const IndexedRecord& record = m_list->records[m_next++];
            if (!record.isLoss()) [[likely]] {
                m_current = &record;
                return true;
            }
            addLoss(record.offset());
        }
        return false;
    }

    // Of the event that next() went to.
    Nanos time() const { return m_current->time; }
    std::int32_t cpu() const { return m_list->cpu; }
    /// Its place in the list.
    std::uint32_t row() const { return static_cast<std::uint32_t>(m_next - 1); }
    /// The next event is the one in that place.
    void restart(std::uint32_t row) { m_next = row; }
    /// Nothing where the file has become shorter since. Valid until the next call.
    std::optional<PerfRecord> record() { return recordAt(m_current->offset()); }

    /// What was lost between the last event before the latest next() and the one it went to.
    bool lost() const { return m_lost.has_value(); }
    std::int64_t takeLoss() { return std::exchange(m_lost, std::nullopt).value_or(0); }

private:
    std::optional<PerfRecord> recordAt(std::uint64_t offset);
    const std::byte* bytes(std::uint64_t offset, std::size_t size);
    void addLoss(std::uint64_t offset);

    const RecordList* m_list;
    ByteSource* m_source;
    ByteOrder m_order;
    PieceCache* m_cache;
    std::size_t m_next = 0;
    const IndexedRecord* m_current = nullptr;
    std::optional<std::int64_t> m_lost;
    std::shared_ptr<const PieceCache::Piece> m_piece;
    std::vector<std::byte> m_straddling; ///< a record that lies in two pieces
};

} // namespace twolane
