#include "importers/perf_data/perf_data_importer.h"

#include "importers/perf_data/perf_event_reader.h"
#include "importers/perf_data/perf_session.h"
#include "importers/perf_data/read_perf_data.h"

#include <array>
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
    return {"perf.data", "perf sched record and perf record, to a file, a pipe or a directory",
            "begins with \"PERFILE2\", in either byte order", "perf sched record"};
}

Confidence PerfDataImporter::sniff(const SourceProbe& probe) const {
    return perfByteOrder(probe.head) || isOldPerf(probe.head) ? Confidence::certain
                                                              : Confidence::none;
}

std::optional<std::filesystem::path>
PerfDataImporter::entryOf(const std::filesystem::path& directory) const {
    // perf record --threads. perf before 5.12 called it "header".
    for (const char* const name : {"data", "header"}) {
        const auto source = FileSource::open(directory / name);
        if (!source)
            continue;
        std::array<std::byte, 8> magic{};
        (*source)->readAvailable(0, magic);
        if (perfByteOrder(magic))
            return directory / name;
    }
    return std::nullopt;
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
