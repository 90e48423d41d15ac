#include "importers/text_events/two_passes.h"

#include <fmt/format.h>

namespace twolane {
namespace {

std::string nameOf(const BufferScan& buffer) {
    return buffer.name.empty() ? "the top buffer" : fmt::format("'{}'", buffer.name);
}

} // namespace

Result<std::size_t> chooseBuffer(const std::vector<BufferScan>& buffers,
                                 const std::optional<std::string>& wanted,
                                 const std::string& file) {
    if (wanted) {
        std::string known;
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            if (buffers[i].name == *wanted)
                return i;
            known += (known.empty() ? "" : ", ") + nameOf(buffers[i]);
        }
        return Error{file, fmt::format("has no buffer '{}'", *wanted), "", "it has " + known};
    }
    const auto rank = [](const BufferScan& buffer) {
        return (buffer.hasSchedulerEvents ? 0 : 2) + (buffer.name.empty() ? 0 : 1);
    };
    const auto best = std::min_element(
        buffers.begin(), buffers.end(),
        [&rank](const BufferScan& a, const BufferScan& b) { return rank(a) < rank(b); });
    return static_cast<std::size_t>(best - buffers.begin());
}

} // namespace twolane
