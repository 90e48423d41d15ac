#include "model/query/lengths.h"
#include "tests/support/story.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace twolane;
using twolane::tests::story;

namespace {

std::vector<Nanos> sorted(const Distribution& lengths) {
    std::vector<Nanos> values(lengths.values().begin(), lengths.values().end());
    std::sort(values.begin(), values.end());
    return values;
}

Distribution of(const std::vector<Nanos>& values) {
    Distribution lengths;
    for (const Nanos value : values)
        lengths.add(value);
    return lengths;
}

/// Digits of base^exponent, the lowest one first.
std::vector<std::uint32_t> power(std::uint64_t base, int exponent) {
    std::vector<std::uint32_t> digits{1};
    for (int i = 0; i < exponent; ++i) {
        __extension__ using Wide = unsigned __int128;
        Wide carry = 0;
        for (std::uint32_t& digit : digits) {
            carry += Wide{base} * digit;
            digit = static_cast<std::uint32_t>(carry % 1'000'000'000);
            carry /= 1'000'000'000;
        }
        for (; carry > 0; carry /= 1'000'000'000)
            digits.push_back(static_cast<std::uint32_t>(carry % 1'000'000'000));
    }
    return digits;
}
bool less(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    if (a.size() != b.size())
        return a.size() < b.size();
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

std::int32_t binOf(Nanos length) {
    const LogHistogram histogram = logHistogram(of({length}));
    REQUIRE(histogram.counts == std::vector<std::uint64_t>{1});
    return histogram.firstBin;
}

} // namespace

TEST_CASE("lengths of what ends in the selection; what is not exact is counted") {
    const auto trace = story(R"(
        100 0 switch  idle R > a:1
        130 0 switch  a:1 S > b:2        # a ran 30
        135 1 waking  a:1 on 1 by 9
        150 0 switch  b:2 R > c:3        # b ran 20, is preempted
        155 1 switch  idle S > a:1       # a waited 20
        190 0 switch  c:3 S > b:2        # c ran 40, b waited 40
        200 1 switch  a:1 S > idle       # a ran 45
        210 0 lost    3 until 260        # cuts b
        260 0 other
        300 1 waking  c:3 on 1 by 0      # still waits when the trace ends
        310 1 waking  d:4 on 1 by 0
        312 1 waking  d:4 on 1 by 0      # a second wake: doubtful
        320 1 switch  idle S > d:4
    )");
    const Selection all{windowOf(*trace), {}, {}};
    const auto slices = timesliceLengths(*trace, all);
    REQUIRE(slices);
    CHECK(sorted(slices->exact) == std::vector<Nanos>{20, 30, 40, 45});
    CHECK(slices->clipped == 2); // b from 190, d from 320
    CHECK(slices->doubtful == 0);

    const auto wakeups = waitLengths(*trace, all, WaitKind::wakeup);
    REQUIRE(wakeups);
    CHECK(sorted(wakeups->exact) == std::vector<Nanos>{20});
    CHECK(wakeups->clipped == 1);
    CHECK(wakeups->doubtful == 1);
    const auto preempted = waitLengths(*trace, all, WaitKind::preempted);
    REQUIRE(preempted);
    CHECK(sorted(preempted->exact) == std::vector<Nanos>{40});

    // By the window: 150 belongs to [50, 90) of the trace's own time, 190 does not.
    const Selection part{windowOf(*trace, 30, 90), {}, {}};
    CHECK(sorted(timesliceLengths(*trace, part)->exact) == std::vector<Nanos>{20, 30});
    // By CPU and by task; a tid and a pattern.
    const Selection onOne{windowOf(*trace), *CpuFilter::parse("1"), {}};
    CHECK(sorted(timesliceLengths(*trace, onOne)->exact) == std::vector<Nanos>{45});
    CHECK(waitLengths(*trace, onOne, WaitKind::preempted)->exact.n() == 0);
    CHECK(waitLengths(*trace, onOne, WaitKind::wakeup)->clipped == 0); // not known where
    const Selection onlyA{windowOf(*trace), {}, TaskFilter("a*")};
    CHECK(sorted(timesliceLengths(*trace, onlyA)->exact) == std::vector<Nanos>{30, 45});
    const Selection onlyThree{windowOf(*trace), {}, TaskFilter("3")};
    CHECK(sorted(timesliceLengths(*trace, onlyThree)->exact) == std::vector<Nanos>{40});
    CHECK(waitLengths(*trace, onlyThree, WaitKind::wakeup)->clipped == 1);
}

TEST_CASE("a stop request ends a question without an answer") {
    const auto trace = story("100 0 switch idle R > a:1\n110 0 switch a:1 S > idle\n");
    std::stop_source source;
    source.request_stop();
    const Selection all{windowOf(*trace), {}, {}};
    CHECK_FALSE(timesliceLengths(*trace, all, source.get_token()));
    CHECK_FALSE(waitLengths(*trace, all, WaitKind::wakeup, source.get_token()));
}

TEST_CASE("every bin begins at the smallest whole number that is not below its edge") {
    Nanos tenfold = 1;
    for (std::int32_t bin = 0; bin < 190; bin += 10, tenfold *= bin < 190 ? 10 : 1) {
        CHECK(binOf(tenfold) == bin);
        if (tenfold > 1)
            CHECK(binOf(tenfold - 1) < bin);
    }
    // length^10 >= 10^bin and < 10^(bin + 1), in whole numbers: no logarithm is asked.
    std::mt19937_64 random(1);
    for (int i = 0; i < 3000; ++i) {
        Nanos length = static_cast<Nanos>(random() >> (1 + random() % 63));
        if (i % 2 == 0) // beside an edge
            length =
                static_cast<Nanos>(LogHistogram::edge(static_cast<std::int32_t>(random() % 189)) +
                                   static_cast<double>(random() % 5) - 2);
        length = std::max<Nanos>(length, 1);
        const std::int32_t bin = binOf(length);
        CAPTURE(length);
        const auto raised = power(static_cast<std::uint64_t>(length), 10);
        REQUIRE_FALSE(less(raised, power(10, bin)));
        REQUIRE(less(raised, power(10, bin + 1)));
    }
    CHECK(binOf(INT64_MAX) == 189);
    CHECK(binOf(1) == 0);
    CHECK(binOf(2) == 3); // 10^0.3 = 1.995…
}

TEST_CASE("a histogram has no empty bin at its ends and counts zeros apart") {
    const LogHistogram histogram = logHistogram(of({0, 0, 100, 125, 126, 1000, 999}));
    CHECK(histogram.n == 7);
    CHECK(histogram.zeros == 2);
    CHECK(histogram.firstBin == 20);
    // 100 and 125; 126 begins the next bin (10^2.1 = 125.89…); 999 lies in the last one below 1000.
    CHECK(histogram.counts == std::vector<std::uint64_t>{2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1});
    CHECK(logHistogram({}).counts.empty());
    CHECK(logHistogram(of({0})).counts.empty());
    CHECK(LogHistogram::edge(30) == doctest::Approx(1000));
}

TEST_CASE("a curve of few values is the curve itself") {
    const auto curve = cumulative(of({7, 1, 7, 3}), 100);
    REQUIRE(curve.size() == 3);
    CHECK(curve[0].length == 1);
    CHECK(curve[0].share == 0.25);
    CHECK(curve[1].length == 3);
    CHECK(curve[1].share == 0.5);
    CHECK(curve[2].length == 7);
    CHECK(curve[2].share == 1);
    CHECK(cumulative({}, 10).empty());
    const auto single = cumulative(of({5, 5}), 10);
    REQUIRE(single.size() == 1);
    CHECK(single[0].share == 1);
}

TEST_CASE("a thinned curve has exact points, both ends, and no coarse step") {
    std::mt19937_64 random(2);
    for (int round = 0; round < 40; ++round) {
        std::vector<Nanos> values;
        const std::size_t n = 1 + random() % 20'000;
        for (std::size_t i = 0; i < n; ++i) {
            const auto any = static_cast<Nanos>(random());
            values.push_back(round % 4 == 0   ? (any & INT64_MAX) >> (random() % 63)
                             : round % 4 == 1 ? 1'000'000 + (any & 0xffff)
                             : round % 4 == 2 ? any & 7
                                              : 1'000'000'000'000 + (any & 0xffffff));
        }
        for (const std::size_t points : {2, 3, 50, 500}) {
            const auto curve = cumulative(of(values), points);
            std::vector<Nanos> ordered = values;
            std::sort(ordered.begin(), ordered.end());
            REQUIRE(curve.size() <= points);
            REQUIRE(curve.front().length == ordered.front());
            REQUIRE(curve.back().length == ordered.back());
            Nanos before = 0;
            for (const CumulativePoint& point : curve) {
                const auto after = std::upper_bound(ordered.begin(), ordered.end(), point.length);
                REQUIRE(after != ordered.begin());
                REQUIRE(*(after - 1) == point.length);
                REQUIRE(point.share ==
                        static_cast<double>(after - ordered.begin()) / static_cast<double>(n));
                // Beyond the value that follows the point before, little is passed over.
                if (points == 500 && point.length != curve.front().length) {
                    const auto next = std::upper_bound(ordered.begin(), ordered.end(), before);
                    const auto passed = after - std::upper_bound(next, after, *next);
                    REQUIRE(static_cast<double>(passed) / static_cast<double>(n) < 0.005);
                }
                before = point.length;
            }
        }
    }
}
