// A picture of traces that can be drawn into any file or window.
#pragma once

#include <QImage>
#include <QPaintDevice>
#include <QSize>

namespace twolane::chart {

/// What a figure is drawn on.
struct FigureSize {
    QSize logical{1600, 900}; ///< pixels at 1x; points in a PDF
    double scale = 1;         ///< device pixels a logical pixel; columns a logical pixel in vectors
};

/// Const after its making. Every call draws the same for the same size.
class Figure {
public:
    Figure() = default;
    Figure(const Figure&) = delete;
    Figure& operator=(const Figure&) = delete;
    virtual ~Figure() = default;

    /// As pixels: `logical * scale` of them.
    virtual QImage raster(const FigureSize& size) const = 0;
    /// As rectangles, lines and text that stays text, in logical coordinates from (0, 0).
    virtual void vector(QPaintDevice& device, const FigureSize& size) const = 0;
};

} // namespace twolane::chart
