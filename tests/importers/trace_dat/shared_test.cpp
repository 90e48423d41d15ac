// Real recordings against the texts that trace-cmd made of them.
#include "importers/trace_dat/trace_dat_importer.h"
#include "tests/support/collecting_sink.h"
#include "tests/support/shared.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace twolane;
using namespace twolane::tests;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<Import> importFile(const fs::path& path) {
    auto import = std::make_unique<Import>();
    ImportContext context{import->sink, import->info, import->diagnostics, {}, {}};
    import->status = TraceDatImporter().read(path, {}, context);
    return import;
}

std::vector<fs::path> recordings(std::string_view folder) {
    std::vector<fs::path> found;
    if (const auto path = shared(folder))
        for (const auto& entry : fs::directory_iterator(*path))
            if (entry.path().extension() == ".dat")
                found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::string> linesOf(const fs::path& path) {
    std::ifstream in(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

struct ReportLine {
    std::string task;
    std::int32_t pid = 0;
    std::int32_t cpu = 0;
    Nanos time = 0; ///< as printed: with 6 or 9 digits
    std::string event;
    std::string fields;
};

/// "      NAME-PID   [CPU]   SECONDS.FRACTION: EVENT:   FIELDS"
std::optional<ReportLine> parse(const std::string& line) {
    const std::size_t open = line.find("   [");
    if (open == std::string::npos)
        return std::nullopt;
    ReportLine result;
    std::string who = line.substr(0, open);
    who.erase(0, who.find_first_not_of(' '));
    who.erase(who.find_last_not_of(' ') + 1);
    const std::size_t dash = who.rfind('-');
    result.task = who.substr(0, dash);
    result.pid = std::stoi(who.substr(dash + 1));
    std::istringstream rest(line.substr(open + 4));
    char bracket = 0;
    std::string stamp;
    rest >> result.cpu >> bracket >> stamp >> result.event;
    const std::size_t point = stamp.find('.');
    stamp.pop_back();
    result.event.pop_back();
    const std::string fraction = stamp.substr(point + 1);
    result.time = std::stoll(stamp.substr(0, point)) * 1'000'000'000 +
                  std::stoll(fraction) * (fraction.size() == 6 ? 1000 : 1);
    std::getline(rest, result.fields);
    result.fields.erase(0, result.fields.find_first_not_of(' '));
    return result;
}

/// trace-cmd pads some numbers ("003") and shows arrays as bytes ("ARRAY[0a, 00]").
bool sameValue(const std::string& ours, const std::string& theirs) {
    if (ours == theirs)
        return true;
    if (theirs.starts_with("ARRAY[")) {
        // Ours are eight-byte numbers in braces.
        std::string bytes;
        for (std::istringstream in(theirs.substr(6)); in;) {
            std::string byte;
            in >> byte;
            if (byte.size() >= 2)
                bytes += byte.substr(0, 2);
        }
        std::string numbers;
        std::istringstream in(ours.substr(1));
        for (std::string number; in >> number;) {
            std::uint64_t value = std::stoull(number, nullptr, 0);
            for (int i = 0; i < 8; ++i, value >>= 8)
                numbers += fmt::format("{:02x}", value & 0xff);
        }
        return bytes == numbers;
    }
    // The same number, whatever its base.
    const auto number = [](std::string text) {
        const bool hexadecimal = text.starts_with("0x");
        return std::stoull(text, nullptr, hexadecimal ? 16 : 10);
    };
    const auto isNumber = [](const std::string& text) {
        return !text.empty() && text.find_first_not_of("0123456789abcdefx") == std::string::npos &&
               text[0] >= '0' && text[0] <= '9';
    };
    return isNumber(ours) && isNumber(theirs) && number(ours) == number(theirs);
}

void compareFields(const RecordedEvent& event, const std::string& theirs) {
    // Values may hold blanks: each one ends where the next name begins.
    std::size_t at = 0;
    for (std::size_t i = 0; i < event.fields.size(); ++i) {
        const std::string name = event.fields[i].first + "=";
        REQUIRE_MESSAGE(theirs.compare(at, name.size(), name) == 0, theirs);
        at += name.size();
        std::size_t end = theirs.size();
        if (i + 1 < event.fields.size())
            end = theirs.find(" " + event.fields[i + 1].first + "=", at);
        REQUIRE(end != std::string::npos);
        CHECK_MESSAGE(sameValue(event.fields[i].second, theirs.substr(at, end - at)),
                      event.name << ": " << event.fields[i].second << " in " << theirs);
        at = end + 1;
    }
}

} // namespace

TEST_CASE("small recordings: every event as trace-cmd shows it") {
    for (const char* kernel : {"6.1", "6.12"})
        for (const fs::path& path : recordings(fmt::format("traces/{}/tiny", kernel))) {
            CAPTURE(path.string());
            const auto import = importFile(path);
            REQUIRE(import->status);
            const fs::path texts = path.parent_path().parent_path() / "expected";
            const auto raw = linesOf(texts / (path.stem().string() + ".tc-report-raw.txt"));
            const auto ns = linesOf(texts / (path.stem().string() + ".tc-report-ns.txt"));
            REQUIRE(raw.size() == ns.size());
            auto reader = TraceDatImporter().openEvents(path, {});
            REQUIRE(reader);
            std::uint64_t index = 0;
            std::map<std::string, std::uint64_t> counts;
            for (std::size_t i = 0; i < raw.size(); ++i) {
                const auto line = parse(raw[i]);
                if (!line)
                    continue;
                REQUIRE(index < import->sink.headers.size());
                const EventHeader& header = import->sink.headers[index];
                CHECK(header.time == parse(ns[i])->time);
                CHECK(header.cpu == line->cpu);
                CHECK(header.pid == line->pid);
                const auto event = (*reader)->at(index);
                REQUIRE(event);
                CHECK(event->header.time == header.time);
                CHECK(event->header.cpu == header.cpu);
                CHECK(event->name == line->event);
                CHECK((event->task.empty() ? "<...>" : event->task) == line->task);
                compareFields(*event, line->fields);
                ++counts[line->event];
                ++index;
            }
            CHECK(index == import->sink.headers.size());
            CHECK(index == (*reader)->count());
            REQUIRE(counts.size() == import->info.events.size());
            for (const EventCount& count : import->info.events)
                CHECK(counts[count.event] == count.count);
            CHECK(import->info.clock == (path.stem() == "tiny-clocklocal" ? "local" : "mono"));
            CHECK(import->info.cpuCount == 4);
            CHECK(import->info.kernel.starts_with(kernel));
            // Everything but the loss on purpose is without a note.
            if (import->sink.losses.empty())
                CHECK(import->diagnostics.empty());
        }
}

TEST_CASE("lost events are told once, with their count and their gap") {
    const auto path = shared("traces/6.1/tiny/tiny-lost.dat");
    if (!path)
        return;
    const auto import = importFile(*path);
    REQUIRE(import->sink.losses.size() == 1);
    CHECK(import->sink.losses[0].cpu == 3);
    CHECK(import->sink.losses[0].count == 82);
    CHECK(import->diagnostics.count("lost_events") == 0);
}

TEST_CASE("large recordings: events by name and CPU as trace-cmd counts them") {
    for (const char* kernel : {"6.1", "6.12"})
        for (const fs::path& path : recordings(fmt::format("traces/{}/traces", kernel))) {
            CAPTURE(path.string());
            const auto import = importFile(path);
            REQUIRE(import->status);
            std::map<std::string, std::uint64_t> events;
            std::map<std::int32_t, std::uint64_t> cpus;
            for (const auto& line : linesOf(path.parent_path().parent_path() / "expected" /
                                            (path.stem().string() + ".tc-counts.tsv"))) {
                std::istringstream in(line);
                std::string kind;
                std::string name;
                std::string count;
                in >> kind >> name >> count;
                if (kind == "event")
                    events[name] = std::stoull(count);
                if (kind == "cpu")
                    cpus[std::stoi(name)] = std::stoull(count);
            }
            REQUIRE_FALSE(events.empty());
            CHECK(events.size() == import->info.events.size());
            for (const EventCount& count : import->info.events)
                CHECK(events[count.event] == count.count);
            std::map<std::int32_t, std::uint64_t> ours;
            bool ordered = true;
            for (std::size_t i = 0; i < import->sink.headers.size(); ++i) {
                ++ours[import->sink.headers[i].cpu];
                ordered =
                    ordered && import->sink.headers[i].index == i &&
                    (i == 0 || import->sink.headers[i - 1].time <= import->sink.headers[i].time);
            }
            CHECK(ours == cpus);
            CHECK(ordered);
        }
}

TEST_CASE("files of old kernels and of other recorders") {
    const std::map<std::string, std::uint64_t> counts{
        {"ARM-software+lisa/ipynb/deprecated/tutorial/example_rtapp/trace.dat", 7820},
        {"ARM-software+trappy/tests/trace.dat", 525}, // of a 32-bit machine
        {"ARM-software+trappy/tests/trace_idle.dat", 43},
        {"DJSeb+kernel-shark-sebanek-gh-mirror/SurveyPaper/ExampleData/trace-no-stacktrace.dat",
         3562},
        {"DJSeb+kernel-shark-sebanek-gh-mirror/SurveyPaper/ExampleData/trace2.dat", 7283}};
    for (const auto& [name, count] : counts) {
        const auto path = shared("samples/" + name);
        if (!path)
            continue;
        CAPTURE(name);
        const auto import = importFile(*path);
        REQUIRE(import->status);
        CHECK(import->sink.headers.size() == count);
        CHECK(import->sink.losses.empty());
        CHECK(import->diagnostics.empty());
    }
}

TEST_CASE("a recording cut to 60 % shows what is whole") {
    for (const char* name : {"tiny-hackbench-v6", "tiny-lost", "tiny-sleep"}) {
        const auto path = shared(fmt::format("traces/6.1/tiny/{}.dat", name));
        if (!path)
            return;
        CAPTURE(std::string(name));
        const auto whole = importFile(*path);
        const fs::path cut = fs::temp_directory_path() / fmt::format("twolane-cut-{}.dat", name);
        fs::copy_file(*path, cut, fs::copy_options::overwrite_existing);
        fs::permissions(cut, fs::perms::owner_write, fs::perm_options::add);
        const auto size = fs::file_size(cut) * 6 / 10;
        fs::resize_file(cut, size);
        const auto import = importFile(cut);
        fs::remove(cut);
        REQUIRE(import->status);
        CHECK(import->sink.headers.size() > 20);
        CHECK(import->sink.headers.size() < whole->sink.headers.size());
        REQUIRE(import->diagnostics.count("truncated") > 0);
        CHECK(import->diagnostics.find("truncated")
                  ->first.starts_with(fmt::format("cut off at byte {}", size)));
    }
}
