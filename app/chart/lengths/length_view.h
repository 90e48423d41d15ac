// One panel of a distribution for the window: histogram or cumulative curve of both sides.
#pragma once

#include "app/chart/lengths/length_plot.h"

#include <QString>

namespace twolane::chart {

enum class CurveKind : std::uint8_t { histogram, cumulative };

class LengthView : public QCustomPlot {
    Q_OBJECT

public:
    LengthView(LengthKind kind, CurveKind curve, const QString& title, QWidget* parent = nullptr);

    void setCurves(SideCurves curves);
    void setTheme(const Theme& theme);
    const SideCurves& curves() const { return m_curves; }
    /// What the pointer at `x` (logical) tells: "1.000 ms to 1.259 ms: A 3.2 %, B 1.1 %"; of a
    /// cumulative curve the last drawn point up to there: "A 52.1 % up to 226.206 µs, B …".
    QString valuesAt(double x) const;

    QSize sizeHint() const override { return {380, 210}; }

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    QString binAt(double length) const;
    QString pointsAt(double length) const;

    LengthKind m_kind;
    CurveKind m_curve;
    QString m_title;
    SideCurves m_curves;
    Theme m_theme;
};

} // namespace twolane::chart
