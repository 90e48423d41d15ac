#include "app/window/panels/details_panel.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace twolane::window {

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_show(new QPushButton(QStringLiteral("Show"), this))
    , m_copy(new QPushButton(QStringLiteral("Copy"), this)) {
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_show->setToolTip(QStringLiteral("Bring it into view (Z)"));
    m_copy->setToolTip(QStringLiteral("Copy all of this as text (Ctrl+C)"));
    connect(m_show, &QPushButton::clicked, this, &DetailsPanel::showWanted);
    connect(m_copy, &QPushButton::clicked, this, &DetailsPanel::copy);

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_show);
    buttons->addWidget(m_copy);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addLayout(buttons);
    layout->addStretch(1);
    setFacts(std::nullopt);
}

void DetailsPanel::setFacts(std::optional<Facts> facts) {
    m_facts = std::move(facts);
    delete m_body;
    m_body = nullptr;
    m_show->setVisible(m_facts.has_value());
    m_copy->setVisible(m_facts.has_value());
    if (!m_facts) {
        m_title->setText(QStringLiteral("Click a slice, or a waiting task below it, for details."));
        m_title->setEnabled(false);
        return;
    }
    m_title->setEnabled(true);
    m_title->setText(m_facts->title);
    m_body = new QWidget(this);
    auto* grid = new QGridLayout(m_body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const auto& [what, value] : m_facts->rows) {
        auto* name = new QLabel(what, m_body);
        name->setTextFormat(Qt::PlainText);
        name->setForegroundRole(QPalette::PlaceholderText);
        auto* text = new QLabel(value, m_body);
        text->setTextFormat(Qt::PlainText);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        grid->addWidget(name, row, 0, Qt::AlignTop);
        grid->addWidget(text, row, 1, Qt::AlignTop);
        ++row;
    }
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, m_body);
}

QString DetailsPanel::plain() const {
    return m_facts ? m_facts->plain() : QString();
}

void DetailsPanel::copy() const {
    if (m_facts)
        QGuiApplication::clipboard()->setText(plain());
}

} // namespace twolane::window
