#include "importers/trace_dat/latency_text.h"

#include "importers/ftrace_text/ftrace_text_importer.h"
#include "importers/trace_dat/dat_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace twolane {
namespace {

// Latency tracers keep one buffer's worth of text.
constexpr std::size_t mostText = std::size_t{256} << 20;
constexpr std::uint32_t largestChunk = 32U << 20;

/// A part of a file, or what was compressed there.
class TextSource final : public ByteSource {
public:
    TextSource(ByteSource& file, std::uint64_t begin, std::uint64_t size)
        : m_file(file)
        , m_begin(begin)
        , m_size(size) {}
    TextSource(ByteSource& file, std::string text)
        : m_file(file)
        , m_size(text.size())
        , m_text(std::move(text))
        , m_inMemory(true) {}

    void keep(std::unique_ptr<ByteSource> file) { m_owned = std::move(file); }

    const std::string& name() const override { return m_file.name(); }
    std::uint64_t size() const override { return m_size; }
    Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> to) override {
        if (offset >= m_size)
            return std::size_t{0};
        to =
            to.first(static_cast<std::size_t>(std::min<std::uint64_t>(m_size - offset, to.size())));
        if (!m_inMemory)
            return m_file.read(m_begin + offset, to);
        std::memcpy(to.data(), m_text.data() + offset, to.size());
        return to.size();
    }

private:
    std::unique_ptr<ByteSource> m_owned;
    ByteSource& m_file;
    std::uint64_t m_begin = 0;
    std::uint64_t m_size;
    std::string m_text;
    bool m_inMemory = false;
};

/// All chunks of [begin, end); `whole` is false where they end too early or make no sense.
std::string decompressChunks(ByteSource& source, const DatContainer& container, bool& whole) {
    const LatencyText& place = *container.latencyText;
    ByteReader reader(source, place.begin, place.end, container.byteOrder);
    Decompressor decompressor(container.codec);
    std::string text;
    std::string packed;
    whole = false;
    for (std::uint32_t chunks = reader.u32(); chunks > 0; --chunks) {
        const std::uint32_t packedSize = reader.u32();
        const std::uint32_t size = reader.u32();
        packed.clear();
        if (packedSize > largestChunk || size > largestChunk || size > mostText - text.size())
            return text;
        reader.append(packed, packedSize);
        const auto from = std::as_bytes(std::span(packed.data(), packed.size()));
        if (!reader.ok() || !decompressor.plausible(from, size))
            return text;
        const std::size_t before = text.size();
        text.resize(before + size);
        if (!decompressor.run(from,
                              std::as_writable_bytes(std::span(text.data() + before, size)))) {
            text.resize(before);
            return text;
        }
    }
    whole = reader.ok();
    return text;
}

Result<std::unique_ptr<TextSource>> openText(ByteSource& source, const DatContainer& container,
                                             Diagnostics& diagnostics) {
    const LatencyText& place = *container.latencyText;
    if (!place.compressed)
        return std::make_unique<TextSource>(source, place.begin, place.end - place.begin);
    bool whole = false;
    std::string text = decompressChunks(source, container, whole);
    if (!whole && text.empty())
        return Error{"", "holds a latency tracer's text that cannot be decompressed",
                     fmt::format("byte {}", place.begin), "copy or record the file again"};
    if (!whole)
        diagnostics.add({"truncated", Severity::dataLoss, 1, "the file ends before its data do",
                         fmt::format("inside the text at byte {}", place.begin),
                         "copy or record the file again; what is whole is shown"});
    return std::make_unique<TextSource>(source, std::move(text));
}

} // namespace

Result<std::vector<BufferInfo>> latencyTextBuffers(ByteSource& source,
                                                   const DatContainer& container) {
    Diagnostics ignored; // of no interest before a buffer is loaded
    auto text = openText(source, container, ignored);
    if (!text)
        return text.error();
    return FtraceTextImporter().buffers(**text);
}

Status readLatencyText(ByteSource& source, const DatContainer& container,
                       const LoadOptions& options, ImportContext& context) {
    auto text = openText(source, container, context.diagnostics);
    if (!text)
        return text.error();
    if (Status status = FtraceTextImporter().read(**text, options, context); !status)
        return status;
    TraceInfo& info = context.info;
    info.formatDetail = fmt::format("version {}, text: {}", container.version, info.formatDetail);
    const UnameParts uname = splitUname(container.uname);
    info.host = uname.host;
    if (info.kernel.empty())
        info.kernel = uname.release;
    return success();
}

Result<std::unique_ptr<EventReader>> openLatencyText(std::unique_ptr<ByteSource> source,
                                                     const DatContainer& container,
                                                     const LoadOptions& options) {
    Diagnostics ignored; // the load has told them
    auto text = openText(*source, container, ignored);
    if (!text)
        return text.error();
    (*text)->keep(std::move(source));
    return FtraceTextImporter().openEvents(std::move(*text), options);
}

} // namespace twolane
