// Writes perf.data files for tests: any content, right or wrong, without perf.
#pragma once

#include "importers/perf_data/perf_format.h"
#include "tests/support/event_shape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twolane::tests {

/// What `perf sched record` asks of its tracepoints.
constexpr std::uint64_t perfTracepointSample = perfSampleIp | perfSampleTid | perfSampleTime |
                                               perfSampleCpu | perfSamplePeriod | perfSampleRaw |
                                               perfSampleIdentifier;

struct PerfEventShape {
    std::uint32_t type = perfTypeTracepoint;
    std::uint64_t config = 0;
    std::uint64_t sampleType = perfTracepointSample;
    std::uint64_t readFormat = 0;
    std::vector<std::uint64_t> ids;
    std::string name;
    bool sampleIdAll = true;
    std::optional<std::int32_t> clock;
    std::uint32_t attrSize = 128;
};

/// Where and when a record is made.
struct PerfWhen {
    std::uint64_t time = 0;
    std::int32_t cpu = 0;
    std::int32_t tid = 0;
};

class PerfDataWriter {
public:
    explicit PerfDataWriter(ByteOrder byteOrder = ByteOrder::little)
        : order(byteOrder) {}

    ByteOrder order;
    std::vector<PerfEventShape> events;
    std::vector<EventShape> formats;
    std::string host = "lab";
    std::string release = "6.1.0-test";
    std::uint32_t cpus = 4;
    std::string records;    ///< the data section
    bool directory = false; ///< the file is the head of a directory

    /// A record of any content. Returns its place in `records`.
    std::size_t add(PerfType type, std::string_view body, std::uint16_t misc = 0);
    /// A sample of `event`, with the parts of READ and CALLCHAIN given.
    void sample(std::size_t event, const PerfWhen& when, std::string_view raw,
                std::string_view readPart = {}, std::string_view chain = {});
    /// Records of the kernel with a trailer as of events[0].
    void comm(const PerfWhen& when, std::int32_t tid, std::string_view name);
    void fork(const PerfWhen& when, std::int32_t child, std::int32_t parent);
    void exit(const PerfWhen& when, std::int32_t tid);
    void lost(const PerfWhen& when, std::uint64_t count);
    void lostSamples(std::uint64_t count, std::uint16_t misc = 0);
    /// `other`: -1 makes it a SWITCH, else a SWITCH_CPU_WIDE.
    void taskSwitch(const PerfWhen& when, bool out, bool preempted, std::int32_t other);

    std::string file() const;
    std::string pipe() const;
    /// The records as one zstd stream, cut into COMPRESSED records of `piece` bytes.
    std::string compressed(std::size_t piece = 100) const;
    /// Likewise COMPRESSED2; `wrongSize`: as perf writes them above 64 KiB.
    std::string compressed2(std::size_t piece = 100, bool wrongSize = false) const;
    std::string tracingData() const;

private:
    std::string attr(const PerfEventShape& event) const;
    std::string trailer(const PerfWhen& when) const;
    std::string feature(PerfFeature which) const;
    std::string file(std::string_view data) const;
    std::string packedRecords() const;
    std::string text(std::string_view content) const;
};

/// Two CPUs, sched_switch and sched_waking, a hundred records in rounds that are not in order
/// between the CPUs.
PerfDataWriter smallPerfRecording(ByteOrder order = ByteOrder::little);

} // namespace twolane::tests
