#include "app/chart/timeline/ruler.h"

#include "app/chart/timeline/lane_labels.h"
#include "model/format/numbers.h"

#include <QFontMetricsF>

#include <fmt/format.h>

#include <array>

namespace twolane::chart {
namespace {

struct Scale {
    const char* unit;
    int digits; ///< decimal digits from ns to one unit
};
constexpr std::array scales{Scale{"s", 9}, Scale{"ms", 6}, Scale{"µs", 3}, Scale{"ns", 0}};

constexpr Nanos powerOfTen(int exponent) {
    Nanos power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/// 1, 2 or 5 times 10^exponent, by index.
struct Step {
    Nanos length = 1;
    int exponent = 0; ///< of ten
    int parts = 5;    ///< small ticks to a step
};
constexpr int stepCount = 56; // up to 2e18

Step stepAt(int index) {
    constexpr std::array<Nanos, 3> mantissas{1, 2, 5};
    const int exponent = index / 3;
    const auto which = static_cast<std::size_t>(index % 3);
    return {mantissas[which] * powerOfTen(exponent), exponent, which == 1 ? 4 : 5};
}

QString label(Nanos at, const Step& step, const Scale& scale, const TimeFormat& format) {
    if (!format.nanoseconds)
        return QStringLiteral("+") + countText(static_cast<std::uint64_t>(at));
    const int decimals = std::max(0, scale.digits - step.exponent);
    const Nanos unit = powerOfTen(scale.digits);
    std::string text = formatCount(static_cast<std::uint64_t>(at / unit));
    if (decimals > 0) {
        // Groups of three, as before the point.
        const std::string fraction =
            fmt::format("{:0{}}", at % unit / powerOfTen(scale.digits - decimals), decimals);
        for (std::size_t i = 0; i < fraction.size(); ++i) {
            if (i == 0)
                text += '.';
            else if (i % 3 == 0)
                text += ' ';
            text += fraction[i];
        }
    }
    QString out = QString::fromStdString("+" + text + " " + scale.unit);
    return out.replace(QLatin1Char(' '), QChar(0x202f));
}

} // namespace

std::vector<Tick> rulerTicks(const Viewport& view, const TimeFormat& format,
                             const std::function<double(const QString&)>& width, double space) {
    const Nanos latest = std::max<Nanos>(view.range.end, 1);
    Scale scale = scales.back();
    for (const Scale& candidate : scales) {
        if (latest < powerOfTen(candidate.digits))
            continue;
        scale = candidate;
        break;
    }
    const double perNano = view.width / static_cast<double>(view.range.length());
    Step step;
    for (int i = 0; i < stepCount; ++i) {
        step = stepAt(i);
        if (step.length < format.resolution)
            continue;
        const double pixels = static_cast<double>(step.length) * perNano;
        if (pixels >= space && pixels >= space + width(label(latest, step, scale, format)))
            break;
    }

    std::vector<Tick> ticks;
    Nanos small = std::max<Nanos>(step.length / step.parts, 1);
    if (small < format.resolution || static_cast<double>(small) * perNano < 5 ||
        step.length % small != 0)
        small = step.length;
    for (Nanos at = view.range.begin - view.range.begin % small;; at += small) {
        if (at >= view.range.begin)
            ticks.push_back(
                {at, at % step.length == 0 ? label(at, step, scale, format) : QString()});
        if (at > view.range.end - small)
            break; // compared so that `at` cannot overflow
    }
    return ticks;
}

void paintRuler(QPainter& painter, const QRectF& box, const Viewport& view, double ratio,
                const TimeFormat& format, const Theme& theme) {
    painter.save();
    painter.setFont(smallFont(painter.font()));
    const QFontMetricsF metrics(painter.font());
    const auto width = [&metrics, ratio](const QString& text) {
        return metrics.horizontalAdvance(text) * ratio;
    };
    for (const Tick& tick : rulerTicks(view, format, width, 30 * ratio)) {
        // On whole device pixels, or the lines would blur.
        const double x = box.left() + std::floor(positionOf(view, tick.at)) / ratio;
        if (x > box.right())
            continue;
        const double length = tick.label.isEmpty() ? 3 : 7;
        painter.fillRect(QRectF(x, box.top(), 1 / ratio, length), QColor(theme.dim));
        painter.fillRect(QRectF(x, box.bottom() - length, 1 / ratio, length), QColor(theme.dim));
        if (tick.label.isEmpty())
            continue;
        const double advance = metrics.horizontalAdvance(tick.label);
        const QRectF place(x + 5, box.top(), advance + 1, box.height());
        if (place.right() > box.right())
            continue; // a cut label would be a wrong one
        painter.setPen(QColor(theme.dim));
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, tick.label);
    }
    painter.restore();
}

} // namespace twolane::chart
