#pragma once

#include "importers/importer.h"

namespace twolane {

/// Files of trace-cmd, versions 6 and 7, of machines of either order of bytes.
class TraceDatImporter final : public Importer {
public:
    FormatInfo format() const override;
    Confidence sniff(const SourceProbe& probe) const override;
    using Importer::buffers;
    Result<std::vector<BufferInfo>> buffers(ByteSource& source) const override;
    using Importer::openEvents;
    using Importer::read;
    Status read(ByteSource& source, const LoadOptions& options,
                ImportContext& context) const override;
    Result<std::unique_ptr<EventReader>> openEvents(std::unique_ptr<ByteSource> source,
                                                    const LoadOptions& options) const override;
};

} // namespace twolane
