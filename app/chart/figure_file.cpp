#include "app/chart/figure_file.h"

#include <QBuffer>
#include <QFile>
#include <QFontInfo>
#include <QImageWriter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <unordered_map>

namespace twolane::chart {
namespace {

Status mayWrite(const std::filesystem::path& path, bool force) {
    std::error_code failed;
    if (!force && std::filesystem::exists(path, failed))
        return Error{path.string(), "exists already", "", "replace it with --force"};
    return success();
}

QString nameOf(const std::filesystem::path& path) {
    return QFile::decodeName(path.string().c_str());
}

/// With a palette where it has few colours: a sixth of the size.
QImage indexed(const QImage& image) {
    std::unordered_map<QRgb, std::uint8_t> places;
    QList<QRgb> colours;
    QImage out(image.size(), QImage::Format_Indexed8);
    for (int y = 0; y < image.height(); ++y) {
        const auto* from = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        uchar* to = out.scanLine(y);
        for (int x = 0; x < image.width(); ++x) {
            const QRgb colour = from[x] | 0xff000000U;
            auto place = places.find(colour);
            if (place == places.end()) {
                if (colours.size() == 256)
                    return image;
                place = places.emplace(colour, static_cast<std::uint8_t>(colours.size())).first;
                colours << colour;
            }
            to[x] = place->second;
        }
    }
    out.setColorTable(colours);
    return out;
}

QByteArray pngOf(const Figure& figure, const FigureSize& size) {
    QImage image = figure.raster(size).convertToFormat(QImage::Format_RGB32);
    image.setDevicePixelRatio(1);
    QImage out = indexed(image);
    // Viewers show it at its logical size.
    const int dots = static_cast<int>(96 * size.scale / 0.0254);
    out.setDotsPerMeterX(dots);
    out.setDotsPerMeterY(dots);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    return out.save(&buffer, "PNG") ? buffer.data() : QByteArray();
}

/// Qt names the desktop's alias ("Sans Serif"), which no viewer of SVG knows: named are the family
/// that all texts were measured with, and CSS's own word for the case that it is not there. Quotes
/// in texts are escaped, so that only attributes are met.
QByteArray withFontFamilies(const QByteArray& svg) {
    const QByteArray attribute = "font-family=\"";
    QByteArray out;
    qsizetype from = 0;
    for (qsizetype at = svg.indexOf(attribute); at >= 0; at = svg.indexOf(attribute, from)) {
        const qsizetype begin = at + attribute.size();
        const qsizetype end = svg.indexOf('"', begin);
        if (end < 0)
            break;
        const QString family =
            QFontInfo(QFont(QString::fromUtf8(svg.mid(begin, end - begin)))).family();
        out += svg.mid(from, begin - from) + family.toHtmlEscaped().toUtf8() + ", sans-serif";
        from = end;
    }
    return out + svg.mid(from);
}

QByteArray svgOf(const Figure& figure, const FigureSize& size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size.logical);
    generator.setViewBox(QRect(QPoint(0, 0), size.logical));
    generator.setResolution(96); // sizes of fonts as on the screen
    generator.setTitle(QStringLiteral("Twolane"));
    figure.vector(generator, size);
    return withFontFamilies(buffer.data());
}

/// Qt stamps the file with the hour and the time zone; the same picture is to be the same file. As
/// a zone makes the stamp longer, the table of offsets at the file's end moves with it. A file of
/// another shape stays as it is.
QByteArray withoutDate(const QByteArray& pdf) {
    static const QRegularExpression stamp(QStringLiteral("/CreationDate \\(D:[^)]*\\)"));
    static const QRegularExpression entry(QStringLiteral("(\\d{10}) \\d{5} n "));
    const QString text = QString::fromLatin1(pdf); // a character for a byte
    const auto found = stamp.match(text);
    const qsizetype table = text.lastIndexOf(QLatin1String("\nxref\n"));
    const qsizetype start = text.lastIndexOf(QLatin1String("\nstartxref\n"));
    if (!found.hasMatch() || table < found.capturedEnd() || start < table)
        return pdf;
    const QByteArray blank = "/CreationDate (D:00000000000000Z)";
    const qsizetype shift = blank.size() - found.capturedLength();
    const auto moved = [&](qlonglong offset) {
        return offset > found.capturedStart() ? offset + shift : offset;
    };
    QByteArray out = pdf.left(found.capturedStart()) + blank +
                     pdf.mid(found.capturedEnd(), table - found.capturedEnd());
    qsizetype from = table;
    for (auto entries = entry.globalMatch(text.left(start), table); entries.hasNext();) {
        const auto next = entries.next();
        out += pdf.mid(from, next.capturedStart(1) - from);
        out += QByteArray::number(moved(next.captured(1).toLongLong())).rightJustified(10, '0');
        from = next.capturedEnd(1);
    }
    out += pdf.mid(from, start - from);
    return out + "\nstartxref\n" + QByteArray::number(moved(table + 1)) + "\n%%EOF\n";
}

QByteArray pdfOf(const Figure& figure, const FigureSize& size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPageSize(
            QPageSize(QSizeF(size.logical), QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setResolution(72); // one unit is one point
        writer.setCreator(QStringLiteral("Twolane"));
        writer.setTitle(QStringLiteral("Twolane"));
        figure.vector(writer, size);
    }
    return withoutDate(buffer.data());
}

} // namespace

std::optional<FileKind> fileKindOf(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (ending == ".png")
        return FileKind::png;
    if (ending == ".svg")
        return FileKind::svg;
    if (ending == ".pdf")
        return FileKind::pdf;
    return std::nullopt;
}

Status writeFigure(const Figure& figure, const FigureSize& size, const std::filesystem::path& path,
                   bool force) {
    const auto kind = fileKindOf(path);
    if (!kind)
        return Error{path.string(), "is of no kind that a chart can be written to", "",
                     "give it a name that ends in .png, .svg or .pdf"};
    if (Status status = mayWrite(path, force); !status)
        return status;
    return writeWhole(*kind == FileKind::png   ? pngOf(figure, size)
                      : *kind == FileKind::svg ? svgOf(figure, size)
                                               : pdfOf(figure, size),
                      path, force);
}

Status writeWhole(const QByteArray& bytes, const std::filesystem::path& path, bool force) {
    if (Status status = mayWrite(path, force); !status)
        return status;
    QSaveFile file(nameOf(path));
    if (bytes.isEmpty() || !file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() ||
        !file.commit())
        return Error{path.string(), "cannot be written: " + file.errorString().toStdString(), "",
                     "check the folder, its permissions and the room left"};
    return success();
}

} // namespace twolane::chart
