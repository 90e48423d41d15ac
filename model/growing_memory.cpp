#include "model/growing_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace twolane {
namespace {

constexpr std::size_t smallest = 512;
constexpr std::size_t pageSize = 4096;

// Sanitizers watch over what malloc() gives.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t ownPages = SIZE_MAX;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::size_t ownPages = SIZE_MAX;
#else
constexpr std::size_t ownPages = std::size_t{64} << 10;
#endif
#else
/// From so many bytes on a block has its own pages.
constexpr std::size_t ownPages = std::size_t{64} << 10;
#endif

} // namespace

GrowingMemory::~GrowingMemory() {
    if (m_bytes >= ownPages)
        munmap(m_data, m_bytes);
    else
        std::free(m_data);
}

void GrowingMemory::grow(std::size_t least, std::size_t valueSize) {
    if (least > SIZE_MAX / 4 / valueSize)
        throw std::bad_alloc();
    const bool hasPages = m_bytes >= ownPages;
    std::size_t bytes = std::max({least * valueSize, m_bytes + m_bytes / 2, smallest});
    if (bytes < ownPages) {
        void* const grown = std::realloc(m_data, bytes);
        if (!grown)
            throw std::bad_alloc();
        m_data = grown;
        m_bytes = bytes;
        return;
    }
    bytes = (bytes + pageSize - 1) / pageSize * pageSize;
    void* const grown =
        hasPages ? mremap(m_data, m_bytes, bytes, MREMAP_MAYMOVE)
                 : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == MAP_FAILED)
        throw std::bad_alloc();
    if (!hasPages && m_data) {
        std::memcpy(grown, m_data, m_bytes);
        std::free(m_data);
    }
    m_data = grown;
    m_bytes = bytes;
}

} // namespace twolane
