#include "importers/perf_data/perf_attr.h"

#include "importers/perf_data/perf_format.h"

#include <algorithm>
#include <array>
#include <utility>

namespace twolane {
namespace {

constexpr std::size_t oldestAttr = 64; // PERF_ATTR_SIZE_VER0
constexpr std::size_t knownAttr = 96;  // up to clockid

template <class T>
T at(std::span<const std::byte> bytes, std::size_t offset, ByteOrder order) {
    return loadNumber<T>(bytes.data() + offset, order);
}

/// Bit-fields begin at the least significant bit of a byte on little-endian machines, else at the
/// most significant one.
bool flag(std::span<const std::byte> flags, unsigned bit, ByteOrder order) {
    const unsigned inByte = order == ByteOrder::little ? bit % 8 : 7 - bit % 8;
    return (std::to_integer<unsigned>(flags[bit / 8]) >> inByte & 1U) != 0;
}

} // namespace

std::optional<PerfAttr> readAttr(std::span<const std::byte> bytes, ByteOrder order) {
    if (bytes.size() < oldestAttr)
        return std::nullopt;
    std::array<std::byte, knownAttr> known{};
    std::copy_n(bytes.begin(), std::min(bytes.size(), known.size()), known.begin());
    const std::span<const std::byte> from(known);
    PerfAttr attr;
    attr.type = at<std::uint32_t>(from, 0, order);
    attr.config = at<std::uint64_t>(from, 8, order);
    attr.sampleType = at<std::uint64_t>(from, 24, order);
    attr.readFormat = at<std::uint64_t>(from, 32, order);
    const auto flags = from.subspan(40, 8);
    attr.sampleIdAll = flag(flags, perfFlagSampleIdAll, order);
    if (flag(flags, perfFlagUseClockid, order))
        attr.clock = at<std::int32_t>(from, 92, order);
    return attr;
}

SampleLayout::SampleLayout(const PerfAttr& attr)
    : m_sampleType(attr.sampleType)
    , m_readFormat(attr.readFormat) {
    const auto place = [&](std::uint64_t bit) {
        if (!attr.has(bit))
            return absent;
        m_fixed += 8;
        return m_fixed - 8;
    };
    place(perfSampleIdentifier);
    place(perfSampleIp);
    m_tid = place(perfSampleTid);
    m_time = place(perfSampleTime);
    place(perfSampleAddr);
    place(perfSampleId);
    place(perfSampleStreamId);
    m_cpu = place(perfSampleCpu);
    place(perfSamplePeriod);
    if (attr.sampleIdAll)
        for (const std::uint64_t bit : {perfSampleTid, perfSampleTime, perfSampleId,
                                        perfSampleStreamId, perfSampleCpu, perfSampleIdentifier})
            m_trailerSize += attr.has(bit) ? 8 : 0;
}

bool SampleLayout::stamp(std::span<const std::byte> body, ByteOrder order, PerfStamp& out) const {
    if (body.size() < m_fixed)
        return false;
    if (m_time != absent)
        out.time = at<std::uint64_t>(body, m_time, order);
    if (m_cpu != absent)
        out.cpu = at<std::int32_t>(body, m_cpu, order);
    if (m_tid != absent) {
        out.pid = at<std::int32_t>(body, m_tid, order);
        out.tid = at<std::int32_t>(body, m_tid + 4, order);
    }
    return true;
}

std::optional<std::size_t> SampleLayout::afterRead(std::span<const std::byte> body, std::size_t at_,
                                                   ByteOrder order) const {
    const std::size_t times = ((m_readFormat & perfReadEnabled) != 0 ? 1U : 0U) +
                              ((m_readFormat & perfReadRunning) != 0 ? 1U : 0U);
    const std::size_t each = 1U + ((m_readFormat & perfReadId) != 0 ? 1U : 0U) +
                             ((m_readFormat & perfReadLost) != 0 ? 1U : 0U);
    std::uint64_t words = times + each;
    if ((m_readFormat & perfReadGroup) != 0) {
        if (body.size() - at_ < 8)
            return std::nullopt;
        const auto count = at<std::uint64_t>(body, at_, order);
        if (count > body.size())
            return std::nullopt;
        words = 1 + times + count * each;
    }
    if (words > (body.size() - at_) / 8)
        return std::nullopt;
    return at_ + static_cast<std::size_t>(words) * 8;
}

std::optional<std::span<const std::byte>> SampleLayout::raw(std::span<const std::byte> body,
                                                            ByteOrder order) const {
    if ((m_sampleType & perfSampleRaw) == 0 || body.size() < m_fixed)
        return std::nullopt;
    std::size_t place = m_fixed;
    if ((m_sampleType & perfSampleRead) != 0) {
        const auto behind = afterRead(body, place, order);
        if (!behind)
            return std::nullopt;
        place = *behind;
    }
    if ((m_sampleType & perfSampleCallchain) != 0) {
        if (body.size() - place < 8)
            return std::nullopt;
        const auto frames = at<std::uint64_t>(body, place, order);
        if (frames > (body.size() - place) / 8 - 1)
            return std::nullopt;
        place += (static_cast<std::size_t>(frames) + 1) * 8;
    }
    if (body.size() - place < 4)
        return std::nullopt;
    const auto size = at<std::uint32_t>(body, place, order);
    if (size > body.size() - place - 4)
        return std::nullopt;
    return body.subspan(place + 4, size);
}

bool SampleLayout::trailer(std::span<const std::byte> body, ByteOrder order, PerfStamp& out) const {
    if (m_trailerSize == 0 || body.size() < m_trailerSize)
        return false;
    std::size_t place = body.size() - m_trailerSize;
    const auto next = [&] { return std::exchange(place, place + 8); };
    if ((m_sampleType & perfSampleTid) != 0) {
        const std::size_t from = next();
        out.pid = at<std::int32_t>(body, from, order);
        out.tid = at<std::int32_t>(body, from + 4, order);
    }
    if ((m_sampleType & perfSampleTime) != 0)
        out.time = at<std::uint64_t>(body, next(), order);
    if ((m_sampleType & perfSampleId) != 0)
        next();
    if ((m_sampleType & perfSampleStreamId) != 0)
        next();
    if ((m_sampleType & perfSampleCpu) != 0)
        out.cpu = at<std::int32_t>(body, next(), order);
    return true;
}

} // namespace twolane
