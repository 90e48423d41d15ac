#include "app/chart/timeline/lane_painter.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace twolane::chart {
namespace {

/// Fewer columns than these are painted sooner than a thread is started.
constexpr std::size_t columnsForAThread = 60'000;

/// The rows of pixels from `top` on, cut to the plot: [first, last).
std::pair<int, int> insidePlot(const LaneArea& area, int top, int height) {
    return {std::max(top, area.plot.top()), std::min(top + height, area.plot.bottom() + 1)};
}

void noteRuns(const LaneBands& bands, std::size_t lane, const LaneArea& area, NameRoom room,
              std::vector<PaintedRun>& found) {
    if (area.barHeight < room.height)
        return;
    for (const LaneRun& run : bands.runs())
        if (run.last - run.first >= room.width)
            found.push_back({lane, run});
}

/// Writes lines of pixels into an image.
class Scanlines {
public:
    explicit Scanlines(QImage& image)
        : m_pixels(image.bits()) // taken once: it may copy the image
        , m_pitch(image.bytesPerLine()) {}

    QRgb* line(int y) const { return reinterpret_cast<QRgb*>(m_pixels + y * m_pitch); }

private:
    uchar* m_pixels;
    qsizetype m_pitch;
};

void paintLane(const Scanlines& image, const LaneArea& area, const LaneBands& bands,
               std::size_t lane, Hatch hatch, QRgb hatchColour) {
    const int left = area.plot.left();
    const auto [top, bottom] = insidePlot(area, area.barTop(lane), area.barHeight);
    for (int y = top; y < bottom; ++y) {
        QRgb* const line = image.line(y);
        std::memcpy(line + left, bands.bar().data(), bands.bar().size_bytes());
        for (const auto& [first, last] : bands.unknown())
            for (int x = first; x < last; ++x)
                if ((left + x + y) % hatch.period < hatch.line)
                    line[left + x] = hatchColour;
    }
    const int stripTop = area.stripTop(lane);
    const auto [from, to] = insidePlot(area, stripTop, bands.stripRows());
    for (int y = from; y < to; ++y) {
        const auto row = bands.stripRow(y - stripTop);
        std::memcpy(image.line(y) + left, row.data(), row.size_bytes());
    }
}

/// Fills rectangles of device pixels through a painter in logical coordinates.
class Rectangles {
public:
    Rectangles(QPainter& painter, const LaneArea& area, double ratio)
        : m_painter(painter)
        , m_area(area)
        , m_ratio(ratio) {}

    /// Rows [top, bottom); columns of `ground` are left out.
    void row(std::span<const QRgb> colours, int top, int bottom, QRgb ground) const {
        if (top >= bottom)
            return;
        for (std::size_t x = 0; x < colours.size();) {
            std::size_t end = x + 1;
            while (end < colours.size() && colours[end] == colours[x])
                ++end;
            if (colours[x] != ground)
                m_painter.fillRect(rect(static_cast<int>(x), static_cast<int>(end), top, bottom),
                                   QColor(colours[x]));
            x = end;
        }
    }

    /// Diagonal lines where (x + y) % period < line, as in pixels, each one parallelogram.
    void hatch(int first, int last, int top, int bottom, Hatch hatch, QRgb colour) const {
        if (top >= bottom)
            return;
        m_painter.save();
        m_painter.setClipRect(rect(first, last, top, bottom), Qt::IntersectClip);
        m_painter.setPen(QPen(QColor(colour), hatch.line / m_ratio / 1.414));
        const int left = m_area.plot.left() + first;
        const int right = m_area.plot.left() + last;
        const double middle = hatch.line / 2.0;
        for (int sum = (left + top) / hatch.period * hatch.period; sum < right + bottom;
             sum += hatch.period)
            m_painter.drawLine(QPointF((sum + middle - top) / m_ratio, top / m_ratio),
                               QPointF((sum + middle - bottom) / m_ratio, bottom / m_ratio));
        m_painter.restore();
    }

private:
    QRectF rect(int first, int last, int top, int bottom) const {
        return {(m_area.plot.left() + first) / m_ratio, top / m_ratio, (last - first) / m_ratio,
                (bottom - top) / m_ratio};
    }

    QPainter& m_painter;
    const LaneArea& m_area;
    double m_ratio;
};

void drawLane(const Rectangles& out, const LaneArea& area, const LaneBands& bands, std::size_t lane,
              const LanePicture& picture) {
    const auto [top, bottom] = insidePlot(area, area.barTop(lane), area.barHeight);
    out.row(bands.bar(), top, bottom, picture.theme.base);
    for (const auto& [first, last] : bands.unknown())
        out.hatch(first, last, top, bottom, hatchOf(picture.hairline), picture.theme.hatch);

    // Equal rows of a strip are one band.
    const int stripTop = area.stripTop(lane);
    const auto [from, to] = insidePlot(area, stripTop, bands.stripRows());
    for (int y = from; y < to;) {
        const auto row = bands.stripRow(y - stripTop);
        int end = y + 1;
        while (end < to && std::ranges::equal(bands.stripRow(end - stripTop), row))
            ++end;
        out.row(row, y, end, picture.theme.base);
        y = end;
    }
}

std::vector<Nanos> edgesOf(const LanePicture& picture) {
    return pixelEdges({onClock(*picture.loaded.trace, picture.view.range), picture.view.width});
}

} // namespace

void paintLanes(QImage& image, const LaneArea& area, const LanePicture& picture, NameRoom room,
                std::vector<PaintedRun>& runs) {
    if (area.plot.isEmpty() || area.lanes == 0)
        return;
    const std::vector<Nanos> edges = edgesOf(picture);
    const Hatch hatch = hatchOf(picture.hairline);
    const Scanlines lines(image);

    const auto paint = [&](std::size_t first, std::size_t last, std::vector<PaintedRun>& found) {
        LaneBands bands(picture, edges, area.stripHeight);
        for (std::size_t lane = first; lane < last; ++lane) {
            bands.compose(lane);
            paintLane(lines, area, bands, lane, hatch, picture.theme.hatch);
            noteRuns(bands, lane, area, room, found);
        }
    };

    // Lanes have nothing in common but const columns, and no row of pixels belongs to two of them.
    const std::size_t first = area.firstVisible();
    const std::size_t count = area.lastVisible() - first;
    const std::size_t worth = count * edges.size() / columnsForAThread;
    const std::size_t parts =
        std::clamp<std::size_t>(worth, 1, std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
    std::vector<std::vector<PaintedRun>> found(parts);
    {
        std::vector<std::jthread> others;
        for (std::size_t part = 1; part < parts; ++part)
            others.emplace_back([&, part] {
                paint(first + count * part / parts, first + count * (part + 1) / parts,
                      found[part]);
            });
        paint(first, first + count / parts, found[0]);
    } // joined
    for (const auto& some : found)
        runs.insert(runs.end(), some.begin(), some.end());
}

void drawLanes(QPainter& painter, const LaneArea& area, const LanePicture& picture, NameRoom room,
               double ratio, std::vector<PaintedRun>& runs) {
    if (area.plot.isEmpty() || area.lanes == 0)
        return;
    const std::vector<Nanos> edges = edgesOf(picture);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const Rectangles out(painter, area, ratio);
    LaneBands bands(picture, edges, area.stripHeight);
    for (std::size_t lane = area.firstVisible(); lane < area.lastVisible(); ++lane) {
        bands.compose(lane);
        drawLane(out, area, bands, lane, picture);
        noteRuns(bands, lane, area, room, runs);
    }
    painter.restore();
}

} // namespace twolane::chart
