// Reads what systrace and atrace of Android write: ftrace's text inside another file.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/importer.h"

#include <memory>
#include <vector>

namespace twolane {

class SystraceImporter final : public Importer {
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
