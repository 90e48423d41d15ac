#include "app/chart/lengths/length_view.h"

#include "app/chart/lengths/legend.h"

#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace twolane::chart {
namespace {

/// The last point of the curve up to `length`: a length that occurred, with its exact share. Before
/// the first one: none of them is as short as `length`.
CumulativePoint pointAt(const LengthCurves& curves, double length) {
    const auto& points = curves.cumulative;
    const auto behind = std::upper_bound(points.begin(), points.end(), length,
                                         [](double value, const CumulativePoint& p) {
                                             return value < static_cast<double>(p.length);
                                         });
    return behind == points.begin() ? CumulativePoint{static_cast<Nanos>(std::floor(length)), 0}
                                    : *std::prev(behind);
}

constexpr QMargins textMargins(12, 3, 4, 0);

} // namespace

LengthView::LengthView(LengthKind kind, CurveKind curve, const QString& title, QWidget* parent)
    : QCustomPlot(parent)
    , m_kind(kind)
    , m_curve(curve)
    , m_title(title)
    , m_theme(themeOf(palette())) {
    setMinimumHeight(180);
    setAccessibleName(title);
    rebuild();
}

void LengthView::setCurves(SideCurves curves) {
    m_curves = std::move(curves);
    rebuild();
}

void LengthView::setTheme(const Theme& theme) {
    m_theme = theme;
    rebuild();
}

void LengthView::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        rebuild(); // texts break at other places
}

void LengthView::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        rebuild();
}

void LengthView::rebuild() {
    clearPlottables();
    plotLayout()->clear();
    plotLayout()->setRowSpacing(0);
    setBackground(QBrush(QColor(m_theme.panel)));
    QFont bold = font();
    bold.setBold(true);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.86);
    const auto addText = [this](int row, const QString& text, const QFont& with, QRgb colour) {
        auto* element = new QCPTextElement(this, text, with);
        element->setTextColor(QColor(colour));
        element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine);
        element->setMargins(textMargins);
        plotLayout()->addElement(row, 0, element);
    };
    int row = 0;
    addText(row++, m_title, bold, m_theme.text);
    bool nanoseconds = true;
    const double textWidth = width() - textMargins.left() - textMargins.right();
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!m_curves[i])
            continue;
        nanoseconds = nanoseconds && m_curves[i]->times.nanoseconds;
        for (const QString& line :
             legendLines({}, m_curves[i]->facts(m_kind), textWidth, QFontMetricsF(small)))
            addText(row++, line, small, m_theme.accents[i]);
    }
    if (const QString reason = noPlotReason(m_curves); !reason.isEmpty()) {
        plotLayout()->addElement(row, 0, noPlot(*this, reason, small, m_theme));
        replot(rpQueuedReplot);
        return;
    }
    auto* rect = new QCPAxisRect(this);
    rect->setMinimumMargins(QMargins(8, 6, 14, 2));
    plotLayout()->addElement(row, 0, rect);
    styleAxes(*rect, decadesOf(m_curves), nanoseconds, small, m_theme);
    if (m_curve == CurveKind::histogram)
        plotHistogram(*this, *rect, m_curves, m_theme);
    else
        plotCumulative(*this, *rect, m_curves, m_theme);
    replot(rpQueuedReplot);
}

QString LengthView::valuesAt(double x) const {
    if (axisRectCount() == 0)
        return {};
    const double length = axisRect()->axis(QCPAxis::atBottom)->pixelToCoord(x);
    if (!(length >= 1))
        return {};
    return m_curve == CurveKind::histogram ? binAt(length) : pointsAt(length);
}

QString LengthView::pointsAt(double length) const {
    QStringList shares;
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!m_curves[i] || m_curves[i]->n == 0)
            continue;
        const CumulativePoint point = pointAt(*m_curves[i], length);
        shares << QStringLiteral("%1 %2 up to %3")
                      .arg(QLatin1Char(i == 0 ? 'A' : 'B'))
                      .arg(shareText(point.share), durationText(point.length, m_curves[i]->times));
    }
    return shares.join(QStringLiteral(", "));
}

QString LengthView::binAt(double length) const {
    const auto bin = static_cast<std::int32_t>(std::floor(std::log10(length) * 10 + 1e-9));
    TimeFormat times;
    QStringList shares;
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!m_curves[i] || m_curves[i]->n == 0)
            continue;
        times = m_curves[i]->times;
        const LogHistogram& bins = m_curves[i]->histogram;
        const std::int32_t at = bin - bins.firstBin;
        const std::uint64_t count = at >= 0 && static_cast<std::size_t>(at) < bins.counts.size()
                                        ? bins.counts[static_cast<std::size_t>(at)]
                                        : 0;
        shares << QStringLiteral("%1 %2")
                      .arg(QLatin1Char(i == 0 ? 'A' : 'B'))
                      .arg(shareText(static_cast<double>(count) / static_cast<double>(bins.n)));
    }
    if (shares.isEmpty())
        return {};
    const auto edge = [&times](std::int32_t at) {
        return durationText(std::llround(LogHistogram::edge(at)), times);
    };
    return QStringLiteral("%1 to %2: ").arg(edge(bin), edge(bin + 1)) +
           shares.join(QStringLiteral(", "));
}

void LengthView::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const QString text = valuesAt(event->position().x());
    if (text.isEmpty() || axisRectCount() == 0 || !axisRect()->rect().contains(event->pos()))
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
}

} // namespace twolane::chart
