#include "app/chart/timeline/lane_bands.h"

#include <algorithm>
#include <cmath>

namespace twolane::chart {
namespace {

/// Of 256: what a pixel gets that holds any run or any waiting task at all, however short.
constexpr int faintest = 72;

/// Of 256: how much of the lane shines through between neighbours. Less than where it is idle.
constexpr int separatorWeight = 120;

/// Of 256: how much fainter a number is that may be too low.
constexpr int lowerBoundWeight = 150;

/// Pixels whose names are on their way from memory.
constexpr std::size_t namesAhead = 16;

} // namespace

TimeRange onClock(const Trace& trace, TimeRange fromStart) {
    return {addSaturated(trace.range.begin, fromStart.begin),
            addSaturated(trace.range.begin, fromStart.end)};
}

StripScale::StripScale(int stripHeight, std::uint32_t mostWaiting, int hairline) {
    const double most = std::max<std::uint32_t>(mostWaiting, 1);
    rowsPerTask = std::min(stripHeight / most, 4.0 * hairline);
    if (rowsPerTask >= 2)
        rowsPerTask = std::floor(rowsPerTask);
    if (rowsPerTask >= 3)
        gapRow = static_cast<int>(rowsPerTask);
}

LaneBands::LaneBands(const LanePicture& picture, std::span<const Nanos> edges, int stripRows)
    : m_picture(picture)
    , m_edges(edges)
    , m_stripRows(stripRows)
    , m_scale(stripRows, picture.mostWaiting, picture.hairline)
    , m_bar(edges.size() - 1)
    , m_strip(m_bar.size() * static_cast<std::size_t>(stripRows)) {
    if (stripRows == 0)
        return;
    const TimeRange range = picture.loaded.trace->range;
    for (const Nanos edge : edges)
        m_stripEdges.push_back(std::clamp(edge, range.begin, range.end));
}

void LaneBands::compose(std::size_t lane) {
    const std::size_t row = m_picture.lanes[lane];
    const CpuTimeline& timeline = m_picture.loaded.trace->cpus[row];
    composeBar(timeline, m_picture.loaded.lanes[row]);
    if (m_stripRows > 0)
        composeStrip(timeline, m_picture.loaded.queues[row]);
}

bool LaneBands::recorded(std::size_t x) const {
    const TimeRange& range = m_picture.loaded.trace->range;
    return std::max(m_edges[x + 1], addSaturated(m_edges[x], 1)) > range.begin &&
           m_edges[x] <= range.end;
}

void LaneBands::composeBar(const CpuTimeline& timeline, const LaneIndex& index) {
    laneColumns(timeline, index, m_edges, m_columns);
    const auto& edges = m_columns.edges;
    m_unknown.clear();
    for (std::size_t x = 0; x < m_bar.size(); ++x) {
        if (!recorded(x)) {
            m_bar[x] = m_picture.theme.base;
            continue;
        }
        const Nanos length = std::max(edges[x + 1], addSaturated(edges[x], 1)) - edges[x];
        const LaneColumn& column = m_columns.columns[x];
        // The longest slices of neighbours lie apart: names are fetched while others are looked at.
        if (x + namesAhead < m_bar.size() && m_columns.columns[x + namesAhead].slices > 0)
            timeline.slices.prefetchComm(m_columns.columns[x + namesAhead].longest);
        m_bar[x] = column.slices > 0 ? busyColour(timeline, column, length) : m_picture.theme.lane;
        // The smallest gap shows where nothing else does.
        if (column.unknown > 0 && (column.slices == 0 || column.unknown > length / 2)) {
            const int at = static_cast<int>(x);
            if (!m_unknown.empty() && m_unknown.back().second == at)
                m_unknown.back().second = at + 1;
            else
                m_unknown.emplace_back(at, at + 1);
        }
    }
    separate();
}

QRgb LaneBands::busyColour(const CpuTimeline& timeline, const LaneColumn& column,
                           Nanos length) const {
    const QRgb colour = m_picture.colours.of(timeline.slices, column.longest);
    if (column.busy >= length)
        return colour;
    const double share = static_cast<double>(column.busy) / static_cast<double>(length);
    return mixed(m_picture.theme.lane, colour,
                 faintest + static_cast<int>((256 - faintest) * share));
}

/// A thin line between wide neighbours, so that two slices of one colour are two.
void LaneBands::separate() {
    const int line = m_picture.hairline;
    const auto& all = m_columns.runs;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const LaneRun& left = all[i - 1];
        const LaneRun& right = all[i];
        if (right.first > left.last || left.last - left.first < 4 * line ||
            right.last - right.first < 4 * line)
            continue;
        for (int x = right.first; x < right.first + line; ++x) {
            QRgb& pixel = m_bar[static_cast<std::size_t>(x)];
            pixel = mixed(pixel, m_picture.theme.lane, separatorWeight);
        }
    }
}

void LaneBands::composeStrip(const CpuTimeline& timeline, const DepthIndex& index) {
    depthColumns(timeline, index, m_stripEdges, m_depths);
    const QRgb ground = m_picture.theme.base;
    std::fill(m_strip.begin(), m_strip.end(), ground);
    for (std::size_t x = 0; x < m_bar.size(); ++x) {
        const DepthColumn& depth = m_depths[x];
        if (depth.most == 0 || !depth.known || !recorded(x))
            continue;
        // As a pixel of a bar: a row is as strong as the share of time in which so many waited.
        const QRgb ink = depth.lowerBound ? mixed(ground, m_picture.theme.waiting, lowerBoundWeight)
                                          : m_picture.theme.waiting;
        const double tall = depth.most * m_scale.rowsPerTask;
        const double usual = static_cast<double>(depth.mean) * m_scale.rowsPerTask;
        const int rows = std::clamp(static_cast<int>(std::ceil(tall)), 1, m_stripRows);
        for (int y = 0; y < rows; ++y) {
            if (m_scale.gapRow > 0 && y % m_scale.gapRow == m_scale.gapRow - 1)
                continue;
            // Rows of one task share that task's strength.
            const double from = m_scale.gapRow > 0 ? y / m_scale.gapRow : y / m_scale.rowsPerTask;
            const double size = m_scale.gapRow > 0 ? 1 : 1 / m_scale.rowsPerTask;
            const double share = std::clamp((usual / m_scale.rowsPerTask - from) / size, 0.0, 1.0);
            m_strip[static_cast<std::size_t>(y) * m_bar.size() + x] =
                mixed(ground, ink, faintest + static_cast<int>((256 - faintest) * share));
        }
    }
}

} // namespace twolane::chart
