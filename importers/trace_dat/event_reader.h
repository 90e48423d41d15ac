// Any recorded event of a buffer again, with its own fields.
#pragma once

#include "importers/importer.h"
#include "importers/trace_dat/dat_file.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace twolane {

/// Goes over the buffer once when it is opened, and notes every 1,024 events where each CPU's
/// stream is. To show an event it goes there again and keeps a copy of the events of that stretch.
class DatEventReader final : public EventReader {
public:
    static Result<std::unique_ptr<EventReader>> open(std::unique_ptr<ByteSource> source,
                                                     const LoadOptions& options);
    ~DatEventReader() override;

    std::uint64_t count() const override { return m_count; }
    Result<RecordedEvent> at(std::uint64_t index) override;

private:
    struct Copy {
        Nanos time = 0;
        std::int32_t cpu = 0;
        std::uint32_t begin = 0; ///< in m_bytes
        std::uint32_t size = 0;
    };
    struct Indexer;
    struct Copier;

    DatEventReader() = default;
    bool loadStretch(std::uint64_t stretch);
    const EventFormat* format(std::uint32_t id);
    RecordedEvent render(std::uint64_t index, const Copy& copy);

    std::unique_ptr<ByteSource> m_source;
    std::unique_ptr<DatFile> m_file;
    std::unique_ptr<StreamContext> m_context;
    std::vector<CpuStream> m_streams;
    std::unordered_map<std::int32_t, std::string> m_tasks;
    std::unordered_map<std::uint32_t, std::optional<EventFormat>> m_formats;
    std::vector<CpuStream::Position> m_positions; ///< one for each stream and stretch
    std::uint64_t m_count = 0;

    std::optional<std::uint64_t> m_stretch; ///< of which copies are kept
    std::vector<Copy> m_copies;
    std::vector<std::byte> m_bytes;
};

} // namespace twolane
