#include "model/trace.h"

#include <algorithm>
#include <numeric>

namespace twolane {
std::string_view nameOf(Certainty certainty) {
    switch (certainty) {
    case Certainty::exact:
        return "exact";
    case Certainty::clipped:
        return "clipped";
    case Certainty::doubtful:
        break;
    }
    return "doubtful";
}

std::string_view nameOf(WakeEdge edge) {
    switch (edge) {
    case WakeEdge::waking:
        return "sched_waking";
    case WakeEdge::wakeup:
        return "sched_wakeup";
    case WakeEdge::none:
        break;
    }
    return {};
}

std::string_view nameOf(WaitKind kind) {
    switch (kind) {
    case WaitKind::wakeup:
        return "wakeup";
    case WaitKind::fork:
        return "fork";
    case WaitKind::preempted:
        break;
    }
    return "preempted";
}

Timeslice SliceColumns::operator[](std::size_t i) const {
    Timeslice slice;
    slice.range = range(i);
    slice.task = TaskId(m_task[i]);
    slice.comm = StringId(m_comm[i]);
    slice.tid = m_tid[i];
    if (m_prio[i] != notRecorded)
        slice.prio = m_prio[i];
    const std::uint8_t flags = m_flags[i];
    slice.openLeft = (flags & openLeftBit) != 0;
    slice.openRight = (flags & openRightBit) != 0;
    slice.migrated = (flags & migratedBit) != 0;
    if ((flags & hasStateBit) != 0) {
        PrevState state{static_cast<TaskState>(m_state[i]), 0};
        if (state.state == TaskState::other) {
            const auto raw = std::lower_bound(
                m_rawStates.begin(), m_rawStates.end(), i,
                [](const auto& entry, std::size_t row) { return entry.first < row; });
            state.raw = raw->second;
        }
        slice.endState = state;
    }
    return slice;
}

void SliceColumns::push(const Timeslice& slice) {
    std::uint8_t flags = 0;
    if (slice.openLeft)
        flags |= openLeftBit;
    if (slice.openRight)
        flags |= openRightBit;
    if (slice.migrated)
        flags |= migratedBit;
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
    m_prio.push_back(slice.prio.value_or(notRecorded));
    m_state.push_back(
        static_cast<std::uint8_t>(slice.endState ? slice.endState->state : TaskState::unknown));
    m_flags.push_back(flags);
}

Wait WaitColumns::operator[](std::size_t i) const {
    Wait wait;
    wait.kind = kind(i);
    wait.certainty = certainty(i);
    wait.start = present(i, hasStartBit, m_start[i]);
    wait.end = m_end[i];
    wait.task = TaskId(m_task[i]);
    wait.tid = m_tid[i];
    wait.comm = StringId(m_comm[i]);
    wait.cpu = cpu(i);
    wait.wakeAt = m_wakeAt[i];
    wait.wakerTid = present(i, hasWakerTidBit, m_wakerTid[i]);
    wait.waker = TaskId(m_waker[i]);
    wait.wakerCpu = present(i, hasWakerCpuBit, m_wakerCpu[i]);
    wait.queuedCpu = queuedCpu(i);
    wait.queuedAt = present(i, hasQueuedAtBit, m_queuedAt[i]);
    const auto last =
        std::lower_bound(m_lastWakes.begin(), m_lastWakes.end(), i,
                         [](const auto& entry, std::size_t row) { return entry.first < row; });
    if (last != m_lastWakes.end() && last->first == i)
        wait.lastWakeAt = last->second;
    return wait;
}

std::optional<std::int32_t> WaitColumns::queuedOn(std::size_t i, Nanos at) const {
    const auto next = std::partition_point(m_moves.begin(), m_moves.end(), [&](const QueueMove& m) {
        return m.wait < i || (m.wait == i && m.at <= at);
    });
    if (next != m_moves.begin() && (next - 1)->wait == i)
        return (next - 1)->cpu;
    return queuedCpu(i);
}

template <class F>
void WaitColumns::forEachColumn(F f) {
    f(m_start), f(m_end), f(m_wakeAt), f(m_queuedAt), f(m_task), f(m_comm), f(m_waker);
    f(m_tid), f(m_cpu), f(m_wakerTid), f(m_wakerCpu), f(m_queuedCpu), f(m_kind), f(m_flags);
}

std::size_t WaitColumns::reserveRow() {
    // All columns grow together: one look at one size instead of fourteen.
    if (m_size == m_start.size())
        forEachColumn([this](auto& column) {
            column.resize(std::max<std::size_t>(1024, m_size + m_size / 2));
        });
    return m_size++;
}

void WaitColumns::set(std::size_t i, const Wait& wait) {
    auto flags = static_cast<std::uint8_t>(wait.certainty);
    if (wait.start)
        flags |= hasStartBit;
    if (wait.cpu)
        flags |= hasCpuBit;
    if (wait.wakerTid)
        flags |= hasWakerTidBit;
    if (wait.wakerCpu)
        flags |= hasWakerCpuBit;
    if (wait.queuedCpu)
        flags |= hasQueuedCpuBit;
    if (wait.queuedAt)
        flags |= hasQueuedAtBit;
    m_start[i] = wait.start.value_or(wait.end);
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
    if (wait.lastWakeAt)
        m_lastWakes.emplace_back(static_cast<std::uint32_t>(i), *wait.lastWakeAt);
}

void WaitColumns::doubt(std::size_t i) {
    if (certainty(i) != Certainty::exact)
        return;
    m_flags[i] = static_cast<std::uint8_t>((m_flags[i] & ~certaintyBits) |
                                           static_cast<std::uint8_t>(Certainty::doubtful));
}

bool WaitColumns::before(std::size_t a, std::size_t b) const {
    if (m_start[a] != m_start[b])
        return m_start[a] < m_start[b];
    // An unknown CPU is an empty cell and comes first.
    const std::int32_t cpuA = cpu(a).value_or(-1);
    const std::int32_t cpuB = cpu(b).value_or(-1);
    return cpuA != cpuB ? cpuA < cpuB : m_tid[a] < m_tid[b];
}

void WaitColumns::copyRow(std::size_t from, std::size_t to) {
    forEachColumn([from, to](auto& column) { column[to] = column[from]; });
}

void WaitColumns::arrange(const std::vector<bool>& dropped) {
    drop(dropped);

    // Rows were reserved as their waits started, so that only equal starts need a look; late
    // stamps, which have no start, are the exception.
    std::vector<std::uint32_t> order(m_size);
    std::iota(order.begin(), order.end(), 0U);
    const auto less = [this](std::uint32_t a, std::uint32_t b) { return before(a, b); };
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i + 1;
        while (end < order.size() && m_start[end] == m_start[i])
            ++end;
        if (end - i > 1)
            std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(i),
                             order.begin() + static_cast<std::ptrdiff_t>(end), less);
        i = end;
    }
    if (!std::is_sorted(order.begin(), order.end(), less))
        std::stable_sort(order.begin(), order.end(), less);

    if (!m_lastWakes.empty() || !m_moves.empty()) {
        std::vector<std::uint32_t> place(m_size);
        for (std::uint32_t to = 0; to < m_size; ++to)
            place[order[to]] = to;
        renumber(place);
    }

    // Almost every row stands where it belongs: move the others along, ring by ring, through one
    // spare row at the end.
    const std::size_t spare = reserveRow();
    for (std::uint32_t start = 0; start < order.size(); ++start) {
        if (order[start] == start)
            continue;
        copyRow(start, spare);
        std::uint32_t to = start;
        for (std::uint32_t from = order[to]; from != start; from = order[to]) {
            copyRow(from, to);
            order[to] = to;
            to = from;
        }
        copyRow(spare, to);
        order[to] = to;
    }
    --m_size;
    forEachColumn([this](auto& column) { column.resize(m_size); });
}

