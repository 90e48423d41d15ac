// Every sample of ftrace's text, of systrace and of trace.dat that the list of samples counts: as
// many switches and wakeups are read, all buffers together, as a search for their names found.
#include "importers/registry.h"
#include "tests/support/collecting_sink.h"
#include "tests/support/shared.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace twolane;
namespace fs = std::filesystem;

namespace {

struct Counts {
    std::uint64_t switches = 0;
    std::optional<std::uint64_t> wakeups; ///< of all three kinds; nothing where not listed

    bool operator==(const Counts&) const = default;
};

struct Row {
    std::string path;
    std::string format;
    std::string contents;
};

std::vector<Row> rowsOf(const fs::path& manifest) {
    std::vector<Row> rows;
    std::ifstream in(manifest);
    for (std::string line; std::getline(in, line);) {
        Row row;
        const std::size_t first = line.find('\t');
        const std::size_t second = line.find('\t', first + 1);
        const std::size_t third = line.find('\t', second + 1);
        if (third == std::string::npos)
            continue;
        row.path = line.substr(0, first);
        row.format = line.substr(first + 1, second - first - 1);
        row.contents = line.substr(second + 1, third - second - 1);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::optional<std::uint64_t> numberAt(const std::string& text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string::npos || (at > 0 && text[at - 1] != ' '))
        return std::nullopt;
    return std::stoull(text.substr(at + key.size(), 19));
}

bool isOurs(const std::string& format) {
    return format.starts_with("ftrace") || format.starts_with("trace-cmd") ||
           format.starts_with("atrace") || format.starts_with("Android systrace") ||
           format == "trace.dat v6" || format.starts_with("trace.dat v7");
}

/// What the list's search counted otherwise than an importer does, and why.
const std::map<std::string, Counts, std::less<>>& exceptions() {
    static const std::map<std::string, Counts, std::less<>> table{
        // The viewer's own code has each word once.
        {"catapult-project+catapult/tracing/test_data/android_systrace.html", {11074, 6827}},
        // One switch is text that a user wrote into trace_marker.
        {"own/ftrace-text/markers-tgid.txt", {359, 509}},
        // The tracer does not name its events.
        {"_excerpts/ftrace-2.6-sched_switch-tracer.txt", {2, 4}},
    };
    return table;
}

std::unique_ptr<Importer> recognise(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::vector<std::byte> head(std::size_t{64} << 10);
    in.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
    SourceProbe probe;
    probe.path = path;
    probe.head = head;
    std::unique_ptr<Importer> best;
    auto confidence = Confidence::none;
    for (auto& importer : allImporters())
        if (const Confidence c = importer->sniff(probe); c > confidence) {
            confidence = c;
            best = std::move(importer);
        }
    return best;
}

} // namespace

TEST_CASE("samples hold as many events as their list says") {
    const auto samples = tests::shared("samples");
    if (!samples)
        return;
    int checked = 0;
    for (const Row& row : rowsOf(*samples / "MANIFEST.tsv")) {
        if (!isOurs(row.format))
            continue;
        CAPTURE(row.path);
        const bool binary = row.format.starts_with("trace.dat");
        const auto switches = numberAt(row.contents, binary ? "sw=" : "sched_switch=");
        if (!switches)
            continue;
        Counts expected{*switches, numberAt(row.contents, "wake=")};
        if (const auto found = exceptions().find(row.path); found != exceptions().end())
            expected = found->second;
        if (expected.switches + expected.wakeups.value_or(0) == 0)
            continue; // among them files that are no trace at all

        const auto importer = recognise(*samples / row.path);
        REQUIRE(importer);
        Counts read{0, 0};
        if (row.path == "own/ftrace-text/nocontext.txt") {
            // Neither task nor CPU nor time: refused with a word.
            CHECK_FALSE(importer->buffers(*samples / row.path).ok());
            continue;
        }
        const auto buffers = importer->buffers(*samples / row.path);
        REQUIRE(buffers.ok());
        for (const BufferInfo& buffer : *buffers) {
            tests::Import import;
            ImportContext context{import.sink, import.info, import.diagnostics, {}, {}};
            LoadOptions options;
            if (buffers->size() > 1)
                options.buffer = buffer.name;
            const Status status = importer->read(*samples / row.path, options, context);
            REQUIRE_MESSAGE(status.ok(), status.error().message());
            CHECK(import.diagnostics.count("rejected_lines") == 0);
            for (const EventCount& event : import.info.events) {
                if (event.event == "sched_switch")
                    read.switches += event.count;
                if (event.event == "sched_waking" || event.event == "sched_wakeup" ||
                    event.event == "sched_wakeup_new")
                    *read.wakeups += event.count;
            }
        }
        CHECK(read.switches == expected.switches);
        if (expected.wakeups)
            CHECK(*read.wakeups == *expected.wakeups);
        ++checked;
    }
    CHECK(checked >= 40);
}
