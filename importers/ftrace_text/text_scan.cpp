#include "importers/ftrace_text/text_scan.h"

#include "importers/common/sched_fields.h"
#include "importers/common/text_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace twolane {
namespace {

using std::string_view;

constexpr std::size_t maxBuffers = 256;
constexpr std::uint64_t checkpointEvery = 64; // events
constexpr std::size_t maxCheckpoints = std::size_t{64} << 10;

/// The state of one buffer's scan.
class BufferPass {
public:
    explicit BufferPass(string_view name) { m_scan.name = name; }

    const std::string& name() const { return m_scan.name; }

    void event(const FtraceLine& line, const RawLine& raw, std::uint64_t lineNumber) {
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
        if (!m_scan.hasSchedulerEvents)
            m_scan.hasSchedulerEvents = schedEventOf(line.event) != SchedEvent::none;

        CpuState& cpu = at(line.cpu);
        if (cpu.seen && line.time < cpu.last)
            backward(cpu.last - line.time, line.cpu, lineNumber);
        if (cpu.pendingLoss)
            closeLoss(cpu, line.cpu, line.time, raw.offset);
        cpu.seen = true;
        cpu.last = line.time;
        cpu.lastOffset = raw.offset;
    }

    void loss(const FtraceLine& line) {
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

/// "…KEY123…" → 123.
std::optional<std::uint64_t> numberBehind(string_view line, string_view key) {
    const std::size_t at = line.find(key);
    if (at == string_view::npos)
        return std::nullopt;
    const char* digits = line.data() + at + key.size();
    std::uint64_t value = 0;
    if (!takeDigits(digits, line.data() + line.size(), value))
        return std::nullopt;
    return value;
}

void setCpuCount(std::optional<std::uint64_t> count, TextScan& scan) {
    if (count && *count <= static_cast<std::uint64_t>(FtraceLineParser::maxCpu) + 1)
        scan.cpuCount = static_cast<std::uint32_t>(*count);
}

/// "449/1531": kept in the buffer, and written to it.
void setEntries(string_view text, TextScan& scan) {
    const char* at = text.data();
    const char* const end = at + text.size();
    std::uint64_t kept = 0;
    std::uint64_t written = 0;
    if (takeDigits(at, end, kept) && at != end && *at++ == '/' && takeDigits(at, end, written)) {
        scan.entriesInBuffer = kept;
        scan.entriesWritten = written;
    }
}

void readHeader(string_view line, TextScan& scan) {
    if (line.starts_with("# tracer:"))
        scan.tracerHeader = true;
    if (constexpr string_view key = "# entries-in-buffer/entries-written: ";
        line.starts_with(key)) {
        setEntries(line.substr(key.size()), scan);
        setCpuCount(numberBehind(line, "#P:"), scan);
    }
    // "# latency: 0 us, #1438/1531, CPU#0 | (M:PREEMPT VP:0, KP:0, SP:0 HP:0 #P:2)"
    if (line.starts_with("# latency: ")) {
        const std::size_t count = line.find(", #");
        if (count != string_view::npos)
            setEntries(line.substr(count + 3), scan);
        setCpuCount(numberBehind(line, "#P:"), scan);
    }
    if (constexpr string_view key = "latency trace v"; line.size() < 256) {
        const std::size_t at = line.find(key);
        const std::size_t on = at == string_view::npos ? at : line.find(" on ", at);
        if (on != string_view::npos)
            scan.kernel = line.substr(on + 4, line.find(' ', on + 4) - (on + 4));
    }
}

void readNote(string_view line, TextScan& scan) {
    if (line[0] != '#')
        scan.traceCmd = true;
    if (line.starts_with("cpus="))
        setCpuCount(numberBehind(line, "cpus="), scan);
}

class Scanner {
public:
    explicit Scanner(const FtraceLineParser& parser)
        : m_parser(parser) {}

    void take(const RawLine& raw) {
        ++m_scan.lines;
        m_scan.end = raw.next;
        if (raw.tooLong) {
            ++m_scan.longLines;
            reject();
            return;
        }
        FtraceLine line;
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
            readHeader(raw.text, m_scan);
            break;
        case LineKind::note:
            readNote(raw.text, m_scan);
            break;
        case LineKind::blank:
        case LineKind::stackTitle:
            break;
        case LineKind::stackFrame:
            m_scan.stacks = true;
            break;
        case LineKind::perfScript:
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
    void reject() {
        if (m_scan.rejectedLines++ == 0)
            m_scan.firstRejected = m_scan.lines;
    }

    // Whether the last line, which has no line feed, ends in its middle as far as one can tell.
    static bool isHalf(LineKind kind, const FtraceLine& line) {
        if (kind != LineKind::event)
            return kind == LineKind::foreign;
        return !isWholePayload(line);
    }

    static bool isWholePayload(const FtraceLine& line) {
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

    const FtraceLineParser& m_parser;
    TextScan m_scan;
    std::vector<BufferPass> m_passes;
    std::size_t m_recent = 0;
};

} // namespace

namespace {

/// Looks at the whole lines in `head` as at ones of one form.
TextHead lookAtHead(std::string_view head, LineForm form) {
    TextHead result;
    result.form = form;
    result.dashColumn = FtraceLineParser::commWidth(form);
    const FtraceLineParser parser(form);
    std::map<std::size_t, std::size_t> columns;
    while (!head.empty()) {
        const std::size_t feed = head.find('\n');
        if (feed == string_view::npos && result.lines > 0)
            break;
        const string_view text = head.substr(0, feed);
        head.remove_prefix(feed == string_view::npos ? head.size() : feed + 1);
        FtraceLine line;
        ++result.lines;
        if (parser.parse(text, line) != LineKind::event)
            continue;
        if (result.events++ == 0) {
            result.integerStamps = line.decimals == 0;
            result.firstStamp = line.time;
        }
        result.largestStamp = std::max(result.largestStamp, line.time);
        ++columns[line.left.size()];
    }
    for (const auto& [column, count] : columns)
        if (count * 2 > result.events)
            result.dashColumn = column;
    return result;
}

} // namespace

TextHead lookAtHead(std::string_view head) {
    TextHead best = lookAtHead(head, LineForm::standard);
    // User text in single lines may look like another form, so most lines decide.
    if (best.events * 2 > best.lines)
        return best;
    for (const LineForm form : {LineForm::latency, LineForm::verbose})
        if (TextHead seen = lookAtHead(head, form); seen.events > best.events)
            best = seen;
    return best;
}

Result<TextScan> scanText(ByteSource& source, const FtraceLineParser& parser,
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
