#include "importers/text_events/text_scan.h"

#include "importers/common/sched_fields.h"
#include "importers/text_events/perf_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace twolane {
namespace {

using std::string_view;

constexpr std::size_t maxBuffers = 256;
constexpr std::size_t maxNames = 4096;        // of events; a kernel has about 2000
constexpr std::uint64_t checkpointEvery = 64; // events
constexpr std::size_t maxCheckpoints = std::size_t{64} << 10;

/// The state of one buffer's scan.
class BufferPass {
public:
    explicit BufferPass(string_view name) { m_scan.name = name; }

    const std::string& name() const { return m_scan.name; }

    void event(const EventLine& line, const RawLine& raw, std::uint64_t lineNumber) {
        const EventKey key{line.time, line.cpu};
        if (m_scan.events % checkpointEvery == 0)
            addCheckpoint(raw.offset);
        if (m_scan.events == 0 || key > m_greatest)
            m_greatest = key;
        else if (key < m_greatest)
            outOfOrder(key, raw);
        ++m_scan.events;
        m_scan.bytes += raw.next - raw.offset;
        m_scan.fewestDecimals = std::min(m_scan.fewestDecimals, line.decimals);
        if (perfRecordOf(line.event) == PerfRecord::none) {
            m_scan.stamps.begin = std::min(m_scan.stamps.begin, line.time);
            m_scan.stamps.end = std::max(m_scan.stamps.end, line.time);
        }
        if (!m_scan.hasSwitches) {
            const SchedEvent kind = schedEventOf(line.event);
            m_scan.hasSwitches = kind == SchedEvent::schedSwitch;
            m_scan.hasSchedulerEvents = m_scan.hasSchedulerEvents || kind != SchedEvent::none ||
                                        perfRecordOf(line.event) == PerfRecord::taskSwitch;
        }

        CpuState& cpu = at(line.cpu);
        if (cpu.seen && line.time < cpu.last)
            backward(cpu.last - line.time, line.cpu, lineNumber);
        if (cpu.pendingLoss)
            closeLoss(cpu, line.cpu, line.time, raw.offset);
        cpu.seen = true;
        cpu.last = line.time;
        cpu.lastOffset = raw.offset;
    }

    void loss(const EventLine& line) {
        CpuState& cpu = at(line.cpu);
        // Two losses with no event between are one range; their counts add up.
        if (cpu.pendingLoss && (*cpu.pendingLoss < 0 || line.lost < 0))
            cpu.pendingLoss = -1;
        else if (cpu.pendingLoss && *cpu.pendingLoss <= INT64_MAX - line.lost)
            *cpu.pendingLoss += line.lost;
        else
            cpu.pendingLoss = line.lost;
    }

    BufferScan finish() {
        for (std::size_t i = 0; i < m_cpus.size(); ++i)
            // Nothing follows: what was lost lies between here and the end of the recording.
            if (CpuState& cpu = m_cpus[i]; cpu.pendingLoss && m_scan.events > 0)
                closeLoss(cpu, static_cast<std::int32_t>(i), std::max(m_greatest.time, cpu.last),
                          UINT64_MAX);
        std::stable_sort(m_scan.losses.begin(), m_scan.losses.end(),
                         [](const PlannedLoss& a, const PlannedLoss& b) {
                             return std::pair(a.after, a.afterOffset) <
                                    std::pair(b.after, b.afterOffset);
                         });
        return std::move(m_scan);
    }

private:
    struct CpuState {
        bool seen = false;
        Nanos last = 0;
        std::uint64_t lastOffset = 0;
        std::optional<std::int64_t> pendingLoss;
    };
    struct Checkpoint {
        EventKey greatest; ///< of all events before; meaningless in the first one
        std::uint64_t offset = 0;
    };

    CpuState& at(std::int32_t cpu) {
        const auto index = static_cast<std::size_t>(cpu);
        if (index >= m_cpus.size())
            m_cpus.resize(index + 1);
        return m_cpus[index];
    }

