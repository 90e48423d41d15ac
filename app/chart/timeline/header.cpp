#include "app/chart/timeline/header.h"

#include "app/chart/timeline/layout.h"

#include <QFontMetrics>
#include <QStringList>

#include <filesystem>

namespace twolane::chart {
namespace {

constexpr int padding = 12;
constexpr int gap = 14;

} // namespace

HeaderText headerText(const LoadedTrace& loaded, const QString& label) {
    const Trace& shown = *loaded.trace;
    const TraceInfo& info = shown.info;
    HeaderText text;
    text.name = printable(std::filesystem::path(info.file).filename().string());
    if (text.name.isEmpty())
        text.name = printable(info.file);
    QStringList origin;
    if (!label.isEmpty()) {
        origin << text.name;
        text.name = label;
    }
    if (!info.kernel.empty())
        origin << printable(info.kernel);
    origin << printable(info.format);
    if (!info.buffer.empty())
        origin << QStringLiteral("buffer ") + printable(info.buffer);
    if (!info.clock.empty())
        origin << QStringLiteral("clock ") + printable(info.clock);
    text.origin = origin.join(QStringLiteral(" · "));
    QStringList amount{countText(shown.eventCount, "event", "events"),
                       countText(shown.cpus.size(), "CPU", "CPUs"),
                       countText(shown.tasks.size(), "task", "tasks")};
    const Exactness& exact = loaded.exactness;
    if (const auto waits = exact.exactWaits + exact.clippedWaits + exact.doubtfulWaits; waits > 0)
        amount << QStringLiteral("exact waits ") +
                      shareText(static_cast<double>(exact.exactWaits) / static_cast<double>(waits));
    text.amount = amount.join(QStringLiteral(" · "));
    text.trust = loaded.lossText();
    text.lossy = loaded.lossy();
    QStringList details{printable(info.file), text.origin};
    if (!info.formatDetail.empty())
        details << printable(info.formatDetail);
    details << text.amount << text.trust;
    text.details = details.join(QLatin1Char('\n'));
    return text;
}

QRect paintHeader(QPainter& painter, const QRect& box, std::size_t side, const HeaderText& text,
                  const Theme& theme) {
    painter.save();
    painter.fillRect(box, QColor(theme.panel));
    painter.fillRect(QRect(box.left(), box.top(), accentWidth, box.height()),
                     QColor(theme.accents[side]));
    const QFont font = painter.font();
    QFont bold = font;
    bold.setBold(true);
    const QFontMetrics plainMetrics(font);
    const QFontMetrics boldMetrics(bold);
    int left = box.left() + padding;
    int right = box.right() + 1 - padding;

    const auto draw = [&](int x, int room, const QString& what, const QFont& with, QRgb colour) {
        painter.setFont(with);
        painter.setPen(QColor(colour));
        painter.drawText(QRect(x, box.top(), room, box.height()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, what);
    };
    const QString letter(QLatin1Char(side == 0 ? 'A' : 'B'));
    draw(left, 20, letter, bold, theme.accents[side]);
    left += boldMetrics.horizontalAdvance(letter) + gap;

    // From the right: what was lost is never given up, the amounts go first where it is narrow.
    const auto fits = [&](int wanted, int kept) {
        return wanted > 0 && right - left - wanted - gap >= kept;
    };
    QRect trustBox;
    const int nameWidth = boldMetrics.horizontalAdvance(text.name);
    if (const int wanted = plainMetrics.horizontalAdvance(text.trust);
        fits(wanted, std::min(nameWidth, 120))) {
        right -= wanted;
        draw(right, wanted + 2, text.trust, font, text.lossy ? theme.warning : theme.dim);
        trustBox = QRect(right, box.top(), wanted, box.height());
        right -= gap;
    }
    if (const int wanted = plainMetrics.horizontalAdvance(text.amount);
        fits(wanted, std::min(nameWidth, 260))) {
        const QString dot = QStringLiteral(" · ");
        const int dotWidth = plainMetrics.horizontalAdvance(dot);
        right += gap - dotWidth;
        draw(right, dotWidth, dot, font, theme.dim);
        right -= wanted;
        draw(right, wanted + 2, text.amount, font, theme.dim);
        right -= gap;
    }
    const QString name = boldMetrics.elidedText(text.name, Qt::ElideMiddle, right - left);
    draw(left, right - left, name, bold, theme.text);
    left += boldMetrics.horizontalAdvance(name) + gap;
    if (right - left >= 60)
        draw(left, right - left,
             plainMetrics.elidedText(text.origin, Qt::ElideMiddle, right - left), font, theme.dim);
    painter.restore();
    return trustBox;
}

} // namespace twolane::chart
