#include "app/chart/slice_colours.h"

namespace twolane::chart {

SliceColours::SliceColours(const Trace& trace, const Theme& theme, const TaskFilter& shown)
    : m_unnamed(theme.unnamed)
    , m_faded(theme.faded)
    , m_all(shown.all()) {
    m_byComm.resize(trace.strings.size());
    for (std::uint32_t i = 0; i < m_byComm.size(); ++i)
        m_byComm[i] = sliceColour(theme, trace.strings.text(StringId(i)));
    if (m_all)
        return;
    // No task has the tid -1, and none a name that begins with NUL: each half asks for one thing.
    m_shownComm.resize(trace.strings.size());
    for (std::uint32_t i = 0; i < m_shownComm.size(); ++i)
        m_shownComm[i] = shown.matches(-1, trace.strings.text(StringId(i)));
    m_shownTask.reserve(trace.tasks.size());
    for (const Task& task : trace.tasks)
        m_shownTask.push_back(shown.matchesTid(task.tid));
}

} // namespace twolane::chart
