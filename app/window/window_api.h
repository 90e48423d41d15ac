// What the program and the window's module have in common: plain C, for it crosses dlopen().
#pragma once

#include <cstdint>

extern "C" {

/// How to draw a window into a file.
struct TwolaneGrab {
    const char* png; ///< the file to write
    int width;       ///< of the window, in logical pixels
    int height;
    double scale;      ///< device pixels a logical pixel
    int dark;          ///< 0 light, 1 dark
    int hasSpan;       ///< 0: all of the traces
    std::int64_t from; ///< ns from the traces' starts
    std::int64_t to;
};

/// Runs the window until it is closed; returns the program's exit status. `files` holds up to two
/// paths: baseline, candidate.
using TwolaneRunWindow = int(const char* const* files, int count);

/// Draws the window with the given files, without a display.
using TwolaneGrabWindow = int(const char* const* files, int count, const TwolaneGrab* grab);

#define TWOLANE_RUN_WINDOW "twolaneRunWindow"
#define TWOLANE_GRAB_WINDOW "twolaneGrabWindow"
}
