#include "importers/perf_data/record_stream.h"

#include <algorithm>

namespace twolane {
namespace {

constexpr std::uint64_t pieceSize = std::uint64_t{128} << 10;

} // namespace

std::shared_ptr<const PieceCache::Piece> PieceCache::at(ByteSource& source, std::uint64_t offset) {
    const Key key{&source, offset / pieceSize};
    if (const auto found = m_pieces.find(key); found != m_pieces.end()) {
        m_recent.splice(m_recent.begin(), m_recent, found->second);
        return found->second->second;
    }
    auto piece = std::make_shared<Piece>();
    piece->begin = key.second * pieceSize;
    piece->bytes = std::make_unique_for_overwrite<std::byte[]>(pieceSize);
    piece->size = source.readAvailable(piece->begin, {piece->bytes.get(), pieceSize});
    m_recent.emplace_front(key, piece);
    m_pieces.emplace(key, m_recent.begin());
    if (m_recent.size() > m_most) {
        m_pieces.erase(m_recent.back().first);
        m_recent.pop_back();
    }
    return piece;
}

const std::byte* RecordStream::bytes(std::uint64_t offset, std::size_t size) {
    if (!m_piece || offset < m_piece->begin || offset >= m_piece->begin + m_piece->size)
        m_piece = m_cache->at(*m_source, offset);
    if (offset < m_piece->begin)
        return nullptr;
    const std::uint64_t at = offset - m_piece->begin;
    if (at + size <= m_piece->size)
        return m_piece->bytes.get() + at;
    m_straddling.resize(size);
    if (m_source->readAvailable(offset, m_straddling) < size)
        return nullptr;
    return m_straddling.data();
}

std::optional<PerfRecord> RecordStream::recordAt(std::uint64_t offset) {
    const std::byte* from = bytes(offset, perfRecordHeaderSize);
    if (!from)
        return std::nullopt;
    PerfRecord record;
    record.type = static_cast<PerfType>(loadNumber<std::uint32_t>(from, m_order));
    record.misc = loadNumber<std::uint16_t>(from + 4, m_order);
    record.offset = offset;
    const std::size_t size = loadNumber<std::uint16_t>(from + 6, m_order);
    if (size < perfRecordHeaderSize)
        return std::nullopt;
    from = bytes(offset, size);
    if (!from)
        return std::nullopt;
    record.body = {from + perfRecordHeaderSize, size - perfRecordHeaderSize};
    return record;
}

void RecordStream::addLoss(std::uint64_t offset) {
    const auto record = recordAt(offset);
    const std::uint64_t count = record && record->body.size() >= 16
                                    ? loadNumber<std::uint64_t>(record->body.data() + 8, m_order)
                                    : 0;
    const std::int64_t before = m_lost.value_or(0);
    m_lost = before + static_cast<std::int64_t>(std::min<std::uint64_t>(
                          count, static_cast<std::uint64_t>(INT64_MAX - before)));
}

} // namespace twolane
