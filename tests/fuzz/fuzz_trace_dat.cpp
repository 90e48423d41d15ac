// Any bytes as a trace.dat file: loads them, and looks at a few of their events.
#include "importers/common/byte_source.h"
#include "importers/trace_dat/event_reader.h"
#include "importers/trace_dat/read_events.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

using namespace twolane;

namespace {

/// Looks at everything that it is told, and holds the importer to its promises.
class CheckingSink final : public EventSink {
public:
    void schedSwitch(const SchedSwitch& e) override {
        look(e.header);
        look(e.prev_comm);
        look(e.next_comm);
    }
    void switchRecord(const SwitchRecord&) override { std::abort(); } // it has none
    void schedWaking(const SchedWake& e) override { wake(e); }
    void schedWakeup(const SchedWake& e) override { wake(e); }
    void schedWakeupNew(const SchedWake& e) override { wake(e); }
    void schedMigrateTask(const SchedMigrateTask& e) override {
        look(e.header);
        look(e.comm);
    }
    void schedProcessFork(const SchedProcessFork& e) override {
        look(e.header);
        look(e.parent_comm);
        look(e.child_comm);
    }
    void schedProcessExec(const SchedProcessExec& e) override {
        look(e.header);
        look(e.filename);
    }
    void schedProcessExit(const SchedProcessExit& e) override {
        look(e.header);
        look(e.comm);
    }
    void taskRename(const TaskRename& e) override {
        look(e.header);
        look(e.oldcomm);
        look(e.newcomm);
    }
    void otherEvent(const EventHeader& header) override { look(header); }
    void lostEvents(const LostEvents& loss) override {
        if (loss.range.begin > loss.range.end || loss.cpu < 0 || loss.count < -1)
            std::abort();
        if (loss.range.begin < m_time)
            std::abort();
    }

    std::uint64_t count() const { return m_count; }

private:
    void wake(const SchedWake& e) {
        look(e.header);
        look(e.comm);
    }
    void look(const EventHeader& header) {
        if (header.index != m_count++ || header.cpu < 0)
            std::abort();
        if (header.time < m_time)
            std::abort();
        m_time = header.time;
    }
    void look(std::string_view text) {
        for (const char c : text)
            m_sum = m_sum + static_cast<unsigned char>(c);
    }

    std::uint64_t m_count = 0;
    Nanos m_time = std::numeric_limits<Nanos>::min();
    volatile unsigned m_sum = 0; // so that the texts are read
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    CheckingSink sink;
    TraceInfo info;
    Diagnostics diagnostics;
    ImportContext context{sink, info, diagnostics, {}, {}};
    MemorySource source(bytes);
    const Status status = readTraceDat(source, {}, context);
    if (!status)
        return 0;

    std::uint64_t counted = 0;
    for (const EventCount& count : info.events)
        counted += count.count;
    if (counted != sink.count())
        std::abort();
    auto reader = DatEventReader::open(std::make_unique<MemorySource>(bytes), {});
    if (!reader || (*reader)->count() != sink.count())
        std::abort();
    for (const std::uint64_t part : {3U, 0U, 2U, 1U})
        if (sink.count() > 0 && !(*reader)->at((sink.count() - 1) * part / 3))
            std::abort();
    return 0;
}
