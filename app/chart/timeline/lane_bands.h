// One lane's colours, column by column: what painters of pixels and of rectangles both draw.
#pragma once

#include "app/chart/loaded_trace.h"
#include "app/chart/slice_colours.h"
#include "app/chart/theme.h"
#include "model/viewport.h"

#include <QColor>

#include <span>
#include <utility>
#include <vector>

namespace twolane::chart {

/// What is painted on one side.
struct LanePicture {
    const LoadedTrace& loaded;
    std::span<const std::size_t> lanes; ///< the shown ones, into trace->cpus
    const SliceColours& colours;
    const Theme& theme;
    const Viewport& view;          ///< from the trace's start; its width is in device pixels
    int hairline = 1;              ///< device pixels of a one-pixel line
    std::uint32_t mostWaiting = 1; ///< as many tasks fill a strip
};

/// The part of a view on the trace's own clock.
TimeRange onClock(const Trace& trace, TimeRange fromStart);

/// Lines over columns where nothing is known, at 45 degrees.
struct Hatch {
    int period;
    int line;
};
inline Hatch hatchOf(int hairline) {
    return {7 * hairline, 2 * hairline};
}

/// How tall one waiting task is in a strip.
struct StripScale {
    StripScale(int stripHeight, std::uint32_t mostWaiting, int hairline);

    double rowsPerTask = 1;
    int gapRow = 0; ///< every gapRow-th row stays empty, so that tasks can be counted; 0: none
};

/// Composes one lane after the other; the results are valid until the next call.
class LaneBands {
public:
    /// `edges`: pixelEdges() of the view on the trace's clock. `stripRows`: rows of pixels of the
    /// strip, 0 for none.
    LaneBands(const LanePicture& picture, std::span<const Nanos> edges, int stripRows);

    /// `lane`: into picture.lanes.
    void compose(std::size_t lane);

    std::span<const QRgb> bar() const { return m_bar; }
    /// Columns [first, last) of the bar where nothing is known.
    const std::vector<std::pair<int, int>>& unknown() const { return m_unknown; }
    int stripRows() const { return m_stripRows; }
    std::span<const QRgb> stripRow(int row) const {
        return std::span(m_strip).subspan(static_cast<std::size_t>(row) * m_bar.size(),
                                          m_bar.size());
    }
    const std::vector<LaneRun>& runs() const { return m_columns.runs; }

private:
    bool recorded(std::size_t x) const;
    QRgb busyColour(const CpuTimeline& timeline, const LaneColumn& column, Nanos length) const;
    void composeBar(const CpuTimeline& timeline, const LaneIndex& index);
    void composeStrip(const CpuTimeline& timeline, const DepthIndex& index);
    void separate();

    const LanePicture& m_picture;
    std::span<const Nanos> m_edges;
    std::vector<Nanos> m_stripEdges; ///< the same, none beyond the recording
    int m_stripRows;
    StripScale m_scale;
    std::vector<QRgb> m_bar;
    std::vector<QRgb> m_strip;
    LaneColumns m_columns;
    std::vector<DepthColumn> m_depths;
    std::vector<std::pair<int, int>> m_unknown;
};

} // namespace twolane::chart
