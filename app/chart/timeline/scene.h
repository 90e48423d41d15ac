// What a picture of one or two traces shows. The picture is a function of this and of its size.
#pragma once

#include "app/chart/loaded_trace.h"
#include "app/chart/slice_colours.h"
#include "app/chart/theme.h"
#include "model/result.h"

#include <QString>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace twolane::chart {

/// How two sides share the room.
enum class Arrangement : std::uint8_t { stacked, sideBySide };

/// One side. Without a trace nothing but its frame is drawn.
struct SideScene {
    std::shared_ptr<const LoadedTrace> loaded;
    QString label; ///< what to call it; empty: the file's name
    SliceColours colours;
    std::vector<std::size_t> lanes; ///< the shown ones, into trace->cpus
};

struct Scene {
    std::array<SideScene, sideCount> sides;
    Theme theme;
    TimeRange range{0, 1};  ///< what the lanes show, from the traces' starts; at least 1 ns
    TimeRange extent{0, 1}; ///< what the overview shows

    /// The most tasks that wait on one CPU, over both sides: both have one scale.
    std::uint32_t mostWaiting() const;
    /// How stamps are written on the common scale of time.
    TimeFormat times() const;
};

/// Why two traces cannot stand on one scale of time, if they cannot: one counts time, the other
/// something else.
std::optional<Error> clocksApart(const Trace& baseline, const Trace& candidate);
/// All CPUs that `cpus` matches, into trace.cpus.
std::vector<std::size_t> lanesOf(const Trace& trace, const CpuFilter& cpus);
/// From 0 to the end of the longest trace, its last stamp included.
TimeRange extentOf(const Scene& scene);

} // namespace twolane::chart
