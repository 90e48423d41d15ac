#include "importers/trace_dat/trace_dat_importer.h"

#include "importers/trace_dat/dat_file.h"
#include "importers/trace_dat/event_reader.h"
#include "importers/trace_dat/latency_text.h"
#include "importers/trace_dat/read_events.h"

#include <utility>

namespace twolane {
namespace {

Error of(const ByteSource& source, Error error) {
    error.file = source.name();
    return error;
}

} // namespace

FormatInfo TraceDatImporter::format() const {
    return {"trace.dat", "trace-cmd record",
            "begins with the bytes 17 08 44 and \"tracing\"; versions 6 and 7"};
}

Confidence TraceDatImporter::sniff(const SourceProbe& probe) const {
    return isTraceDat(probe.head) ? Confidence::certain : Confidence::none;
}

Result<std::vector<BufferInfo>> TraceDatImporter::buffers(ByteSource& source) const {
    Diagnostics ignored; // of no interest before a buffer is loaded
    auto file = DatFile::open(source, ignored);
    if (!file)
        return of(source, file.error());
    if (holdsLatencyText((*file)->container())) {
        auto text = latencyTextBuffers(source, (*file)->container());
        if (!text)
            return of(source, text.error());
        return text;
    }
    std::vector<BufferInfo> buffers;
    for (const DatBuffer& buffer : (*file)->container().buffers)
        buffers.push_back(
            {buffer.name, buffer.clock, buffer.bytes(), (*file)->hasSchedulerEvents(buffer)});
    return buffers;
}

Status TraceDatImporter::read(ByteSource& source, const LoadOptions& options,
                              ImportContext& context) const {
    Status status = readTraceDat(source, options, context);
    if (!status)
        return of(source, status.error());
    return status;
}

Result<std::unique_ptr<EventReader>>
TraceDatImporter::openEvents(std::unique_ptr<ByteSource> source, const LoadOptions& options) const {
    const std::string name = source->name();
    auto reader = DatEventReader::open(std::move(source), options);
    if (!reader) {
        Error error = reader.error();
        error.file = name;
        return error;
    }
    return reader;
}

} // namespace twolane
