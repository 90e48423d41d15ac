// Single events of a file of ftrace text, for the table of events.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/importer.h"
#include "importers/text_events/line_parser.h"
#include "importers/text_events/ordered_lines.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twolane {

/// The fields of a payload: those of the scheduler's events by their own rules, else "key=value"
/// pairs, else the whole payload under the name "text".
std::vector<std::pair<std::string, std::string>> payloadFields(const EventLine& line);

class TextEventReader final : public EventReader {
public:
    /// `offsets`: of the lines, in the merged order; they are read again from `source`. `stacks`:
    /// some events have stacks, shown as a field of that name.
    TextEventReader(std::unique_ptr<ByteSource> source, std::unique_ptr<const LineParser> parser,
                    std::vector<std::uint64_t> offsets, bool stacks)
        : m_source(std::move(source))
        , m_parser(std::move(parser))
        , m_fetcher(*m_source)
        , m_offsets(std::move(offsets))
        , m_stacks(stacks) {}

    std::uint64_t count() const override { return m_offsets.size(); }
    Result<RecordedEvent> at(std::uint64_t index) override;

private:
    /// The frames of the stack that was recorded with the event of `cpu` last fetched: one line
    /// each, "" where there is none.
    std::string stackBehind(std::int32_t cpu);

    std::unique_ptr<ByteSource> m_source;
    std::unique_ptr<const LineParser> m_parser;
    LineFetcher m_fetcher;
    std::vector<std::uint64_t> m_offsets;
    bool m_stacks;
};

} // namespace twolane
