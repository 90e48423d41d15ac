#include "app/window/panels/doubts_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

namespace twolane::window {
using namespace chart;
namespace {

enum Column { sideColumn, kindColumn, whatColumn, countColumn, whereColumn, adviceColumn };

QString severityText(Severity severity) {
    switch (severity) {
    case Severity::info:
        return QStringLiteral("remark");
    case Severity::dataLoss:
        return QStringLiteral("lost or doubtful");
    case Severity::error:
        return QStringLiteral("problem");
    }
    return {};
}

} // namespace

DoubtsPanel::DoubtsPanel(QWidget* parent)
    : QWidget(parent)
    , m_theme(themeOf(palette()))
    , m_table(new QTableWidget(0, 6, this)) {
    auto* title = new QLabel(QStringLiteral("What is lost or doubtful"), this);
    QFont bold = font();
    bold.setBold(true);
    title->setFont(bold);
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    close->setToolTip(QStringLiteral("Close this panel (Ctrl+L)"));
    close->setAccessibleName(QStringLiteral("Close"));
    connect(close, &QToolButton::clicked, this, &DoubtsPanel::closeWanted);

    m_table->setHorizontalHeaderLabels({QStringLiteral("Side"), QStringLiteral("Kind"),
                                        QStringLiteral("What"), QStringLiteral("Count"),
                                        QStringLiteral("First at"), QStringLiteral("What helps")});
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(true);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(whatColumn, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(adviceColumn, QHeaderView::Stretch);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setAccessibleName(title->text());
    auto* copy = new QShortcut(QKeySequence::Copy, m_table);
    copy->setContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QShortcut::activated, this,
            [this] { QGuiApplication::clipboard()->setText(plain()); });

    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 6, 0);
    head->addWidget(title);
    head->addStretch(1);
    head->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
}

void DoubtsPanel::setTraces(std::array<std::shared_ptr<const LoadedTrace>, sideCount> traces) {
    if (traces == m_traces)
        return;
    m_traces = std::move(traces);
    refill();
}

void DoubtsPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    refill();
}

void DoubtsPanel::addRow(std::size_t side, const QString& kind, const QString& what,
                         const QString& count, const QString& where, const QString& advice,
                         bool warn) {
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    const QString letter(QLatin1Char(side == 0 ? 'A' : 'B'));
    const QStringList cells{letter, kind, what, count, where, advice};
    for (int column = 0; column < cells.size(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        item->setTextAlignment(Qt::AlignTop |
                               (column == countColumn ? Qt::AlignRight : Qt::AlignLeft));
        if (column == sideColumn)
            item->setForeground(QColor(m_theme.accents[side]));
        if (column == kindColumn && warn)
            item->setForeground(QColor(m_theme.warning));
        m_table->setItem(row, column, item);
    }
}

void DoubtsPanel::refill() {
    m_table->setRowCount(0);
    for (std::size_t i = 0; i < sideCount; ++i) {
        if (!m_traces[i])
            continue;
        const Exactness& exact = m_traces[i]->exactness;
        addRow(i, QStringLiteral("timeslices"),
               QStringLiteral("%1 exact, %2 clipped: begun or ended unseen, in no distribution")
                   .arg(countText(exact.exactSlices), countText(exact.clippedSlices)),
               countText(exact.exactSlices + exact.clippedSlices), {}, {}, false);
        addRow(i, QStringLiteral("waits"),
               QStringLiteral("%1 exact, %2 clipped, %3 doubtful: only exact ones are in "
                              "distributions")
                   .arg(countText(exact.exactWaits), countText(exact.clippedWaits),
                        countText(exact.doubtfulWaits)),
               countText(exact.exactWaits + exact.clippedWaits + exact.doubtfulWaits), {}, {},
               exact.doubtfulWaits > 0);
        for (const Oddity& oddity : m_traces[i]->trace->diagnostics.all())
            addRow(i, severityText(oddity.severity), printable(oddity.what),
                   countText(oddity.count), printable(oddity.first), printable(oddity.advice),
                   oddity.severity != Severity::info);
    }
}

void DoubtsPanel::showSide(std::size_t side) {
    const QString letter(QLatin1Char(side == 0 ? 'A' : 'B'));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (m_table->item(row, sideColumn)->text() != letter)
            continue;
        m_table->scrollToItem(m_table->item(row, 0), QAbstractItemView::PositionAtTop);
        return;
    }
}

QString DoubtsPanel::plain() const {
    QStringList lines;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < m_table->columnCount(); ++column)
            cells << m_table->item(row, column)->text();
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace twolane::window
