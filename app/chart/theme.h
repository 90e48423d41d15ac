// The window's colours, derived from the application's palette.
#pragma once

#include <QColor>
#include <QPalette>

#include <array>
#include <cstddef>
#include <string_view>

namespace twolane::chart {

/// Baseline and candidate.
inline constexpr std::size_t sideCount = 2;

struct Theme {
    bool dark = false;
    bool print = false; ///< black on white, told apart without colour
    QRgb base = 0;      ///< behind everything
    QRgb lane = 0;      ///< an idle CPU
    QRgb hatch = 0;     ///< lines over a lane where nothing is known
    QRgb line = 0;      ///< hairlines between areas
    QRgb panel = 0;     ///< headers and the ruler
    QRgb text = 0;
    QRgb dim = 0;     ///< secondary text
    QRgb warning = 0; ///< text about losses
    QRgb unnamed = 0; ///< a slice whose task was never named
    QRgb faded = 0;   ///< a slice that a filter leaves out
    QRgb waiting = 0; ///< tasks that wait for a CPU
    std::array<QRgb, sideCount> accents{};
    /// Blue, ochre, green, violet, rose and cyan in two lightnesses. All stand out from the lane by
    /// 3:1 or more.
    std::array<QRgb, 12> slices{};

    bool operator==(const Theme&) const = default;
};

/// Light or dark by the lightness of the palette's window colour.
Theme themeOf(const QPalette& palette);
/// White ground and black text, for paper.
Theme printTheme();
/// A complete palette, for pictures that must not depend on the desktop.
QPalette plainPalette(bool dark);

/// The colour of a task, by its name alone: the same in every trace and at every load.
QRgb sliceColour(const Theme& theme, std::string_view comm);
/// Black or white, whichever is easier to read on `background`; at least 4.5:1 on the theme's
/// slices.
QRgb textOn(QRgb background);
/// The contrast ratio of WCAG 2, from 1 to 21.
double contrast(QRgb a, QRgb b);
/// `weight` parts of 256 of `over`, the rest of `under`.
inline QRgb mixed(QRgb under, QRgb over, int weight) {
    const auto part = [weight](int below, int above) {
        return below + (above - below) * weight / 256;
    };
    return qRgb(part(qRed(under), qRed(over)), part(qGreen(under), qGreen(over)),
                part(qBlue(under), qBlue(over)));
}

} // namespace twolane::chart
