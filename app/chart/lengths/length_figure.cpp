#include "app/chart/lengths/length_figure.h"

namespace twolane::chart {
namespace {

QString titleOf(LengthKind kind) {
    return kind == LengthKind::timeslices ? QStringLiteral("Timeslice length")
                                          : QStringLiteral("Wakeup latency");
}

/// A line of text from the left; the element elides nothing, QCustomPlot cuts at its edge.
QCPTextElement* textLine(QCustomPlot& plot, const QString& text, const QFont& font, QRgb colour) {
    auto* element = new QCPTextElement(&plot, text, font);
    element->setTextColor(QColor(colour));
    element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine);
    element->setMargins(QMargins(14, 2, 8, 1));
    return element;
}

} // namespace

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
    plot->plotLayout()->addElement(row++, 0,
                                   textLine(*plot, m_look.title, large, m_look.theme.text));
    bool nanoseconds = true;
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!m_curves[i])
            continue;
        const LengthCurves& side = *m_curves[i];
        nanoseconds = nanoseconds && side.times.nanoseconds;
        QString text = QStringLiteral("%1  ").arg(QLatin1Char(i == 0 ? 'A' : 'B')) + side.label +
                       QStringLiteral("   ") + side.numbers(m_kind);
        if (const QString out = side.leftOut(); !out.isEmpty())
            text += QStringLiteral(" · ") + out;
        if (m_look.theme.print)
            text += i == 0 ? QStringLiteral("   (solid)") : QStringLiteral("   (dashed)");
        plot->plotLayout()->addElement(row++, 0,
                                       textLine(*plot, text, m_look.font, m_look.theme.accents[i]));
    }
    const Decades decades = decadesOf(m_curves);
    auto* group = new QCPMarginGroup(plot.get());
    const auto addRect = [&](const QString& label) {
        auto* rect = new QCPAxisRect(plot.get());
        rect->setMarginGroup(QCP::msLeft, group);
        rect->setMinimumMargins(QMargins(10, 10, 22, 4));
        plot->plotLayout()->addElement(row++, 0, rect);
        styleAxes(*rect, decades, nanoseconds, m_look.font, m_look.theme);
        rect->axis(QCPAxis::atLeft)->setLabel(label);
        return rect;
    };
    const QString what =
        m_kind == LengthKind::timeslices ? QStringLiteral("timeslices") : QStringLiteral("wakeups");
    plotHistogram(*plot, *addRect(QStringLiteral("% of %1 in each bin").arg(what)), m_curves,
                  m_look.theme, m_look.logShares);
    plotCumulative(*plot, *addRect(QStringLiteral("% of %1 up to").arg(what)), m_curves,
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
