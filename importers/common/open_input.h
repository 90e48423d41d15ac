// Opens what a user names: a plain file as it is, a compressed one or a pipe through a copy.
#pragma once

#include "importers/common/byte_source.h"
#include "model/diagnostics.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace twolane {

struct OpenedInput {
    std::unique_ptr<ByteSource> bytes; ///< unpacked; named after the path
    std::vector<Oddity> oddities;      ///< of the packing: cut, damaged
};

/// gzip, xz and zstd are known by their first bytes, not by the name; several streams one after
/// the other are one. They are unpacked into a file without a name in the folder for temporary
/// files ($TMPDIR, else /tmp), which is gone when the source is. A pipe is copied there too.
///
/// Of a stream that is cut short or damaged what precedes is kept, and that is told. An error where
/// nothing could be had, where the disk is full, and where the content grows beyond
/// `mostUnpacked()`. After a stop request an Error with `interrupted` within 0.2 s, though the pipe
/// be silent. `progress` is told of packed bytes.
Result<OpenedInput> openInput(const std::filesystem::path& path, const std::stop_token& stop,
                              const std::function<void(std::uint64_t, std::uint64_t)>& progress);

/// The same for bytes that are open already; those that are not packed are handed back.
Result<OpenedInput> unpackInput(std::unique_ptr<ByteSource> source, const std::stop_token& stop,
                                const std::function<void(std::uint64_t, std::uint64_t)>& progress);

/// No recording packs as well as a file that was made to fill disks: 256 MiB, and 512 times the
/// packed size beyond that.
constexpr std::uint64_t mostUnpacked(std::uint64_t packed) {
    constexpr std::uint64_t free = std::uint64_t{256} << 20;
    return packed > (UINT64_MAX - free) / 512 ? UINT64_MAX : free + packed * 512;
}

} // namespace twolane
