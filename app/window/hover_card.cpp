#include "app/window/hover_card.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>

namespace twolane::window {
using namespace chart;

void paintHoverCard(QPainter& painter, const Facts& text, QRgb swatch, const QPointF& pointer,
                    const QRectF& bounds, const Theme& theme) {
    painter.save();
    const QFont font = painter.font();
    QFont bold = font;
    bold.setBold(true);
    const QFontMetricsF metrics(font);
    const QFontMetricsF boldMetrics(bold);
    const double padding = 10;
    const double gap = 12;
    const double swatchWidth = text.comm ? metrics.ascent() + 4 : 0;
    double names = 0;
    double values = 0;
    for (const auto& [what, value] : text.rows) {
        names = std::max(names, metrics.horizontalAdvance(what));
        values = std::max(values, metrics.horizontalAdvance(value));
    }
    const double line = metrics.height() + 2;
    const QSizeF size(
        2 * padding +
            std::max(boldMetrics.horizontalAdvance(text.title) + swatchWidth, names + gap + values),
        2 * padding + boldMetrics.height() + 4 + line * static_cast<double>(text.rows.size()));
    QRectF card(pointer + QPointF(16, 18), size);
    if (card.right() > bounds.right() - 4)
        card.moveRight(pointer.x() - 14);
    if (card.bottom() > bounds.bottom() - 4)
        card.moveBottom(pointer.y() - 12);
    card.moveLeft(std::max(card.left(), bounds.left() + 4));
    card.moveTop(std::max(card.top(), bounds.top() + 4));
    card.moveTopLeft(card.topLeft().toPoint()); // whole pixels: text stays sharp

    QPainterPath shape;
    shape.addRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(shape.translated(0, 2), QColor(0, 0, 0, theme.dark ? 90 : 34));
    painter.fillPath(shape, QColor(theme.dark ? mixed(theme.base, theme.text, 22) : theme.base));
    painter.setPen(QColor(mixed(theme.base, theme.text, 80)));
    painter.drawPath(shape);

    QPointF at = card.topLeft() + QPointF(padding, padding);
    if (text.comm) {
        const double side = metrics.ascent() - 2;
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(swatch));
        painter.drawRoundedRect(
            QRectF(at.x(), at.y() + (boldMetrics.height() - side) / 2, side, side), 2, 2);
    }
    painter.setFont(bold);
    painter.setPen(QColor(theme.text));
    painter.drawText(QRectF(at.x() + swatchWidth, at.y(), size.width(), boldMetrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text.title);
    at.ry() += boldMetrics.height() + 4;
    painter.setFont(font);
    for (const auto& [what, value] : text.rows) {
        painter.setPen(QColor(theme.dim));
        painter.drawText(QRectF(at.x(), at.y(), names, line),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, what);
        painter.setPen(QColor(theme.text));
        painter.drawText(QRectF(at.x() + names + gap, at.y(), values + 1, line),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, value);
        at.ry() += line;
    }
    painter.restore();
}

} // namespace twolane::window
