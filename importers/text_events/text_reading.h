// The two passes over a text of events, whatever tool wrote it.
#pragma once

#include "importers/importer.h"
#include "importers/text_events/event_teller.h"
#include "importers/text_events/text_scan.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace twolane {

/// Bytes of both passes as one progress over the file's size.
class TwoPasses {
public:
    TwoPasses(const ProgressFn& progress, std::stop_token stop, std::uint64_t size)
        : m_progress(progress)
        , m_stop(std::move(stop))
        , m_size(size) {}

    LineReader::GoOnFn firstPass() const {
        return [this](std::uint64_t offset) { return tell(std::min(offset, m_size) / 3); };
    }
    LineReader::GoOnFn secondPass() const {
        return [this](std::uint64_t offset) {
            return tell(m_size / 3 + std::min(offset, m_size) / 3 * 2);
        };
    }

private:
    bool tell(std::uint64_t done) const {
        if (m_progress)
            m_progress(std::min(done, m_size), m_size);
        return !m_stop.stop_requested();
    }

    const ProgressFn& m_progress;
    std::stop_token m_stop;
    std::uint64_t m_size;
};

/// What a text is called where it proves to be none.
struct TextNames {
    const char* what;   ///< "ftrace text"
    const char* remedy; ///< what to give in its place
};

/// The first pass over a text, and the buffer that is read of it.
struct ScannedText {
    TextScan scan;
    std::size_t chosen = 0; ///< into scan.buffers, which are not empty

    const BufferScan& buffer() const { return scan.buffers[chosen]; }
};

/// Chooses the buffer asked for, else the first one with scheduler events, the top one first. An
/// error where lines are there, but none of them can be read.
Result<ScannedText> scanChosen(ByteSource& source, const LineParser& parser,
                               const std::optional<std::string>& buffer, const TextNames& names,
                               const LineReader::GoOnFn& goOn);

/// The second pass: all events of the chosen buffer in order, losses among them.
Status tellEvents(ByteSource& source, const LineParser& parser, const ScannedText& text,
                  const TwoPasses& progress, ImportContext& context, EventTeller& teller);

/// The teller of a text of that kernel.
EventTeller makeTeller(EventSink& sink, const ScannedText& text);

/// The single events of the buffer that would be read with the same options.
Result<std::unique_ptr<EventReader>> openTextEvents(std::unique_ptr<ByteSource> source,
                                                    std::unique_ptr<const LineParser> parser,
                                                    const std::optional<std::string>& buffer,
                                                    const TextNames& names);

} // namespace twolane
