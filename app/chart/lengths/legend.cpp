#include "app/chart/lengths/legend.h"

namespace twolane::chart {

QStringList legendLines(const QString& head, const QStringList& facts, double width,
                        const QFontMetricsF& metrics) {
    const QString between = QStringLiteral(" · ");
    const auto fits = [&](const QString& line) { return metrics.horizontalAdvance(line) <= width; };
    QStringList lines;
    if (!head.isEmpty()) {
        const QString whole =
            facts.isEmpty() ? head : head + QStringLiteral("   ") + facts.join(between);
        if (fits(whole))
            return {whole};
        lines << metrics.elidedText(head, Qt::ElideMiddle, width);
    }
    QString line;
    for (const QString& fact : facts) {
        if (!line.isEmpty() && fits(line + between + fact)) {
            line += between + fact;
            continue;
        }
        if (!line.isEmpty())
            lines << line;
        line = metrics.elidedText(fact, Qt::ElideRight, width);
    }
    if (!line.isEmpty())
        lines << line;
    return lines;
}

} // namespace twolane::chart
