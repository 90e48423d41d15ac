// Data of version 7 files that end before the table that tells where the data are.
#pragma once

#include "importers/trace_dat/container.h"

#include <cstdint>
#include <optional>

namespace twolane {

/// Finds the top buffer's data. In the file the areas of the CPUs follow one another; those of CPUs
/// without data are left out, and the statistics, which precede the data, tell which ones these
/// are. A compressed area tells its own length; a plain one ends where the pages' times go back.
/// `sectionsBegin` is where the first section is in the file.
std::optional<DatBuffer> recoverBuffer(ByteSource& source, const DatContainer& container,
                                       std::uint32_t pageSize, std::uint64_t sectionsBegin);

} // namespace twolane
