#include "importers/trace_dat/decompressor.h"

#include <zlib.h>
#include <zstd.h>

#include <cstring>

namespace twolane {

std::optional<Codec> codecByName(std::string_view name) {
    if (name == "none")
        return Codec::none;
    if (name == "zlib")
        return Codec::zlib;
    if (name == "zstd")
        return Codec::zstd;
    return std::nullopt;
}

struct Decompressor::State {
    ZSTD_DCtx* zstd = nullptr;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { ZSTD_freeDCtx(zstd); }
};

Decompressor::Decompressor(Codec codec)
    : m_codec(codec)
    , m_state(std::make_unique<State>()) {
    if (codec == Codec::zstd)
        m_state->zstd = ZSTD_createDCtx();
}

Decompressor::~Decompressor() = default;

bool Decompressor::plausible(std::span<const std::byte> from, std::uint64_t size) const {
    switch (m_codec) {
    case Codec::none:
        return from.size() == size;
    case Codec::zlib:
        // Deflate cannot do better than about 1 : 1032.
        return size / 1100 <= from.size();
    case Codec::zstd: {
        const unsigned long long told = ZSTD_getFrameContentSize(from.data(), from.size());
        return told == size || told == ZSTD_CONTENTSIZE_UNKNOWN;
    }
    }
    return false;
}

bool Decompressor::run(std::span<const std::byte> from, std::span<std::byte> to) {
    switch (m_codec) {
    case Codec::none:
        if (from.size() != to.size())
            return false;
        if (!to.empty())
            std::memcpy(to.data(), from.data(), to.size());
        return true;
    case Codec::zlib: {
        uLongf size = to.size();
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's own byte type
        const int code = uncompress(reinterpret_cast<Bytef*>(to.data()), &size,
                                    reinterpret_cast<const Bytef*>(from.data()), from.size());
        return code == Z_OK && size == to.size();
    }
    case Codec::zstd:
        if (!m_state->zstd)
            return false;
        return ZSTD_decompressDCtx(m_state->zstd, to.data(), to.size(), from.data(), from.size()) ==
               to.size();
    }
    return false;
}

} // namespace twolane
