// Imports of files that are in memory.
#pragma once

#include "importers/trace_dat/event_reader.h"
#include "importers/trace_dat/read_events.h"
#include "tests/support/collecting_sink.h"
#include "tests/support/trace_dat_writer.h"

#include <memory>
#include <string>

namespace twolane::tests {

inline std::unique_ptr<ByteSource> sourceOf(const std::string& bytes) {
    return std::make_unique<MemorySource>(
        std::span(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()));
}

inline std::unique_ptr<Import> importBytes(const std::string& bytes,
                                           const LoadOptions& options = {}) {
    auto import = std::make_unique<Import>();
    ImportContext context{import->sink, import->info, import->diagnostics, {}, {}};
    import->status = readTraceDat(*sourceOf(bytes), options, context);
    return import;
}

/// Four CPUs, six kinds of events, 300 records; all events lie in their pages without loss.
inline TraceDatWriter smallRecording(ByteOrder order = ByteOrder::little,
                                     std::uint32_t longSize = 8) {
    TraceDatWriter writer;
    writer.byteOrder = order;
    writer.longSize = longSize;
    const EventShape switches = switchShape(8, longSize).order(order);
    const EventShape waking = wakeShape("sched_waking", 320).order(order);
    const EventShape wakeup = wakeShape("sched_wakeup", 319).order(order);
    EventShape migrate("sched", "sched_migrate_task", 315);
    migrate.order(order);
    migrate.dataLoc("comm").integer("pid_t", "pid", 4).integer("int", "prio", 4);
    migrate.integer("int", "orig_cpu", 4).integer("int", "dest_cpu", 4);
    EventShape fork("sched", "sched_process_fork", 310);
    fork.order(order);
    fork.dataLoc("parent_comm").integer("pid_t", "parent_pid", 4);
    fork.dataLoc("child_comm").integer("pid_t", "child_pid", 4);
    EventShape idle("power", "cpu_idle", 400);
    idle.order(order);
    idle.integer("u32", "state", 4, false).integer("u32", "cpu_id", 4, false);
    writer.events = {switches, waking, wakeup, migrate, fork, idle};
    writer.commandLines = {{100, "alba"}, {101, "cedro"}};

    std::vector<Recorded> records;
    for (std::int64_t i = 0; i < 300; ++i) {
        const auto cpu = static_cast<std::int32_t>(i * 7 % 4);
        const auto time = static_cast<std::uint64_t>(1'000'000'000 + i * 1000);
        const auto pid = static_cast<std::int32_t>(100 + i % 5);
        std::string record;
        switch (i % 6) {
        case 0:
            record = switchRecord(switches, "alba", pid, i % 3, "cedro", pid + 1);
            break;
        case 1:
            record = waking.record(pid, {"alba", std::int64_t{pid}, 120, std::int64_t{cpu}});
            break;
        case 2:
            record =
                wakeup.record(pid, {"a name of 15 ch", std::int64_t{pid}, 100, std::int64_t{cpu}});
            break;
        case 3:
            record = migrate.record(
                pid, {"cedro", std::int64_t{pid}, 120, std::int64_t{cpu}, (cpu + 1) % 4});
            break;
        case 4:
            record = fork.record(pid, {"alba", std::int64_t{pid}, "child", 500 + i});
            break;
        default:
            record = idle.record(0, {1, std::int64_t{cpu}});
        }
        records.push_back({cpu, time, record});
    }
    writer.record(0, records);
    return writer;
}

} // namespace twolane::tests
