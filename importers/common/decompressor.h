// Streams of gzip, xz and zstd, one step after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace twolane {

enum class Packing : std::uint8_t { gzip, xz, zstd, bzip2 };

/// By the first bytes; nothing for what is not packed.
std::optional<Packing> packingOf(std::span<const std::byte> head);
std::string_view nameOf(Packing packing);
/// The command that unpacks it: "gunzip -k".
std::string_view unpackCommand(Packing packing);

class Decompressor {
public:
    enum class State : std::uint8_t {
        goesOn,
        ended,   ///< the stream's end was reached; what follows is another stream, or none of it
        damaged, ///< the bytes are no such stream
        greedy   ///< a stream that asks for more memory than is given
    };
    struct Step {
        std::size_t consumed = 0;
        std::size_t produced = 0;
        State state = State::goesOn;
    };

    Decompressor() = default;
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;
    virtual ~Decompressor() = default;

    /// Takes from `in` and fills `out`, both as far as it goes.
    virtual Step step(std::span<const std::byte> in, std::span<std::byte> out) = 0;
    /// Begins with the next stream, after State::ended.
    virtual void restart() = 0;
};

/// Null for bzip2, which is known by sight only. Takes at most 256 MiB of memory.
std::unique_ptr<Decompressor> makeDecompressor(Packing packing);

} // namespace twolane
