// Single events of a file of ftrace text, for the table of events.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/ftrace_text/ftrace_line.h"
#include "importers/ftrace_text/ordered_lines.h"
#include "importers/importer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twolane {

/// The fields of a payload: those of the scheduler's events by their own rules, else "key=value"
/// pairs, else the whole payload under the name "text".
std::vector<std::pair<std::string, std::string>> payloadFields(const FtraceLine& line);

class TextEventReader final : public EventReader {
public:
    /// `offsets`: of the lines, in the merged order; they are read again from `source`.
    TextEventReader(std::unique_ptr<ByteSource> source, FtraceLineParser parser,
                    std::vector<std::uint64_t> offsets)
        : m_source(std::move(source))
        , m_parser(parser)
        , m_fetcher(*m_source)
        , m_offsets(std::move(offsets)) {}

    std::uint64_t count() const override { return m_offsets.size(); }
    Result<RecordedEvent> at(std::uint64_t index) override;

private:
    std::unique_ptr<ByteSource> m_source;
    FtraceLineParser m_parser;
    LineFetcher m_fetcher;
    std::vector<std::uint64_t> m_offsets;
};

} // namespace twolane
