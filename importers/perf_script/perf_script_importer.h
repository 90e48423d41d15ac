// Reads the text of `perf script`.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/importer.h"

#include <memory>

namespace twolane {

class PerfScriptImporter final : public Importer {
public:
    FormatInfo format() const override;
    Confidence sniff(const SourceProbe& probe) const override;
    Status read(const std::filesystem::path& path, const LoadOptions& options,
                ImportContext& context) const override;
    Result<std::unique_ptr<EventReader>> openEvents(const std::filesystem::path& path,
                                                    const LoadOptions& options) const override;

    // The same from any bytes.
    Status read(ByteSource& source, const LoadOptions& options, ImportContext& context) const;
    Result<std::unique_ptr<EventReader>> openEvents(std::unique_ptr<ByteSource> source,
                                                    const LoadOptions& options) const;
};

} // namespace twolane
