// Any recorded event of a perf.data file again, with its own fields.
#pragma once

#include "importers/importer.h"
#include "importers/perf_data/perf_index.h"
#include "importers/perf_data/record_stream.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace twolane {

class PerfEventReader final : public EventReader {
public:
    /// Errors have no file name.
    static Result<std::unique_ptr<EventReader>> open(std::unique_ptr<ByteSource> source);

    std::uint64_t count() const override { return m_order.size(); }
    Result<RecordedEvent> at(std::uint64_t index) override;

private:
    /// Which record of which list.
    struct Place {
        std::uint32_t list = 0;
        std::uint32_t row = 0;
    };
    struct Collector;

    PerfEventReader() = default;
    RecordedEvent render(const PerfRecord& record, const EventHeader& header) const;

    std::unique_ptr<ByteSource> m_source;
    std::unique_ptr<PerfFile> m_file;
    std::unique_ptr<PieceCache> m_cache;
    std::vector<Place> m_order;
};

} // namespace twolane
