// The card beside the pointer.
#pragma once

#include "app/chart/theme.h"
#include "app/window/facts.h"

#include <QPainter>

namespace twolane::window {

/// A card beside `pointer`, kept inside `bounds`; all in logical pixels. `swatch` where the facts
/// have a comm.
void paintHoverCard(QPainter& painter, const Facts& facts, QRgb swatch, const QPointF& pointer,
                    const QRectF& bounds, const chart::Theme& theme);

} // namespace twolane::window
