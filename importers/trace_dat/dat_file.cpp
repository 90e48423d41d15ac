#include "importers/trace_dat/dat_file.h"

#include "importers/common/event_decoder.h"
#include "importers/trace_dat/latency_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace twolane {
namespace {

// Of a CPU that recorded any scheduler event at all one is among its first few.
constexpr int lookedAt = 20'000;

bool countsTsc(std::string_view clock) {
    return clock.empty() || clock == "x86-tsc" || clock == "tsc2nsec";
}

} // namespace

UnameParts splitUname(std::string_view uname) {
    std::array<std::string_view, 3> words;
    for (std::string_view& word : words) {
        word = uname.substr(0, uname.find(' '));
        uname.remove_prefix(std::min(uname.size(), word.size() + 1));
    }
    return {words[1], words[2]};
}

bool countsNanoseconds(std::string_view clock) {
    constexpr std::array<std::string_view, 9> known{
        "", "local", "global", "mono", "mono_raw", "boot", "tai", "perf", "tsc2nsec"};
    return std::find(known.begin(), known.end(), clock) != known.end();
}

DatFile::DatFile(ByteSource& source, DatContainer container, PageLayout layout,
                 EventFormats formats)
    : m_source(source)
    , m_container(std::move(container))
    , m_layout(layout)
    , m_formats(std::move(formats)) {}

Result<std::unique_ptr<DatFile>> DatFile::open(ByteSource& source, Diagnostics& diagnostics) {
    auto container = readContainer(source, diagnostics);
    if (!container)
        return container.error();
    if (holdsLatencyText(*container))
        return std::unique_ptr<DatFile>(
            new DatFile(source, std::move(container).value(), {}, EventFormats()));
    auto layout = readPageLayout(source, *container);
    if (!layout)
        return layout.error();
    auto formats = readEventFormats(source, *container);
    if (!formats)
        return formats.error();
    return std::unique_ptr<DatFile>(
        new DatFile(source, std::move(container).value(), *layout, std::move(formats).value()));
}

bool DatFile::stampsAreNanoseconds(const DatBuffer& buffer) const {
    return countsNanoseconds(buffer.clock) || (m_container.tsc && countsTsc(buffer.clock));
}

std::unique_ptr<StreamContext> DatFile::context(const DatBuffer& buffer) {
    auto context = std::make_unique<StreamContext>(m_source, m_container.codec);
    context->layout = m_layout;
    context->pageSize = buffer.pageSize;
    context->stamps.offset = m_container.stampOffset;
    // The file says once how its TSC counts; buffers may have other clocks.
    if (m_container.tsc && m_container.tsc->shift < 64 && countsTsc(buffer.clock)) {
        context->stamps.multiplier = m_container.tsc->multiplier;
        context->stamps.shift = m_container.tsc->shift;
    }
    return context;
}

std::vector<CpuStream> DatFile::streams(StreamContext& context, const DatBuffer& buffer) {
    std::vector<CpuArea> areas = buffer.areas;
    std::sort(areas.begin(), areas.end(), [](const CpuArea& a, const CpuArea& b) {
        return std::tie(a.cpu, a.offset) < std::tie(b.cpu, b.offset);
    });
    std::vector<CpuStream> streams;
    streams.reserve(areas.size());
    for (const CpuArea& area : areas)
        streams.emplace_back(context, area);
    return streams;
}

bool DatFile::hasSchedulerEvents(const DatBuffer& buffer, const std::stop_token& stop) {
    const auto format = m_formats.formatByName("sched", "sched_switch");
    const FieldFormat& type = m_formats.commonType();
    if (!format || type.size != 2)
        return false;
    const auto shared = context(buffer);
    shared->stop = stop;
    for (const CpuArea& area : buffer.areas) {
        CpuStream stream(*shared, area);
        for (int i = 0; i < lookedAt && stream.next(); ++i)
            if (type.end() <= stream.size() &&
                loadNumber<std::uint16_t>(stream.data() + type.offset, m_formats.byteOrder()) ==
                    format->id)
                return true;
    }
    return false;
}

Result<const DatBuffer*> DatFile::choose(const std::optional<std::string>& name,
                                         const std::stop_token& stop) {
    const auto& buffers = m_container.buffers;
    if (name) {
        std::string known;
        for (const DatBuffer& buffer : buffers) {
            if (buffer.name == *name)
                return &buffer;
            known += fmt::format("{}'{}'", known.empty() ? "" : ", ", buffer.name);
        }
        return Error{"", fmt::format("has no buffer '{}'", *name), "", "its buffers are " + known};
    }
    if (buffers.size() == 1)
        return &buffers.front();
    for (const DatBuffer& buffer : buffers)
        if (hasSchedulerEvents(buffer, stop))
            return &buffer;
    for (const DatBuffer& buffer : buffers)
        if (!buffer.areas.empty())
            return &buffer;
    return &buffers.front();
}

} // namespace twolane
