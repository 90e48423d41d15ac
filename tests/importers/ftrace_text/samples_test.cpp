// Texts of real recordings, where they lie beside the checkout: everything in them is understood,
// and as many events are found as a count of their lines by simpler means finds.
#include "tests/importers/ftrace_text/text_support.h"
#include "tests/support/shared.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

using namespace twolane;
using namespace twolane::tests;

namespace {

std::string contentOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Lines that hold " NAME: " behind a colon and blanks, as grep would count them.
std::uint64_t grepped(const std::string& text, const std::string& name) {
    std::uint64_t count = 0;
    const std::string needle = ": " + name + ":";
    for (std::size_t at = 0; (at = text.find(needle, at)) != std::string::npos; ++at) {
        // The first colon and digit pair of a line is its stamp: later ones are user text.
        const std::size_t line = text.rfind('\n', at) + 1;
        const std::string_view before(text.data() + line, at - line);
        const bool digit = !before.empty() && before.back() >= '0' && before.back() <= '9';
        const bool latency = before.ends_with("ms)") ||
                             (before.size() > 3 && before.substr(before.size() - 3, 2) == "us");
        const bool stamp = (digit || latency) && before.find(": ") == std::string_view::npos;
        count += stamp ? 1 : 0;
    }
    return count;
}

std::uint64_t countOf(const TraceInfo& info, std::string_view name) {
    for (const EventCount& event : info.events)
        if (event.event == name)
            return event.count;
    return 0;
}

/// Reads a sample; nothing in it may be rejected or unreadable.
void check(const std::filesystem::path& path) {
    CAPTURE(path.string());
    const std::string text = contentOf(path);
    const auto reading = readText(text);
    REQUIRE_MESSAGE(!reading->error, reading->error->message());
    for (const char* code :
         {"rejected_lines", "mostly_rejected", "unreadable_events", "unknown_states", "cut_off"})
        CHECK_MESSAGE(reading->diagnostics.count(code) == 0, code);
    std::uint64_t sum = 0;
    for (const EventCount& event : reading->info.events)
        sum += event.count;
    CHECK(sum == reading->sink.headers.size());
    CHECK(std::is_sorted(reading->sink.headers.begin(), reading->sink.headers.end(),
                         [](const EventHeader& a, const EventHeader& b) {
                             return std::pair(a.time, a.cpu) < std::pair(b.time, b.cpu);
                         }));
    if (reading->info.buffer.empty() && text.find("\nrsfmt:") == std::string::npos)
        for (const char* name : {"sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new",
                                 "sched_migrate_task", "sched_process_fork", "sched_process_exit",
                                 "task_rename", "sched_stat_runtime"})
            CHECK_MESSAGE(countOf(reading->info, name) == grepped(text, name), name);
    CHECK(reading->sink.switches.size() == countOf(reading->info, "sched_switch"));

    SourceProbe probe;
    const std::size_t head = std::min<std::size_t>(text.size(), 65536);
    probe.head = std::as_bytes(std::span(text.data(), head));
    CHECK(FtraceTextImporter().sniff(probe) >= Confidence::likely);
}

} // namespace

TEST_CASE("texts of tracefs") {
    const auto folder = shared("samples/own/ftrace-text");
    if (!folder)
        return;
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        if (name == "nocontext.txt") {
            // What cannot be read is named.
            const auto reading = readText(contentOf(entry.path()));
            REQUIRE(reading->error);
            CHECK_FALSE(reading->error->remedy.empty());
            continue;
        }
        check(entry.path());
        const std::string text = contentOf(entry.path());
        const auto reading = readText(text);
        // The kernel counts the events of all CPUs itself; stacks are records of their own.
        const std::string_view key =
            name.find("latency") == std::string::npos ? "entries-written: " : ", #";
        const std::size_t told = text.find(key);
        if (name != "stacktrace.txt" && name != "per_cpu1.txt" && told != std::string::npos)
            CHECK(reading->sink.headers.size() == std::stoull(text.substr(told + key.size(), 20)));
        CHECK(reading->info.stampsAreNanoseconds ==
              (name != "clock-counter.txt" && name != "clock-uptime.txt"));
    }
}

TEST_CASE("texts of trace-cmd report") {
    const auto folder = shared("samples/own/trace-cmd-report-text");
    if (!folder)
        return;
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        check(entry.path());
    }
}

