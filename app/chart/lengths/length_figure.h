// A distribution of lengths as a figure: histogram above, cumulative curve below.
#pragma once

#include "app/chart/figure.h"
#include "app/chart/lengths/length_plot.h"

#include <QFont>
#include <QString>

#include <memory>

namespace twolane::chart {

struct LengthLook {
    Theme theme;
    QFont font;
    QString title;          ///< empty: what is measured
    bool logShares = false; ///< of the histogram
    QStringList scope;      ///< what part of the traces is shown; empty: all
};

/// "Timeslice length", "Wakeup latency".
QString titleOf(LengthKind kind);

class LengthFigure final : public Figure {
public:
    /// `curves`: of each side that there is, with its label.
    LengthFigure(LengthKind kind, SideCurves curves, LengthLook look);

    QImage raster(const FigureSize& size) const override;
    void vector(QPaintDevice& device, const FigureSize& size) const override;

private:
    std::unique_ptr<QCustomPlot> plotFor(const FigureSize& size) const;

    LengthKind m_kind;
    SideCurves m_curves;
    LengthLook m_look;
};

} // namespace twolane::chart
