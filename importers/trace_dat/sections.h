// Sections and options of trace.dat files: their numbers, their headers and their content.
#pragma once

#include "importers/trace_dat/container.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace twolane {

/// Numbers of options. Sections are numbered alike: one of options is 0, one of a buffer's data 3.
enum OptionId : std::uint16_t {
    optionDone = 0,
    optionDate = 1,
    optionCpuStat = 2,
    optionBuffer = 3,
    optionTraceClock = 4,
    optionUname = 5,
    optionHook = 6,
    optionOffset = 7,
    optionCpuCount = 8,
    optionVersion = 9,
    optionProcMaps = 10,
    optionTraceId = 11,
    optionTimeShift = 12,
    optionGuest = 13,
    optionTscToNs = 14,
    optionStrings = 15,
    optionHeaders = 16,
    optionFtraceFormats = 17,
    optionEventFormats = 18,
    optionKallsyms = 19,
    optionPrintk = 20,
    optionCommandLines = 21,
    optionBufferText = 22,
    optionBtf = 23,
    optionLastBoot = 24,
    optionModules = 25,
};

Error damaged(std::string what, std::uint64_t at);

/// Version 7: what stands before a section's content.
struct SectionHeader {
    std::uint16_t id = 0;
    bool compressed = false;
    std::uint64_t begin = 0; ///< of the content, in the file
    std::uint64_t size = 0;  ///< as told; may reach past the end of the file
};

/// Nothing where the file ends before the header does.
std::optional<SectionHeader> sectionAt(ByteSource& source, std::uint64_t offset, ByteOrder order);

/// The content of a compressed section, at most 32 MiB of it, which `begin` with its two sizes.
Result<std::pair<std::unique_ptr<std::byte[]>, std::size_t>>
decompressSection(ByteSource& source, const DatContainer& container, std::uint64_t begin);

} // namespace twolane
