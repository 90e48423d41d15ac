// The recordings that lie in several dresses beside the checkout give the same events and models.
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

struct Told {
    Nanos time;
    std::string call;
};

/// The events of each CPU, in order.
std::map<std::int32_t, std::vector<Told>> byCpu(const Reading& reading) {
    REQUIRE(reading.sink.losses.empty()); // so that calls and headers go together
    std::map<std::int32_t, std::vector<Told>> result;
    for (std::size_t i = 0; i < reading.sink.calls.size(); ++i)
        result[reading.sink.headers[i].cpu].push_back(
            {reading.sink.headers[i].time, reading.sink.calls[i]});
    return result;
}

/// The same events on the same CPUs; times apart by `shift`, give or take `slack`.
void checkSame(const Reading& a, const Reading& b, Nanos shift, Nanos slack) {
    const auto left = byCpu(a);
    const auto right = byCpu(b);
    REQUIRE(left.size() == right.size());
    for (const auto& [cpu, events] : left) {
        const auto& others = right.at(cpu);
        REQUIRE(events.size() == others.size());
        std::size_t different = 0;
        Nanos furthest = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            different += events[i].call == others[i].call ? 0 : 1;
            furthest = std::max(furthest, std::abs(others[i].time + shift - events[i].time));
        }
        CHECK(different == 0);
        CHECK(furthest <= slack);
    }
}

/// The same slices and waits; times apart as above.
void checkSameModel(const Trace& a, const Trace& b, Nanos shift, Nanos slack) {
    const auto near = [&](Nanos left, Nanos right) {
        return std::abs(right + shift - left) <= slack;
    };
    REQUIRE(a.cpus.size() == b.cpus.size());
    for (std::size_t cpu = 0; cpu < a.cpus.size(); ++cpu) {
        const auto& left = a.cpus[cpu].slices;
        const auto& right = b.cpus[cpu].slices;
        REQUIRE(left.size() == right.size());
        REQUIRE(left.size() > 10);
        std::size_t different = 0;
        for (std::size_t i = 0; i < left.size(); ++i)
            different += left[i].tid == right[i].tid && left[i].endState == right[i].endState &&
                                 near(left[i].range.begin, right[i].range.begin) &&
                                 near(left[i].range.end, right[i].range.end)
                             ? 0
                             : 1;
        CHECK(different == 0);
    }
    REQUIRE(a.waits.size() == b.waits.size());
    std::vector<std::pair<std::int32_t, Nanos>> left;
    std::vector<std::pair<std::int32_t, Nanos>> right;
    for (std::size_t i = 0; i < a.waits.size(); ++i) {
        left.emplace_back(a.waits[i].tid, a.waits[i].end);
        right.emplace_back(b.waits[i].tid, b.waits[i].end);
    }
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    for (std::size_t i = 0; i < left.size(); ++i) {
        CHECK(left[i].first == right[i].first);
        CHECK(near(left[i].second, right[i].second));
    }
}

} // namespace

TEST_CASE("one recording in the dresses of tracefs") {
    const auto folder = shared("samples/own/ftrace-text");
    if (!folder)
        return;
    const std::string plainText = contentOf(*folder / "verbose.txt");
    const auto plain = readText(plainText);
    const auto model = loadText(plainText);
    REQUIRE(plain->sink.switches.size() == 380);
    for (const char* name : {"noirqinfo.txt", "noirqinfo-tgid.txt", "record-tgid.txt", "fields.txt",
                             "verbose-latency.txt"}) {
        CAPTURE(std::string(name));
        const std::string text = contentOf(*folder / name);
        const auto dressed = readText(text);
        REQUIRE_FALSE(dressed->error);
        CHECK(dressed->sink.calls == plain->sink.calls);
        checkSame(*plain, *dressed, 0, 0);
        checkSameModel(*model, *loadText(text), 0, 0);
    }
    // Relative stamps: two roundings to a microsecond apart.
    const std::string text = contentOf(*folder / "latency-format-tgid.txt");
    const auto latency = readText(text);
    const Nanos shift = plain->sink.headers[0].time - latency->sink.headers[0].time;
    CHECK(shift > 0);
    checkSame(*plain, *latency, shift, 1000);
    checkSameModel(*model, *loadText(text), shift, 1000);
}

TEST_CASE("one recording in the dresses of trace-cmd report") {
    const auto folder = shared("samples/own/trace-cmd-report-text");
    if (!folder)
        return;
    const auto read = [&](const char* name) { return readText(contentOf(*folder / name)); };
    checkSame(*read("default.txt"), *read("l-latency.txt"), 0, 0);
    checkSame(*read("N-no-plugins.txt"), *read("ltN.txt"), 0, 500);
    const auto plugins = read("t-nanoseconds.txt");
    const auto named = read("ltN.txt");
    CHECK(plugins->info.resolution == 1);
    CHECK(named->info.formatDetail == "trace-cmd report -l -N -t");
    REQUIRE(plugins->sink.headers.size() == named->sink.headers.size());
    for (std::size_t i = 0; i < plugins->sink.headers.size(); ++i)
        CHECK(plugins->sink.headers[i].time == named->sink.headers[i].time);
}
