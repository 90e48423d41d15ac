// Small random recordings, plausible and absurd, for comparing the model with slower ways to an
// answer.
#pragma once

#include "tests/support/slow_model.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace twolane::tests {

using Events = std::vector<TestEvent>;

/// At most about 60 events of a few CPUs and tasks, in order; the same ones from the same seed with
/// every standard library. May be empty.
Events randomRecording(std::uint32_t seed);

/// Puts the events in the order that a sink is promised, and gives each loss the range between its
/// CPU's neighbouring events; drops a loss that has none after it, or no time between them.
Events inOrder(Events events);

/// Takes out events as long as `fails` holds for the rest.
template <class Fails>
Events shrunk(Events events, Fails fails) {
    bool progress = true;
    while (progress) {
        progress = false;
        for (std::size_t i = events.size(); i-- > 0;) {
            Events fewer = events;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            fewer = inOrder(std::move(fewer));
            if (!fails(fewer))
                continue;
            events = std::move(fewer);
            progress = true;
            i = std::min(i, events.size());
        }
    }
    return events;
}

} // namespace twolane::tests
