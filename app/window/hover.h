// What lies under the pointer, in words.
#pragma once

#include "app/window/facts.h"

#include <cstddef>

namespace twolane::window {

/// Of the bar of a lane (into trace->cpus). `pixel`: the time under the pointer on the trace's own
/// clock, not empty.
Facts hoverText(const chart::LoadedTrace& loaded, std::size_t lane, TimeRange pixel);
/// Of the strip below: who waits for that CPU.
Facts queueText(const chart::LoadedTrace& loaded, std::size_t lane, TimeRange pixel);

} // namespace twolane::window
