// What was lost and what is doubtful in each trace, with advice: a table, never a dialog.
#pragma once

#include "app/chart/loaded_trace.h"
#include "app/chart/theme.h"

#include <QTableWidget>
#include <QWidget>

#include <array>
#include <memory>

namespace twolane::window {

class DoubtsPanel : public QWidget {
    Q_OBJECT

public:
    explicit DoubtsPanel(QWidget* parent = nullptr);

    void setTraces(std::array<std::shared_ptr<const chart::LoadedTrace>, chart::sideCount> traces);
    void setTheme(const chart::Theme& theme);
    /// Brings the rows of that side into sight.
    void showSide(std::size_t side);
    /// The table as text, cells parted by tabs.
    QString plain() const;

Q_SIGNALS:
    void closeWanted();

private:
    void refill();
    void addRow(std::size_t side, const QString& severity, const QString& what,
                const QString& count, const QString& where, const QString& advice, bool warn);

    std::array<std::shared_ptr<const chart::LoadedTrace>, chart::sideCount> m_traces;
    chart::Theme m_theme;
    QTableWidget* m_table;
};

} // namespace twolane::window
