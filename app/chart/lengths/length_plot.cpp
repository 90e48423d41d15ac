#include "app/chart/lengths/length_plot.h"

#include <algorithm>
#include <cmath>

namespace twolane::chart {
namespace {

QPen penOf(std::size_t side, const Theme& theme) {
    QPen pen(QColor(theme.accents[side]), 2);
    // Told apart without colour too.
    if (theme.print && side == 1)
        pen.setStyle(Qt::DashLine);
    return pen;
}

/// Lengths of 0 ns have no logarithm: they stand at the axis' begin.
double axisKey(Nanos length, const Decades& decades) {
    return std::max(static_cast<double>(length), std::pow(10.0, decades.first));
}

} // namespace

Decades decadesOf(const SideCurves& curves) {
    Decades decades{99, -99};
    for (const auto& side : curves) {
        if (!side || side->histogram.counts.empty())
            continue;
        const int first = side->histogram.firstBin;
        const int last = first + static_cast<int>(side->histogram.counts.size());
        decades.first = std::min(decades.first, static_cast<int>(std::floor(first / 10.0)));
        decades.last = std::max(decades.last, static_cast<int>(std::ceil(last / 10.0)));
    }
    if (decades.first > decades.last)
        return {3, 9};
    decades.last = std::max(decades.last, decades.first + 1);
    return decades;
}

QString noPlotReason(const SideCurves& curves) {
    bool time = false;
    bool counts = false;
    bool sides = false;
    for (const auto& side : curves) {
        sides = sides || side;
        if (side && side->n > 0)
            (side->times.nanoseconds ? time : counts) = true;
    }
    if (time && counts)
        return QStringLiteral("A and B count in different units: they have no common axis");
    if (curves[0] && curves[1] && curves[0]->n > 0 && curves[1]->n > 0 &&
        curves[0]->wakeEdge != curves[1]->wakeEdge)
        return QStringLiteral("A and B mark a wake by different events: not to be compared");
    return sides && !time && !counts ? QStringLiteral("nothing to draw") : QString();
}

QCPTextElement* noPlot(QCustomPlot& plot, const QString& reason, const QFont& font,
                       const Theme& theme) {
    auto* element = new QCPTextElement(&plot, reason, font);
    element->setTextColor(QColor(theme.dim));
    element->setTextFlags(Qt::AlignCenter | Qt::TextSingleLine);
    // All the room that is left; without a size QCustomPlot takes the text's own height.
    element->setMaximumSize(QSize(100'000, 100'000));
    return element;
}

QString decadeLabel(int decade, bool nanoseconds, bool withUnit) {
    if (!nanoseconds)
        return decade < 0
                   ? QString()
                   : countText(static_cast<std::uint64_t>(std::llround(std::pow(10, decade))));
    static constexpr std::array units{"ns", "µs", "ms", "s"};
    const int unit = std::clamp(decade / 3, 0, 3);
    const int power = decade - unit * 3;
    const QString digits = QString::number(std::llround(std::pow(10, power)));
    return power == 0 || withUnit ? digits + QLatin1Char(' ') +
                                        QString::fromUtf8(units[static_cast<std::size_t>(unit)])
                                  : digits;
}

void styleAxes(QCPAxisRect& rect, const Decades& decades, bool nanoseconds, const QFont& font,
               const Theme& theme) {
    QCPAxis* time = rect.axis(QCPAxis::atBottom);
    time->setScaleType(QCPAxis::stLogarithmic);
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (int decade = decades.first; decade <= decades.last; ++decade)
        ticker->addTick(std::pow(10.0, decade),
                        decadeLabel(decade, nanoseconds, decade == decades.first));
    ticker->setSubTickCount(8); // 2 to 9
    time->setTicker(ticker);
    time->setRange(std::pow(10.0, decades.first), std::pow(10.0, decades.last));
    if (!nanoseconds)
        time->setLabel(QStringLiteral("counts of the trace's clock"));
    QCPAxis* share = rect.axis(QCPAxis::atLeft);
    for (QCPAxis* axis : {time, share}) {
        axis->setBasePen(QPen(QColor(theme.dim)));
        axis->setTickPen(QPen(QColor(theme.dim)));
        axis->setSubTickPen(QPen(QColor(theme.dim)));
        axis->setTickLabelFont(font);
        axis->setTickLabelColor(QColor(theme.dim));
        axis->setLabelFont(font);
        axis->setLabelColor(QColor(theme.dim));
        axis->setTickLength(0, 4);
        axis->setSubTickLength(0, 2);
        axis->grid()->setPen(QPen(QColor(theme.line), 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    share->setSubTicks(false);
    share->ticker()->setTickCount(3);
    share->setNumberFormat(QStringLiteral("f"));
    share->setNumberPrecision(0);
}

void plotHistogram(QCustomPlot& plot, QCPAxisRect& rect, const SideCurves& curves,
                   const Theme& theme, bool logShares) {
    double highest = 0;
    double lowest = 100;
    for (const auto& side : curves)
        if (side && side->n > 0)
            lowest = std::min(lowest, 100 / static_cast<double>(side->n));
    const double ground = logShares ? lowest / 2 : 0; // zero has no logarithm
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!curves[i] || curves[i]->n == 0)
            continue;
        const LogHistogram& bins = curves[i]->histogram;
        QVector<double> keys;
        QVector<double> shares;
        const auto add = [&](std::int32_t bin, std::uint64_t count) {
            keys << LogHistogram::edge(bin);
            shares << std::max(ground,
                               100 * static_cast<double>(count) / static_cast<double>(bins.n));
            highest = std::max(highest, shares.back());
        };
        add(bins.firstBin - 1, 0);
        for (std::size_t k = 0; k < bins.counts.size(); ++k)
            add(bins.firstBin + static_cast<std::int32_t>(k), bins.counts[k]);
        add(bins.firstBin + static_cast<std::int32_t>(bins.counts.size()), 0);
        QCPGraph* graph = plot.addGraph(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setAntialiased(false);
        graph->setPen(penOf(i, theme));
        QColor fill(theme.accents[i]);
        fill.setAlpha(theme.print ? 30 : 56);
        graph->setBrush(fill);
        graph->setData(keys, shares, true);
    }
    QCPAxis* share = rect.axis(QCPAxis::atLeft);
    if (logShares && highest > 0) {
        share->setScaleType(QCPAxis::stLogarithmic);
        share->setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
        share->setNumberFormat(QStringLiteral("g"));
        share->setNumberPrecision(3);
        share->setRange(ground, highest * 1.5);
    } else {
        share->setRange(0, highest > 0 ? highest * 1.08 : 1);
    }
}

void plotCumulative(QCustomPlot& plot, QCPAxisRect& rect, const SideCurves& curves,
                    const Theme& theme) {
    const Decades decades = decadesOf(curves);
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!curves[i] || curves[i]->cumulative.empty())
            continue;
        QVector<double> keys{std::pow(10.0, decades.first)};
        QVector<double> shares{0};
        for (const CumulativePoint& point : curves[i]->cumulative) {
            keys << axisKey(point.length, decades);
            shares << 100 * point.share;
        }
        keys << std::pow(10.0, decades.last);
        shares << 100;
        QCPGraph* graph = plot.addGraph(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(penOf(i, theme));
        graph->setData(keys, shares, true);
    }
    rect.axis(QCPAxis::atLeft)->setRange(0, 102);
}

} // namespace twolane::chart
