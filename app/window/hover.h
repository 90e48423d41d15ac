// What lies under the pointer, in words.
#pragma once

#include "app/chart/loaded_trace.h"
#include "app/chart/theme.h"

#include <QPainter>
#include <QString>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace twolane::window {

/// Plain text: names of tasks are shown as they are, never as markup.
struct HoverText {
    QString title;
    std::vector<std::pair<QString, QString>> rows; ///< what, value
    std::optional<StringId> comm;                  ///< whose colour to show beside the title

    QString plain() const; ///< all of it, for a status line, a screen reader, a test
};

/// `pixel`: the time under the pointer on the trace's own clock, not empty.
HoverText hoverText(const chart::LoadedTrace& loaded, std::size_t lane, TimeRange pixel);

/// A card beside `pointer`, kept inside `bounds`; all in logical pixels. `swatch` where the text
/// has a comm.
void paintHoverCard(QPainter& painter, const HoverText& text, QRgb swatch, const QPointF& pointer,
                    const QRectF& bounds, const chart::Theme& theme);

} // namespace twolane::window
