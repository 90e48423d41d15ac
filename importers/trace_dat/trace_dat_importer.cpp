#include "importers/trace_dat/trace_dat_importer.h"

#include "importers/trace_dat/dat_file.h"
#include "importers/trace_dat/event_reader.h"
#include "importers/trace_dat/latency_text.h"
#include "importers/trace_dat/read_events.h"

#include <utility>

namespace twolane {
namespace {

Error of(const std::filesystem::path& path, Error error) {
    error.file = path.string();
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

Result<std::vector<BufferInfo>> TraceDatImporter::buffers(const std::filesystem::path& path) const {
    auto source = FileSource::open(path);
    if (!source)
        return source.error();
    Diagnostics ignored; // of no interest before a buffer is loaded
    auto file = DatFile::open(**source, ignored);
    if (!file)
        return of(path, file.error());
    if (holdsLatencyText((*file)->container())) {
        auto text = latencyTextBuffers(**source, (*file)->container());
        if (!text)
            return of(path, text.error());
        return text;
    }
    std::vector<BufferInfo> buffers;
    for (const DatBuffer& buffer : (*file)->container().buffers)
        buffers.push_back(
            {buffer.name, buffer.clock, buffer.bytes(), (*file)->hasSchedulerEvents(buffer)});
    return buffers;
}

Status TraceDatImporter::read(const std::filesystem::path& path, const LoadOptions& options,
                              ImportContext& context) const {
    auto source = FileSource::open(path);
    if (!source)
        return source.error();
    Status status = readTraceDat(**source, options, context);
    if (!status)
        return of(path, status.error());
    return status;
}

Result<std::unique_ptr<EventReader>>
TraceDatImporter::openEvents(const std::filesystem::path& path, const LoadOptions& options) const {
    auto source = FileSource::open(path);
    if (!source)
        return source.error();
    auto reader = DatEventReader::open(std::move(source).value(), options);
    if (!reader)
        return of(path, reader.error());
    return reader;
}

} // namespace twolane