void WaitColumns::drop(const std::vector<bool>& dropped) {
    if (std::find(dropped.begin(), dropped.end(), true) == dropped.end())
        return;
    std::vector<std::uint32_t> place(m_size, UINT32_MAX);
    std::uint32_t kept = 0;
    for (std::uint32_t row = 0; row < m_size; ++row) {
        if (dropped[row])
            continue;
        if (kept != row)
            copyRow(row, kept);
        place[row] = kept++;
    }
    m_size = kept;
    renumber(place);
}

void WaitColumns::renumber(const std::vector<std::uint32_t>& place) {
    for (auto& [row, stamp] : m_lastWakes)
        row = place[row];
    std::erase_if(m_lastWakes, [](const auto& entry) { return entry.first == UINT32_MAX; });
    std::sort(m_lastWakes.begin(), m_lastWakes.end());
    for (QueueMove& move : m_moves)
        move.wait = place[move.wait];
    std::erase_if(m_moves, [](const QueueMove& move) { return move.wait == UINT32_MAX; });
    std::stable_sort(m_moves.begin(), m_moves.end(),
                     [](const QueueMove& a, const QueueMove& b) { return a.wait < b.wait; });
}

void QueueSteps::change(Nanos at, std::int32_t by) {
    const std::size_t last = m_at.size();
    const std::uint32_t now =
        (last > 0 ? m_waiting[last - 1] : 0) + static_cast<std::uint32_t>(by); // modulo 2^32
    if (last == 0 || m_at[last - 1] != at) {
        m_at.push_back(at);
        m_waiting.push_back(now);
        return;
    }
    m_waiting[last - 1] = now;
    if (now == (last > 1 ? m_waiting[last - 2] : 0)) {
        m_at.resize(last - 1);
        m_waiting.resize(last - 1);
    }
}

const CpuTimeline* Trace::cpu(std::int32_t number) const {
    const auto found =
        std::lower_bound(cpus.begin(), cpus.end(), number,
                         [](const CpuTimeline& c, std::int32_t n) { return c.cpu < n; });
    return found != cpus.end() && found->cpu == number ? &*found : nullptr;
}

std::string_view Trace::commAt(TaskId task, Nanos time) const {
    const auto names = commsOf(task);
    if (names.empty())
        return {};
    StringId comm = names.front().comm;
    for (const CommChange& change : names) {
        if (change.from > time)
            break;
        comm = change.comm;
    }
    return strings.text(comm);
}

std::span<const CommChange> Trace::commsOf(TaskId task) const {
    const auto less = [](const CommChange& change, TaskId id) { return change.task < id; };
    const auto first = std::lower_bound(comms.begin(), comms.end(), task, less);
    auto last = first;
    while (last != comms.end() && last->task == task)
        ++last;
    return {first, last};
}

} // namespace twolane
