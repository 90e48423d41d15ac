#include "app/window/side_card.h"

#include "app/chart/text.h"
#include "app/chart/timeline/layout.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace twolane::window {
using namespace chart;

QString sideName(std::size_t side) {
    return side == 0 ? QStringLiteral("baseline") : QStringLiteral("candidate");
}

SideCard::SideCard(std::size_t side, QWidget* parent)
    : QWidget(parent)
    , m_side(side)
    , m_theme(themeOf(palette()))
    , m_title(new QLabel(this))
    , m_detail(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_open(new QPushButton(this))
    , m_cancel(new QPushButton(QStringLiteral("Cancel"), this))
    , m_dismiss(new QPushButton(this)) {
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    // Paths and names are data: never markup.
    m_title->setTextFormat(Qt::PlainText);
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_detail->setWordWrap(true);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(8);
    m_progress->setMaximumWidth(420);
    m_progress->setRange(0, 1000);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* button : {m_open, m_cancel, m_dismiss})
        buttons->addWidget(button);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(30, 18, 30, 18);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_progress);
    layout->addWidget(m_detail);
    layout->addLayout(buttons);
    layout->addStretch(1);

    connect(m_open, &QPushButton::clicked, this, &SideCard::openWanted);
    connect(m_cancel, &QPushButton::clicked, this, &SideCard::cancelWanted);
    connect(m_dismiss, &QPushButton::clicked, this, &SideCard::dismissWanted);
    showInvitation();
}

void SideCard::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void SideCard::showInvitation() {
    m_title->hide();
    m_progress->hide();
    m_cancel->hide();
    m_dismiss->hide();
    m_detail->setText(
        m_side == 0
            ? QStringLiteral("No baseline yet: open the trace to compare with, or drop it here.")
            : QStringLiteral("Nothing to compare with yet: open a second trace, or drop it here."));
    m_open->setText(QStringLiteral("Open %1…").arg(sideName(m_side)));
    m_open->show();
}

void SideCard::showLoad(const std::filesystem::path& path, std::uint64_t done,
                        std::uint64_t total) {
    m_title->setText(QStringLiteral("Reading %1").arg(printable(path.filename().string())));
    m_title->show();
    m_progress->show();
    m_open->hide();
    m_dismiss->hide();
    m_cancel->show();
    if (total == 0) {
        m_progress->setRange(0, 0); // not told yet
        m_detail->setText(QStringLiteral("opening the file…"));
        return;
    }
    m_progress->setRange(0, 1000);
    const double share = static_cast<double>(std::min(done, total)) / static_cast<double>(total);
    m_progress->setValue(static_cast<int>(share * 1000));
    m_detail->setText(
        done >= total ? QStringLiteral("%1 read, drawing up the timeline…").arg(bytesText(total))
                      : QStringLiteral("%1 of %2 · %3 %")
                            .arg(bytesText(done), bytesText(total))
                            .arg(static_cast<int>(share * 100)));
}

void SideCard::showError(const Error& error, bool canReturn) {
    m_title->setText(QStringLiteral("This trace cannot be shown"));
    m_title->show();
    m_progress->hide();
    m_cancel->hide();
    QString text = printable(error.file);
    text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + printable(error.what);
    if (!error.where.empty())
        text += QStringLiteral(", at ") + printable(error.where);
    if (!error.remedy.empty())
        text += QStringLiteral("\nWhat helps: ") + printable(error.remedy);
    m_detail->setText(text);
    m_open->setText(QStringLiteral("Open another…"));
    m_open->show();
    m_dismiss->setText(canReturn ? QStringLiteral("Back to the trace before")
                                 : QStringLiteral("Dismiss"));
    m_dismiss->show();
}

QSize SideCard::sizeHint() const {
    return {400, std::max(layout()->heightForWidth(std::max(width(), 400)),
                          layout()->sizeHint().height())};
}

void SideCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), QColor(m_theme.base));
    painter.fillRect(QRect(0, 0, accentWidth, height()), QColor(m_theme.accents[m_side]));
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(QColor(m_theme.accents[m_side]));
    painter.drawText(QRect(12, 18, 20, fontMetrics().height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     QString(QLatin1Char(m_side == 0 ? 'A' : 'B')));
}

} // namespace twolane::window
