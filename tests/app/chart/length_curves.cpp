#include "tests/app/chart/lengths.h"
#include "tests/app/window/qt_text.h"

#include <numeric>

using namespace twolane;
using namespace twolane::chart;
using tests::curvesOf;

namespace {

/// With plain spaces in the numbers.
QString plain(QString text) {
    return text.replace(QChar(0x202f), QLatin1Char(' '));
}

} // namespace

// By hand: of 10, 20, 30, 40 and 1000 µs rank ceil(0.5 · 5) = 3 is 30 µs.
TEST_CASE("the numbers of timeslices are those that hand work gives") {
    const auto curves = curvesOf({.slices = {40'000, 10'000, 1'000'000, 30'000, 20'000},
                                  .latencies = {},
                                  .beginsInSlice = true},
                                 LengthKind::timeslices);
    CHECK(plain(curves.numbers(LengthKind::timeslices)) == "n 5 · p50 30.000 µs · max 1.000 ms"_q);
    CHECK(curves.leftOut() == "1 clipped left out"_q);
    // 10^4 begins bin 40; 20, 30 and 40 µs lie at 10^4.30, 10^4.48, 10^4.60; 10^6 begins bin 60.
    CHECK(curves.histogram.firstBin == 40);
    REQUIRE(curves.histogram.counts.size() == 21);
    CHECK(curves.histogram.counts[0] == 1);
    CHECK(curves.histogram.counts[3] == 1);
    CHECK(curves.histogram.counts[4] == 1);
    CHECK(curves.histogram.counts[6] == 1);
    CHECK(curves.histogram.counts[20] == 1);
}

// By hand: of 1, 2, …, 100 µs rank 99 is 99 µs; of 99 lengths it would be the largest one.
TEST_CASE("a 99th percentile is told of lengths enough") {
    tests::LengthPlan plan;
    for (Nanos i = 100; i > 0; --i)
        plan.slices.push_back(i * 1'000);
    CHECK(plain(curvesOf(plan, LengthKind::timeslices).numbers(LengthKind::timeslices)) ==
          "n 100 · p50 50.000 µs · p99 99.000 µs · max 100.000 µs"_q);
    plan.slices.pop_back();
    CHECK(plain(curvesOf(plan, LengthKind::timeslices).numbers(LengthKind::timeslices)) ==
          "n 99 · p50 51.000 µs · max 100.000 µs"_q);
}

TEST_CASE("the numbers of wakeup latencies are those that hand work gives") {
    const auto curves =
        curvesOf({.slices = {1'000, 1'000, 1'000}, .latencies = {5'000, 7'000, 2'000'000}},
                 LengthKind::wakeupLatency);
    CHECK(plain(curves.numbers(LengthKind::wakeupLatency)) ==
          "n 3 · p50 7.000 µs · max 2.000 ms"_q);
    CHECK(curves.leftOut().isEmpty());
}

TEST_CASE("lengths of zero are told in words") {
    const auto curves = curvesOf({.slices = {0, 30'000, 0}}, LengthKind::timeslices);
    CHECK(plain(curves.numbers(LengthKind::timeslices)) ==
          "n 3 · p50 0 ns · max 30.000 µs · 2 of 0 ns"_q);
}

TEST_CASE("case 22: a clock that counts has counts") {
    const auto curves = curvesOf({.slices = {30}, .nanoseconds = false}, LengthKind::timeslices);
    CHECK(plain(curves.numbers(LengthKind::timeslices)) == "n 1 · p50 30 counts · max 30 counts"_q);
}

TEST_CASE("where there is nothing the reason is said") {
    const auto sentence = [](const LengthCurves& curves, LengthKind kind) {
        CHECK(curves.n == 0);
        return plain(curves.numbers(kind));
    };
    CHECK(sentence(curvesOf({}, LengthKind::timeslices), LengthKind::timeslices) ==
          "no exact timeslice ends here"_q);
    CHECK(sentence(curvesOf({.slices = {1'000}}, LengthKind::wakeupLatency),
                   LengthKind::wakeupLatency) == "no wakes were recorded"_q);
    const auto trace = tests::makeLengths({.slices = {1'000}, .latencies = {9'000}});
    const auto none =
        lengthCurves(*trace, {windowOf(*trace, 0, 50), {}, {}}, LengthKind::wakeupLatency);
    REQUIRE(none);
    CHECK(sentence(*none, LengthKind::wakeupLatency) == "no exact wakeup latency ends here"_q);
}

TEST_CASE("case 29: sides without a common unit get no common axis") {
    SideCurves sides;
    CHECK(noPlotReason(sides).isEmpty());
    sides[0] = curvesOf({.slices = {30}}, LengthKind::timeslices);
    CHECK(noPlotReason(sides).isEmpty());
    sides[1] = curvesOf({.slices = {30}, .nanoseconds = false}, LengthKind::timeslices);
    CHECK(noPlotReason(sides).contains("different units"_q));
    sides[1] = curvesOf({.nanoseconds = false}, LengthKind::timeslices);
    CHECK(noPlotReason(sides).isEmpty()); // nothing of it is drawn
    sides[0] = curvesOf({}, LengthKind::timeslices);
    CHECK(noPlotReason(sides) == "nothing to draw"_q);
}

TEST_CASE("decades reach around all lengths, and have units") {
    SideCurves sides;
    sides[0] = curvesOf({.slices = {30'000}}, LengthKind::timeslices);
    sides[1] = curvesOf({.slices = {2'000'000'000}}, LengthKind::timeslices);
    const Decades decades = decadesOf(sides);
    CHECK(decades.first == 4);
    CHECK(decades.last == 10);
    QStringList labels;
    for (int decade = decades.first; decade <= decades.last; ++decade)
        labels << decadeLabel(decade, true, decade == decades.first);
    CHECK(labels.join(" "_q) == "10 µs 100 1 ms 10 100 1 s 10"_q);
    CHECK(decadeLabel(4, false) == QString("10 000"_q).replace(QLatin1Char(' '), QChar(0x202f)));
}

TEST_CASE("a stop request leaves nothing") {
    std::stop_source stop;
    stop.request_stop();
    const auto trace = tests::makeLengths({.slices = {1'000}});
    CHECK_FALSE(
        lengthCurves(*trace, {windowOf(*trace), {}, {}}, LengthKind::timeslices, stop.get_token()));
}
