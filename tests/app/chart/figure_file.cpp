#include "app/chart/figure_file.h"

#include "tests/app/window/qt_text.h"

#include <QFile>
#include <QPainter>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <ctime>

using namespace twolane::chart;
namespace fs = std::filesystem;

namespace {

/// `colours` of them in a row, a pixel each, and a text where it is drawn as vectors.
class Swatches final : public Figure {
public:
    explicit Swatches(int colours)
        : m_colours(colours) {}
    QImage raster(const FigureSize& size) const override {
        QImage image(size.logical * size.scale, QImage::Format_RGB32);
        image.fill(Qt::white);
        for (int i = 0; i < m_colours; ++i)
            image.setPixel(i % image.width(), i / image.width(), colour(i));
        return image;
    }
    void vector(QPaintDevice& device, const FigureSize& size) const override {
        QPainter painter(&device);
        painter.fillRect(QRect(QPoint(0, 0), size.logical), QColor(colour(3)));
        painter.drawText(QRect(QPoint(0, 0), size.logical), Qt::AlignCenter,
                         QStringLiteral("<b>\"x\"</b>&%s%3"));
    }
    static QRgb colour(int i) { return qRgb(i & 0xff, i >> 8, 7); }

private:
    int m_colours;
};

QByteArray content(const fs::path& path) {
    QFile file(QFile::decodeName(path.c_str()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::size_t filesIn(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

struct Folder {
    QTemporaryDir dir;
    fs::path operator/(const char* name) const { return fs::path(dir.path().toStdString()) / name; }
};

const FigureSize size{QSize(40, 30), 2};

} // namespace

TEST_CASE("the name's ending tells the kind") {
    CHECK(fileKindOf("a.png") == FileKind::png);
    CHECK(fileKindOf("b/a.SVG") == FileKind::svg);
    CHECK(fileKindOf("a.tar.Pdf") == FileKind::pdf);
    CHECK_FALSE(fileKindOf("png"));
    CHECK_FALSE(fileKindOf("a.jpeg"));
    CHECK_FALSE(fileKindOf("a."));
}

TEST_CASE("pictures come back pixel by pixel, with a palette where it can hold them") {
    const Folder folder;
    for (const int colours : {1, 255, 256, 1000}) { // white is one more
        const Swatches figure(colours);
        REQUIRE(writeFigure(figure, size, folder / "a.png", true));
        const QImage image(QFile::decodeName((folder / "a.png").c_str()));
        CHECK(image.size() == QSize(80, 60));
        CHECK((image.format() == QImage::Format_Indexed8) == (colours <= 255));
        CHECK(image.convertToFormat(QImage::Format_RGB32) == figure.raster(size));
        CHECK(image.dotsPerMeterX() == 7559); // 192 dots an inch
    }
}

TEST_CASE("text in an SVG is text, and literal (case 49)") {
    const Folder folder;
    REQUIRE(writeFigure(Swatches(5), size, folder / "a.svg", false));
    const QByteArray bytes = content(folder / "a.svg");
    QXmlStreamReader xml(bytes);
    QString text;
    QString family;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement) {
            if (xml.name() == "svg"_q)
                CHECK(xml.attributes().value("viewBox"_q) == "0 0 40 30"_q);
            if (xml.name() == "text"_q) {
                family = xml.attributes().value("font-family"_q).toString();
                text += xml.readElementText();
            }
        }
    CHECK(!xml.hasError());
    CHECK(text == "<b>\"x\"</b>&%s%3"_q);
    CHECK(family.endsWith(", sans-serif"_q));
    CHECK(!family.startsWith("Sans"_q)); // the desktop's alias is no family
}

TEST_CASE("a PDF is a page of the size in points, with fonts for its text") {
    const Folder folder;
    REQUIRE(writeFigure(Swatches(5), size, folder / "a.pdf", false));
    const QByteArray bytes = content(folder / "a.pdf");
    CHECK(bytes.startsWith("%PDF-1."));
    CHECK(bytes.contains("/MediaBox [0 0 40.000000 30.000000]"));
    CHECK(bytes.contains("/ToUnicode")); // texts can be searched and copied
    CHECK(bytes.trimmed().endsWith("%%EOF"));
    // No hour, or the same picture would be another file a second later.
    CHECK(bytes.contains("/CreationDate (D:00000000000000"));
}

TEST_CASE("a PDF is the same in every time zone, and its table finds every object") {
    const Folder folder;
    const QByteArray before = qgetenv("TZ");
    QByteArray first;
    for (const char* zone : {"UTC0", "IST-5:30", "EST5"}) {
        qputenv("TZ", zone);
        tzset();
        REQUIRE(writeFigure(Swatches(5), size, folder / "a.pdf", true));
        const QByteArray bytes = content(folder / "a.pdf");
        first = first.isEmpty() ? bytes : first;
        CHECK_MESSAGE(bytes == first, zone);
        const qsizetype start = bytes.lastIndexOf("startxref\n") + 10;
        const qsizetype table = bytes.mid(start, bytes.indexOf('\n', start) - start).toLongLong();
        CHECK(bytes.mid(table, 7) == "xref\n0 ");
        const QList<QByteArray> lines = bytes.mid(table, start - table).split('\n');
        int objects = 0;
        for (const QByteArray& line : lines)
            if (line.endsWith(" n ")) {
                ++objects;
                CHECK(bytes.mid(line.left(10).toLongLong())
                          .startsWith(QByteArray::number(objects) + " 0 obj"));
            }
        CHECK(objects > 5);
    }
    before.isNull() ? qunsetenv("TZ") : qputenv("TZ", before);
    tzset();
}

TEST_CASE("the same picture is the same file") {
    const Folder folder;
    for (const char* ending : {".png", ".svg", ".pdf"}) {
        const fs::path a = folder / ("a" + std::string(ending)).c_str();
        const fs::path b = folder / ("b" + std::string(ending)).c_str();
        REQUIRE(writeFigure(Swatches(5), size, a, false));
        REQUIRE(writeFigure(Swatches(5), size, b, false));
        CHECK(!content(a).isEmpty());
        CHECK_MESSAGE(content(a) == content(b), ending);
    }
}

TEST_CASE("a file is whole or not there, and replaced only when asked for") {
    const Folder folder;
    const fs::path path = folder / "a.svg";
    REQUIRE(writeFigure(Swatches(5), size, path, false));
    const QByteArray before = content(path);
    const twolane::Status refused = writeFigure(Swatches(9), FigureSize{}, path, false);
    REQUIRE(!refused);
    CHECK(refused.error().message().find("--force") != std::string::npos);
    CHECK(content(path) == before);
    REQUIRE(writeFigure(Swatches(9), FigureSize{}, path, true));
    CHECK(content(path) != before);

    const twolane::Status nowhere = writeFigure(Swatches(5), size, folder / "no/a.svg", false);
    REQUIRE(!nowhere);
    CHECK(nowhere.error().message().find("a.svg: cannot be written") != std::string::npos);
    fs::create_directory(folder / "dir.png");
    CHECK(!writeFigure(Swatches(5), size, folder / "dir.png", true));
    CHECK(!writeFigure(Swatches(5), size, folder / "a.gif", false));
    CHECK(filesIn(folder.dir.path().toStdString()) == 2); // a.svg and dir.png
}
