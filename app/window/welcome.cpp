#include "app/window/welcome.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace twolane::window {
namespace {

constexpr const char* command =
    "trace-cmd record -e sched_switch -e sched_waking -e sched_wakeup \\\n"
    "    -e sched_wakeup_new -e sched_migrate_task -e sched_process_fork \\\n"
    "    -e sched_process_exec -e sched_process_exit  YOUR-WORKLOAD";

QLabel* plainLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

Welcome::Welcome(QWidget* parent)
    : QWidget(parent) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);

    auto* title =
        plainLabel(QStringLiteral("Compare what two kernels do with the same work"), this);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.6);
    large.setBold(true);
    title->setFont(large);
    auto* sentence =
        plainLabel(QStringLiteral("Open one scheduler trace to look at it, or two to see them CPU "
                                  "by CPU on one scale of time.\nFiles can be dropped here too."),
                   this);
    auto* open = new QPushButton(QStringLiteral("Open traces…"), this);
    open->setDefault(true);
    auto* how =
        plainLabel(QStringLiteral("No trace yet? Record one on each kernel, as root:"), this);
    auto* line = plainLabel(QString::fromUtf8(command), this);
    line->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    line->setMargin(12);
    line->setFrameShape(QFrame::StyledPanel);
    line->setBackgroundRole(QPalette::AlternateBase);
    line->setAutoFillBackground(true);

    auto* column = new QVBoxLayout;
    column->setSpacing(12);
    column->addWidget(title);
    column->addWidget(sentence);
    column->addSpacing(4);
    column->addWidget(open, 0, Qt::AlignLeft);
    column->addSpacing(24);
    column->addWidget(how);
    column->addWidget(line);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addLayout(column);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(32, 32, 32, 32);
    layout->addStretch(2);
    layout->addLayout(row);
    layout->addStretch(3);

    connect(open, &QPushButton::clicked, this, &Welcome::openWanted);
}

} // namespace twolane::window
