#include "app/chart/text.h"

#include "model/format/numbers.h"

#include <QList>
#include <QStringDecoder>

#include <fmt/format.h>

namespace twolane::chart {
namespace {

/// Characters that would break a line, vanish, or turn the direction of what follows.
bool unprintable(char32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

QString escaped(char32_t c) {
    switch (c) {
    case U'\n':
        return QStringLiteral("\\n");
    case U'\t':
        return QStringLiteral("\\t");
    case U'\r':
        return QStringLiteral("\\r");
    default:
        return QString::fromStdString(c < 0x100
                                          ? fmt::format("\\x{:02x}", static_cast<unsigned>(c))
                                          : fmt::format("\\u{:04x}", static_cast<unsigned>(c)));
    }
}

} // namespace

QString printable(std::string_view name) {
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded =
        decoder.decode(QByteArrayView(name.data(), static_cast<qsizetype>(name.size())));
    QString out;
    if (decoder.hasError()) { // told byte by byte: nothing of it is sure to be text
        for (const char c : name) {
            const auto byte = static_cast<unsigned char>(c);
            if (byte >= 0x80 || unprintable(byte))
                out += QString::fromStdString(fmt::format("\\x{:02x}", byte));
            else
                out += QLatin1Char(c);
        }
        return out;
    }
    for (const char32_t c : decoded.toUcs4()) {
        if (unprintable(c))
            out += escaped(c);
        else
            out += QString::fromUcs4(&c, 1);
    }
    return out;
}

QString durationText(Nanos length, const TimeFormat& format) {
    if (!format.nanoseconds)
        return countText(static_cast<std::uint64_t>(length)) + QStringLiteral(" counts");
    QString text = QString::fromStdString(formatDuration(length, format.resolution));
    if (text.endsWith(QLatin1String(" us")))
        text = text.chopped(2) + QStringLiteral("µs");
    return text;
}

QString instantText(Nanos sinceStart, const TimeFormat& format) {
    if (!format.nanoseconds)
        return QStringLiteral("+") + countText(static_cast<std::uint64_t>(sinceStart)) +
               QStringLiteral(" counts");
    return QStringLiteral("+") +
           QString::fromStdString(formatSeconds(sinceStart, format.resolution)) +
           QStringLiteral(" s");
}

QString countText(std::uint64_t count) {
    // A narrow space that no line break may take apart.
    return QString::fromStdString(formatCount(count)).replace(QLatin1Char(' '), QChar(0x202f));
}

QString countText(std::uint64_t count, const char* one, const char* many) {
    return countText(count) + QLatin1Char(' ') + QString::fromUtf8(count == 1 ? one : many);
}

QString bytesText(std::uint64_t bytes) {
    if (bytes < 1'000'000)
        return QString::fromStdString(fmt::format("{:.0f} kB", static_cast<double>(bytes) / 1e3));
    if (bytes < 1'000'000'000)
        return QString::fromStdString(fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6));
    return QString::fromStdString(fmt::format("{:.2f} GB", static_cast<double>(bytes) / 1e9));
}

QString shareText(double share) {
    const double percent = share * 100;
    if (percent > 0 && percent < 0.1)
        return QStringLiteral("< 0.1 %");
    if (percent < 100 && percent > 99.9)
        return QStringLiteral("> 99.9 %");
    const int decimals = percent == 0 || percent == 100 ? 0 : 1;
    return QString::fromStdString(fmt::format("{:.{}f} %", percent, decimals));
}

} // namespace twolane::chart
