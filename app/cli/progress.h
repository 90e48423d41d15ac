// One line of progress on a terminal.
#pragma once

#include "importers/importer.h"

#include <chrono>
#include <string>

namespace twolane::cli {

/// Draws "reading FILE: 42 %" on standard error while it lives, and takes the line away at its
/// end. Silent where standard error is no terminal.
class ProgressLine {
public:
    ProgressLine(std::string file, bool quiet);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// What a load calls; empty where nothing is to be shown. Valid as long as this object.
    ProgressFn callback();

private:
    std::string m_file;
    bool m_active;
    std::chrono::steady_clock::time_point m_next;
    bool m_drawn = false;
};

} // namespace twolane::cli
