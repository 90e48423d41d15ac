// The scale of time that both sides share.
#pragma once

#include "app/chart/text.h"
#include "app/chart/theme.h"
#include "model/viewport.h"

#include <QPainter>
#include <QString>

#include <functional>
#include <vector>

namespace twolane::chart {

struct Tick {
    Nanos at = 0;  ///< from the traces' starts
    QString label; ///< "+1.5 ms"; empty for the small ticks between
};

/// Ticks at round times (1, 2 or 5 times a power of ten) of the visible span, labels all in one
/// unit and with the same digits, so far apart that they do not touch. `width` measures a label,
/// in the view's pixels; `space` is kept between two.
std::vector<Tick> rulerTicks(const Viewport& view, const TimeFormat& format,
                             const std::function<double(const QString&)>& width, double space);

/// Paints into `box` (logical); the view's first pixel lies at its left edge.
void paintRuler(QPainter& painter, const QRectF& box, const Viewport& view, double ratio,
                const TimeFormat& format, const Theme& theme);

} // namespace twolane::chart
