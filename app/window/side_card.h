// What stands in a side's place while there are no lanes: an invitation, a load, or an error.
#pragma once

#include "app/chart/theme.h"
#include "model/result.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>

#include <cstdint>
#include <filesystem>

namespace twolane::window {

class SideCard : public QWidget {
    Q_OBJECT

public:
    SideCard(std::size_t side, QWidget* parent);

    void setTheme(const chart::Theme& theme);
    void showInvitation();
    void showLoad(const std::filesystem::path& path, std::uint64_t done, std::uint64_t total);
    /// `canReturn`: there is a trace to go back to.
    void showError(const Error& error, bool canReturn);

    QSize sizeHint() const override;

Q_SIGNALS:
    void openWanted();
    void cancelWanted();
    void dismissWanted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::size_t m_side;
    chart::Theme m_theme;
    QLabel* m_title;
    QLabel* m_detail;
    QProgressBar* m_progress;
    QPushButton* m_open;
    QPushButton* m_cancel;
    QPushButton* m_dismiss;
};

/// "baseline" or "candidate".
QString sideName(std::size_t side);

} // namespace twolane::window
