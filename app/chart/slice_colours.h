// The colour of every slice of a trace: by the task's name alone, unless a filter fades it.
#pragma once

#include "app/chart/theme.h"
#include "model/query/window.h"
#include "model/trace.h"

#include <cstddef>
#include <vector>

namespace twolane::chart {

class SliceColours {
public:
    SliceColours() = default;
    /// Tasks that `shown` does not match are all of one pale colour.
    SliceColours(const Trace& trace, const Theme& theme, const TaskFilter& shown = {});

    QRgb of(const SliceColumns& slices, std::size_t row) const {
        const StringId comm = slices.comm(row);
        if (!m_all && !m_shownTask[slices.task(row).value()] &&
            !(comm.valid() && m_shownComm[comm.value()]))
            return m_faded;
        return ofComm(comm);
    }
    /// Of a name, whatever the filter says.
    QRgb ofComm(StringId comm) const { return comm.valid() ? m_byComm[comm.value()] : m_unnamed; }

private:
    std::vector<QRgb> m_byComm; ///< by StringId
    QRgb m_unnamed = 0;
    QRgb m_faded = 0;
    bool m_all = true; ///< nothing is faded; else:
    std::vector<bool> m_shownComm;
    std::vector<bool> m_shownTask; ///< by TaskId: chosen by its tid
};

} // namespace twolane::chart
