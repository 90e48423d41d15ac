// The codecs of trace.dat version 7.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace twolane {

enum class Codec : std::uint8_t { none, zlib, zstd };

/// The codec that trace-cmd calls `name`; nothing for one that is not known.
std::optional<Codec> codecByName(std::string_view name);

/// Keeps a codec's working memory between calls. Not for use by two threads at once.
class Decompressor {
public:
    explicit Decompressor(Codec codec);
    ~Decompressor();
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;

    /// True when `from` could hold `size` bytes of content, as far as its own header and the
    /// codec's best ratio tell. Asked before memory for the content is taken.
    bool plausible(std::span<const std::byte> from, std::uint64_t size) const;
    /// Decompresses `from` into exactly all of `to`. False where the data are damaged, or hold more
    /// or less than that.
    bool run(std::span<const std::byte> from, std::span<std::byte> to);

private:
    struct State;
    Codec m_codec;
    std::unique_ptr<State> m_state;
};

} // namespace twolane
