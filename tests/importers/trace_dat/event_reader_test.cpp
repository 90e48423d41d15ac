#include "tests/importers/trace_dat/import.h"

#include <doctest/doctest.h>

using namespace twolane;
using namespace twolane::tests;

namespace {

std::unique_ptr<EventReader> open(const std::string& bytes) {
    auto reader = DatEventReader::open(sourceOf(bytes), {});
    REQUIRE(reader);
    return std::move(reader).value();
}

} // namespace

TEST_CASE("any event is shown with its own fields") {
    const std::string bytes = smallRecording().bytes();
    const auto reader = open(bytes);
    REQUIRE(reader->count() == 300);
    const auto first = reader->at(0);
    REQUIRE(first);
    CHECK(first->name == "sched_switch");
    CHECK(first->task == "alba");
    CHECK(first->header.time == 1'000'000'000);
    using Fields = std::vector<std::pair<std::string, std::string>>;
    CHECK(first->fields == Fields{{"prev_comm", "alba"},
                                  {"prev_pid", "100"},
                                  {"prev_prio", "120"},
                                  {"prev_state", "0"},
                                  {"next_comm", "cedro"},
                                  {"next_pid", "101"},
                                  {"next_prio", "120"}});
    const auto idle = reader->at(5);
    REQUIRE(idle);
    CHECK(idle->task == "<idle>");
    CHECK(idle->fields == Fields{{"state", "1"}, {"cpu_id", "3"}});
    CHECK_FALSE(reader->at(300));
    CHECK_FALSE(reader->at(UINT64_MAX));
}

TEST_CASE("values by type") {
    EventShape shape("x", "all", 7);
    shape.integer("u8", "small", 1, false)
        .integer("short", "negative", 2)
        .integer("s64", "large", 8);
    shape.integer("unsigned long", "address", 8, false)
        .relLoc("word")
        .integer("bool", "yes", 1, false);
    TraceDatWriter writer;
    writer.events = {shape};
    writer.record(0,
                  {{0, 10, shape.record(3, {255, -2, -5'000'000'000, 0x7fff'0000'0000, "text", 1})},
                   {0, 20, EventShape("x", "none", 99).record(3, {})}});
    const std::string bytes = writer.bytes();
    const auto reader = open(bytes);
    const auto event = reader->at(0);
    REQUIRE(event);
    std::string all;
    for (const auto& [name, value] : event->fields)
        all += fmt::format("{}={} ", name, value);
    CHECK(all == "small=255 negative=-2 large=-5000000000 address=0x7fff00000000 word=text yes=1 ");
    CHECK(reader->at(1)->name == "event 99");
}

TEST_CASE("the index is the one of the load, in any order of looking, across losses") {
    for (const Codec codec : {Codec::none, Codec::zstd}) {
        TraceDatWriter writer;
        writer.codec = codec;
        EventShape shape("x", "number", 7);
        shape.integer("int", "n", 4);
        writer.events = {shape};
        std::vector<Recorded> records;
        for (int i = 0; i < 20'000; ++i)
            records.push_back(
                {i * 13 % 7, 1000 + static_cast<std::uint64_t>(i), shape.record(i, {i})});
        writer.cpus = 7;
        writer.record(0, records, 100);
        auto& pages = writer.buffers[0].pages;
        pages[2].erase(pages[2].begin() + 5, pages[2].begin() + 9);
        pages[4][3] = pages[4][2]; // goes back in time
        pages[5][6].replace(16, 8, std::string(4, '\0') + std::string(4, '\xff')); // broken
        pages[6].resize(4);                                                        // ends early
        const std::string bytes = writer.bytes();
        const auto import = importBytes(bytes);
        REQUIRE(import->status);
        const auto reader = open(bytes);
        REQUIRE(reader->count() == import->sink.headers.size());
        bool same = true;
        std::uint64_t index = 7;
        for (int i = 0; i < 3000; ++i) {
            index =
                (index * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407) % reader->count();
            if (i < 1500)
                index = reader->count() - 1 - static_cast<std::uint64_t>(i) * 3;
            const auto event = reader->at(index);
            REQUIRE(event);
            const EventHeader& expected = import->sink.headers[index];
            same = same && event->header.time == expected.time &&
                   event->header.cpu == expected.cpu && event->header.pid == expected.pid &&
                   event->fields.at(0).second == std::to_string(expected.pid);
        }
        CHECK(same);
    }
}
