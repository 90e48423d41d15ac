#include "importers/perf_data/perf_data_importer.h"

#include "importers/perf_data/perf_event_reader.h"
#include "importers/perf_data/perf_session.h"
#include "importers/perf_data/read_perf_data.h"

#include <string>
#include <utility>

namespace twolane {
namespace {

Error of(const std::string& file, Error error) {
    error.file = file;
    return error;
}

} // namespace

FormatInfo PerfDataImporter::format() const {
    return {"perf.data", "perf sched record and perf record, to a file or a pipe",
            "begins with \"PERFILE2\", in either byte order", "perf sched record"};
}

Confidence PerfDataImporter::sniff(const SourceProbe& probe) const {
    return perfByteOrder(probe.head) || isOldPerf(probe.head) ? Confidence::certain
                                                              : Confidence::none;
}

Status PerfDataImporter::read(ByteSource& source, const LoadOptions&,
                              ImportContext& context) const {
    Status status = readPerfData(source, context);
    if (!status)
        return of(source.name(), status.error());
    return status;
}

Result<std::unique_ptr<EventReader>>
PerfDataImporter::openEvents(std::unique_ptr<ByteSource> source, const LoadOptions&) const {
    const std::string name = source->name();
    auto reader = PerfEventReader::open(std::move(source));
    if (!reader)
        return of(name, reader.error());
    return reader;
}

} // namespace twolane
