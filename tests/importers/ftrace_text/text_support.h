// Reads ftrace text given as a literal: into a CollectingSink, or through load() into a Trace.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/ftrace_text/ftrace_text_importer.h"
#include "importers/load.h"
#include "model/trace.h"
#include "tests/importers/ftrace_text/collecting_sink.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace twolane::tests {

/// What one read told.
struct Reading {
    CollectingSink sink;
    TraceInfo info;
    Diagnostics diagnostics;
    std::optional<Error> error;
};

std::unique_ptr<Reading> readText(std::string_view text, const LoadOptions& options = {});

/// A file of the system's temporary folder, removed at the end of its life.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view content);
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// Through the one door, from a file. Fails the test where that fails.
std::shared_ptr<const Trace> loadText(std::string_view text, const LoadOptions& options = {});

/// The task of `tid`; fails the test where there is not exactly one.
TaskId taskOf(const Trace& trace, std::int32_t tid);
/// The waits of `tid`, in order.
std::vector<Wait> waitsOf(const Trace& trace, std::int32_t tid);
/// The timeslices of `tid` on all CPUs, in order of time.
std::vector<Timeslice> slicesOf(const Trace& trace, std::int32_t tid);
/// The sleeps of `tid`, in order.
std::vector<Sleep> sleepsOf(const Trace& trace, std::int32_t tid);
/// Length of a wait whose start is known, else nothing.
std::optional<Nanos> lengthOf(const Wait& wait);

constexpr Nanos us(std::int64_t microseconds) {
    return microseconds * 1000;
}
constexpr Nanos ms(std::int64_t milliseconds) {
    return milliseconds * 1000000;
}
constexpr Nanos sec(std::int64_t seconds) {
    return seconds * 1000000000;
}

} // namespace twolane::tests
