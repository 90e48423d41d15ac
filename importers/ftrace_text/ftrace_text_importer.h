#pragma once

#include "importers/importer.h"

namespace twolane {

class FtraceTextImporter final : public Importer {
public:
    FormatInfo format() const override;
    Confidence sniff(const SourceProbe& probe) const override;
    Status read(const std::filesystem::path& path, const LoadOptions& options,
                ImportContext& context) const override;
    Result<std::unique_ptr<EventReader>> openEvents(const std::filesystem::path& path,
                                                    const LoadOptions& options) const override;
};

} // namespace twolane
