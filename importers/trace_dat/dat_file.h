// A trace.dat file opened for its events: structure, formats, and one of its buffers chosen.
#pragma once

#include "importers/importer.h"
#include "importers/trace_dat/container.h"
#include "importers/trace_dat/cpu_stream.h"
#include "importers/trace_dat/dat_formats.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace twolane {

/// "Linux HOST RELEASE MACHINE", as trace-cmd writes it.
struct UnameParts {
    std::string_view host;
    std::string_view release;
};
UnameParts splitUname(std::string_view uname);

/// True for clocks of the kernel that count nanoseconds; also for a file that names none, for the
/// kernel's default is one.
bool countsNanoseconds(std::string_view clock);

class DatFile {
public:
    /// Reads everything but events. `source` must outlive the file. Of one with
    /// a latency tracer's text there is nothing else.
    static Result<std::unique_ptr<DatFile>> open(ByteSource& source, Diagnostics& diagnostics);

    const DatContainer& container() const { return m_container; }
    const EventFormats& formats() const { return m_formats; }

    /// The buffer of that name; without one, the first that holds scheduler events, else the first
    /// that holds any. An error names the buffers that there are.
    Result<const DatBuffer*> choose(const std::optional<std::string>& name,
                                    const std::stop_token& stop = {});
    /// Looks at the first events of each CPU.
    bool hasSchedulerEvents(const DatBuffer& buffer, const std::stop_token& stop = {});

    /// False where a buffer's stamps are in another unit, which the file does not explain.
    bool stampsAreNanoseconds(const DatBuffer& buffer) const;

    /// What the streams of a buffer share.
    std::unique_ptr<StreamContext> context(const DatBuffer& buffer);
    /// One stream for each area, in the order in which they win ties: by CPU, then by place.
    static std::vector<CpuStream> streams(StreamContext& context, const DatBuffer& buffer);

private:
    DatFile(ByteSource& source, DatContainer container, PageLayout layout, EventFormats formats);

    ByteSource& m_source;
    DatContainer m_container;
    PageLayout m_layout;
    EventFormats m_formats;
};

} // namespace twolane
