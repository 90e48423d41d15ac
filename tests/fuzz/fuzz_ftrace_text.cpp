// Any bytes as ftrace text: read into a sink that checks the order of what it is told, then each
// event again through the reader of single events.
#include "importers/ftrace_text/ftrace_text_importer.h"
#include "model/trace_builder.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

using namespace twolane;

namespace {

/// Passes everything on to a TraceBuilder and ends the program where an event comes too early.
class CheckingSink final : public EventSink {
public:
    TraceBuilder builder;
    std::uint64_t events = 0;

    void schedSwitch(const SchedSwitch& e) override { take(e.header), builder.schedSwitch(e); }
    void schedWaking(const SchedWake& e) override { take(e.header), builder.schedWaking(e); }
    void schedWakeup(const SchedWake& e) override { take(e.header), builder.schedWakeup(e); }
    void schedWakeupNew(const SchedWake& e) override { take(e.header), builder.schedWakeupNew(e); }
    void schedMigrateTask(const SchedMigrateTask& e) override {
        take(e.header), builder.schedMigrateTask(e);
    }
    void schedProcessFork(const SchedProcessFork& e) override {
        take(e.header), builder.schedProcessFork(e);
    }
    void schedProcessExec(const SchedProcessExec& e) override {
        take(e.header), builder.schedProcessExec(e);
    }
    void schedProcessExit(const SchedProcessExit& e) override {
        take(e.header), builder.schedProcessExit(e);
    }
    void taskRename(const TaskRename& e) override { take(e.header), builder.taskRename(e); }
    void otherEvent(const EventHeader& header) override {
        take(header), builder.otherEvent(header);
    }
    void lostEvents(const LostEvents& loss) override {
        if (loss.range.begin > loss.range.end || (events > 0 && loss.range.begin < m_last.first))
            std::abort();
        builder.lostEvents(loss);
    }

private:
    void take(const EventHeader& header) {
        const std::pair key(header.time, header.cpu);
        if (header.index != events || header.cpu < 0 || (events > 0 && key < m_last))
            std::abort();
        m_last = key;
        ++events;
    }

    std::pair<Nanos, std::int32_t> m_last;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const FtraceTextImporter importer;

    SourceProbe probe;
    probe.head = std::as_bytes(std::span(data, size < 65536 ? size : 65536));
    static_cast<void>(importer.sniff(probe));

    CheckingSink sink;
    TraceInfo info;
    Diagnostics diagnostics;
    ImportContext context{sink, info, diagnostics, {}, {}};
    MemorySource source(bytes);
    if (!importer.read(source, {}, context))
        return 0;
    static_cast<void>(sink.builder.finish(std::move(info), std::move(diagnostics)));

    auto reader = importer.openEvents(std::make_unique<MemorySource>(bytes), {});
    if (!reader || (*reader)->count() != sink.events)
        std::abort();
    for (std::uint64_t i = 0; i < sink.events && i < 1000; ++i)
        if (!(*reader)->at(i))
            std::abort();
    return 0;
}
