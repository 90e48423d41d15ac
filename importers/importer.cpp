#include "importers/importer.h"

#include <utility>

namespace twolane {

std::optional<std::filesystem::path> Importer::entryOf(const std::filesystem::path&) const {
    return std::nullopt;
}

Result<std::vector<BufferInfo>> Importer::buffers(ByteSource&) const {
    return std::vector<BufferInfo>{BufferInfo{}};
}

Result<std::vector<BufferInfo>> Importer::buffers(const std::filesystem::path& path) const {
    Result<std::unique_ptr<ByteSource>> source = FileSource::open(path);
    if (!source)
        return source.error();
    return buffers(**source);
}

Status Importer::read(const std::filesystem::path& path, const LoadOptions& options,
                      ImportContext& context) const {
    Result<std::unique_ptr<ByteSource>> source = FileSource::open(path);
    if (!source)
        return source.error();
    return read(**source, options, context);
}

Result<std::unique_ptr<EventReader>> Importer::openEvents(const std::filesystem::path& path,
                                                          const LoadOptions& options) const {
    Result<std::unique_ptr<ByteSource>> source = FileSource::open(path);
    if (!source)
        return source.error();
    return openEvents(std::move(*source), options);
}

} // namespace twolane
