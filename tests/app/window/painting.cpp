#include "app/chart/slice_colours.h"
#include "app/chart/timeline/lane_labels.h"
#include "app/chart/timeline/lane_painter.h"
#include "app/window/timeline_view.h"
#include "tests/app/window/qt_text.h"
#include "tests/app/window/synthetic.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <random>

using namespace twolane;
using namespace twolane::window;
using namespace twolane::chart;
using tests::makeTrace;

namespace {

/// One lane painted into a picture of its own.
struct Strip {
    Strip(const std::shared_ptr<const Trace>& trace, TimeRange fromStart, int width,
          bool dark = false)
        : loaded(prepare(trace))
        , theme(themeOf(plainPalette(dark)))
        , colours(*trace, theme)
        , view{fromStart, width} {
        image = QImage(width, 20, QImage::Format_RGB32);
        image.fill(theme.base);
        area.plot = image.rect();
        area.rowHeight = area.barHeight = 20;
        area.lanes = 1;
        paintLanes(image, area, {*loaded, lanes, colours, theme, view, 1, 1}, {10, 20}, runs);
    }
    QRgb at(int x, int y = 10) const { return image.pixel(x, y); }

    std::shared_ptr<const LoadedTrace> loaded;
    Theme theme;
    SliceColours colours;
    std::vector<std::size_t> lanes{0};
    Viewport view;
    LaneArea area;
    QImage image;
    std::vector<PaintedRun> runs;
};

/// A timeline of its own, never shown.
struct Bench {
    explicit Bench(QSize size = {500, 320}) { timeline.resize(size); }
    void put(std::size_t side, const std::shared_ptr<const Trace>& trace) {
        timeline.setSide(side, prepare(trace), false);
    }
    QImage picture() { return timeline.grab().toImage(); }

    ViewState view;
    TimelineView timeline{view};
};

std::vector<QString> namesOf(const std::vector<LaneLabel>& labels) {
    std::vector<QString> names;
    for (const LaneLabel& label : labels)
        names.push_back(label.name);
    return names;
}

} // namespace