    // Lines are mostly late by little, so it is the old checkpoints that grow sparse.
    void addCheckpoint(std::uint64_t offset) {
        if (m_checkpoints.size() == maxCheckpoints) {
            std::size_t kept = 0;
            for (std::size_t i = 0; i < maxCheckpoints; ++i)
                if (i >= maxCheckpoints / 2 || i % 2 == 0)
                    m_checkpoints[kept++] = m_checkpoints[i];
            m_checkpoints.resize(kept);
        }
        m_checkpoints.push_back({m_greatest, offset});
    }

    // The part begins at the last checkpoint that no later event precedes, and ends behind this
    // line.
    void outOfOrder(EventKey key, const RawLine& raw) {
        if (key.time < m_greatest.time) {
            ++m_scan.lateEvents;
            m_scan.latest = std::max(m_scan.latest, m_greatest.time - key.time);
        }
        const auto behind =
            std::upper_bound(m_checkpoints.begin() + 1, m_checkpoints.end(), key,
                             [](EventKey k, const Checkpoint& c) { return k < c.greatest; });
        DisorderedPart part{std::prev(behind)->offset, raw.next};
        auto& parts = m_scan.disorder;
        while (!parts.empty() && parts.back().end > part.begin) {
            part.begin = std::min(part.begin, parts.back().begin);
            parts.pop_back();
        }
        parts.push_back(part);
    }

    void backward(Nanos by, std::int32_t cpu, std::uint64_t lineNumber) {
        if (m_scan.backwardEvents++ == 0)
            m_scan.firstBackward = fmt::format("CPU {} at line {}", cpu, lineNumber);
        m_scan.furthestBack = std::max(m_scan.furthestBack, by);
    }

    void closeLoss(CpuState& cpu, std::int32_t number, Nanos end, std::uint64_t endOffset) {
        PlannedLoss planned;
        planned.loss.cpu = number;
        planned.loss.count = *cpu.pendingLoss;
        const Nanos begin = cpu.seen ? cpu.last : end;
        planned.loss.range = {begin, std::max(begin, end)};
        planned.after = {begin, number};
        // Told ahead of the CPU's first event where none precedes it.
        planned.afterOffset = cpu.seen ? cpu.lastOffset : (endOffset > 0 ? endOffset - 1 : 0);
        m_scan.losses.push_back(planned);
        cpu.pendingLoss.reset();
    }

    BufferScan m_scan;
    EventKey m_greatest;
    std::vector<Checkpoint> m_checkpoints;
    std::vector<CpuState> m_cpus; ///< by number; the parser bounds it
};

class Scanner {
public:
    explicit Scanner(const LineParser& parser)
        : m_parser(parser) {}

    void take(const RawLine& raw) {
        ++m_scan.lines;
        m_scan.end = raw.next;
        if (raw.tooLong) {
            ++m_scan.longLines;
            reject();
            return;
        }
        EventLine line;
        const LineKind kind = m_parser.parse(raw.text, line);
        if (!raw.terminated && isHalf(kind, line)) {
            m_scan.cutOff = true;
            m_scan.end = raw.offset;
            return;
        }
        switch (kind) {
        case LineKind::event:
            m_scan.traceCmd = m_scan.traceCmd || line.padded;
            m_scan.relativeStamps = m_scan.relativeStamps || line.relative;
            if (BufferPass* pass = buffer(line.buffer()))
                pass->event(line, raw, m_scan.lines);
            else
                reject();
            break;
        case LineKind::loss: {
            string_view name = line.left;
            name = name.substr(std::min(name.find_first_not_of(' '), name.size()));
            if (name.ends_with(": "))
                name.remove_suffix(2);
            if (BufferPass* pass = buffer(name))
                pass->loss(line);
            else
                reject();
            break;
        }
        case LineKind::header:
        case LineKind::note:
            m_parser.readFacts(kind, raw.text, m_scan);
            break;
        case LineKind::unplaced:
            unplaced(line.event);
            break;
        case LineKind::lossSomewhere:
            m_scan.lostSomewhere +=
                static_cast<std::uint64_t>(std::max<std::int64_t>(line.lost, 0));
            break;
        case LineKind::blank:
        case LineKind::stackTitle:
            break;
        case LineKind::stackFrame:
            m_scan.stacks = true;
            break;
        case LineKind::otherTool:
        case LineKind::foreign:
            reject();
            break;
        }
    }

