// In which order events and losses are told.
#include "tests/importers/ftrace_text/text_support.h"

#include <algorithm>
#include <random>
#include <tuple>

using namespace twolane;
using namespace twolane::tests;

namespace {

/// A line of an event that the model does not use.
std::string mark(std::int32_t cpu, const std::string& stamp, const std::string& text = "x") {
    return fmt::format("            alba-4101    [{:03}] ..... {:>12}: mark: {}\n", cpu, stamp,
                       text);
}

std::vector<std::string> textsOf(std::string_view text) {
    MemorySource memory(text);
    auto reader = FtraceTextImporter().openEvents(std::make_unique<MemorySource>(text), {});
    REQUIRE(reader.ok());
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < (*reader)->count(); ++i) {
        const Result<RecordedEvent> event = (*reader)->at(i);
        REQUIRE(event.ok());
        CHECK(event->header.index == i);
        texts.push_back(event->fields.at(0).second);
    }
    return texts;
}

} // namespace

TEST_CASE("events are told by time, CPU and place in the file") {
    const std::string text = mark(1, "5.000000", "a") + mark(0, "5.000000", "b") +
                             mark(1, "4.000000", "c") + mark(0, "5.000000", "d") +
                             mark(1, "5.000000", "e") + mark(0, "6.000000", "f");
    const auto reading = readText(text);
    REQUIRE_FALSE(reading->error);
    REQUIRE(reading->sink.headers.size() == 6);
    for (std::size_t i = 0; i < 6; ++i)
        CHECK(reading->sink.headers[i].index == i);
    CHECK(textsOf(text) == std::vector<std::string>{"c", "b", "d", "a", "e", "f"});
    CHECK(reading->diagnostics.count("late_events") == 1); // equal stamps are not late
    CHECK(reading->diagnostics.count("cpu_time_backward") == 1);
    CHECK(reading->diagnostics.find("cpu_time_backward")->severity == Severity::dataLoss);
    CHECK(reading->diagnostics.find("cpu_time_backward")->first == "CPU 1 at line 3");
}

TEST_CASE("late lines far apart, in files of many shapes, are sorted as by a stable sort of all") {
    std::mt19937 random(1);
    for (int shape = 0; shape < 6; ++shape) {
        CAPTURE(shape);
        struct Item {
            std::int64_t time;
            std::int32_t cpu;
            std::size_t place;
        };
        std::vector<Item> items;
        std::int64_t now = 1000;
        for (std::size_t i = 0; i < 20000; ++i) {
            std::int32_t cpu = static_cast<std::int32_t>(random() % 4);
            std::int64_t time = now += static_cast<std::int64_t>(random() % 2);
            if (shape == 1 && random() % 5000 == 0)
                time -= 900; // a few, near
            if (shape == 2 && i == 19999)
                time = 1; // one, at the very end, before all
            if (shape == 3) {
                cpu = static_cast<std::int32_t>(i / 5000); // one CPU after the other
                time = 1000 + static_cast<std::int64_t>(i % 5000);
            }
            if (shape == 4)
                time = static_cast<std::int64_t>(random() % 5000); // no order at all
            if (shape == 5)
                cpu = 0;
            items.push_back({time, cpu, i});
        }
        std::string text;
        for (const Item& item : items)
            text += mark(item.cpu, fmt::format("0.{:06}", item.time), fmt::to_string(item.place));
        std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
            return std::tie(a.time, a.cpu) < std::tie(b.time, b.cpu);
        });
        const auto reading = readText(text);
        REQUIRE_FALSE(reading->error);
        REQUIRE(reading->sink.headers.size() == items.size());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (reading->sink.headers[i].time != us(items[i].time) ||
                reading->sink.headers[i].cpu != items[i].cpu)
                ++wrong;
        CHECK(wrong == 0);
        const auto texts = textsOf(text);
        for (std::size_t i = 0; i < items.size(); ++i)
            if (texts[i] != fmt::to_string(items[i].place))
                ++wrong;
        CHECK(wrong == 0);
    }
}

