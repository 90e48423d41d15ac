#pragma once

#include "importers/importer.h"

namespace twolane {

/// Files of trace-cmd, versions 6 and 7, of machines of either order of bytes.
class TraceDatImporter final : public Importer {
public:
    FormatInfo format() const override;
    Confidence sniff(const SourceProbe& probe) const override;
    Result<std::vector<BufferInfo>> buffers(const std::filesystem::path& path) const override;
    Status read(const std::filesystem::path& path, const LoadOptions& options,
                ImportContext& context) const override;
    Result<std::unique_ptr<EventReader>> openEvents(const std::filesystem::path& path,
                                                    const LoadOptions& options) const override;
};

} // namespace twolane
