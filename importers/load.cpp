#include "importers/load.h"

#include "importers/common/open_input.h"
#include "importers/registry.h"
#include "model/trace_builder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace twolane {
namespace {

constexpr std::size_t probeSize = std::size_t{64} << 10;
/// Refuses what cannot be read as a file before anything blocks on it.
Status checkReadable(const std::filesystem::path& path) {
    const std::string name = path.string();
    struct stat st {};
    if (stat(path.c_str(), &st) != 0) {
        const int code = errno;
        return Error{name, fmt::format("cannot be opened: {}", std::strerror(code)), "",
                     code == ENOENT ? "check the path" : "check the permissions of the path"};
    }
    if (S_ISSOCK(st.st_mode))
        return Error{name, "is a socket, not a file", "", "give a trace file"};
    if (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
        return Error{name, "is a device, not a file", "", "give a trace file"};
    if (S_ISREG(st.st_mode) && st.st_size == 0)
        return Error{name, "is empty, not a trace", "byte 0",
                     "check that the recording was written"};
    return success();
}

/// An input, and who reads it.
struct Chosen {
    std::unique_ptr<Importer> importer;
    OpenedInput input;
};

Result<std::unique_ptr<Importer>> choose(const std::filesystem::path& path, ByteSource& source,
                                         const LoadOptions& options) {
    auto importers = allImporters();
    if (!options.inputFormat.empty()) {
        std::string known;
        for (auto& importer : importers) {
            const std::string name = importer->format().name;
            if (name == options.inputFormat)
                return std::move(importer);
            known += (known.empty() ? "" : ", ") + name;
        }
        return Error{path.string(), fmt::format("no format is called '{}'", options.inputFormat),
                     "", "known formats: " + known};
    }

    SourceProbe probe;
    probe.path = path;
    std::vector<std::byte> head(probeSize);
    Result<std::size_t> got = source.read(0, head);
    if (!got)
        return got.error();
    head.resize(*got);
    probe.head = head;

    std::unique_ptr<Importer> best;
    auto bestConfidence = Confidence::none;
    for (auto& importer : importers) {
        const Confidence confidence = importer->sniff(probe);
        if (confidence > bestConfidence) {
            bestConfidence = confidence;
            best = std::move(importer);
        }
    }
    if (!best)
        return Error{path.string(), "is not a trace of a known format", "byte 0",
                     "'twolane formats' lists what can be read"};
    return best;
}

/// The file to read: `path` itself, or the one by which a directory is read.
Result<std::filesystem::path> entryOf(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path))
        return path;
    for (const auto& importer : allImporters())
        if (const auto entry = importer->entryOf(path))
            return *entry;
    return Error{path.string(), "is a directory that holds no trace of a known format", "",
                 "give the trace file itself"};
}

Result<Chosen> open(const std::filesystem::path& path, const LoadOptions& options,
                    const std::stop_token& stop, const ProgressFn& progress) {
    if (Status readable = checkReadable(path); !readable)
        return readable.error();
    const Result<std::filesystem::path> file = entryOf(path);
    if (!file)
        return file.error();
    Result<OpenedInput> input = openInput(*file, stop, progress);
    if (!input)
        return input.error();
    Result<std::unique_ptr<Importer>> importer = choose(path, *input->bytes, options);
    if (!importer)
        return importer.error();
    return Chosen{std::move(*importer), std::move(*input)};
}

/// Names what is there when what is needed is not. `recordedBy`: the command that records it.
Error noSchedulerEvents(const Trace& trace, const std::string& recordedBy) {
    const auto& events = trace.info.events;
    std::string found;
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        count += events[i].count;
        if (i < 6)
            found += (i ? ", " : "") + events[i].event;
    }
    if (events.size() > 6)
        found += ", …";
    const std::string what =
        count == 0 ? std::string("holds no event that could be read")
        : trace.eventCount == 0
            ? fmt::format("holds {} events, but none tells its CPU and time (found: {})", count,
                          found)
            : fmt::format("holds {} events but no sched_switch (found: {})", count, found);
    return Error{trace.info.file, what, "", "record with: " + recordedBy};
}

} // namespace

Result<std::shared_ptr<const Trace>> load(const std::filesystem::path& path,
                                          const LoadOptions& options, std::stop_token stop,
                                          const ProgressFn& progress) {
    Result<Chosen> chosen = open(path, options, stop, progress);
    if (!chosen)
        return chosen.error();

    TraceInfo info;
    info.file = path.string();
    info.format = chosen->importer->format().name;
    Diagnostics diagnostics;
    for (const Oddity& oddity : chosen->input.oddities)
        diagnostics.add(oddity);
    TraceBuilder builder;
    ImportContext context{builder, info, diagnostics, std::move(stop), progress};
    if (Status status = chosen->importer->read(*chosen->input.bytes, options, context); !status)
        return status.error();

    auto trace = builder.finish(std::move(info), std::move(diagnostics));
    if (!trace->recordsSwitches)
        return noSchedulerEvents(*trace, chosen->importer->format().recordedBy);
    return trace;
}

Result<std::vector<BufferInfo>> listBuffers(const std::filesystem::path& path,
                                            const LoadOptions& options) {
    Result<Chosen> chosen = open(path, options, {}, {});
    if (!chosen)
        return chosen.error();
    return chosen->importer->buffers(*chosen->input.bytes);
}

Result<std::unique_ptr<EventReader>> openEvents(const std::filesystem::path& path,
                                                const LoadOptions& options) {
    Result<Chosen> chosen = open(path, options, {}, {});
    if (!chosen)
        return chosen.error();
    return chosen->importer->openEvents(std::move(chosen->input.bytes), options);
}

} // namespace twolane
