#include "app/window/side_header.h"

#include <QHelpEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QStringList>
#include <QToolTip>

#include <filesystem>

namespace twolane::window {
using namespace chart;
namespace {

constexpr int padding = 12;
constexpr int gap = 14;

/// Tooltips take text that looks like markup for markup: make all of it markup, escaped.
QString asTooltip(const QString& plain) {
    return QStringLiteral("<p style='white-space:pre-wrap'>") +
           plain.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")) +
           QStringLiteral("</p>");
}

} // namespace

SideHeader::SideHeader(std::size_t side, QWidget* parent)
    : QWidget(parent)
    , m_side(side)
    , m_theme(themeOf(palette())) {
    setMouseTracking(true);
}

void SideHeader::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void SideHeader::setTrace(std::shared_ptr<const LoadedTrace> trace, const QString& note) {
    m_trace = std::move(trace);
    m_name = note;
    m_origin.clear();
    m_amount.clear();
    m_trust.clear();
    if (m_trace) {
        const Trace& shown = *m_trace->trace;
        const TraceInfo& info = shown.info;
        m_name = printable(std::filesystem::path(info.file).filename().string());
        if (m_name.isEmpty())
            m_name = printable(info.file);
        QStringList origin;
        if (!info.kernel.empty())
            origin << printable(info.kernel);
        origin << printable(info.format);
        if (!info.buffer.empty())
            origin << QStringLiteral("buffer ") + printable(info.buffer);
        if (!info.clock.empty())
            origin << QStringLiteral("clock ") + printable(info.clock);
        m_origin = origin.join(QStringLiteral(" · "));
        m_amount = QStringList{countText(shown.eventCount, "event", "events"),
                               countText(shown.cpus.size(), "CPU", "CPUs"),
                               countText(shown.tasks.size(), "task", "tasks")}
                       .join(QStringLiteral(" · "));
        m_trust = m_trace->lossText();
    }
    setAccessibleName(QStringLiteral("%1 %2 %3 %4 %5")
                          .arg(QLatin1Char(m_side == 0 ? 'A' : 'B'))
                          .arg(m_name, m_origin, m_amount, m_trust));
    update();
}

QSize SideHeader::sizeHint() const {
    return {400, fontMetrics().height() + 14};
}

void SideHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), QColor(m_theme.panel));
    painter.fillRect(QRect(0, 0, 5, height()), QColor(m_theme.accents[m_side]));
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics plainMetrics(font());
    const QFontMetrics boldMetrics(bold);
    int left = padding;
    int right = width() - padding;

    const auto draw = [&](int x, int room, const QString& text, const QFont& with, QRgb colour) {
        painter.setFont(with);
        painter.setPen(QColor(colour));
        painter.drawText(QRect(x, 0, room, height()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
    };
    const QString letter(QLatin1Char(m_side == 0 ? 'A' : 'B'));
    draw(left, 20, letter, bold, m_theme.accents[m_side]);
    left += boldMetrics.horizontalAdvance(letter) + gap;

    // From the right: what was lost is never given up, the amounts go first where it is narrow.
    const auto fits = [&](int wanted, int kept) {
        return wanted > 0 && right - left - wanted - gap >= kept;
    };
    m_trustRect = {};
    const int nameWidth = boldMetrics.horizontalAdvance(m_name);
    const int least = std::min(nameWidth, 120);
    if (const int wanted = plainMetrics.horizontalAdvance(m_trust); fits(wanted, least)) {
        const bool warn = m_trace && m_trace->lossy();
        right -= wanted;
        draw(right, wanted + 2, m_trust, font(), warn ? m_theme.warning : m_theme.dim);
        m_trustRect = QRect(right, 0, wanted, height());
        right -= gap;
    }
    if (const int wanted = plainMetrics.horizontalAdvance(m_amount);
        fits(wanted, std::min(nameWidth, 260))) {
        const QString dot = QStringLiteral(" · ");
        const int dotWidth = plainMetrics.horizontalAdvance(dot);
        right += gap - dotWidth;
        draw(right, dotWidth, dot, font(), m_theme.dim);
        right -= wanted;
        draw(right, wanted + 2, m_amount, font(), m_theme.dim);
        right -= gap;
    }
    const QString name = boldMetrics.elidedText(m_name, Qt::ElideMiddle, right - left);
    draw(left, right - left, name, m_trace ? bold : font(), m_trace ? m_theme.text : m_theme.dim);
    left += boldMetrics.horizontalAdvance(name) + gap;
    if (right - left < 60)
        return;
    draw(left, right - left, plainMetrics.elidedText(m_origin, Qt::ElideMiddle, right - left),
         font(), m_theme.dim);
}

bool SideHeader::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (!m_trace)
        return true;
    const TraceInfo& info = m_trace->trace->info;
    const QString text =
        m_trustRect.contains(help->pos())
            ? m_trace->oddities()
            : QStringList{printable(info.file), m_origin,
                          info.formatDetail.empty() ? QString() : printable(info.formatDetail),
                          m_amount, m_trust}
                  .filter(QRegularExpression(QStringLiteral(".")))
                  .join(QLatin1Char('\n'));
    QToolTip::showText(help->globalPos(), asTooltip(text), this);
    return true;
}

} // namespace twolane::window
