#include "app/chart/lengths/length_view.h"

#include "tests/app/chart/lengths.h"
#include "tests/app/window/qt_text.h"

#include <QApplication>

using namespace twolane;
using namespace twolane::chart;
using tests::curvesOf;

namespace {

/// Laid out as a panel of the window, never shown.
std::unique_ptr<LengthView> viewOf(SideCurves sides, CurveKind curve) {
    auto view =
        std::make_unique<LengthView>(LengthKind::timeslices, curve, "Timeslice length"_q, nullptr);
    view->resize(380, 210);
    view->setCurves(std::move(sides));
    view->replot(); // lays out
    return view;
}

QString at(const LengthView& view, double length) {
    QString text = view.valuesAt(view.axisRect()->axis(QCPAxis::atBottom)->coordToPixel(length));
    return text.replace(QChar(0x202f), QLatin1Char(' '));
}

SideCurves twoSides() {
    SideCurves sides;
    sides[0] =
        curvesOf({.slices = {40'000, 10'000, 1'000'000, 30'000, 20'000}}, LengthKind::timeslices);
    sides[1] = curvesOf({.slices = {90'000, 9'000}}, LengthKind::timeslices);
    return sides;
}

} // namespace

// Bin 44 is from 10^4.4 = 25.119 µs to 10^4.5 = 31.623 µs: one of A's five, none of B's two.
TEST_CASE("the pointer over a histogram tells a bin and its shares") {
    const auto view = viewOf(twoSides(), CurveKind::histogram);
    CHECK(at(*view, 28'000) == "25.119 µs to 31.623 µs: A 20.0 %, B 0 %"_q);
    CHECK(at(*view, 84'000) == "79.433 µs to 100.000 µs: A 0 %, B 50.0 %"_q);
}

TEST_CASE("the pointer over a cumulative curve tells lengths that occurred") {
    const auto view = viewOf(twoSides(), CurveKind::cumulative);
    CHECK(at(*view, 35'000) == "A 60.0 % up to 30.000 µs, B 50.0 % up to 9.000 µs"_q);
    CHECK(at(*view, 9'999'000) == "A 100 % up to 1.000 ms, B 100 % up to 90.000 µs"_q);
    CHECK(at(*view, 5'000).startsWith("A 0 % up to "_q));
}

TEST_CASE("zeros are below every length of a histogram, and in the curve") {
    SideCurves sides;
    sides[0] = curvesOf({.slices = {0, 30'000}}, LengthKind::timeslices);
    CHECK(at(*viewOf(sides, CurveKind::histogram), 28'000) == "25.119 µs to 31.623 µs: A 50.0 %"_q);
    CHECK(at(*viewOf(sides, CurveKind::cumulative), 20'000) == "A 50.0 % up to 0 ns"_q);
}

TEST_CASE("case 29: unlike clocks are not drawn over each other") {
    SideCurves sides = twoSides();
    sides[1] = curvesOf({.slices = {30}, .nanoseconds = false}, LengthKind::timeslices);
    const auto view = viewOf(sides, CurveKind::histogram);
    CHECK(view->axisRectCount() == 0);
    CHECK(view->graphCount() == 0);
    CHECK(view->valuesAt(100).isEmpty());
    view->setCurves(twoSides()); // and back
    CHECK(view->axisRectCount() == 1);
    CHECK(view->graphCount() == 2);
}

TEST_CASE("texts break when the panel is narrow") {
    const auto view = viewOf(twoSides(), CurveKind::histogram);
    const int rows = view->plotLayout()->rowCount();
    view->resize(180, 210);
    view->grab(); // a hidden widget hears of it then
    CHECK(view->plotLayout()->rowCount() > rows);
    view->resize(380, 210);
    view->grab();
    CHECK(view->plotLayout()->rowCount() == rows);
}

TEST_CASE("case 27: a theme leaves nothing of the one before") {
    const auto view = viewOf(twoSides(), CurveKind::histogram);
    const Theme dark = themeOf(plainPalette(true));
    const Theme light = themeOf(plainPalette(false));
    const auto picture = [&view] {
        view->replot();
        return view->grab().toImage();
    };
    const QImage before = picture();
    view->setTheme(dark);
    const QImage image = picture();
    CHECK((image.pixel(2, 2) & 0xffffff) == (dark.panel & 0xffffff));
    int old = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (const QRgb colour : {light.panel, light.accents[0], light.accents[1]})
                old += (image.pixel(x, y) & 0xffffff) == (colour & 0xffffff);
    CHECK(old == 0);
    view->setTheme(light);
    CHECK(picture() == before);
}
