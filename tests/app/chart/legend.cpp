#include "app/chart/lengths/legend.h"

#include "tests/app/window/qt_text.h"

#include <QApplication>

using namespace twolane::chart;

namespace {

const QStringList facts{"n 23 191"_q, "p50 226.206 µs"_q, "p99 6.034 ms"_q, "max 177.464 ms"_q,
                        "5 clipped left out"_q};

QFontMetricsF metrics() {
    return QFontMetricsF(QApplication::font());
}

} // namespace

TEST_CASE("a legend that fits is one line") {
    CHECK(legendLines("A  6.1.0"_q, facts, 2000, metrics()) ==
          QStringList{"A  6.1.0   "_q + facts.join(" · "_q)});
    CHECK(legendLines("A  6.1.0"_q, {}, 2000, metrics()) == QStringList{"A  6.1.0"_q});
    CHECK(legendLines({}, {}, 2000, metrics()).isEmpty());
}

TEST_CASE("at any width no line is too long and no number is cut") {
    const double widest = metrics().horizontalAdvance("max 177.464 ms · "_q);
    const QString head = "A  "_q + QString(300, QLatin1Char('k'));
    for (double width = widest + 20; width < 1500; width += 7) {
        const QStringList lines = legendLines(head, facts, width, metrics());
        REQUIRE(lines.size() >= 2);
        for (const QString& line : lines)
            CHECK(metrics().horizontalAdvance(line) <= width);
        CHECK(lines.front().startsWith("A  kk"_q));
        CHECK(QStringList(lines.mid(1)).join(" · "_q) == facts.join(" · "_q));
    }
}

TEST_CASE("a number that is wider than its line shows that it is cut") {
    const QStringList lines =
        legendLines({}, {"p99 6.034 ms"_q}, metrics().horizontalAdvance("p99 6.0"_q), metrics());
    REQUIRE(lines.size() == 1);
    CHECK(lines.front().endsWith(QChar(0x2026)));
}