    TextScan finish() {
        for (BufferPass& pass : m_passes)
            m_scan.buffers.push_back(pass.finish());
        return std::move(m_scan);
    }

private:
    void unplaced(string_view event) {
        if (m_scan.unplacedEvents++ == 0)
            m_scan.firstUnplaced = m_scan.lines;
        // A hostile file may name ever more events.
        const auto found = m_scan.unplaced.find(event);
        if (found != m_scan.unplaced.end())
            ++found->second;
        else if (m_scan.unplaced.size() < maxNames)
            m_scan.unplaced.emplace(event, 1);
    }

    void reject() {
        if (m_scan.rejectedLines++ == 0)
            m_scan.firstRejected = m_scan.lines;
    }

    // Whether the last line, which has no line feed, ends in its middle as far as one can tell.
    static bool isHalf(LineKind kind, const EventLine& line) {
        if (kind != LineKind::event)
            return kind == LineKind::foreign;
        return !isWholePayload(line);
    }

    static bool isWholePayload(const EventLine& line) {
        SchedFields fields;
        PayloadForm form;
        switch (schedEventOf(line.event)) {
        case SchedEvent::none:
            return true;
        case SchedEvent::schedSwitch: {
            SchedSwitch event;
            return fields.parse(line.payload, event, form);
        }
        case SchedEvent::schedWaking:
        case SchedEvent::schedWakeup:
        case SchedEvent::schedWakeupNew: {
            SchedWake event;
            return fields.parse(line.payload, event, form);
        }
        case SchedEvent::schedMigrateTask: {
            SchedMigrateTask event;
            return fields.parse(line.payload, event);
        }
        case SchedEvent::schedProcessFork: {
            SchedProcessFork event;
            return fields.parse(line.payload, event);
        }
        case SchedEvent::schedProcessExec: {
            SchedProcessExec event;
            return fields.parse(line.payload, event);
        }
        case SchedEvent::schedProcessExit: {
            SchedProcessExit event;
            return fields.parse(line.payload, event);
        }
        case SchedEvent::taskRename: {
            TaskRename event;
            return fields.parse(line.payload, event);
        }
        case SchedEvent::taskNewtask: {
            SchedProcessFork event;
            return fields.parseNewtask(line.payload, event);
        }
        }
        return true;
    }

    // None where a hostile file names ever more buffers.
    BufferPass* buffer(string_view name) {
        if (m_recent < m_passes.size() && m_passes[m_recent].name() == name)
            return &m_passes[m_recent];
        for (m_recent = 0; m_recent < m_passes.size(); ++m_recent)
            if (m_passes[m_recent].name() == name)
                return &m_passes[m_recent];
        if (m_passes.size() == maxBuffers)
            return nullptr;
        return &m_passes.emplace_back(name);
    }

    const LineParser& m_parser;
    TextScan m_scan;
    std::vector<BufferPass> m_passes;
    std::size_t m_recent = 0;
};

} // namespace

Result<TextScan> scanText(ByteSource& source, const LineParser& parser,
                          const LineReader::GoOnFn& goOn) {
    Scanner scanner(parser);
    LineReader reader(source, goOn);
    RawLine line;
    while (reader.next(line))
        scanner.take(line);
    if (reader.failure())
        return *reader.failure();
    return scanner.finish();
}

} // namespace twolane
