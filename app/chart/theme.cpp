#include "app/chart/theme.h"

#include <cmath>
#include <cstdint>

namespace twolane::chart {
namespace {

double luminance(QRgb colour) {
    const auto linear = [](int channel) {
        const double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) +
           0.0722 * linear(qBlue(colour));
}

} // namespace

double contrast(QRgb a, QRgb b) {
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return first > second ? first / second : second / first;
}

Theme themeOf(const QPalette& palette) {
    Theme theme;
    theme.dark = palette.color(QPalette::Window).lightness() < 128;
    // Base and text are taken as a pair; everything between them is mixed, so it fits any palette.
    theme.base = palette.color(QPalette::Base).rgb();
    theme.text = palette.color(QPalette::Text).rgb();
    theme.lane = mixed(theme.base, theme.text, theme.dark ? 14 : 11);
    theme.hatch = mixed(theme.base, theme.text, theme.dark ? 92 : 84);
    theme.line = mixed(theme.base, theme.text, 34);
    theme.panel = mixed(theme.base, theme.text, theme.dark ? 9 : 6);
    theme.dim = mixed(theme.base, theme.text, theme.dark ? 170 : 165);
    theme.warning = theme.dark ? qRgb(0xf0, 0xb4, 0x5a) : qRgb(0x8f, 0x55, 0x00);
    theme.unnamed = theme.dark ? qRgb(0x9a, 0xa0, 0xa6) : qRgb(0x80, 0x86, 0x8c);
    theme.faded = mixed(theme.base, theme.text, theme.dark ? 60 : 50);
    theme.waiting = theme.dark ? qRgb(0xe8, 0x6d, 0x6d) : qRgb(0xc2, 0x3b, 0x3b);
    if (theme.dark) {
        theme.accents = {qRgb(0x4d, 0xa6, 0xdb), qRgb(0xf0, 0x83, 0x3a)};
        theme.slices = {qRgb(0x6f, 0xae, 0xef), qRgb(0xd9, 0x9e, 0x5b), qRgb(0x6a, 0xba, 0x90),
                        qRgb(0xba, 0x9c, 0xe7), qRgb(0xef, 0x8d, 0xa0), qRgb(0x60, 0xb6, 0xc3),
                        qRgb(0x4a, 0x89, 0xc7), qRgb(0xb2, 0x79, 0x35), qRgb(0x44, 0x94, 0x6d),
                        qRgb(0x95, 0x78, 0xc0), qRgb(0xc6, 0x69, 0x7c), qRgb(0x38, 0x91, 0x9d)};
    } else {
        theme.accents = {qRgb(0x00, 0x72, 0xb2), qRgb(0xd5, 0x5e, 0x00)};
        theme.slices = {qRgb(0x4d, 0x8c, 0xca), qRgb(0xb5, 0x7c, 0x38), qRgb(0x46, 0x97, 0x6f),
                        qRgb(0x97, 0x7a, 0xc2), qRgb(0xc9, 0x6b, 0x7e), qRgb(0x3b, 0x94, 0xa0),
                        qRgb(0x2a, 0x6a, 0xa6), qRgb(0x91, 0x5b, 0x0b), qRgb(0x20, 0x75, 0x4f),
                        qRgb(0x76, 0x59, 0x9e), qRgb(0xa3, 0x4a, 0x5e), qRgb(0x08, 0x72, 0x7e)};
    }
    return theme;
}

Theme printTheme() {
    QPalette palette = plainPalette(false);
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::Text, Qt::black);
    Theme theme = themeOf(palette);
    theme.print = true;
    theme.panel = theme.base;
    return theme;
}

QPalette plainPalette(bool dark) {
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, QRgb colour) {
        palette.setColor(role, QColor(colour));
    };
    set(QPalette::Window, dark ? qRgb(0x24, 0x27, 0x2b) : qRgb(0xf6, 0xf7, 0xf9));
    set(QPalette::Base, dark ? qRgb(0x1a, 0x1d, 0x21) : qRgb(0xff, 0xff, 0xff));
    set(QPalette::AlternateBase, dark ? qRgb(0x20, 0x23, 0x28) : qRgb(0xf3, 0xf5, 0xf7));
    set(QPalette::Button, dark ? qRgb(0x30, 0x34, 0x3a) : qRgb(0xee, 0xf1, 0xf5));
    set(QPalette::Highlight, dark ? qRgb(0x3d, 0x8f, 0xc4) : qRgb(0x00, 0x72, 0xb2));
    set(QPalette::HighlightedText, qRgb(0xff, 0xff, 0xff));
    set(QPalette::Link, dark ? qRgb(0x6a, 0xb0, 0xea) : qRgb(0x00, 0x72, 0xb2));
    set(QPalette::ToolTipBase, dark ? qRgb(0x30, 0x34, 0x3a) : qRgb(0xff, 0xff, 0xff));
    set(QPalette::Light, dark ? qRgb(0x3c, 0x41, 0x48) : qRgb(0xff, 0xff, 0xff));
    set(QPalette::Midlight, dark ? qRgb(0x36, 0x3b, 0x41) : qRgb(0xf0, 0xf2, 0xf5));
    set(QPalette::Mid, dark ? qRgb(0x18, 0x1a, 0x1d) : qRgb(0xc4, 0xca, 0xd0));
    set(QPalette::Dark, dark ? qRgb(0x12, 0x14, 0x16) : qRgb(0x9a, 0xa1, 0xa9));
    set(QPalette::Shadow, dark ? qRgb(0x08, 0x09, 0x0a) : qRgb(0x6e, 0x75, 0x7d));
    const QRgb text = dark ? qRgb(0xe4, 0xe6, 0xe9) : qRgb(0x1b, 0x1f, 0x24);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                            QPalette::ToolTipText, QPalette::BrightText})
        set(role, text);
    const QColor faint(dark ? qRgb(0x7d, 0x83, 0x8a) : qRgb(0x8a, 0x91, 0x99));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, faint);
    palette.setColor(QPalette::PlaceholderText, faint);
    return palette;
}

QRgb sliceColour(const Theme& theme, std::string_view comm) {
    if (comm.empty())
        return theme.unnamed;
    std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a: the same on every machine, unlike std::hash
    for (const char c : comm)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash ^= hash >> 32;
    return theme.slices[hash % theme.slices.size()];
}

QRgb textOn(QRgb background) {
    constexpr QRgb black = qRgb(0x0c, 0x0f, 0x12);
    constexpr QRgb white = qRgb(0xff, 0xff, 0xff);
    return contrast(background, black) >= contrast(background, white) ? black : white;
}

} // namespace twolane::chart
