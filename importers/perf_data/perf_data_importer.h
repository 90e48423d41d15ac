// Reads perf.data, as perf record writes it.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/importer.h"

#include <memory>

namespace twolane {

class PerfDataImporter final : public Importer {
public:
    FormatInfo format() const override;
    Confidence sniff(const SourceProbe& probe) const override;
    std::optional<std::filesystem::path>
    entryOf(const std::filesystem::path& directory) const override;
    using Importer::openEvents;
    using Importer::read;
    Status read(ByteSource& source, const LoadOptions& options,
                ImportContext& context) const override;
    Result<std::unique_ptr<EventReader>> openEvents(std::unique_ptr<ByteSource> source,
                                                    const LoadOptions& options) const override;
};

} // namespace twolane
