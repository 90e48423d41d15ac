#include "model/trace.h"

#include <algorithm>
#include <numeric>

namespace twolane {
namespace {

// Bits of WaitColumns' flags; the lowest two hold the certainty.
constexpr std::uint8_t waitCertainty = 3;
constexpr std::uint8_t waitHasStart = 4;
constexpr std::uint8_t waitHasCpu = 8;
constexpr std::uint8_t waitHasWakerTid = 16;
constexpr std::uint8_t waitHasWakerCpu = 32;
constexpr std::uint8_t waitHasQueuedCpu = 64;
constexpr std::uint8_t waitHasQueuedAt = 128;

template <class Column>
void permute(Column& column, const std::vector<std::uint32_t>& order) {
    Column moved;
    moved.reserve(column.size());
    for (const std::uint32_t row : order) moved.push_back(column[row]);
    column = std::move(moved);
}

template <class T>
std::optional<T> onlyIf(bool present, T value) {
    return present ? std::optional<T>(value) : std::nullopt;
}

} // namespace

std::string_view nameOf(Certainty certainty) {
    switch (certainty) {
    case Certainty::exact: return "exact";
    case Certainty::clipped: return "clipped";
    case Certainty::doubtful: break;
    }
    return "doubtful";
}

std::string_view nameOf(WakeEdge edge) {
    switch (edge) {
    case WakeEdge::waking: return "sched_waking";
    case WakeEdge::wakeup: return "sched_wakeup";
    case WakeEdge::none: break;
    }
    return {};
}

std::string_view nameOf(WaitKind kind) {
    switch (kind) {
    case WaitKind::wakeup: return "wakeup";
    case WaitKind::fork: return "fork";
    case WaitKind::preempted: break;
    }
    return "preempted";
}

Timeslice SliceColumns::operator[](std::size_t i) const {
    Timeslice slice;
    slice.range = range(i);
    slice.task = TaskId(m_task[i]);
    slice.comm = StringId(m_comm[i]);
    slice.tid = m_tid[i];
    slice.prio = m_prio[i];
    const std::uint8_t flags = m_flags[i];
    slice.openLeft = (flags & openLeftBit) != 0;
    slice.openRight = (flags & openRightBit) != 0;
    slice.migrated = (flags & migratedBit) != 0;
    if ((flags & hasStateBit) != 0) {
        PrevState state{static_cast<TaskState>(m_state[i]), 0};
        if (state.state == TaskState::other) {
            const auto raw = std::lower_bound(m_rawStates.begin(), m_rawStates.end(), i,
                                              [](const auto& entry, std::size_t row) { return entry.first < row; });
            state.raw = raw->second;
        }
        slice.endState = state;
    }
    return slice;
}

void SliceColumns::push(const Timeslice& slice) {
    std::uint8_t flags = 0;
    if (slice.openLeft) flags |= openLeftBit;
    if (slice.openRight) flags |= openRightBit;
    if (slice.migrated) flags |= migratedBit;
    if (slice.endState) {
        flags |= hasStateBit;
        if (slice.endState->state == TaskState::other)
            m_rawStates.emplace_back(static_cast<std::uint32_t>(size()), slice.endState->raw);
    }
    m_begin.push_back(slice.range.begin);
    m_end.push_back(slice.range.end);
    m_task.push_back(slice.task.value());
    m_comm.push_back(slice.comm.value());
    m_tid.push_back(slice.tid);
    m_prio.push_back(slice.prio);
    m_state.push_back(static_cast<std::uint8_t>(slice.endState ? slice.endState->state : TaskState::unknown));
    m_flags.push_back(flags);
}

Wait WaitColumns::operator[](std::size_t i) const {
    const std::uint8_t flags = m_flags[i];
    Wait wait;
    wait.kind = static_cast<WaitKind>(m_kind[i]);
    wait.certainty = static_cast<Certainty>(flags & waitCertainty);
    wait.start = onlyIf((flags & waitHasStart) != 0, m_start[i]);
    wait.end = m_end[i];
    wait.task = TaskId(m_task[i]);
    wait.tid = m_tid[i];
    wait.comm = StringId(m_comm[i]);
    wait.cpu = onlyIf((flags & waitHasCpu) != 0, m_cpu[i]);
    wait.wakeAt = m_wakeAt[i];
    wait.wakerTid = onlyIf((flags & waitHasWakerTid) != 0, m_wakerTid[i]);
    wait.waker = TaskId(m_waker[i]);
    wait.wakerCpu = onlyIf((flags & waitHasWakerCpu) != 0, m_wakerCpu[i]);
    wait.queuedCpu = onlyIf((flags & waitHasQueuedCpu) != 0, m_queuedCpu[i]);
    wait.queuedAt = onlyIf((flags & waitHasQueuedAt) != 0, m_queuedAt[i]);
    const auto last = std::lower_bound(m_lastWakes.begin(), m_lastWakes.end(), i,
                                       [](const auto& entry, std::size_t row) { return entry.first < row; });
    if (last != m_lastWakes.end() && last->first == i) wait.lastWakeAt = last->second;
    return wait;
}

std::size_t WaitColumns::reserveRow() {
    const std::size_t row = size();
    m_start.push_back(0);
    m_end.push_back(0);
    m_wakeAt.push_back(0);
    m_queuedAt.push_back(0);
    m_task.push_back(0);
    m_comm.push_back(0);
    m_waker.push_back(0);
    m_tid.push_back(0);
    m_cpu.push_back(0);
    m_wakerTid.push_back(0);
    m_wakerCpu.push_back(0);
    m_queuedCpu.push_back(0);
    m_kind.push_back(0);
    m_flags.push_back(0);
    return row;
}

void WaitColumns::set(std::size_t i, const Wait& wait) {
    auto flags = static_cast<std::uint8_t>(wait.certainty);
    if (wait.start) flags |= waitHasStart;
    if (wait.cpu) flags |= waitHasCpu;
    if (wait.wakerTid) flags |= waitHasWakerTid;
    if (wait.wakerCpu) flags |= waitHasWakerCpu;
    if (wait.queuedCpu) flags |= waitHasQueuedCpu;
    if (wait.queuedAt) flags |= waitHasQueuedAt;
    m_start[i] = wait.start.value_or(wait.end); // also the key by which rows are ordered
    m_end[i] = wait.end;
    m_wakeAt[i] = wait.wakeAt;
    m_queuedAt[i] = wait.queuedAt.value_or(0);
    m_task[i] = wait.task.value();
    m_comm[i] = wait.comm.value();
    m_waker[i] = wait.waker.value();
    m_tid[i] = wait.tid;
    m_cpu[i] = wait.cpu.value_or(0);
    m_wakerTid[i] = wait.wakerTid.value_or(0);
    m_wakerCpu[i] = wait.wakerCpu.value_or(0);
    m_queuedCpu[i] = wait.queuedCpu.value_or(0);
    m_kind[i] = static_cast<std::uint8_t>(wait.kind);
    m_flags[i] = flags;
    if (wait.lastWakeAt) m_lastWakes.emplace_back(static_cast<std::uint32_t>(i), *wait.lastWakeAt);
}

void WaitColumns::doubt(std::size_t i) {
    if ((m_flags[i] & waitCertainty) != static_cast<std::uint8_t>(Certainty::exact)) return;
    m_flags[i] = static_cast<std::uint8_t>((m_flags[i] & ~waitCertainty) | static_cast<std::uint8_t>(Certainty::doubtful));
}

void WaitColumns::arrange(const std::vector<bool>& dropped) {
    std::vector<std::uint32_t> order;
    order.reserve(size());
    for (std::uint32_t row = 0; row < size(); ++row)
        if (!dropped[row]) order.push_back(row);

    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (m_start[a] != m_start[b]) return m_start[a] < m_start[b];
        // An unknown CPU is an empty cell and comes first.
        const std::int64_t cpuA = (m_flags[a] & waitHasCpu) != 0 ? m_cpu[a] : -1;
        const std::int64_t cpuB = (m_flags[b] & waitHasCpu) != 0 ? m_cpu[b] : -1;
        if (cpuA != cpuB) return cpuA < cpuB;
        return m_tid[a] < m_tid[b];
    };
    // Rows were reserved as their waits started, so that only equal starts need a look; late
    // stamps are the exception.
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i + 1;
        while (end < order.size() && m_start[order[end]] == m_start[order[i]]) ++end;
        if (end - i > 1)
            std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(i), order.begin() + static_cast<std::ptrdiff_t>(end), before);
        i = end;
    }
    if (!std::is_sorted(order.begin(), order.end(), before)) std::stable_sort(order.begin(), order.end(), before);

    if (!m_lastWakes.empty()) {
        std::vector<std::uint32_t> place(size(), UINT32_MAX);
        for (std::uint32_t row = 0; row < order.size(); ++row) place[order[row]] = row;
        for (auto& [row, stamp] : m_lastWakes) row = place[row];
        std::erase_if(m_lastWakes, [](const auto& entry) { return entry.first == UINT32_MAX; });
        std::sort(m_lastWakes.begin(), m_lastWakes.end());
    }

    permute(m_start, order);
    permute(m_end, order);
    permute(m_wakeAt, order);
    permute(m_queuedAt, order);
    permute(m_task, order);
    permute(m_comm, order);
    permute(m_waker, order);
    permute(m_tid, order);
    permute(m_cpu, order);
    permute(m_wakerTid, order);
    permute(m_wakerCpu, order);
    permute(m_queuedCpu, order);
    permute(m_kind, order);
    permute(m_flags, order);
}

const CpuTimeline* Trace::cpu(std::int32_t number) const {
    const auto found = std::lower_bound(cpus.begin(), cpus.end(), number,
                                        [](const CpuTimeline& c, std::int32_t n) { return c.cpu < n; });
    return found != cpus.end() && found->cpu == number ? &*found : nullptr;
}

std::string_view Trace::commAt(TaskId task, Nanos time) const {
    const auto names = commsOf(task);
    if (names.empty()) return {};
    StringId comm = names.front().comm;
    for (const CommChange& change : names) {
        if (change.from > time) break;
        comm = change.comm;
    }
    return strings.text(comm);
}

std::span<const CommChange> Trace::commsOf(TaskId task) const {
    const auto less = [](const CommChange& change, TaskId id) { return change.task < id; };
    const auto first = std::lower_bound(comms.begin(), comms.end(), task, less);
    auto last = first;
    while (last != comms.end() && last->task == task) ++last;
    return {first, last};
}

} // namespace twolane
