#include "app/chart/lengths/length_text.h"

#include "tests/app/chart/lengths.h"

#include <doctest/doctest.h>

using namespace twolane;
using namespace twolane::chart;
using tests::curvesOf;

namespace {

std::string textOf(const SideCurves& sides, const QStringList& scope = {},
                   LengthKind kind = LengthKind::timeslices) {
    return lengthText(kind, sides, QStringLiteral("Timeslice length"), scope).toStdString();
}

} // namespace

// By hand: 10, 11 and 12 us are in the bin from 10 us, 13 us in the next, which ends at 15.849 us.
// Three of four are 75 %: 76 columns less 9 of the edge, 8 of the share and 5 of blanks and side
// leave 54 for the longest bar; a third of it is 18.
TEST_CASE("a chart in characters is what hand work gives") {
    SideCurves sides;
    sides[0] = curvesOf({.slices = {10'000, 11'000, 12'000, 13'000}, .beginsInSlice = true},
                        LengthKind::timeslices, QStringLiteral("6.1.0"));
    CHECK(textOf(sides) == "Timeslice length\n"
                           "A  6.1.0\n"
                           "   n 4, p50 11.000 us, max 13.000 us, 1 clipped left out\n"
                           "\n"
                           "share of timeslices, each from its length up to the next one\n"
                           "10.000 us A   75.0 % " +
                               std::string(54, '#') +
                               "\n"
                               "12.589 us A   25.0 % " +
                               std::string(18, '#') +
                               "\n"
                               "15.849 us\n");
}

TEST_CASE("both sides, zeros, and a share too small for its bar") {
    SideCurves sides;
    sides[0] = curvesOf({.slices = std::vector<Nanos>(999, 10'000)}, LengthKind::timeslices,
                        QStringLiteral("6.1.0"));
    tests::LengthPlan plan{.slices = std::vector<Nanos>(998, 10'000)};
    plan.slices.push_back(0);
    plan.slices.push_back(13'000);
    sides[1] = curvesOf(plan, LengthKind::timeslices, QStringLiteral("6.12.0"));
    const std::string text = textOf(sides, {QStringLiteral("CPUs 0-3"), QStringLiteral("from 1")});
    CHECK(text.find("\nonly CPUs 0-3, from 1\n") != std::string::npos);
    CHECK(text.find("     0 ns A      0 %\n          B    0.1 % .\n") != std::string::npos);
    CHECK(text.find("10.000 us A    100 % " + std::string(54, '#') + "\n          B   99.8 % " +
                    std::string(54, '=') + "\n") != std::string::npos);
    CHECK(text.find("12.589 us A      0 %\n          B    0.1 % .\n15.849 us\n") !=
          std::string::npos);
}

TEST_CASE("at most 76 columns of ASCII and a page of rows, whatever comes in") {
    tests::LengthPlan plan;
    for (Nanos length = 1; length < 2'000'000'000'000; length *= 3)
        plan.slices.insert(plan.slices.end(), {length, length + 1});
    SideCurves sides;
    sides[0] = curvesOf(plan, LengthKind::timeslices, QString(200, QChar(0xfc)));
    sides[1] = curvesOf({.slices = {5}}, LengthKind::timeslices, QStringLiteral("<b>&%s%3\\n"));
    const std::string text =
        textOf(sides, {QString(100, QLatin1Char('x')), QStringLiteral("from 1")});
    std::size_t lines = 0;
    for (std::size_t at = 0; at < text.size(); ++lines) {
        const std::size_t end = text.find('\n', at);
        REQUIRE(end != std::string::npos);
        CHECK_MESSAGE(end - at <= 76, text.substr(at, end - at));
        at = end + 1;
    }
    CHECK(lines <= 2 * 17 + 12);
    for (const char c : text)
        CHECK((c == '\n' || (c >= ' ' && c < 0x7f)));
    CHECK(text.find("B  <b>&%s%3\\n\n") != std::string::npos);
}

TEST_CASE("nothing to draw is said") {
    SideCurves sides;
    sides[0] = curvesOf({.slices = {5}}, LengthKind::wakeupLatency, QStringLiteral("6.1.0"));
    CHECK(textOf(sides, {}, LengthKind::wakeupLatency) ==
          "Timeslice length\nA  6.1.0\n   no wakes were recorded\n\nnothing to draw\n");
}
