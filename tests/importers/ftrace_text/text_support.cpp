#include "tests/importers/ftrace_text/text_support.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace twolane::tests {

std::unique_ptr<Reading> readText(std::string_view text, const LoadOptions& options) {
    auto reading = std::make_unique<Reading>();
    MemorySource source(text, "test.txt");
    ImportContext context{reading->sink, reading->info, reading->diagnostics, {}, {}};
    const FtraceTextImporter importer;
    if (Status status = importer.read(source, options, context); !status)
        reading->error = status.error();
    return reading;
}

TemporaryFile::TemporaryFile(std::string_view content) {
    std::string pattern = (std::filesystem::temp_directory_path() / "twolane-text-XXXXXX").string();
    const int fd = mkstemp(pattern.data());
    REQUIRE(fd >= 0);
    m_path = pattern;
    std::FILE* file = fdopen(fd, "wb");
    REQUIRE(file != nullptr);
    REQUIRE(std::fwrite(content.data(), 1, content.size(), file) == content.size());
    std::fclose(file);
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(m_path, ignored);
}

std::shared_ptr<const Trace> loadText(std::string_view text, const LoadOptions& options) {
    const TemporaryFile file(text);
    auto trace = load(file.path(), options, {}, {});
    if (!trace)
        FAIL(trace.error().message());
    return *trace;
}

TaskId taskOf(const Trace& trace, std::int32_t tid) {
    TaskId found;
    int count = 0;
    for (std::size_t i = 0; i < trace.tasks.size(); ++i) {
        if (trace.tasks[i].tid != tid)
            continue;
        found = TaskId(static_cast<std::uint32_t>(i));
        ++count;
    }
    REQUIRE_MESSAGE(count == 1, "lives of tid " << tid << ": " << count);
    return found;
}

std::vector<Wait> waitsOf(const Trace& trace, std::int32_t tid) {
    std::vector<Wait> waits;
    for (std::size_t i = 0; i < trace.waits.size(); ++i)
        if (trace.waits[i].tid == tid)
            waits.push_back(trace.waits[i]);
    return waits;
}

std::vector<Timeslice> slicesOf(const Trace& trace, std::int32_t tid) {
    std::vector<Timeslice> slices;
    for (const CpuTimeline& cpu : trace.cpus)
        for (std::size_t i = 0; i < cpu.slices.size(); ++i)
            if (cpu.slices[i].tid == tid)
                slices.push_back(cpu.slices[i]);
    std::stable_sort(slices.begin(), slices.end(), [](const Timeslice& a, const Timeslice& b) {
        return a.range.begin < b.range.begin;
    });
    return slices;
}

std::vector<Sleep> sleepsOf(const Trace& trace, std::int32_t tid) {
    std::vector<Sleep> sleeps;
    for (const Sleep& sleep : trace.sleeps)
        if (trace.tasks[sleep.task.value()].tid == tid)
            sleeps.push_back(sleep);
    return sleeps;
}

std::optional<Nanos> lengthOf(const Wait& wait) {
    if (!wait.start)
        return std::nullopt;
    return wait.end - *wait.start;
}

} // namespace twolane::tests
