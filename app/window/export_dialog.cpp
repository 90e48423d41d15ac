#include "app/window/export_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace twolane::window {
using chart::ChartRequest;

ExportDialog::ExportDialog(ChartRequest request, QWidget* parent)
    : QDialog(parent)
    , m_request(std::move(request))
    , m_kind(new QComboBox(this))
    , m_look(new QComboBox(this))
    , m_width(new QSpinBox(this))
    , m_height(new QSpinBox(this))
    , m_scale(new QSpinBox(this))
    , m_title(new QLineEdit(this))
    , m_file(new QLineEdit(this)) {
    setWindowTitle(QStringLiteral("Export a chart"));
    m_kind->addItem(QStringLiteral("Timeline, as shown"));
    m_kind->addItem(QStringLiteral("Timeslice lengths of what is shown"));
    m_kind->addItem(QStringLiteral("Wakeup latencies of what is shown"));
    m_kind->setCurrentIndex(static_cast<int>(m_request.kind));
    m_look->addItems({QStringLiteral("Light"), QStringLiteral("Dark"), QStringLiteral("Print")});
    m_look->setCurrentIndex(static_cast<int>(m_request.look));
    for (QSpinBox* box : {m_width, m_height}) {
        box->setRange(100, 10'000);
        box->setSuffix(QStringLiteral(" px"));
    }
    m_width->setValue(m_request.width);
    m_height->setValue(m_request.height);
    m_scale->setRange(1, 8);
    m_scale->setPrefix(QStringLiteral("× "));
    m_scale->setToolTip(QStringLiteral("Device pixels a pixel, for fine screens and print"));
    m_title->setPlaceholderText(QStringLiteral("none"));
    m_file->setPlaceholderText(QStringLiteral("a name that ends in .png, .svg or .pdf"));
    auto* browse = new QPushButton(QStringLiteral("Choose…"), this);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::chooseFile);

    auto* size = new QHBoxLayout;
    size->addWidget(m_width);
    size->addWidget(m_height);
    size->addWidget(m_scale);
    auto* file = new QHBoxLayout;
    file->addWidget(m_file, 1);
    file->addWidget(browse);
    auto* form = new QFormLayout(this);
    form->addRow(QStringLiteral("&Chart"), m_kind);
    form->addRow(QStringLiteral("&Size"), size);
    form->addRow(QStringLiteral("C&olours"), m_look);
    form->addRow(QStringLiteral("&Title"), m_title);
    form->addRow(QStringLiteral("&File"), file);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    QPushButton* save = buttons->button(QDialogButtonBox::Save);
    save->setEnabled(false);
    connect(m_file, &QLineEdit::textChanged, save,
            [save](const QString& text) { save->setEnabled(!text.trimmed().isEmpty()); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    form->addRow(buttons);
    setMinimumWidth(460);
}

void ExportDialog::chooseFile() {
    const QString name =
        QFileDialog::getSaveFileName(this, windowTitle(), m_file->text(),
                                     QStringLiteral("PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"));
    if (name.isEmpty())
        return;
    m_file->setText(name);
    m_request.force = true; // that dialog has asked
}

ChartRequest ExportDialog::request() const {
    ChartRequest request = m_request;
    request.kind = static_cast<ChartRequest::Kind>(m_kind->currentIndex());
    request.look = static_cast<ChartRequest::Look>(m_look->currentIndex());
    request.width = m_width->value();
    request.height = m_height->value();
    request.scale = m_scale->value();
    request.title = m_title->text().toStdString();
    request.output = QFile::encodeName(m_file->text().trimmed()).toStdString();
    return request;
}

} // namespace twolane::window
