// The line above a side's lanes: what is shown there and how far it is to be trusted.
#pragma once

#include "app/chart/loaded_trace.h"
#include "app/chart/theme.h"

#include <QWidget>

#include <memory>

namespace twolane::window {

class SideHeader : public QWidget {
    Q_OBJECT

public:
    SideHeader(std::size_t side, QWidget* parent);

    void setTheme(const chart::Theme& theme);
    /// Null: no trace; then `note` stands alone beside the letter.
    void setTrace(std::shared_ptr<const chart::LoadedTrace> trace, const QString& note = {});

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::size_t m_side;
    chart::Theme m_theme;
    std::shared_ptr<const chart::LoadedTrace> m_trace;
    QString m_name;   ///< the file's name
    QString m_origin; ///< kernel, format, clock
    QString m_amount; ///< events, CPUs, tasks
    QString m_trust;  ///< what was lost
    QRect m_trustRect;
};

} // namespace twolane::window
