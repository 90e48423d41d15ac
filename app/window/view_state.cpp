#include "app/window/view_state.h"

namespace twolane::window {

void ViewState::setLength(Nanos length) {
    const bool all = fitted();
    m_extent = {0, std::max<Nanos>(length, 1)};
    if (all)
        set({m_extent, m_view.width});
    else
        set(clampedTo(m_view, m_extent));
}

void ViewState::setWidth(std::int32_t width) {
    set({m_view.range, std::max(width, 1)});
}

void ViewState::zoomAbout(std::int64_t x, double factor) {
    moveTo(zoomedAbout(m_view, x, factor, m_extent), Move::zoom);
}

void ViewState::panBy(std::int64_t pixels) {
    moveTo(pannedBy(m_view, pixels, m_extent), Move::pan);
}

void ViewState::panFrom(const Viewport& start, std::int64_t pixels) {
    moveTo(pannedBy(start, pixels, m_extent), Move::pan);
}

void ViewState::show(TimeRange range) {
    moveTo(clampedTo({range, m_view.width}, m_extent), Move::jump);
}

void ViewState::drag(TimeRange range) {
    moveTo(clampedTo({range, m_view.width}, m_extent), Move::drag);
}

void ViewState::fit() {
    moveTo({m_extent, m_view.width}, Move::jump);
}

void ViewState::back() {
    if (m_past.empty())
        return;
    m_future.push_back(m_view.range);
    const TimeRange range = m_past.back();
    m_past.pop_back();
    endGesture();
    set(clampedTo({range, m_view.width}, m_extent));
}

void ViewState::forward() {
    if (m_future.empty())
        return;
    m_past.push_back(m_view.range);
    const TimeRange range = m_future.back();
    m_future.pop_back();
    endGesture();
    set(clampedTo({range, m_view.width}, m_extent));
}

void ViewState::moveTo(const Viewport& view, Move move) {
    if (view == m_view)
        return;
    if (move != m_lastMove || move == Move::jump) {
        m_past.push_back(m_view.range);
        if (m_past.size() > 200)
            m_past.erase(m_past.begin());
        m_future.clear();
    }
    m_lastMove = move;
    set(view);
}

void ViewState::set(const Viewport& view) {
    if (view == m_view)
        return;
    m_view = view;
    Q_EMIT changed();
}

} // namespace twolane::window
