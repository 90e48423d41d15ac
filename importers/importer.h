// The interface behind which every format lives. A reader of one format can be written from this
// page; it is then listed in registry.cpp, and load.h is the door that everybody else uses.
#pragma once

#include "importers/common/byte_source.h"
#include "model/diagnostics.h"
#include "model/event.h"
#include "model/result.h"
#include "model/trace_info.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twolane {

/// Told now and then during a load, from the loading thread: bytes read of bytes in all.
using ProgressFn = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// The unit of integer stamps in text that does not name its clock.
enum class StampUnit : std::uint8_t { automatic, nanoseconds, microseconds, ticks };

struct LoadOptions {
    std::string inputFormat; ///< an importer's name; empty: recognise by content
    std::optional<std::string>
        buffer; ///< the buffer's name; nothing: the one with scheduler events
    StampUnit clock = StampUnit::automatic;
};

/// What `twolane formats` prints, one line each.
struct FormatInfo {
    std::string name;       ///< stable: "trace.dat"; what --input-format takes
    std::string writtenBy;  ///< "trace-cmd record"
    std::string recognised; ///< how a file is known to be of this format
    /// The command that records what is needed, for files that lack it.
    std::string recordedBy = "trace-cmd record -e sched_switch -e sched_waking -e sched_wakeup "
                             "-e sched_wakeup_new -e sched_migrate_task -e sched_process_fork "
                             "-e sched_process_exec -e sched_process_exit";
};

/// What recognition may look at. Nothing else of the input is read.
struct SourceProbe {
    std::filesystem::path path;
    /// The first bytes, unpacked, at most 64 KiB.
    std::span<const std::byte> head;

    std::string_view text() const {
        return {reinterpret_cast<const char*>(head.data()), head.size()};
    }
};

/// How sure a sniffer is. The highest one wins; `none` never does.
enum class Confidence : std::uint8_t { none, possible, likely, certain };

struct BufferInfo {
    std::string name;  ///< empty for the top buffer
    std::string clock; ///< empty where not told
    std::uint64_t bytes = 0;
    bool hasSchedulerEvents = false;
};

/// What an importer reads into. It owns nothing of this.
struct ImportContext {
    EventSink& sink;
    TraceInfo& info;          ///< fill in what the file tells; `file` and `format` are set already
    Diagnostics& diagnostics; ///< count odd input here and go on
    std::stop_token stop;     ///< look at it at least every few thousand events
    ProgressFn progress;      ///< may be empty
};

/// One recorded event with its own fields, as text for a table.
struct RecordedEvent {
    EventHeader header;
    std::string name; ///< without its system
    std::string task; ///< the comm the file shows for the header's pid; may be empty
    std::vector<std::pair<std::string, std::string>> fields; ///< in the file's order
};

/// Renders any recorded event of a buffer again. Not for use by two threads at once.
class EventReader {
public:
    EventReader() = default;
    EventReader(const EventReader&) = delete;
    EventReader& operator=(const EventReader&) = delete;
    virtual ~EventReader() = default;

    virtual std::uint64_t count() const = 0;
    /// `index` as in EventHeader::index.
    virtual Result<RecordedEvent> at(std::uint64_t index) = 0;
};

class Importer {
public:
    Importer() = default;
    Importer(const Importer&) = delete;
    Importer& operator=(const Importer&) = delete;
    virtual ~Importer() = default;

    virtual FormatInfo format() const = 0;
    virtual Confidence sniff(const SourceProbe& probe) const = 0;

    /// For recordings that are a directory: the file in it that is read first. Nothing where the
    /// directory is none of this format.
    virtual std::optional<std::filesystem::path>
    entryOf(const std::filesystem::path& directory) const;

    /// The buffers in the file, the top one first. One nameless buffer unless overridden.
    virtual Result<std::vector<BufferInfo>> buffers(ByteSource& source) const;

    /// Pushes one buffer's events into the sink. Damage in the middle of the input is no error:
    /// what precedes it is kept, and the loss counted. An error means that nothing can be shown.
    /// After a stop request it returns an Error with `interrupted` set within 0.2 s.
    virtual Status read(ByteSource& source, const LoadOptions& options,
                        ImportContext& context) const = 0;

    /// Reads the same buffer again for its single events.
    virtual Result<std::unique_ptr<EventReader>> openEvents(std::unique_ptr<ByteSource> source,
                                                            const LoadOptions& options) const = 0;

    // The same from a plain file.
    Result<std::vector<BufferInfo>> buffers(const std::filesystem::path& path) const;
    Status read(const std::filesystem::path& path, const LoadOptions& options,
                ImportContext& context) const;
    Result<std::unique_ptr<EventReader>> openEvents(const std::filesystem::path& path,
                                                    const LoadOptions& options) const;
};

} // namespace twolane
