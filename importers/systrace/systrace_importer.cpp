#include "importers/systrace/systrace_importer.h"

#include "importers/ftrace_text/ftrace_text_importer.h"
#include "importers/systrace/trace_page.h"
#include "importers/systrace/trace_text.h"

#include <string>
#include <string_view>
#include <utility>

namespace twolane {
namespace {

std::string_view nameOf(TraceContainer container) {
    switch (container) {
    case TraceContainer::page:
        return "HTML, trace-data";
    case TraceContainer::script:
        return "HTML, linuxPerfData";
    case TraceContainer::fragment:
        return "linuxPerfData without its page";
    case TraceContainer::compressed:
        return "atrace -z";
    }
    return {};
}

} // namespace

FormatInfo SystraceImporter::format() const {
    return {"systrace", "systrace (Android), atrace -z",
            "a page (HTML) with a trace of ftrace's text in it, or TRACE: and a zlib stream"};
}

Confidence SystraceImporter::sniff(const SourceProbe& probe) const {
    if (probe.head.empty())
        return Confidence::none;
    const std::string_view head = probe.text();
    const auto container = containerOf(head);
    if (!container)
        return Confidence::none;
    if (container != TraceContainer::page)
        return Confidence::certain;
    // The viewer precedes the trace, so the trace itself need not be in the head.
    for (const std::string_view word :
         {"linuxPerfData", "trace-data", "<title>Android System Trace</title>", "<!-- BEGIN TRACE"})
        if (head.find(word) != std::string_view::npos)
            return Confidence::certain;
    return Confidence::possible;
}

Status SystraceImporter::read(ByteSource& source, const LoadOptions& options,
                              ImportContext& context) const {
    Result<std::unique_ptr<TraceText>> text = TraceText::open(
        source, [&context](std::uint64_t) { return !context.stop.stop_requested(); });
    if (!text)
        return text.error();
    if (Status status = FtraceTextImporter().read(**text, options, context); !status)
        return status;
    context.info.formatDetail = nameOf((*text)->container());
    if ((*text)->cutOff())
        context.diagnostics.add({"cut_off", Severity::dataLoss, 1,
                                 "the compressed text is cut off at end of file", "",
                                 "check that the copy is complete"});
    if ((*text)->damaged())
        context.diagnostics.add({"damaged", Severity::dataLoss, 1,
                                 "the compressed text is damaged: what follows the damage is "
                                 "missing",
                                 "", "pull the file again, in binary mode"});
    return success();
}

Result<std::unique_ptr<EventReader>>
SystraceImporter::openEvents(std::unique_ptr<ByteSource> source, const LoadOptions& options) const {
    Result<std::unique_ptr<TraceText>> text = TraceText::open(std::move(source));
    if (!text)
        return text.error();
    return FtraceTextImporter().openEvents(std::move(*text), options);
}

} // namespace twolane
