#include "importers/text_events/text_reading.h"

#include "importers/text_events/ordered_lines.h"
#include "importers/text_events/text_events.h"

#include <fmt/format.h>

namespace twolane {
namespace {

std::string nameOf(const BufferScan& buffer) {
    return buffer.name.empty() ? "the top buffer" : fmt::format("'{}'", buffer.name);
}

Result<std::size_t> chooseBuffer(const std::vector<BufferScan>& buffers,
                                 const std::optional<std::string>& wanted,
                                 const std::string& file) {
    if (wanted) {
        std::string known;
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            if (buffers[i].name == *wanted)
                return i;
            known += (known.empty() ? "" : ", ") + nameOf(buffers[i]);
        }
        return Error{file, fmt::format("has no buffer '{}'", *wanted), "", "it has " + known};
    }
    const auto rank = [](const BufferScan& buffer) {
        return (buffer.hasSchedulerEvents ? 0 : 2) + (buffer.name.empty() ? 0 : 1);
    };
    const auto best = std::min_element(
        buffers.begin(), buffers.end(),
        [&rank](const BufferScan& a, const BufferScan& b) { return rank(a) < rank(b); });
    return static_cast<std::size_t>(best - buffers.begin());
}

/// Whether the text holds no event at all, and that is a fault.
std::optional<Error> nothingReadable(const TextScan& scan, const TextNames& names,
                                     const std::string& file) {
    const bool events = scan.unplacedEvents > 0 ||
                        std::any_of(scan.buffers.begin(), scan.buffers.end(),
                                    [](const BufferScan& buffer) { return buffer.events > 0; });
    if (events || (scan.rejectedLines == 0 && !scan.cutOff)) // an empty recording is none
        return std::nullopt;
    return Error{file, fmt::format("holds no line of {}", names.what),
                 fmt::format("line {}", scan.rejectedLines > 0 ? scan.firstRejected : scan.lines),
                 names.remedy};
}

} // namespace

Result<ScannedText> scanChosen(ByteSource& source, const LineParser& parser,
                               const std::optional<std::string>& buffer, const TextNames& names,
                               const LineReader::GoOnFn& goOn) {
    Result<TextScan> scan = scanText(source, parser, goOn);
    if (!scan)
        return scan.error();
    if (auto error = nothingReadable(*scan, names, source.name()))
        return *error;
    if (scan->buffers.empty())
        scan->buffers.emplace_back();
    const Result<std::size_t> chosen = chooseBuffer(scan->buffers, buffer, source.name());
    if (!chosen)
        return chosen.error();
    return ScannedText{std::move(*scan), *chosen};
}

EventTeller makeTeller(EventSink& sink, const ScannedText& text) {
    return {
        sink,
        SchedFields(PrevStateDecoder::forRelease(text.scan.kernel).value_or(PrevStateDecoder())),
        text.buffer()};
}

Status tellEvents(ByteSource& source, const LineParser& parser, const ScannedText& text,
                  const TwoPasses& progress, ImportContext& context, EventTeller& teller) {
    Status status = visitInOrder(
        source, parser, text.buffer(), text.scan.end, progress.secondPass(), context.stop,
        [&teller](const EventLine& line, LinePosition at) { teller.tell(line, at); });
    if (!status)
        return status;
    teller.finish();
    if (context.progress)
        context.progress(source.size(), source.size());
    return success();
}

Result<std::unique_ptr<EventReader>> openTextEvents(std::unique_ptr<ByteSource> source,
                                                    std::unique_ptr<const LineParser> parser,
                                                    const std::optional<std::string>& buffer,
                                                    const TextNames& names) {
    const Result<ScannedText> text = scanChosen(*source, *parser, buffer, names, {});
    if (!text)
        return text.error();
    std::vector<std::uint64_t> offsets;
    offsets.reserve(static_cast<std::size_t>(text->buffer().events));
    Status status = visitInOrder(
        *source, *parser, text->buffer(), text->scan.end, {}, {},
        [&offsets](const EventLine&, LinePosition at) { offsets.push_back(at.offset); });
    if (!status)
        return status.error();
    std::unique_ptr<EventReader> reader = std::make_unique<TextEventReader>(
        std::move(source), std::move(parser), std::move(offsets), text->scan.stacks);
    return reader;
}

} // namespace twolane
