// What stretch of time both sides show, and the way there.
#pragma once

#include "model/viewport.h"

#include <QObject>

#include <vector>

namespace twolane::window {

/// One view for both sides. Times count from each trace's own start, in ns.
class ViewState : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const Viewport& view() const { return m_view; }
    TimeRange extent() const { return m_extent; }
    bool fitted() const { return m_view.range == m_extent; }

    /// The longest trace is `length` ns long. A view of everything stays one.
    void setLength(Nanos length);
    /// Device pixels of the lanes.
    void setWidth(std::int32_t width);

    void zoomAbout(std::int64_t x, double factor);
    void panBy(std::int64_t pixels);
    /// Drags: `pixels` from where the view was when the drag began, so that the way back is exact.
    void panFrom(const Viewport& start, std::int64_t pixels);
    void show(TimeRange range);
    /// As show(), while a range is being dragged: the way of one drag is one step of the history.
    void drag(TimeRange range);
    void fit();

    bool canGoBack() const { return !m_past.empty(); }
    bool canGoForward() const { return !m_future.empty(); }
    void back();
    void forward();
    /// The next move is a step of its own in the history, even if of the same kind.
    void endGesture() { m_lastMove = Move::none; }

Q_SIGNALS:
    void changed();

private:
    enum class Move { none, zoom, pan, drag, jump };
    void moveTo(const Viewport& view, Move move);
    void set(const Viewport& view);

    Viewport m_view;
    TimeRange m_extent{0, 1};
    std::vector<TimeRange> m_past;
    std::vector<TimeRange> m_future;
    Move m_lastMove = Move::none;
};

} // namespace twolane::window
