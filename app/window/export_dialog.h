// Asks how the picture on the screen is to be written to a file.
#pragma once

#include "app/chart/chart_request.h"

#include <QDialog>

#include <optional>

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace twolane::window {

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// `request`: what the window shows; the dialog's choices are laid over it.
    ExportDialog(chart::ChartRequest request, QWidget* parent);

    /// With all that was chosen. The output's name is as the user typed it.
    chart::ChartRequest request() const;

private:
    void chooseFile();

    chart::ChartRequest m_request;
    QComboBox* m_kind;
    QComboBox* m_look;
    QSpinBox* m_width;
    QSpinBox* m_height;
    QSpinBox* m_scale;
    QLineEdit* m_title;
    QLineEdit* m_file;
};

} // namespace twolane::window
