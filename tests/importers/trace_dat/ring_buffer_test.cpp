// Inside the pages of the ring buffer.
#include "tests/importers/trace_dat/import.h"

#include <doctest/doctest.h>

using namespace twolane;
using namespace twolane::tests;

namespace {

const EventShape& mark() {
    static const EventShape shape = [] {
        EventShape idle("power", "cpu_idle", 40);
        return idle.integer("u32", "state", 4, false);
    }();
    return shape;
}

std::string record() {
    return mark().record(0, {1});
}

std::unique_ptr<Import> importPages(std::map<std::int32_t, std::vector<std::string>> pages,
                                    Codec codec = Codec::zstd) {
    TraceDatWriter writer;
    writer.codec = codec;
    writer.events = {mark()};
    writer.buffers[0].pages = std::move(pages);
    return importBytes(writer.bytes());
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("times: deltas, extends, absolute stamps, discarded events") {
    PageWriter page(1000);
    page.event(1000, record()).event(1500, record());
    page.event(20'000'000'000, record()); // needs an extend
    page.discarded(7, 24).event(20'000'000'107, record());
    page.absolute(20'000'005'000).event(20'000'005'001, record());
    page.largeEvent(20'000'005'002, record() + std::string(200, '\0'));
    page.paddingToEnd();
    const auto import = importPages({{0, {page.bytes()}}});
    CHECK(import->sink.lines == Lines{"1000 0 0 0 other", "1500 0 0 1 other",
                                      "20000000000 0 0 2 other", "20000000107 0 0 3 other",
                                      "20000005001 0 0 4 other", "20000005002 0 0 5 other"});
    CHECK(import->diagnostics.empty());
}

TEST_CASE("an absolute stamp takes its upper bits from the page") {
    constexpr std::uint64_t time = 1'651'097'314'396'951'318;
    static_assert((time & ((1ULL << 59) - 1)) == 498'175'809'790'104'342);
    PageWriter page(time - 5000);
    page.event(time - 5000, record())
        .absolute(time)
        .event(time, record())
        .event(time + 1, record());
    const auto import = importPages({{0, {page.bytes()}}});
    REQUIRE(import->sink.headers.size() == 3);
    CHECK(import->sink.headers[1].time == 1'651'097'314'396'951'318);
    CHECK(import->sink.headers[2].time == 1'651'097'314'396'951'319);

    // The low bits wrap around between the page's stamp and the record.
    constexpr std::uint64_t border = std::uint64_t{3} << 59;
    PageWriter across(border - 10);
    across.event(border - 10, record()).absolute(border + 20).event(border + 20, record());
    const auto wrapped = importPages({{0, {across.bytes()}}});
    REQUIRE(wrapped->sink.headers.size() == 2);
    CHECK(wrapped->sink.headers[1].time == static_cast<Nanos>(border + 20));
}

TEST_CASE("a loss is told where it begins, with its count where the page has one") {
    PageWriter first(100);
    first.event(100, record()).event(200, record());
    PageWriter second(900);
    second.missed(42).event(900, record());
    PageWriter third(1900);
    third.missed(0).event(1900, record());
    PageWriter other(150);
    other.event(150, record()).event(200, record()).event(201, record()).event(950, record());
    const auto import =
        importPages({{0, {first.bytes(), second.bytes(), third.bytes()}}, {1, {other.bytes()}}});
    CHECK(import->sink.lines == Lines{"100 0 0 0 other", "150 1 0 1 other", "200 0 0 2 other",
                                      "200..900 0 lost 42", "200 1 0 3 other", "201 1 0 4 other",
                                      "900 0 0 5 other", "900..1900 0 lost -1", "950 1 0 6 other",
                                      "1900 0 0 7 other"});
}

TEST_CASE("a loss before a CPU's first event has no length") {
    PageWriter page(500);
    page.missed(9).event(500, record());
    PageWriter other(100);
    other.event(100, record()).event(600, record());
    const auto import = importPages({{0, {page.bytes()}}, {3, {other.bytes()}}});
    CHECK(import->sink.lines ==
          Lines{"100 3 0 0 other", "500..500 0 lost 9", "500 0 0 1 other", "600 3 0 2 other"});
}

TEST_CASE("losses of pages and of empty pages between two events are one") {
    PageWriter first(100);
    first.event(100, record());
    PageWriter empty(300);
    empty.missed(5);
    PageWriter last(900);
    last.missed(6).event(900, record());
    const auto import = importPages({{0, {first.bytes(), empty.bytes(), last.bytes()}}});
    CHECK(import->sink.lines == Lines{"100 0 0 0 other", "100..900 0 lost 11", "900 0 0 1 other"});
}

TEST_CASE("a broken page is left from where it breaks, and the next one is whole") {
    for (const Codec codec : {Codec::none, Codec::zstd}) {
        PageWriter broken(100);
        std::string tooLong;
        put32(tooLong, 28 | 5U << 5); // 112 bytes that are not there
        broken.event(100, record()).event(200, record()).raw(tooLong);
        PageWriter whole(900);
        whole.event(900, record()).event(950, record());
        const auto import = importPages({{0, {broken.bytes(), whole.bytes()}}}, codec);
        CHECK(import->sink.lines == Lines{"100 0 0 0 other", "200 0 0 1 other",
                                          "200..900 0 lost -1", "900 0 0 2 other",
                                          "950 0 0 3 other"});
        CHECK(import->diagnostics.count("broken_page") == 1);
        REQUIRE(import->diagnostics.find("broken_page"));
        CHECK(import->diagnostics.find("broken_page")->first.find("at byte ") != std::string::npos);
    }
}

TEST_CASE("pages whose header or records make no sense") {
    const auto withWord = [](std::uint64_t word, std::uint64_t second) {
        std::string bytes;
        put32(bytes, word);
        put32(bytes, second);
        return PageWriter(100).event(100, record()).raw(bytes).bytes();
    };
    std::vector<std::string> pages{
        withWord(0, 0),          withWord(0, 3),
        withWord(0, 0xffffffff), withWord(29 | 32, 4096),
        withWord(28, 0),         PageWriter(100).event(100, record()).raw("xx").bytes(),
        withWord(0, 0x7fffffff), withWord(29 | 32, 0xfffffffc)};
    std::string hugeCommit = PageWriter(100).event(100, record()).bytes();
    std::string word;
    put32(word, 4096);
    hugeCommit.replace(8, 4, word);
    pages.push_back(hugeCommit);
    for (const std::string& page : pages) {
        const auto import =
            importPages({{0, {page, PageWriter(900).event(900, record()).bytes()}}});
        REQUIRE(import->status);
        CHECK(import->diagnostics.count("broken_page") == 1);
        CHECK(import->sink.headers.back().time == 900);
    }
}

TEST_CASE("time that goes backward inside a CPU is a loss until it catches up") {
    PageWriter first(1000);
    first.event(1000, record()).event(2000, record());
    PageWriter back(1500);
    back.event(1500, record()).event(1600, record()).event(2000, record()).event(2500, record());
    const auto import = importPages({{0, {first.bytes(), back.bytes()}}});
    CHECK(import->sink.lines == Lines{"1000 0 0 0 other", "2000 0 0 1 other",
                                      "2000..2000 0 lost -1", "2000 0 0 2 other",
                                      "2500 0 0 3 other"});
    const Oddity* oddity = import->diagnostics.find("time_backward");
    REQUIRE(oddity);
    CHECK(oddity->count == 2);
    CHECK(oddity->severity == Severity::dataLoss);
    CHECK(oddity->first == "CPU 0 at 0.000001500");
}

TEST_CASE("damage behind a CPU's last event is told too") {
    std::string bytes;
    put32(bytes, 28);
    const auto import =
        importPages({{0, {PageWriter(100).event(100, record()).raw(bytes).bytes()}}});
    CHECK(import->sink.lines == Lines{"100 0 0 0 other", "100..101 0 lost -1"});
}

TEST_CASE("many CPUs are merged by time, then CPU, then place") {
    TraceDatWriter writer;
    writer.events = {mark()};
    writer.cpus = 256;
    std::vector<Recorded> records;
    for (int i = 0; i < 20'000; ++i)
        records.push_back(
            {(i * 37) % 256, 1000 + static_cast<std::uint64_t>(i / 3), mark().record(i, {1})});
    writer.record(0, records, 50);
    const auto import = importBytes(writer.bytes());
    REQUIRE(import->sink.headers.size() == records.size());
    std::stable_sort(records.begin(), records.end(), [](const Recorded& a, const Recorded& b) {
        return std::pair(a.time, a.cpu) < std::pair(b.time, b.cpu);
    });
    bool same = true;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const EventHeader& h = import->sink.headers[i];
        same = same && h.time == static_cast<Nanos>(records[i].time) && h.cpu == records[i].cpu &&
               h.index == i && mark().record(h.pid, {1}) == records[i].record;
    }
    CHECK(same);
}
