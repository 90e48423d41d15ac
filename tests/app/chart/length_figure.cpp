#include "app/chart/lengths/length_figure.h"

#include "tests/app/chart/lengths.h"
#include "tests/app/window/qt_text.h"

#include <QApplication>
#include <QBuffer>
#include <QSvgGenerator>
#include <QXmlStreamReader>

#include <map>

using namespace twolane;
using namespace twolane::chart;
using tests::curvesOf;

namespace {

SideCurves twoSides(const QString& label = "6.1.0"_q) {
    SideCurves sides;
    sides[0] = curvesOf({.slices = {40'000, 10'000, 1'000'000, 30'000, 20'000}},
                        LengthKind::timeslices, label);
    sides[1] = curvesOf({.slices = {90'000, 9'000}}, LengthKind::timeslices, "6.12.0"_q);
    return sides;
}

LengthFigure figureOf(SideCurves sides, const Theme& theme, bool logShares = false) {
    return LengthFigure(LengthKind::timeslices, std::move(sides),
                        LengthLook{theme, QApplication::font(), {}, logShares, {}});
}

struct Drawing {
    QStringList texts;
    std::map<QString, int> elements;
    bool dashes = false;
};

Drawing drawn(const Figure& figure, QSize size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setResolution(96);
    figure.vector(generator, {size, 1});
    Drawing drawing;
    QXmlStreamReader xml(buffer.data());
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement) {
            ++drawing.elements[xml.name().toString()];
            drawing.dashes |= xml.attributes().hasAttribute("stroke-dasharray"_q);
            if (xml.name() == "text"_q)
                drawing.texts << xml.readElementText().replace(QChar(0x202f), QLatin1Char(' '));
        }
    CHECK(!xml.hasError());
    return drawing;
}

Theme light() {
    return themeOf(plainPalette(false));
}

/// How many pixels have just this colour.
int pixelsOf(const QImage& image, QRgb colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += (image.pixel(x, y) & 0xffffff) == (colour & 0xffffff);
    return count;
}

} // namespace

TEST_CASE("the figure says what it shows: sides, numbers, axes") {
    const Drawing drawing = drawn(figureOf(twoSides(), light()), QSize(1000, 640));
    for (const QString& text :
         {"Timeslice length"_q, "A  6.1.0   n 5 · p50 30.000 µs · max 1.000 ms"_q,
          "B  6.12.0   n 2 · p50 9.000 µs · max 90.000 µs"_q, "% of timeslices in each bin"_q,
          "% of timeslices up to a length"_q})
        CHECK_MESSAGE(drawing.texts.contains(text), drawing.texts.join("|"_q));
    // Both panels share the axis: 9 µs to 1 ms, with the decade behind 1 ms.
    for (const QString& tick : {"1 µs"_q, "10"_q, "100"_q, "1 ms"_q})
        CHECK(drawing.texts.count(tick) >= 2); // shares have numbers too
    CHECK(!drawing.dashes);
}

TEST_CASE("case 49: a label is drawn literally") {
    const QString label = "<b>x</b>&%s%3 \\n"_q;
    const Drawing drawing = drawn(figureOf(twoSides(label), light()), QSize(1000, 640));
    CHECK(drawing.texts.filter("A  "_q + label + "   n 5"_q).size() == 1);
}

TEST_CASE("no number is cut, however narrow and however long the label") {
    for (const int width : {240, 320, 380, 500, 1000}) {
        const Drawing drawing =
            drawn(figureOf(twoSides(QString(200, QLatin1Char('k'))), light()), QSize(width, 500));
        const QString all = drawing.texts.join(" · "_q);
        for (const QString& number : {"n 5"_q, "p50 30.000 µs"_q, "max 1.000 ms"_q, "n 2"_q,
                                      "p50 9.000 µs"_q, "max 90.000 µs"_q})
            CHECK_MESSAGE(all.contains(number), all);
        const QFontMetricsF metrics(QApplication::font());
        for (const QString& text : drawing.texts)
            if (text.contains("p50"_q) || text.startsWith("A "_q))
                CHECK(metrics.horizontalAdvance(text) <= width);
    }
}

