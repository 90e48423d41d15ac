#include "importers/importer.h"

namespace twolane {

Result<std::vector<BufferInfo>> Importer::buffers(const std::filesystem::path&) const {
    return std::vector<BufferInfo>{BufferInfo{}};
}

} // namespace twolane
