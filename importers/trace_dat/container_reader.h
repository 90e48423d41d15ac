// The reader behind readContainer(). container.cpp has its way through the file and the tables of
// data, container_options.cpp the options.
#pragma once

#include "importers/trace_dat/container.h"
#include "importers/trace_dat/sections.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twolane {

// Far beyond what any kernel can be built for.
constexpr std::uint32_t mostCpus = 1U << 16;

/// Reads one file's structure: the file header, the tables of data, and the options.
class ContainerReader {
public:
    ContainerReader(ByteSource& source, Diagnostics& diagnostics)
        : m_source(source)
        , m_diagnostics(diagnostics) {}

    Result<DatContainer> run();

private:
    Status readVersion6(ByteReader& reader);
    Status readVersion7(ByteReader& reader);
    Status readOptionSections(std::uint64_t first);
    Result<std::uint64_t> readOptionSection(const SectionHeader& header);
    Result<std::uint64_t> readOptions(ByteReader& reader);
    void tellCutOff(std::uint64_t options);
    void readOption(std::uint16_t id, const std::string& data, std::uint64_t at);
    void readBuffer(const std::string& data, std::uint64_t at);
    void readBufferText(const std::string& data, std::uint64_t at);
    void readStatistics(std::string_view text);
    bool readAreasVersion6(ByteReader& reader, std::uint32_t cpus, DatBuffer& buffer);
    void addArea(DatBuffer& buffer, CpuArea area);
    void ignoredOption(std::uint16_t id, std::uint64_t at, std::string_view why);
    void noteUnknown();
    void dropOverlaps();
    static bool pageSizeFits(std::uint32_t size) {
        constexpr std::uint32_t largestPage = 4U << 20;
        constexpr std::uint32_t smallestPage = 256;
        return size >= smallestPage && size <= largestPage && size % 4 == 0;
    }

    ByteSource& m_source;
    Diagnostics& m_diagnostics;
    DatContainer m_container;
    std::uint32_t m_pageSize = 0;
    std::uint64_t m_sectionsBegin = 0;
    std::string m_statisticsBuffer;
    // Buffers of version 6 are lists of areas elsewhere in the file.
    std::vector<std::pair<std::uint64_t, std::string>> m_distantBuffers;
    std::set<std::uint16_t> m_unknown;
    std::uint64_t m_unknownAt = 0;
    bool m_optionsCutOff = false;
};

} // namespace twolane
