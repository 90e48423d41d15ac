#include "app/chart/lengths/length_figure.h"

#include "app/chart/lengths/legend.h"

namespace twolane::chart {
namespace {

constexpr QMargins textMargins(14, 2, 8, 1);

/// A line of text from the left, which must fit.
QCPTextElement* textLine(QCustomPlot& plot, const QString& text, const QFont& font, QRgb colour) {
    auto* element = new QCPTextElement(&plot, text, font);
    element->setTextColor(QColor(colour));
    element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine);
    element->setMargins(textMargins);
    return element;
}

} // namespace

QString titleOf(LengthKind kind) {
    return kind == LengthKind::timeslices ? QStringLiteral("Timeslice length")
                                          : QStringLiteral("Wakeup latency");
}

LengthFigure::LengthFigure(LengthKind kind, SideCurves curves, LengthLook look)
    : m_kind(kind)
    , m_curves(std::move(curves))
    , m_look(std::move(look)) {
    if (m_look.title.isEmpty())
        m_look.title = titleOf(kind);
}

std::unique_ptr<QCustomPlot> LengthFigure::plotFor(const FigureSize& size) const {
    auto plot = std::make_unique<QCustomPlot>();
    plot->setFont(m_look.font);
    plot->resize(size.logical);
    plot->setBackground(QBrush(QColor(m_look.theme.base)));
    plot->plotLayout()->clear();
    plot->plotLayout()->setRowSpacing(2);
    QFont bold = m_look.font;
    bold.setBold(true);
    int row = 0;
    QFont large = bold;
    large.setPointSizeF(large.pointSizeF() * 1.15);
    const double width = size.logical.width() - textMargins.left() - textMargins.right();
    plot->plotLayout()->addElement(
        row++, 0,
        textLine(*plot, QFontMetricsF(large).elidedText(m_look.title, Qt::ElideRight, width), large,
                 m_look.theme.text));
    if (!m_look.scope.isEmpty())
        for (const QString& line :
             legendLines(QStringLiteral("only"), m_look.scope, width, QFontMetricsF(m_look.font)))
            plot->plotLayout()->addElement(row++, 0,
                                           textLine(*plot, line, m_look.font, m_look.theme.text));
    bool nanoseconds = true;
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!m_curves[i])
            continue;
        const LengthCurves& side = *m_curves[i];
        nanoseconds = nanoseconds && side.times.nanoseconds;
        QString head(QLatin1Char(i == 0 ? 'A' : 'B'));
        if (m_look.theme.print)
            head += i == 0 ? QStringLiteral(" (solid)") : QStringLiteral(" (dashed)");
        QStringList facts = side.facts(m_kind);
        if (const QString out = side.leftOut(); !out.isEmpty())
            facts << out;
        for (const QString& line : legendLines(head + QStringLiteral("  ") + side.label, facts,
                                               width, QFontMetricsF(m_look.font)))
            plot->plotLayout()->addElement(
                row++, 0, textLine(*plot, line, m_look.font, m_look.theme.accents[i]));
    }
    if (const QString reason = noPlotReason(m_curves); !reason.isEmpty()) {
        plot->plotLayout()->addElement(row++, 0, noPlot(*plot, reason, m_look.font, m_look.theme));
        return plot;
    }
    const Decades decades = decadesOf(m_curves);
    auto* group = new QCPMarginGroup(plot.get());
    // What the axis shows stands above it: a short one has no room for a turned label.
    const auto addRect = [&](const QString& what) {
        plot->plotLayout()->addElement(row++, 0,
                                       textLine(*plot, what, m_look.font, m_look.theme.dim));
        auto* rect = new QCPAxisRect(plot.get());
        rect->setMarginGroup(QCP::msLeft, group);
        rect->setMinimumMargins(QMargins(14, 6, 22, 4));
        plot->plotLayout()->addElement(row++, 0, rect);
        styleAxes(*rect, decades, nanoseconds, m_look.font, m_look.theme);
        return rect;
    };
    const QString what =
        m_kind == LengthKind::timeslices ? QStringLiteral("timeslices") : QStringLiteral("wakeups");
    QCPAxisRect* upper = addRect(QStringLiteral("% of %1 in each bin").arg(what));
    upper->axis(QCPAxis::atBottom)->setLabel({}); // the lower one has it
    plotHistogram(*plot, *upper, m_curves, m_look.theme, m_look.logShares);
    plotCumulative(*plot, *addRect(QStringLiteral("% of %1 up to a length").arg(what)), m_curves,
                   m_look.theme);
    return plot;
}

QImage LengthFigure::raster(const FigureSize& size) const {
    return plotFor(size)
        ->toPixmap(size.logical.width(), size.logical.height(), size.scale)
        .toImage()
        .convertToFormat(QImage::Format_RGB32);
}

void LengthFigure::vector(QPaintDevice& device, const FigureSize& size) const {
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    const auto plot = plotFor(size);
    painter.fillRect(QRect(QPoint(0, 0), size.logical), QColor(m_look.theme.base));
    plot->setBackground(Qt::NoBrush);
    plot->toPainter(&painter, size.logical.width(), size.logical.height());
}

} // namespace twolane::chart
