// Both sides' lanes above each other on one scale of time: layout, input and overlay.
#pragma once

#include "app/chart/theme.h"
#include "app/chart/timeline/lane_labels.h"
#include "app/chart/timeline/lane_painter.h"
#include "app/window/hover.h"
#include "app/window/view_state.h"

#include <QImage>
#include <QScrollBar>
#include <QWidget>

#include <array>
#include <memory>
#include <optional>

namespace twolane::window {

class SideCard;
class SideHeader;

/// The picture of the lanes is a function of traces, view, size, ratio and palette; it is made anew
/// when one of them changes. The pointer's line and card are painted over it.
class TimelineView : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(ViewState& view, QWidget* parent = nullptr);

    SideHeader& header(std::size_t side) { return *m_sides[side].header; }
    SideCard& card(std::size_t side) { return *m_sides[side].card; }

    /// What to show on a side: lanes, or in their absence (null) its card. `small`: the card is an
    /// invitation and leaves the room to the other side.
    void setSide(std::size_t side, std::shared_ptr<const chart::LoadedTrace> trace, bool small);

    /// How stamps of both sides are written on the common scale.
    chart::TimeFormat times() const;
    const chart::Theme& theme() const { return m_theme; }
    /// The side at a point of the widget, also between lanes.
    std::size_t sideAt(const QPoint& point) const;
    /// The pixel of the lanes below the pointer, or the middle of the view where it is elsewhere.
    std::int64_t anchorPixel() const;
    void scrollLanes(int lines);
    /// As if the pointer were there; nothing: as if it had left. For pictures and tests.
    void setPointer(std::optional<QPointF> point);

    /// Where the lanes of a side lie, in device pixels of the widget; empty without lanes.
    const chart::LaneArea& area(std::size_t side) const { return m_sides[side].area; }
    std::vector<chart::LaneLabel> labels(std::size_t side) const;
    /// The text of the card at the pointer; nothing where there is none.
    std::optional<HoverText> hover() const;
    /// The time below the pointer, from the traces' starts; nothing outside the lanes' columns.
    std::optional<Nanos> pointerTime() const;

Q_SIGNALS:
    void pointerMoved(); ///< or left, or the view moved below it

protected:
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
        SideHeader* header = nullptr;
        SideCard* card = nullptr;
        QScrollBar* scrollBar = nullptr;
        std::shared_ptr<const chart::LoadedTrace> trace;
        bool smallCard = true;
        std::vector<QRgb> colours; ///< by StringId
        QRect place;               ///< below the header, logical
        chart::LaneArea area;
    };
    struct Drag {
        QPointF from;
        Viewport view;
        std::size_t side = 0;
        int scroll = 0;
    };
    struct Under {
        std::size_t side = 0;
        std::size_t lane = 0;
        TimeRange pixel; ///< on the trace's clock
    };

    void applyPalette();
    void relayout();
    std::array<int, chart::sideCount> shareHeights(int available) const;
    void placeLanes(Side& side, double ratio, int left, int right);
    void redraw();
    void makePicture(double ratio);
    chart::LanePicture pictureOf(const Side& side, double ratio) const;
    int hairline(double ratio) const;
    int gutterWidth() const;
    std::int64_t pixelUnder(double x) const;
    std::optional<Under> under() const;

    ViewState& m_view;
    chart::Theme m_theme;
    std::array<Side, chart::sideCount> m_sides;
    QRect m_ruler;      ///< logical
    int m_plotLeft = 0; ///< device pixels
    double m_ratio = 0; ///< of the layout and the picture
    QImage m_picture;
    bool m_stale = true;
    std::optional<QPointF> m_pointer;
    std::optional<Drag> m_drag;
};

} // namespace twolane::window