TEST_CASE("a loss is told between the events around it on its CPU") {
    const auto reading = readText(mark(0, "1.0") + mark(1, "2.0") + mark(0, "3.0") +
                                  "CPU:1 [LOST 7 EVENTS]\n" + mark(0, "4.0") + mark(1, "5.0"));
    const auto& calls = reading->sink.calls;
    CHECK(calls == std::vector<std::string>{"other", "other", "lost cpu1 2000000000-5000000000 7",
                                            "other", "other", "other"});
}

TEST_CASE("a loss before a CPU's first event has no length") {
    const auto reading = readText("CPU:0 [LOST 452 EVENTS]\n" + mark(0, "1.0") + mark(0, "2.0") +
                                  "CPU:1 [LOST EVENTS]\n" + mark(1, "3.0"));
    CHECK(reading->sink.calls ==
          std::vector<std::string>{"lost cpu0 1000000000-1000000000 452", "other", "other",
                                   "lost cpu1 3000000000-3000000000 -1", "other"});
}

TEST_CASE("a loss with no event behind it ends with the recording") {
    const auto reading = readText(mark(0, "1.0") + "CPU:0 [12 EVENTS DROPPED]\n" + mark(1, "9.0"));
    CHECK(reading->sink.calls ==
          std::vector<std::string>{"other", "lost cpu0 1000000000-9000000000 12", "other"});
}

TEST_CASE("losses with no event between are one; an uncounted one makes the sum unknown") {
    CHECK(
        readText(mark(0, "1.0") + "CPU:0 [LOST 2 EVENTS]\nCPU:0 [LOST 3 EVENTS]\n" + mark(0, "2.0"))
            ->sink.calls.at(1) == "lost cpu0 1000000000-2000000000 5");
    CHECK(readText(mark(0, "1.0") + "CPU:0 [LOST 2 EVENTS]\nCPU:0 [LOST EVENTS]\n" + mark(0, "2.0"))
              ->sink.calls.at(1) == "lost cpu0 1000000000-2000000000 -1");
}

TEST_CASE("losses are told in order in a file of one CPU after the other") {
    const auto reading = readText(mark(0, "1.0") + "CPU:0 [LOST 1 EVENTS]\n" + mark(0, "9.0") +
                                  mark(1, "2.0") + "CPU:1 [LOST 2 EVENTS]\n" + mark(1, "3.0"));
    CHECK(reading->sink.calls ==
          std::vector<std::string>{"other", "lost cpu0 1000000000-9000000000 1", "other",
                                   "lost cpu1 2000000000-3000000000 2", "other", "other"});
}

TEST_CASE("the loss of an equal stamp is told before a later CPU's event of that stamp") {
    const auto reading =
        readText(mark(0, "1.0") + mark(1, "1.0") + "CPU:0 [LOST 1 EVENTS]\n" + mark(0, "2.0"));
    CHECK(reading->sink.calls ==
          std::vector<std::string>{"other", "lost cpu0 1000000000-2000000000 1", "other", "other"});
}

TEST_CASE("overwritten events are told once, unless lines of losses tell them") {
    const std::string header =
        "# tracer: nop\n#\n# entries-in-buffer/entries-written: 449/1531   #P:2\n#\n";
    const auto plain = readText(header + mark(0, "1.0"));
    CHECK(plain->diagnostics.count("overwritten_events") == 1082);
    CHECK(plain->info.lostElsewhere == 1082);
    CHECK(plain->info.cpuCount == 2);
    const auto told = readText(header + "CPU:0 [LOST 1082 EVENTS]\n" + mark(0, "1.0"));
    CHECK(told->diagnostics.count("overwritten_events") == 0);
    CHECK(told->info.lostElsewhere == 0);
}
