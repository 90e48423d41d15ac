// How many tasks waited for one CPU in each pixel of a view: exact at every zoom, in time that
// grows with the pixels.
#pragma once

#include "model/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twolane {

/// Waiting tasks on one CPU in one pixel.
struct DepthColumn {
    std::uint32_t most = 0;  ///< the largest number at any instant of the pixel
    float mean = 0;          ///< over the known time of the pixel
    bool known = false;      ///< false: nothing is known of any instant of it
    bool lowerBound = false; ///< tasks may have been queued unseen at some known instant of it

    bool operator==(const DepthColumn&) const = default;
};

/// Summaries of one CPU's queue. Built once a trace, then const: safe for any thread.
/// Takes about 2.3 bytes a step.
class DepthIndex {
public:
    static constexpr std::size_t fanOut = 8;

    /// The queue from one step to the one fanOut (or fanOut², …) steps on.
    struct Block {
        std::uint64_t area = 0; ///< ns times tasks; `tooLarge`: no 64 bits hold it
        std::uint32_t most = 0;
    };
    static constexpr std::uint64_t tooLarge = UINT64_MAX;

    DepthIndex() = default;
    explicit DepthIndex(const CpuTimeline& timeline);

    /// The most tasks that ever waited at once.
    std::uint32_t most() const { return m_most; }
    /// Level k holds one block for each fanOut^(k+1) steps that another one follows.
    const std::vector<std::vector<Block>>& levels() const { return m_levels; }

private:
    std::uint32_t m_most = 0;
    std::vector<std::vector<Block>> m_levels;
};

/// Fills `out` with one entry a pixel; `edges` as for laneColumns(), inside the trace's range.
void depthColumns(const CpuTimeline& timeline, const DepthIndex& index,
                  std::span<const Nanos> edges, std::vector<DepthColumn>& out);

} // namespace twolane
