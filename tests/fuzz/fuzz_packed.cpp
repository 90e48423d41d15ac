// Any bytes as a packed file: it is unpacked, or refused, within its bounds.
#include "importers/common/open_input.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

using namespace twolane;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto input = unpackInput(std::make_unique<MemorySource>(bytes), {}, {});
    // A step may go beyond the bound before it is seen to.
    if (input && input->bytes->size() > mostUnpacked(size) + (std::uint64_t{1} << 20))
        std::abort();
    return 0;
}
