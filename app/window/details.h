// Everything that is known of a picked slice or wait, in words.
#pragma once

#include "app/window/facts.h"
#include "app/window/picked.h"

namespace twolane::window {

/// Exact times, the wait and the waker, the states before and after, and how far it is certain.
Facts detailsOf(const chart::LoadedTrace& loaded, const Picked& picked);

} // namespace twolane::window
