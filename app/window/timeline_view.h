// Both sides' lanes on one scale of time: layout, input and overlay. What is drawn, app/chart
// draws.
#pragma once

#include "app/chart/timeline/lane_labels.h"
#include "app/chart/timeline/timeline_picture.h"
#include "app/window/hover.h"
#include "app/window/picked.h"
#include "app/window/view_state.h"

#include <QImage>
#include <QScrollBar>
#include <QWidget>

#include <array>
#include <memory>
#include <optional>

namespace twolane::window {

class SideCard;

/// The picture is a function of scene, size, ratio and font; it is made anew when one of them
/// changes. Pointer, hover card, selection and drags are painted over it.
class TimelineView : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(ViewState& view, QWidget* parent = nullptr);

    SideCard& card(std::size_t side) { return *m_sides[side].card; }

    /// What to show on a side: lanes, or in their absence (null) its card. `small`: the card is an
    /// invitation and leaves the room to the other side.
    void setSide(std::size_t side, std::shared_ptr<const chart::LoadedTrace> trace, bool small);
    void setArrangement(chart::Arrangement arrangement);
    chart::Arrangement arrangement() const { return m_arrangement; }
    /// Hides the lanes of other CPUs and pales other tasks, on both sides.
    void setFilter(const CpuFilter& cpus, const TaskFilter& tasks);
    const CpuFilter& cpuFilter() const { return m_cpus; }
    const TaskFilter& taskFilter() const { return m_tasks; }

    /// What the picture shows now.
    const chart::Scene& scene() const { return m_scene; }
    const chart::Layout& layoutNow() const { return m_layout; }
    const chart::Theme& theme() const { return m_scene.theme; }

    const std::optional<Picked>& picked() const { return m_picked; }
    /// Outlines it, scrolls its lane into sight and tells so; nothing: takes the outline away.
    void pick(std::optional<Picked> picked);
    /// Where a picked slice or wait is in time, from its trace's start.
    TimeRange rangeOf(const Picked& picked) const;

    /// The side at a point of the widget, also between lanes.
    std::size_t sideAt(const QPoint& point) const;
    /// The pixel of the lanes below the pointer, or the middle of the view where it is elsewhere.
    std::int64_t anchorPixel() const;
    void scrollLanes(int lines);
    /// As if the pointer were there; nothing: as if it had left. For pictures and tests.
    void setPointer(std::optional<QPointF> point);

    /// Where the lanes of a side lie, in device pixels of the widget; empty without lanes.
    const chart::LaneArea& area(std::size_t side) const { return m_layout.sides[side].area; }
    std::vector<chart::LaneLabel> labels(std::size_t side) const;
    /// The text of the card at the pointer; nothing where there is none.
    std::optional<Facts> hover() const;
    /// The time below the pointer, from the traces' starts; nothing outside the lanes' columns.
    std::optional<Nanos> pointerTime() const;

Q_SIGNALS:
    void pointerMoved(); ///< or left, or the view moved below it
    void pickedChanged();
    void doubtsWanted(std::size_t side); ///< a click on what a header says of losses

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Side {
        SideCard* card = nullptr;
        QScrollBar* scrollBar = nullptr;
        bool smallCard = true;
    };
    /// What a pressed button does until it is released.
    struct Drag {
        enum class Kind { pan, range, brush, brushBegin, brushEnd };
        Kind kind = Kind::pan;
        QPointF from;
        Viewport view;
        std::size_t side = 0;
        int scroll = 0;
        bool moved = false; ///< far enough to be no click
    };
    struct Under {
        std::size_t side = 0;
        std::size_t lane = 0; ///< into trace->cpus
        TimeRange pixel;      ///< on the trace's clock
        bool strip = false;   ///< over the waiting tasks
    };

    void applyPalette();
    void recolour();
    void relayout();
    void redraw();
    chart::LanePicture pictureOf(std::size_t side) const;
    /// The column of the plot of `side`, or of the side below the point.
    std::int64_t pixelUnder(const QPointF& point, std::optional<std::size_t> side = {}) const;
    std::optional<Under> under(const QPointF& point) const;
    std::optional<Picked> pickable(const Under& under) const;
    std::optional<Drag::Kind> dragAt(const QPointF& point) const;
    void dragBrush(const QPointF& point);
    TimeRange draggedRange() const;
    QRectF rectOf(const Picked& picked) const;
    void paintPointer(QPainter& painter);
    void paintPicked(QPainter& painter);
    void paintDraggedRange(QPainter& painter);

    ViewState& m_view;
    chart::Scene m_scene;
    chart::Arrangement m_arrangement = chart::Arrangement::stacked;
    CpuFilter m_cpus;
    TaskFilter m_tasks;
    std::array<Side, chart::sideCount> m_sides;
    chart::Layout m_layout;
    chart::BusyProfiles m_profiles;
    bool m_profilesStale = true;
    chart::PictureParts m_parts;
    QImage m_picture;
    bool m_stale = true;
    std::optional<Picked> m_picked;
    std::optional<QPointF> m_pointer;
    std::optional<Drag> m_drag;
};

} // namespace twolane::window
