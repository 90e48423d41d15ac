#include "app/cli/progress.h"

#include "app/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace twolane::cli {

using Clock = std::chrono::steady_clock;

ProgressLine::ProgressLine(std::string file, bool quiet)
    : m_file(std::move(file))
    , m_active(!quiet && isatty(STDERR_FILENO) == 1)
    , m_next(Clock::now() + std::chrono::milliseconds(200)) {}

ProgressLine::~ProgressLine() {
    if (m_drawn)
        fmt::print(stderr, "\r\033[K");
}

ProgressFn ProgressLine::callback() {
    if (!m_active)
        return {};
    return [this](std::uint64_t done, std::uint64_t total) {
        if (Clock::now() < m_next || total == 0)
            return;
        m_next = Clock::now() + std::chrono::milliseconds(100);
        m_drawn = true;
        fmt::print(
            stderr, "\rreading {}: {} %\033[K", printable(m_file),
            static_cast<unsigned>(static_cast<double>(done) / static_cast<double>(total) * 100));
        std::fflush(stderr);
    };
}

} // namespace twolane::cli
