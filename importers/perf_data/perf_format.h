// The numbers of the perf.data format: include/uapi/linux/perf_event.h and
// tools/perf/Documentation/perf.data-file-format.txt of Linux.
#pragma once

#include <cstdint>

namespace twolane {

/// Types of records. Those from 64 on are perf's own; the others the kernel's.
enum class PerfType : std::uint32_t {
    lost = 2,
    comm = 3,
    exit = 4,
    fork = 7,
    sample = 9,
    lostSamples = 13,
    taskSwitch = 14,
    switchCpuWide = 15,
    headerAttr = 64,
    tracingData = 66,
    auxtrace = 71,
    headerFeature = 80,
    compressed = 81,
    compressed2 = 83,
};

constexpr std::uint32_t perfRecordHeaderSize = 8; ///< u32 type, u16 misc, u16 size

// Bits of a record's misc.
constexpr std::uint16_t perfMiscSwitchOut = 1U << 13;
constexpr std::uint16_t perfMiscSwitchOutPreempt = 1U << 14;
/// Of LOST_SAMPLES: not lost, but dropped by a BPF filter that the user gave.
constexpr std::uint16_t perfMiscLostSamplesBpf = 1U << 15;

// Bits of perf_event_attr::sample_type.
constexpr std::uint64_t perfSampleIp = 1U << 0;
constexpr std::uint64_t perfSampleTid = 1U << 1;
constexpr std::uint64_t perfSampleTime = 1U << 2;
constexpr std::uint64_t perfSampleAddr = 1U << 3;
constexpr std::uint64_t perfSampleRead = 1U << 4;
constexpr std::uint64_t perfSampleCallchain = 1U << 5;
constexpr std::uint64_t perfSampleId = 1U << 6;
constexpr std::uint64_t perfSampleCpu = 1U << 7;
constexpr std::uint64_t perfSamplePeriod = 1U << 8;
constexpr std::uint64_t perfSampleStreamId = 1U << 9;
constexpr std::uint64_t perfSampleRaw = 1U << 10;
constexpr std::uint64_t perfSampleIdentifier = 1U << 16;

// Bits of perf_event_attr::read_format.
constexpr std::uint64_t perfReadEnabled = 1U << 0;
constexpr std::uint64_t perfReadRunning = 1U << 1;
constexpr std::uint64_t perfReadId = 1U << 2;
constexpr std::uint64_t perfReadGroup = 1U << 3;
constexpr std::uint64_t perfReadLost = 1U << 4;

// Flags of perf_event_attr: positions of its bit-fields.
constexpr unsigned perfFlagSampleIdAll = 18;
constexpr unsigned perfFlagUseClockid = 25;

constexpr std::uint32_t perfTypeTracepoint = 2;

/// Feature sections, by their bit in the file's header.
enum class PerfFeature : std::uint32_t {
    tracingData = 1,
    hostname = 3,
    osRelease = 4,
    version = 5,
    cpuCount = 7,
    commandLine = 11,
    eventDescriptions = 12,
    clockId = 23,
    dirFormat = 24,
    compressed = 27,
};
constexpr std::uint32_t perfFeatureBits = 256;

} // namespace twolane
