// How many tasks waited for one CPU in each pixel of a view: exact at every zoom, in time that
// grows with the pixels.
#pragma once

#include "model/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace twolane {

/// Waiting tasks on one CPU in one pixel.
struct DepthColumn {
    std::uint32_t most = 0;  ///< the largest number at any instant of the pixel
    float mean = 0;          ///< over the known time of the pixel
    bool known = false;      ///< false: nothing is known of any instant of it
    bool lowerBound = false; ///< tasks may have been queued unseen at some instant of it

    bool operator==(const DepthColumn&) const = default;
};

/// Summaries of one CPU's queue. Built once a trace, then const: safe for any thread.
class DepthIndex {
public:
    DepthIndex() = default;
    explicit DepthIndex(const CpuTimeline& timeline);

    /// The most tasks that ever waited at once.
    std::uint32_t most() const;
};

/// Fills `out` with one entry a pixel; `edges` as for laneColumns().
void depthColumns(const CpuTimeline& timeline, const DepthIndex& index,
                  std::span<const Nanos> edges, std::vector<DepthColumn>& out);

} // namespace twolane
