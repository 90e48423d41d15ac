// What a chart is asked to show: the one entry from the command line into app/chart, free of Qt.
#pragma once

#include "model/query/window.h"
#include "model/result.h"
#include "model/trace.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace twolane::chart {

struct ChartRequest {
    enum class Kind : std::uint8_t { timeline, timeslices, latency };
    enum class Look : std::uint8_t { light, dark, print };

    struct Input {
        std::shared_ptr<const Trace> trace;
        std::string label;
        Selection selection;
    };

    const char* version = TWOLANE_VERSION; ///< of the program that asks
    Kind kind = Kind::timeline;
    std::vector<Input> inputs;     ///< one or two: baseline, candidate
    std::optional<TimeRange> span; ///< from the traces' starts, of the timeline; nothing: all
    int width = 1600;              ///< pixels, points of a PDF
    int height = 900;
    double scale = 1; ///< device pixels a pixel
    Look look = Look::light;
    bool sideBySide = false;
    bool logX = true; ///< of a distribution
    bool logY = false;
    std::string title; ///< empty: the kind's own
    /// In words, what part of the inputs was chosen: "CPUs 0-3", "tasks postgres*". A distribution
    /// does not show that by itself. Empty: everything.
    std::vector<std::string> scope;
    std::filesystem::path output;
    bool force = false; ///< replace an existing output
    std::stop_token stop;
};

/// Warnings, each a sentence for standard error.
using ChartOutcome = Result<std::vector<std::string>>;

/// Exported by the window's module under this name; both are built together.
using DrawChart = void(const ChartRequest* request, ChartOutcome* outcome);

} // namespace twolane::chart

#define TWOLANE_DRAW_CHART "twolaneDrawChart"