TEST_CASE("case 10: short runs are faint marks, each in its column, at any width") {
    std::vector<tests::Run> runs;
    for (Nanos i = 0; i < 1000; ++i)
        runs.push_back({i * 100'000'000 + 50'000'000, i * 100'000'000 + 50'010'000, "alba", 4101});
    const TimeRange span{0, 100'000'000'000};
    const auto many = makeTrace(0, runs, span);
    const Strip thousand(many, span, 1000);
    const QRgb full = sliceColour(thousand.theme, "alba");
    for (int x = 0; x < 1000; ++x) {
        REQUIRE(thousand.at(x) != thousand.theme.lane);
        REQUIRE(thousand.at(x) != full);
    }
    const auto single = makeTrace(0, {{50'000'000'000, 50'000'010'000, "alba", 4101}}, span);
    for (const int width : {1000, 1001}) {
        const Strip strip(single, span, width);
        int marked = 0;
        for (int x = 0; x < width; ++x) {
            if (strip.at(x) == strip.theme.lane)
                continue;
            ++marked;
            CHECK(contrast(strip.at(x), strip.theme.lane) > 1.2); // faint, but to be seen
        }
        CHECK(marked == 1);
    }
}

TEST_CASE("case 36: a run of an hour in a view of ten nanoseconds") {
    constexpr Nanos hour = 3'600'000'000'000;
    const auto trace = makeTrace(0, {{0, hour, "alba", 4101}}, {0, hour + 1000});
    const Strip inside(trace, {hour / 2, hour / 2 + 10}, 2000);
    const QRgb full = sliceColour(inside.theme, "alba");
    for (int x = 0; x < 2000; ++x)
        REQUIRE(inside.at(x) == full);
    REQUIRE(inside.runs.size() == 1);
    CHECK(inside.runs[0].run.first == 0);
    CHECK(inside.runs[0].run.last == 2000);

    const Strip end(trace, {hour - 5, hour + 5}, 2000);
    CHECK(end.at(999) == full);
    CHECK(end.at(1000) == end.theme.lane);
}

TEST_CASE("case 37: seven nanoseconds far from zero") {
    constexpr Nanos start = 1'651'097'314'396'951'318;
    const auto trace = makeTrace(0, {{start, start + 7, "alba", 1}}, {start - 3, start + 17});
    const Strip strip(trace, {0, 20}, 2000);
    CHECK(strip.at(299) == strip.theme.lane);
    CHECK(strip.at(300) == sliceColour(strip.theme, "alba"));
    CHECK(strip.at(999) == sliceColour(strip.theme, "alba"));
    CHECK(strip.at(1000) == strip.theme.lane);
}

TEST_CASE("case 48: neighbours of one colour are kept apart, wide ones at every boundary") {
    std::vector<tests::Run> runs;
    for (int i = 0; i < 64; ++i)
        runs.push_back({i * 1000, (i + 1) * 1000, "alba", 4101 + i});
    const Strip strip(makeTrace(0, runs, {0, 64'000}), {0, 64'000}, 1280);
    const QRgb full = sliceColour(strip.theme, "alba");
    for (int i = 1; i < 64; ++i) {
        CHECK(strip.at(i * 20) != full);
        CHECK(strip.at(i * 20 + 10) == full);
    }
}

TEST_CASE("unknown is hatched, idle is not") {
    for (const bool dark : {false, true}) {
        const auto trace = makeTrace({.cpus = {0, 1}, .loss = true});
        const auto loaded = prepare(trace);
        const Theme theme = themeOf(plainPalette(dark));
        const SliceColours colours(*trace, theme);
        const std::vector<std::size_t> lanes{0, 1};
        QImage image(1000, 40, QImage::Format_RGB32);
        image.fill(theme.base);
        const LaneArea area{image.rect(), 20, 20, 0, 0, 0, 2};
        const Viewport view{{0, 5'000'000}, 1000};
        std::vector<PaintedRun> runs;
        paintLanes(image, area, {*loaded, lanes, colours, theme, view, 1, 1}, {10, 20}, runs);
        REQUIRE(!trace->cpus[1].unknown.empty());
        const TimeRange gap = trace->cpus[1].unknown.back();
        const auto first =
            static_cast<int>(pixelAt({onClock(*trace, view.range), 1000}, gap.begin)) + 1;
        int hatch = 0;
        int lane = 0;
        for (int x = first; x < first + 14; ++x) {
            for (int y = 20; y < 34; ++y) {
                if (image.pixel(x, y) == theme.hatch)
                    ++hatch;
                else if (image.pixel(x, y) == theme.lane)
                    ++lane;
            }
        }
        CHECK(hatch + lane == 14 * 14);
        CHECK(hatch == 14 * 14 * 2 / 7);
        CHECK(contrast(theme.hatch, theme.lane) > 1.5);
    }
}

TEST_CASE("lanes bear the kernel's numbers") {
    Bench bench({600, 400});
    bench.put(0, makeTrace({.cpus = {0, 3, 11, 300, 1023}}));
    CHECK(namesOf(bench.timeline.labels(0)) ==
          std::vector<QString>{"CPU 0"_q, "CPU 3"_q, "CPU 11"_q, "CPU 300"_q, "CPU 1023"_q});
    for (const LaneLabel& label : bench.timeline.labels(0))
        CHECK(label.utilisation.endsWith(QLatin1Char('%')));
}

TEST_CASE("256 lanes: at least three pixels each, labels thinned, all to be reached") {
    std::vector<std::int32_t> cpus;
    for (std::int32_t cpu = 0; cpu < 256; ++cpu)
        cpus.push_back(cpu);
    Bench bench({800, 600});
    const auto trace = makeTrace({.cpus = cpus});
    bench.put(0, trace);
    bench.put(1, trace);
    const LaneArea& a = bench.timeline.area(0);
    const LaneArea& b = bench.timeline.area(1);
    CHECK(a.rowHeight == 3);
    CHECK(a.plot.left() == b.plot.left());
    CHECK(a.plot.width() == b.plot.width());
    CHECK(std::abs(a.plot.height() - b.plot.height()) <= 1);
    const auto labels = bench.timeline.labels(0);
    for (std::size_t i = 1; i < labels.size(); ++i)
        REQUIRE((labels[i].lane - labels[i - 1].lane) * 3 >=
                static_cast<std::size_t>(bench.timeline.fontMetrics().height()));
    bench.timeline.setPointer(QPointF(400, a.plot.center().y()));
    for (int i = 0; i < 200; ++i)
        bench.timeline.scrollLanes(1);
    CHECK(a.lastVisible() == 256);
    CHECK(b.firstVisible() == 0);
}

TEST_CASE("case 47: panning and zooming equal a fresh picture, pixel for pixel") {
    const auto a = makeTrace({.length = 40'000'000, .loss = true, .lateCpu = true});
    const auto b = makeTrace(7,
                             {{100, 200, "alba", 1},
                              {1000, 39'000'000, "spanning", 2},
                              {39'000'000, 39'000'100, "cedro", 3}},
                             {0, 39'500'000});
    Bench bench;
    bench.put(0, a);
    bench.put(1, b);
    std::mt19937 random(47);
    for (int i = 0; i < 500; ++i) {
        const auto x = static_cast<std::int64_t>(random() % 500);
        switch (random() % 6) {
        case 0:
            bench.view.panBy(static_cast<std::int64_t>(random() % 300) - 150);
            break;
        case 1:
            bench.view.zoomAbout(x, 0.7);
            break;
        case 2:
            bench.view.zoomAbout(x, 0.05);
            break;
        case 3:
            bench.view.zoomAbout(x, 12);
            break;
        default:
            bench.view.zoomAbout(x, 1.3);
            break;
        }
        Bench fresh;
        fresh.put(0, a);
        fresh.put(1, b);
        fresh.view.show(bench.view.view().range);
        REQUIRE(fresh.view.view() == bench.view.view());
        REQUIRE(fresh.picture() == bench.picture());
    }
}

TEST_CASE("case 47: a run across the whole view is always filled") {
    const auto trace = makeTrace(0, {{0, 1'000'000, "alba", 1}}, {0, 1'000'000});
    for (const TimeRange range :
         {TimeRange{0, 1'000'000}, TimeRange{1, 2}, TimeRange{999'000, 999'999}}) {
        const Strip strip(trace, range, 333);
        for (int x = 0; x < 333; ++x)
            REQUIRE(strip.at(x) == sliceColour(strip.theme, "alba"));
    }
}

TEST_CASE("case 38: traces of one event, of two at one time, and from 0.000000 on") {
    const std::vector<std::pair<std::vector<tests::Run>, TimeRange>> traces{
        {{}, {0, 0}}, {{{5, 5, "alba", 1}}, {5, 5}}, {{{0, 10, "alba", 1}}, {0, 10}}};
    for (const auto& [runs, range] : traces) {
        Bench bench;
        bench.put(0, makeTrace(0, runs, range));
        CHECK(bench.view.extent().length() == range.length() + 1);
        CHECK(!bench.picture().isNull());
        for (int i = 0; i < 40; ++i)
            bench.view.zoomAbout(100, 2);
        CHECK(bench.view.view().range.length() == 1);
        bench.timeline.setPointer(QPointF(300, 60));
        CHECK(!bench.picture().isNull());
        for (int i = 0; i < 40; ++i)
            bench.view.zoomAbout(100, 0.5);
        CHECK(bench.view.fitted());
        CHECK(!bench.picture().isNull());
    }
}

TEST_CASE("case 27: a change of theme leaves nothing of the old one") {
    const auto trace = makeTrace({.loss = true});
    Bench light;
    light.put(0, trace);
    light.put(1, trace);
    const QImage before = light.picture();
    light.timeline.setPalette(plainPalette(true));

    Bench dark;
    dark.timeline.setPalette(plainPalette(true));
    dark.put(0, trace);
    dark.put(1, trace);
    CHECK(light.picture() == dark.picture());
    CHECK(light.picture() != before);
}

TEST_CASE("case 27: colours: legible, apart from the lane, and by name alone") {
    for (const bool dark : {false, true}) {
        const Theme theme = themeOf(plainPalette(dark));
        CHECK(theme.dark == dark);
        for (const QRgb colour : theme.slices) {
            CHECK(contrast(colour, textOn(colour)) >= 4.5);
            CHECK(contrast(colour, theme.lane) >= 3);
        }
        CHECK(contrast(theme.unnamed, textOn(theme.unnamed)) >= 4.5);
        for (const QRgb text : {theme.text, theme.dim, theme.warning}) {
            CHECK(contrast(text, theme.base) >= 4.5);
            CHECK(contrast(text, theme.panel) >= 4.5);
        }
        for (const QRgb accent : theme.accents)
            CHECK(contrast(accent, theme.panel) >= 3);
    }
    const Theme theme = themeOf(plainPalette(false));
    const auto a = makeTrace({.names = {"alba", "brezo", "cedro"}});
    const auto b = makeTrace({.names = {"cedro", "xx", "alba"}, .seed = 9});
    for (const char* name : {"alba", "cedro"}) {
        REQUIRE(a->strings.find(name).valid());
        CHECK(SliceColours(*a, theme).ofComm(a->strings.find(name)) ==
              SliceColours(*b, theme).ofComm(b->strings.find(name)));
    }
}
