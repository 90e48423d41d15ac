#include "model/viewport.h"

#include <doctest/doctest.h>

#include <random>

using namespace twolane;

namespace {

constexpr Nanos since1970 = 1'651'097'314'396'951'318;

/// Every conversion of a view agrees with every other one.
void checkConsistent(const Viewport& view) {
    const std::vector<Nanos> edges = pixelEdges(view);
    REQUIRE(edges.size() == static_cast<std::size_t>(view.width) + 1);
    CHECK(edges.front() == view.range.begin);
    CHECK(edges.back() == view.range.end);
    for (std::int32_t x = 0; x <= view.width; ++x) {
        const Nanos edge = edges[static_cast<std::size_t>(x)];
        REQUIRE(timeAt(view, x) == edge);
        if (x == view.width)
            continue;
        const TimeRange covered = timesOfPixel(view, x);
        REQUIRE(!covered.empty());
        REQUIRE(pixelAt(view, edge) >= x);
        REQUIRE(timeAt(view, pixelAt(view, edge)) == edge);
    }
    CHECK(pixelAt(view, view.range.begin - 1) < 0);
    CHECK(pixelAt(view, view.range.end) >= view.width);
}

} // namespace

TEST_CASE("pixels and times agree") {
    for (const std::int32_t width : {1, 2, 3, 999, 1000, 1001, 3840}) {
        for (const Nanos length :
             {Nanos{1}, Nanos{2}, Nanos{7}, Nanos{10}, Nanos{999}, Nanos{1000}, Nanos{1001},
              Nanos{100'000'000'000}, Nanos{4'000'000'000'000'000}}) {
            for (const Nanos begin : {Nanos{0}, Nanos{-5}, since1970})
                checkConsistent({{begin, begin + length}, width});
        }
    }
}

TEST_CASE("extreme ranges do not overflow") {
    const Viewport whole{{INT64_MIN, INT64_MAX}, 1000};
    CHECK(timeAt(whole, 0) == INT64_MIN);
    CHECK(timeAt(whole, 5'000'000) == INT64_MAX);
    CHECK(pixelAt(whole, INT64_MIN) == 0);
    const Viewport late{{INT64_MAX - 1, INT64_MAX}, 1000};
    CHECK(timesOfPixel(late, 999) == TimeRange{INT64_MAX - 1, INT64_MAX});
    CHECK(pannedBy(late, 1'000'000'000, {0, INT64_MAX}) == late);
    CHECK(pixelAt({{0, 1}, 4000}, INT64_MAX) == INT64_MAX);
}

TEST_CASE("a view stays inside the extent and keeps at least one nanosecond") {
    const TimeRange extent{100, 1100};
    CHECK(clampedTo({{0, 50}, 10}, extent).range == TimeRange{100, 150});
    CHECK(clampedTo({{1090, 1190}, 10}, extent).range == TimeRange{1000, 1100});
    CHECK(clampedTo({{0, 5000}, 10}, extent).range == extent);
    CHECK(clampedTo({{500, 500}, 10}, extent).range == TimeRange{500, 501});
    CHECK(clampedTo({{-4, 90}, 10}, {0, 0}).range == TimeRange{0, 1}); // a trace of one event
    CHECK(zoomedAbout({{since1970, since1970 + 1}, 10}, 3, 2.0, {since1970, since1970 + 1}).range ==
          TimeRange{since1970, since1970 + 1});
}

TEST_CASE("zooming keeps the instant under the pointer") {
    for (const Nanos start : {Nanos{0}, since1970}) {
        const TimeRange extent{start, start + 10'000'000'000};
        for (const std::int64_t x : {0, 1, 713, 1899}) {
            Viewport view{{start + 2'000'000'000, start + 3'000'000'000}, 1900};
            const Nanos instant = timeAt(view, x);
            while (view.range.length() > 1) {
                const Nanos before = view.range.length();
                view = zoomedAbout(view, x, 1.19, extent);
                REQUIRE(view.range.length() < before);
                REQUIRE(timeAt(view, x) == instant);
            }
            CHECK(view.range.length() == 1);
            while (view.range.length() < 1'000'000'000) {
                view = zoomedAbout(view, x, 1 / 1.19, extent);
                REQUIRE(timeAt(view, x) == instant);
            }
            while (view.range != extent)
                view = zoomedAbout(view, x, 0.5, extent);
        }
    }
}

TEST_CASE("every zoom step changes the length, however small its factor") {
    const TimeRange extent{0, 1000};
    CHECK(zoomedAbout({{0, 2}, 100}, 50, 1.0001, extent).range.length() == 1);
    CHECK(zoomedAbout({{0, 1}, 100}, 50, 0.9999, extent).range.length() == 2);
    CHECK(zoomedAbout({{0, 1}, 100}, 50, 1.5, extent).range.length() == 1);
}

TEST_CASE("panning back restores the same nanosecond") {
    std::mt19937_64 random(11);
    const TimeRange extent{since1970, since1970 + 50'000'000'000};
    for (int i = 0; i < 2000; ++i) {
        const Nanos length = 1 + static_cast<Nanos>(random() % 1'000'000'000);
        const Nanos begin =
            since1970 + 20'000'000'000 + static_cast<Nanos>(random() % 1'000'000'000);
        const Viewport view{{begin, begin + length},
                            1 + static_cast<std::int32_t>(random() % 3000)};
        REQUIRE(pannedBy(pannedBy(view, 100, extent), -100, extent).range.length() == length);
        if (view.width > 100)
            REQUIRE(pannedBy(pannedBy(view, 100, extent), -100, extent) == view);
    }
}

TEST_CASE("seven nanoseconds are seven nanoseconds far from zero") {
    const Viewport view{{since1970 - 3, since1970 + 17}, 2000};
    CHECK(positionOf(view, since1970 + 7) - positionOf(view, since1970) == doctest::Approx(700));
    CHECK(timeAt(view, 300) == since1970);
    CHECK(timeAt(view, 299) == since1970 - 1);
}
