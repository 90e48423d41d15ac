// What the two passes over a text of events have in common: progress, and the choice of a buffer.
#pragma once

#include "importers/importer.h"
#include "importers/text_events/text_scan.h"

#include <algorithm>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace twolane {

/// Bytes of both passes as one progress over the file's size.
class TwoPasses {
public:
    TwoPasses(const ProgressFn& progress, std::stop_token stop, std::uint64_t size)
        : m_progress(progress)
        , m_stop(std::move(stop))
        , m_size(size) {}

    LineReader::GoOnFn firstPass() const {
        return [this](std::uint64_t offset) { return tell(std::min(offset, m_size) / 3); };
    }
    LineReader::GoOnFn secondPass() const {
        return [this](std::uint64_t offset) {
            return tell(m_size / 3 + std::min(offset, m_size) / 3 * 2);
        };
    }

private:
    bool tell(std::uint64_t done) const {
        if (m_progress)
            m_progress(std::min(done, m_size), m_size);
        return !m_stop.stop_requested();
    }

    const ProgressFn& m_progress;
    std::stop_token m_stop;
    std::uint64_t m_size;
};

/// The buffer asked for, else the first one with scheduler events, the top one first; into
/// `buffers`, which are not empty.
Result<std::size_t> chooseBuffer(const std::vector<BufferScan>& buffers,
                                 const std::optional<std::string>& wanted, const std::string& file);

} // namespace twolane