TEST_CASE("paper tells the sides apart without colour") {
    const Drawing drawing = drawn(figureOf(twoSides(), printTheme()), QSize(1000, 640));
    CHECK(drawing.dashes);
    CHECK(drawing.texts.filter("A (solid)  6.1.0"_q).size() == 1);
    CHECK(drawing.texts.filter("B (dashed)  6.12.0"_q).size() == 1);
}

TEST_CASE("where there is nothing to draw there are no axes") {
    SideCurves sides;
    sides[0] = curvesOf({}, LengthKind::timeslices);
    const Drawing drawing = drawn(figureOf(sides, light()), QSize(600, 400));
    CHECK(drawing.texts == QStringList{"Timeslice length"_q,
                                       "A  6.1.0   no exact timeslice ends here"_q,
                                       "nothing to draw"_q});
    sides[0] = curvesOf({.slices = {30}}, LengthKind::timeslices);
    sides[1] = curvesOf({.slices = {30}, .nanoseconds = false}, LengthKind::timeslices);
    CHECK(
        drawn(figureOf(sides, light()), QSize(600, 400)).texts.last().contains("no common axis"_q));
}

TEST_CASE("an axis of counts says so") {
    SideCurves sides;
    sides[0] = curvesOf({.slices = {30, 4000}, .nanoseconds = false}, LengthKind::timeslices);
    const Drawing drawing = drawn(figureOf(sides, light()), QSize(600, 400));
    CHECK(drawing.texts.count("counts of the trace's clock"_q) == 1);
    CHECK(drawing.texts.count("1 000"_q) == 2);
    CHECK(drawing.texts.filter("µs"_q).isEmpty());
}

TEST_CASE("a vector figure stays small, however many lengths there are") {
    std::vector<Nanos> many;
    for (Nanos i = 1; i <= 20'000; ++i)
        many.push_back(i * 37);
    SideCurves sides;
    sides[0] = curvesOf({.slices = many}, LengthKind::timeslices);
    const Drawing drawing = drawn(figureOf(sides, light()), QSize(1000, 640));
    int count = 0;
    for (const auto& [name, times] : drawing.elements)
        count += name == "g"_q ? 0 : times;
    CHECK(count < 500);
}

TEST_CASE("pixels: size, ground and both sides in every theme and scale") {
    for (const Theme& theme : {light(), themeOf(plainPalette(true)), printTheme()})
        for (const double scale : {1.0, 1.5, 2.0}) {
            const QImage image = figureOf(twoSides(), theme).raster({QSize(600, 400), scale});
            CHECK(image.size() == QSize(600, 400) * scale);
            CHECK((image.pixel(image.width() - 1, image.height() - 1) & 0xffffff) ==
                  (theme.base & 0xffffff));
            CHECK(pixelsOf(image, theme.accents[0]) > 300);
            CHECK(pixelsOf(image, theme.accents[1]) > 300);
        }
}

TEST_CASE("a logarithmic axis of shares keeps the tail in sight") {
    std::vector<Nanos> slices(999, 20'000);
    slices.push_back(50'000'000);
    SideCurves sides;
    sides[0] = curvesOf({.slices = slices}, LengthKind::timeslices);
    const Theme theme = light();
    // How high above y = 300 side A's colour reaches in the last decade of the histogram.
    const auto tail = [&](bool logShares) {
        const QImage image = figureOf(sides, theme, logShares).raster({QSize(800, 600), 1});
        int highest = 0;
        for (int x = 600; x < 790; ++x)
            for (int y = 80; y < 300; ++y)
                if ((image.pixel(x, y) & 0xffffff) == (theme.accents[0] & 0xffffff))
                    highest = std::max(highest, 300 - y);
        return highest;
    };
    CHECK(tail(true) > tail(false) + 10);
}