TEST_CASE("the forms of one recording tell the same") {
    const auto folder = shared("samples/own/trace-cmd-report-text");
    if (!folder)
        return;
    const auto raw = readText(contentOf(*folder / "R-raw.txt"));
    const auto named = readText(contentOf(*folder / "N-no-plugins.txt"));
    const auto plugin = readText(contentOf(*folder / "default.txt"));
    // The plug-ins do not print the + of R+, and their old table has X and Z the other way round.
    const auto plain = [](std::vector<std::string> calls) {
        for (std::string& call : calls) {
            if (const std::size_t at = call.find(" R+ >"); at != std::string::npos)
                call.erase(at + 2, 1);
            else if (const std::size_t dead = call.find(" Z >"); dead != std::string::npos)
                call[dead + 1] = 'X';
        }
        return calls;
    };
    CHECK(raw->sink.calls.size() == 1063);
    CHECK(plain(raw->sink.calls) == plain(plugin->sink.calls));
    CHECK(plain(raw->sink.calls) == plain(named->sink.calls));
}

TEST_CASE("two buffers in one text") {
    const auto path = shared("samples/own/trace-cmd-report-text/top+instance.txt");
    if (!path)
        return;
    const std::string text = contentOf(*path);
    const auto lines =
        static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1; // cpus=2
    std::size_t named = 0;
    for (std::size_t at = 0; (at = text.find("\nrsfmt: ", at)) != std::string::npos; ++at)
        ++named;
    LoadOptions options;
    CHECK(readText(text, options)->sink.headers.size() == lines - named);
    options.buffer = "rsfmt";
    CHECK(readText(text, options)->sink.headers.size() == named);
}

TEST_CASE("losses of one overrun") {
    const auto pipe = shared("samples/own/ftrace-text/trace_pipe-lost.txt");
    const auto trace = shared("samples/own/ftrace-text/overrun.txt");
    if (!pipe || !trace)
        return;
    const auto told = readText(contentOf(*pipe));
    REQUIRE(told->sink.losses.size() == 2);
    CHECK(told->sink.losses[0].cpu == 0);
    CHECK(told->sink.losses[0].count == 452);
    CHECK(told->sink.losses[0].range.empty());
    CHECK(told->sink.losses[1].count == 630);
    const auto counted = readText(contentOf(*trace));
    CHECK(counted->diagnostics.count("overwritten_events") == 1531 - 449);
    CHECK(counted->sink.losses.empty());
}

TEST_CASE("texts beside the recordings") {
    for (const char* kernel : {"6.1", "6.12"}) {
        const auto folder = shared(std::string("traces/") + kernel + "/expected");
        if (!folder)
            return;
        for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
            const std::string name = entry.path().filename().string();
            if (name.find(".tc-report") == std::string::npos ||
                name.find("head-tail") != std::string::npos)
                continue;
            check(entry.path());
        }
        if (const auto plain = shared(std::string("traces/") + kernel + "/tiny/ftrace-plain.txt"))
            check(*plain);
    }
}

TEST_CASE("texts of other projects are read or refused by name") {
    const auto samples = shared("samples");
    if (!samples)
        return;
    struct Sample {
        const char* path;
        std::size_t events;     ///< counted with grep; 0: refused
        std::size_t unreadable; ///< lines cut in the middle
    };
    for (const Sample& sample : {
             Sample{"ARM-software+lisa/tests/assets/trace_txt/trace.txt", 2941, 0},
             Sample{"ARM-software+trappy/tests/raw_trace.txt", 3, 0},
             Sample{"ARM-software+trappy/tests/trace_idle_unsorted.txt", 15, 1},
             Sample{"ARM-software+trappy/tests/trace_no_trailing_line.txt", 10, 0},
             Sample{"ARM-software+trappy/tests/trace_failed_to_parse.txt", 11, 0},
             Sample{"ARM-software+trappy/tests/trace_equals.txt", 7, 0},
             Sample{"_excerpts/ftrace-2.6-sched_switch-tracer.txt", 6, 0},
             Sample{"catapult-project+catapult/tracing/test_data/android_systrace.txt", 0, 0},
             Sample{"catapult-project+catapult/tracing/test_data/android_systrace.html", 0, 0},
             Sample{"catapult-project+catapult/systrace/systrace/test_data/atrace_data_raw", 116,
                    0},
             Sample{"catapult-project+catapult/systrace/systrace/test_data/atrace_missing_tgids",
                    116, 0},
         }) {
        CAPTURE(std::string(sample.path));
        if (!std::filesystem::exists(*samples / sample.path))
            continue;
        const auto reading = readText(contentOf(*samples / sample.path));
        CHECK(reading->error.has_value() == (sample.events == 0));
        if (reading->error)
            CHECK_FALSE(reading->error->remedy.empty());
        CHECK(reading->sink.headers.size() == sample.events);
        CHECK(reading->diagnostics.count("rejected_lines") == 0);
        CHECK(reading->diagnostics.count("unreadable_events") == sample.unreadable);
    }
}
