// The swimlanes of one or two traces as a figure: the window's drawing, for files.
#pragma once

#include "app/chart/figure.h"
#include "app/chart/timeline/layout.h"
#include "app/chart/timeline/scene.h"

#include <QFont>
#include <QString>

namespace twolane::chart {

struct TimelineOptions {
    Arrangement arrangement = Arrangement::stacked;
    QString title; ///< above everything; empty: none
    QFont font;
};

class TimelineFigure final : public Figure {
public:
    /// `scene`: colours and lanes of each side are set, see sceneOf().
    TimelineFigure(Scene scene, TimelineOptions options)
        : m_scene(std::move(scene))
        , m_options(std::move(options)) {}

    QImage raster(const FigureSize& size) const override;
    void vector(QPaintDevice& device, const FigureSize& size) const override;

    /// How many lanes do not fit into a picture of that height: it would leave them out.
    std::size_t lanesWithoutRoom(const FigureSize& size) const;

private:
    Layout layoutFor(const FigureSize& size) const;
    int titleHeight() const;
    void paintTitle(QPainter& painter, int width) const;

    Scene m_scene;
    TimelineOptions m_options;
};

/// What one side of a scene shows.
struct SideChoice {
    std::shared_ptr<const LoadedTrace> loaded; ///< null: no such side
    QString label;
    CpuFilter cpus;
    TaskFilter tasks; ///< others are pale
};

/// A scene of up to two traces; `range` from the traces' starts, nothing: all of the longer one.
Scene sceneOf(const std::array<SideChoice, sideCount>& sides, const Theme& theme,
              std::optional<TimeRange> range);

} // namespace twolane::chart
