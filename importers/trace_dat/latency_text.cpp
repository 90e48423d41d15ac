#include "importers/trace_dat/latency_text.h"

#include "importers/ftrace_text/ftrace_text_importer.h"
#include "importers/trace_dat/dat_file.h"

#include <algorithm>
#include <string>
#include <utility>

namespace twolane {
namespace {

/// A file from one of its bytes on.
class TailSource final : public ByteSource {
public:
    TailSource(ByteSource& file, std::uint64_t begin)
        : m_file(file)
        , m_begin(std::min(begin, file.size())) {}
    /// Keeps the file.
    TailSource(std::unique_ptr<ByteSource> file, std::uint64_t begin)
        : TailSource(*file, begin) {
        m_owned = std::move(file);
    }

    const std::string& name() const override { return m_file.name(); }
    std::uint64_t size() const override { return m_file.size() - m_begin; }
    Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> to) override {
        if (offset >= size())
            return std::size_t{0};
        return m_file.read(m_begin + offset, to);
    }

private:
    std::unique_ptr<ByteSource> m_owned;
    ByteSource& m_file;
    std::uint64_t m_begin;
};

} // namespace

Result<std::vector<BufferInfo>> latencyTextBuffers(ByteSource& source,
                                                   const DatContainer& container) {
    TailSource text(source, *container.latencyText);
    return FtraceTextImporter().buffers(text);
}

Status readLatencyText(ByteSource& source, const DatContainer& container,
                       const LoadOptions& options, ImportContext& context) {
    TailSource text(source, *container.latencyText);
    if (Status status = FtraceTextImporter().read(text, options, context); !status)
        return status;
    TraceInfo& info = context.info;
    info.formatDetail = "version 6, text: " + info.formatDetail;
    const UnameParts uname = splitUname(container.uname);
    info.host = uname.host;
    if (info.kernel.empty())
        info.kernel = uname.release;
    return success();
}

Result<std::unique_ptr<EventReader>> openLatencyText(std::unique_ptr<ByteSource> source,
                                                     const DatContainer& container,
                                                     const LoadOptions& options) {
    const std::uint64_t begin = *container.latencyText;
    return FtraceTextImporter().openEvents(std::make_unique<TailSource>(std::move(source), begin),
                                           options);
}

} // namespace twolane
