#include "app/chart/timeline/lane_painter.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace twolane::chart {
namespace {

/// Of 256: what a pixel gets that holds any run at all, however short.
constexpr int faintest = 72;

/// Of 256: how much of the lane shines through between neighbours. Less than where it is idle.
constexpr int separatorWeight = 120;

/// Fewer columns than these are painted sooner than a thread is started.
constexpr std::size_t columnsForAThread = 60'000;

struct Hatch {
    int period;
    int line;
};

/// One lane, ready to be copied down.
class Row {
public:
    Row(const LanePicture& picture, std::span<const Nanos> edges)
        : m_picture(picture)
        , m_edges(edges)
        , m_pixels(edges.size() - 1) {}

    const LaneColumns& paint(std::size_t lane) {
        const Trace& trace = *m_picture.loaded.trace;
        const CpuTimeline& timeline = trace.cpus[lane];
        laneColumns(timeline, m_picture.loaded.lanes[lane], m_edges, m_columns);
        m_unknown.clear();
        for (std::size_t x = 0; x < m_pixels.size(); ++x) {
            const Nanos begin = m_edges[x];
            const Nanos end = std::max(m_edges[x + 1], addSaturated(begin, 1));
            if (end <= trace.range.begin || begin > trace.range.end) {
                m_pixels[x] = m_picture.theme.base; // no recording here at all
                continue;
            }
            const LaneColumn& column = m_columns.columns[x];
            const Nanos length = end - begin;
            m_pixels[x] =
                column.slices > 0 ? busyColour(timeline, column, length) : m_picture.theme.lane;
            // The smallest gap shows where nothing else does.
            if (column.unknown > 0 && (column.slices == 0 || column.unknown > length / 2))
                noteUnknown(static_cast<int>(x));
        }
        separate();
        return m_columns;
    }

    /// Copies the row into one line of the picture. Where nothing is known it is hatched, which
    /// makes lines differ.
    void copyTo(QRgb* line, int left, int y, Hatch hatch) const {
        std::memcpy(line + left, m_pixels.data(), m_pixels.size() * sizeof(QRgb));
        for (const auto& [first, last] : m_unknown) {
            for (int x = first; x < last; ++x)
                if ((left + x + y) % hatch.period < hatch.line)
                    line[left + x] = m_picture.theme.hatch;
        }
    }

private:
    QRgb busyColour(const CpuTimeline& timeline, const LaneColumn& column, Nanos length) const {
        const StringId comm = timeline.slices.comm(column.longest);
        const QRgb colour =
            comm.valid() ? m_picture.colours[comm.value()] : m_picture.theme.unnamed;
        if (column.busy >= length)
            return colour;
        const double share = static_cast<double>(column.busy) / static_cast<double>(length);
        return mixed(m_picture.theme.lane, colour,
                     faintest + static_cast<int>((256 - faintest) * share));
    }

    void noteUnknown(int x) {
        if (!m_unknown.empty() && m_unknown.back().second == x)
            m_unknown.back().second = x + 1;
        else
            m_unknown.emplace_back(x, x + 1);
    }

    /// A thin line between wide neighbours, so that two slices of one colour are two.
    void separate() {
        const int line = m_picture.hairline;
        const auto& runs = m_columns.runs;
        for (std::size_t i = 1; i < runs.size(); ++i) {
            const LaneRun& left = runs[i - 1];
            const LaneRun& right = runs[i];
            if (right.first > left.last || left.last - left.first < 4 * line ||
                right.last - right.first < 4 * line)
                continue;
            for (int x = right.first; x < right.first + line; ++x) {
                QRgb& pixel = m_pixels[static_cast<std::size_t>(x)];
                pixel = mixed(pixel, m_picture.theme.lane, separatorWeight);
            }
        }
    }

    const LanePicture& m_picture;
    std::span<const Nanos> m_edges;
    std::vector<QRgb> m_pixels;
    LaneColumns m_columns;
    std::vector<std::pair<int, int>> m_unknown; ///< columns [first, last)
};

} // namespace

std::size_t LaneArea::firstVisible() const {
    return std::min(lanes, static_cast<std::size_t>(scroll / rowHeight));
}

std::size_t LaneArea::lastVisible() const {
    return std::min(lanes,
                    static_cast<std::size_t>((scroll + plot.height() + rowHeight - 1) / rowHeight));
}

std::optional<std::size_t> LaneArea::laneAt(int y) const {
    if (y < plot.top() || y > plot.bottom())
        return std::nullopt;
    const auto lane = static_cast<std::size_t>((y - plot.top() + scroll) / rowHeight);
    return lane < lanes ? std::optional(lane) : std::nullopt;
}

std::vector<QRgb> commColours(const Trace& trace, const Theme& theme) {
    std::vector<QRgb> colours(trace.strings.size());
    for (std::uint32_t i = 0; i < colours.size(); ++i)
        colours[i] = sliceColour(theme, trace.strings.text(StringId(i)));
    return colours;
}

TimeRange onClock(const Trace& trace, TimeRange fromStart) {
    return {addSaturated(trace.range.begin, fromStart.begin),
            addSaturated(trace.range.begin, fromStart.end)};
}

void paintLanes(QImage& image, const LaneArea& area, const LanePicture& picture, int labelHeight,
                int labelWidth, std::vector<PaintedRun>& runs) {
    if (area.plot.isEmpty() || area.lanes == 0)
        return;
    const std::vector<Nanos> edges =
        pixelEdges({onClock(*picture.loaded.trace, picture.view.range), picture.view.width});
    const Hatch hatch{7 * picture.hairline, 2 * picture.hairline};
    uchar* const pixels = image.bits(); // taken once: it may copy the image
    const qsizetype pitch = image.bytesPerLine();

    const auto paint = [&](std::size_t first, std::size_t last, std::vector<PaintedRun>& found) {
        Row row(picture, edges);
        for (std::size_t lane = first; lane < last; ++lane) {
            const LaneColumns& columns = row.paint(lane);
            const int top = std::max(area.barTop(lane), area.plot.top());
            const int bottom = std::min(area.barTop(lane) + area.barHeight, area.plot.bottom() + 1);
            for (int y = top; y < bottom; ++y)
                row.copyTo(reinterpret_cast<QRgb*>(pixels + y * pitch), area.plot.left(), y, hatch);
            if (area.barHeight < labelHeight)
                continue;
            for (const LaneRun& run : columns.runs)
                if (run.last - run.first >= labelWidth)
                    found.push_back({lane, run});
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

} // namespace twolane::chart
