#include "app/chart/text.h"
#include "app/chart/timeline/ruler.h"
#include "app/window/hover.h"
#include "tests/app/window/qt_text.h"
#include "tests/app/window/synthetic.h"

#include <QStringList>

using namespace twolane;
using namespace twolane::window;
using namespace twolane::chart;
using tests::makeTrace;

namespace {

std::vector<QString> labelsOf(const Viewport& view, const TimeFormat& format = {}) {
    std::vector<QString> labels;
    for (const Tick& tick : rulerTicks(
             view, format,
             [](const QString& text) { return 7.0 * static_cast<double>(text.size()); }, 30))
        if (!tick.label.isEmpty())
            labels.push_back(QString(tick.label).replace(QChar(0x202f), QLatin1Char(' ')));
    return labels;
}

} // namespace

TEST_CASE("case 49: names are shown as they are") {
    CHECK(printable("postgres") == "postgres"_q);
    CHECK(printable("<b>x</b>&%s%3") == "<b>x</b>&%s%3"_q);
    CHECK(printable("a\nb\tc\x1b") == "a\\nb\\tc\\x1b"_q);
    CHECK(printable("caf\xc3\xa9") == "café"_q);
    CHECK(printable("caf\xe9") == "caf\\xe9"_q);
    CHECK(printable("\xe2\x80\xae"
                    "abc") == "\\u202eabc"_q);
}

TEST_CASE("case 49: the card over a slice") {
    const auto trace = makeTrace(
        3, {{1'000'000, 1'010'000, "<b>x</b>&%s%3", 41}, {1'010'000, 1'020'000, "two\nlines", 42}},
        {0, 5'000'000});
    const auto loaded = prepare(trace);
    const Facts first = hoverText(*loaded, 0, {1'005'000, 1'005'001});
    CHECK(first.title == "<b>x</b>&%s%3"_q);
    const QString text = first.plain();
    CHECK(text.contains("tid: 41"_q));
    CHECK(text.contains("CPU: 3"_q));
    CHECK(text.contains("start: +0.001000000 s"_q));
    CHECK(text.contains("length: 10.000 µs"_q));
    CHECK(text.contains("sleeping (S)"_q));
    CHECK(!text.contains("clipped"_q));
    CHECK(hoverText(*loaded, 0, {1'015'000, 1'015'001}).title == "two\\nlines"_q);

    const QString several = hoverText(*loaded, 0, {0, 5'000'000}).plain();
    CHECK(several.startsWith("2 runs"_q));
    CHECK(several.contains("busy: 0.4 %"_q));
    CHECK(several.contains("longest: <b>x</b>&%s%3 (tid 41), 10.000 µs"_q));

    const QString idle = hoverText(*loaded, 0, {2'000'000, 2'000'001}).plain();
    CHECK(idle.startsWith("idle"_q));
    CHECK(idle.contains("length: 3.980 ms"_q));
    CHECK(hoverText(*loaded, 0, {9'000'000, 9'000'001}).title == "after the recording's end"_q);
}

TEST_CASE("a single short run under a wide pixel is named, not averaged away") {
    const auto loaded =
        prepare(makeTrace(0, {{50'000'000, 50'010'000, "alba", 4101}}, {0, 100'000'000}));
    const Facts text = hoverText(*loaded, 0, {0, 100'000'000});
    CHECK(text.title == "alba"_q);
    CHECK(text.plain().contains("length: 10.000 µs"_q));
}

TEST_CASE("unknown says why") {
    const auto trace = makeTrace({.loss = true, .lateCpu = true});
    const auto loaded = prepare(trace);
    const TimeRange gap = trace->losses.at(0).range;
    const QString lost =
        hoverText(*loaded, 1, {gap.begin + gap.length() / 2, gap.begin + gap.length() / 2 + 1})
            .plain();
    CHECK(lost.startsWith("events lost"_q));
    CHECK(lost.contains("82 events"_q));
    CHECK(hoverText(*loaded, 3, {trace->range.begin, trace->range.begin + 1}).title == "no data"_q);
    CHECK(loaded->lossText().contains("82 events lost"_q));
    CHECK(loaded->lossy());
}

TEST_CASE("ticks are round, with as many digits as they need") {
    CHECK(labelsOf({{0, 5'000'000}, 1000}) ==
          std::vector<QString>{"+0.0 ms"_q, "+0.5 ms"_q, "+1.0 ms"_q, "+1.5 ms"_q, "+2.0 ms"_q,
                               "+2.5 ms"_q, "+3.0 ms"_q, "+3.5 ms"_q, "+4.0 ms"_q, "+4.5 ms"_q,
                               "+5.0 ms"_q});
    const auto deep = labelsOf({{3'200'000'010, 3'200'000'014}, 1200});
    CHECK(deep == std::vector<QString>{"+3.200 000 010 s"_q, "+3.200 000 011 s"_q,
                                       "+3.200 000 012 s"_q, "+3.200 000 013 s"_q,
                                       "+3.200 000 014 s"_q});
    // Never finer than the stamps.
    for (const QString& label : labelsOf({{3'200'000'000, 3'200'002'000}, 1200}, {1000, true}))
        CHECK(label.size() == QStringLiteral("+3.200 000 s").size());
    CHECK(labelsOf({{0, 1}, 2000}).front() == "+0 ns"_q);
    CHECK(labelsOf({{0, 100}, 400}, {1, false}).front() == "+0"_q);
    CHECK(!labelsOf({{0, INT64_MAX}, 1000}).empty());
}

TEST_CASE("numbers for people") {
    CHECK(durationText(1'234'567, {}) == "1.235 ms"_q);
    CHECK(durationText(15'000, {}) == "15.000 µs"_q);
    CHECK(shareText(0.0001) == "< 0.1 %"_q);
    CHECK(shareText(0.99999) == "> 99.9 %"_q);
    CHECK(shareText(1) == "100 %"_q);
    CHECK(bytesText(12'300'000) == "12.3 MB"_q);
    CHECK(countText(1, "event", "events") == "1 event"_q);
}
