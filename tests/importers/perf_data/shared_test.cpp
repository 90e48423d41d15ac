// Recordings that perf made, against what perf itself prints of them.
#include "importers/load.h"
#include "importers/perf_data/perf_data_importer.h"
#include "tests/support/collecting_sink.h"
#include "tests/support/shared.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace twolane;
using namespace twolane::tests;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<const Trace> loaded(const fs::path& path) {
    const auto trace = load(path, {});
    REQUIRE_MESSAGE(trace, trace.error().message());
    return *trace;
}

/// What a trace tells, a line each, without names of files and formats.
std::vector<std::string> lines(const Trace& trace) {
    std::vector<std::string> lines;
    const auto add = [&lines](const auto&... parts) {
        std::string line;
        ((line += parts, line += ' '), ...);
        lines.push_back(line);
    };
    const auto text = [](auto value) { return std::to_string(value); };
    add("range", text(trace.range.begin), text(trace.range.end));
    for (const CpuTimeline& cpu : trace.cpus) {
        for (std::size_t i = 0; i < cpu.slices.size(); ++i) {
            const Timeslice slice = cpu.slices[i];
            add("slice", text(cpu.cpu), text(slice.range.begin), text(slice.range.end),
                text(slice.tid), std::string(trace.strings.text(slice.comm)),
                slice.prio ? text(*slice.prio) : "-",
                slice.endState ? toString(*slice.endState) : "open", text(slice.openLeft),
                text(slice.migrated));
        }
        for (const TimeRange& gap : cpu.unknown)
            add("unknown", text(cpu.cpu), text(gap.begin), text(gap.end));
    }
    for (std::size_t i = 0; i < trace.waits.size(); ++i) {
        const Wait wait = trace.waits[i];
        add("wait", text(wait.tid), text(wait.start.value_or(-1)), text(wait.end),
            text(wait.wakeAt), std::string(nameOf(wait.certainty)));
    }
    for (const LostEvents& loss : trace.losses)
        add("lost", text(loss.cpu), text(loss.range.begin), text(loss.range.end), text(loss.count));
    for (const EventCount& count : trace.info.events)
        add("event", count.event, text(count.count));
    return lines;
}

} // namespace

TEST_CASE("a perf.data file and perf's own text of it are one model") {
    for (const char* const kernel : {"6.1", "6.12"}) {
        const auto folder = shared(std::string("traces/") + kernel);
        if (!folder)
            return;
        for (const char* const name : {"callgraph", "cpuclock", "defclock", "dir", "lost", "pipe",
                                       "pipe-sched", "sched", "switchevents", "z"}) {
            CAPTURE(kernel);
            CAPTURE(name);
            const std::string file = std::string("tiny-") + name;
            const auto binary = loaded(*folder / "tiny" / (file + ".perf.data"));
            const auto text = loaded(*folder / "expected" / (file + ".perf.script-all.txt"));
            const auto wanted = lines(*text);
            const auto got = lines(*binary);
            REQUIRE(got.size() == wanted.size());
            for (std::size_t i = 0; i < got.size(); ++i)
                REQUIRE(got[i] == wanted[i]);
            CHECK(binary->eventCount == text->eventCount);
        }
    }
}

TEST_CASE("what the headers of perf's recordings tell") {
    const auto path = shared("traces/6.12/tiny/tiny-z.perf.data");
    if (!path)
        return;
    const auto trace = loaded(*path);
    CHECK(trace->info.format == "perf.data");
    CHECK(trace->info.formatDetail.starts_with("file, zstd, perf 6.1"));
    CHECK(trace->info.clock == "mono");
    CHECK(trace->info.host == "lab-6-12");
    CHECK(trace->info.kernel.starts_with("6.12"));
    CHECK(trace->info.cpuCount == 4);
    CHECK(loaded(*shared("traces/6.12/tiny/tiny-defclock.perf.data"))->info.clock == "perf");
}

TEST_CASE("files of other projects: as many samples as perf counts in them") {
    const auto samples = shared("samples");
    if (!samples)
        return;
    std::ifstream manifest(*samples / "MANIFEST.tsv");
    std::size_t counted = 0;
    std::size_t unknown = 0;
    for (std::string line; std::getline(manifest, line);) {
        const auto path = line.substr(0, line.find('\t'));
        const auto format = line.substr(path.size() + 1);
        if (!format.starts_with("perf.data\t") && !format.starts_with("perf.data pipe mode\t"))
            continue;
        CAPTURE(path);
        auto source = FileSource::open(*samples / path);
        REQUIRE(source);
        CollectingSink sink;
        TraceInfo info;
        Diagnostics diagnostics;
        ImportContext context{sink, info, diagnostics, {}, {}};
        REQUIRE(PerfDataImporter().read(**source, {}, context));
        std::uint64_t got = 0;
        for (const EventCount& count : info.events)
            if (!count.event.starts_with("PERF_RECORD_"))
                got += count.count;
        const auto at = format.find("SAMPLE:");
        if (at != std::string::npos && format[at - 1] != '_') {
            CHECK(got == std::stoull(format.substr(at + 7)));
            ++counted;
        } else if (format.find("perf 6.1 reads nothing") != std::string::npos) {
            CHECK(got > 0); // newer than that perf
            ++unknown;
        }
    }
    CHECK(counted >= 20);
    CHECK(unknown >= 3);
}

TEST_CASE("files without switches are refused with what they hold and what helps") {
    const auto samples = shared("samples");
    if (!samples)
        return;
    const auto message = [&](const std::string& path) {
        const auto trace = load(*samples / path, {});
        REQUIRE(!trace);
        return trace.error().message();
    };
    const std::string quipper = "google+perf_data_converter/src/quipper/testdata/";
    CHECK(message(quipper + "perf.data.armv7-3.4").find("3901 events but no sched_switch") !=
          std::string::npos);
    CHECK(
        message(quipper + "perf.data.hybrid_topology")
            .find("holds 7 events, but none tells its CPU and time (found: cpu_core/cycles:ppp/); "
                  "record with: perf sched record") != std::string::npos);
    CHECK(message("KDAB+hotspot/tests/integrationtests/file_content/perf.data.true.v1")
              .find("first version") != std::string::npos);
}
