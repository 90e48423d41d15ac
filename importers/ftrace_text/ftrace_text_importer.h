// Reads the text of ftrace: tracefs `trace` and `trace_pipe`, and `trace-cmd report`.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/importer.h"

#include <memory>
#include <vector>

namespace twolane {

class FtraceTextImporter final : public Importer {
public:
    FormatInfo format() const override;
    Confidence sniff(const SourceProbe& probe) const override;
    Result<std::vector<BufferInfo>> buffers(const std::filesystem::path& path) const override;
    Status read(const std::filesystem::path& path, const LoadOptions& options,
                ImportContext& context) const override;
    Result<std::unique_ptr<EventReader>> openEvents(const std::filesystem::path& path,
                                                    const LoadOptions& options) const override;

    // The same from any bytes.
    Result<std::vector<BufferInfo>> buffers(ByteSource& source) const;
    Status read(ByteSource& source, const LoadOptions& options, ImportContext& context) const;
    Result<std::unique_ptr<EventReader>> openEvents(std::unique_ptr<ByteSource> source,
                                                    const LoadOptions& options) const;
};

} // namespace twolane
