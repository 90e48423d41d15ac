// perf_event_attr: what one event was, and where its records hold what.
#pragma once

#include "importers/common/byte_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace twolane {

struct PerfAttr {
    std::uint32_t type = 0;
    std::uint64_t config = 0; ///< of a tracepoint: its id
    std::uint64_t sampleType = 0;
    std::uint64_t readFormat = 0;
    bool sampleIdAll = false;          ///< records other than samples have a trailer
    std::optional<std::int32_t> clock; ///< clockid_t; nothing: perf's own clock
    std::string name;                  ///< "sched:sched_switch"; empty: not told

    bool has(std::uint64_t bits) const { return (sampleType & bits) == bits; }
};

/// Reads an attr of any age from `bytes`: what is missing is zero, what is too new is passed over.
/// Nothing where not even the parts that every kernel wrote are there.
std::optional<PerfAttr> readAttr(std::span<const std::byte> bytes, ByteOrder order);

/// Where and when a record was made.
struct PerfStamp {
    std::uint64_t time = 0;
    std::int32_t cpu = -1;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
};

/// The places of a sample's fields, worked out once.
class SampleLayout {
public:
    explicit SampleLayout(const PerfAttr& attr);

    /// Of a sample's body, which follows the record's header. False where it is too short.
    bool stamp(std::span<const std::byte> body, ByteOrder order, PerfStamp& out) const;
    /// The raw data of a tracepoint; nothing where there are none, or they do not fit.
    std::optional<std::span<const std::byte>> raw(std::span<const std::byte> body,
                                                  ByteOrder order) const;
    /// Of a record other than a sample: its trailer. False where there is none, or it does not fit.
    bool trailer(std::span<const std::byte> body, ByteOrder order, PerfStamp& out) const;
    /// Bytes of the trailer.
    std::size_t trailerSize() const { return m_trailerSize; }

private:
    static constexpr std::uint32_t absent = UINT32_MAX;

    std::optional<std::size_t> afterRead(std::span<const std::byte> body, std::size_t at,
                                         ByteOrder order) const;

    std::uint64_t m_sampleType;
    std::uint64_t m_readFormat;
    std::uint32_t m_tid = absent;
    std::uint32_t m_time = absent;
    std::uint32_t m_cpu = absent;
    std::uint32_t m_fixed = 0; ///< bytes of the fields of fixed place
    std::uint32_t m_trailerSize = 0;
};

} // namespace twolane
