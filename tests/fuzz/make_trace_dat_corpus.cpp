// Writes the seeds of the fuzz target: small files with one of each of the format's turns.
//   make_trace_dat_corpus FOLDER
#include "tests/importers/trace_dat/import.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace twolane;
using namespace twolane::tests;

namespace {

TraceDatWriter smallPages(int version, Codec codec, ByteOrder order = ByteOrder::little) {
    TraceDatWriter writer;
    writer.byteOrder = order;
    writer.version = version;
    writer.codec = codec;
    writer.pageSize = 512;
    writer.cpus = 2;
    const EventShape switches = switchShape().order(order);
    EventShape fork("sched", "sched_process_fork", 310);
    fork.order(order);
    fork.dataLoc("parent_comm").integer("pid_t", "parent_pid", 4);
    fork.dataLoc("child_comm").integer("pid_t", "child_pid", 4);
    writer.events = {switches, wakeShape("sched_waking", 320).order(order), fork};
    writer.commandLines = {{1, "alba"}};
    std::vector<Recorded> records;
    for (int i = 0; i < 12; ++i) {
        const std::uint64_t time = 1'000'000 + static_cast<std::uint64_t>(i) * 500;
        switch (i % 3) {
        case 0:
            records.push_back({i % 2, time, switchRecord(switches, "alba", 1, i % 4, "cedro", 2)});
            break;
        case 1:
            records.push_back({i % 2, time, writer.events[1].record(1, {"cedro", 2, 120, 1})});
            break;
        default:
            records.push_back({i % 2, time, fork.record(1, {"alba", 1, "child", 30 + i})});
        }
    }
    writer.record(0, records, 3);
    return writer;
}

void write(const std::filesystem::path& folder, const std::string& name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    std::printf("%s: %zu bytes\n", name.c_str(), bytes.size());
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2)
        return 2;
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    write(folder, "v6.dat", smallPages(6, Codec::none).bytes());
    write(folder, "v7-none.dat", smallPages(7, Codec::none).bytes());
    write(folder, "v7-zlib.dat", smallPages(7, Codec::zlib).bytes());
    write(folder, "v7-zstd.dat", smallPages(7, Codec::zstd).bytes());

    write(folder, "v6-big-endian.dat", smallPages(6, Codec::none, ByteOrder::big).bytes());
    write(folder, "v7-big-endian.dat", smallPages(7, Codec::none, ByteOrder::big).bytes());
    TraceDatWriter latency = smallPages(6, Codec::none);
    latency.latencyText =
        "# tracer: wakeup\n#\n"
        "  <idle>-0       3d.h4    1us+:      0:120:R   + [003]    2448: 94:S a\n"
        "  <idle>-0       3d..3   15us :      0:120:R ==> [003]    2448: 94:R a\n";
    write(folder, "v6-latency.dat", latency.bytes());

    TraceDatWriter turns = smallPages(7, Codec::none);
    const std::string record = turns.events[1].record(1, {"cedro", 2, 120, 1});
    PageWriter page(std::uint64_t{5} << 59);
    page.event(std::uint64_t{5} << 59, record)
        .discarded(3, 16)
        .absolute((std::uint64_t{5} << 59) + 100);
    page.largeEvent((std::uint64_t{5} << 59) + 200, record).missed(17).paddingToEnd();
    turns.buffers[0].pages[1].push_back(page.bytes(turns.pageSize));
    turns.options = {{1, std::string("0x10\0", 5)},
                     {2, "CPU: 1\noverrun: 20\ndropped events: 1\n"},
                     {7, std::string("5\0", 2)},
                     {900, "unknown"}};
    write(folder, "turns.dat", turns.bytes());

    for (const int version : {6, 7}) {
        TraceDatWriter several = smallPages(version, Codec::none);
        several.buffers.push_back({"inst", "boot", several.buffers[0].pages});
        several.buffers[0].pages.clear();
        write(folder, fmt::format("v{}-buffers.dat", version), several.bytes());
    }
    TraceDatWriter narrow = smallPages(6, Codec::none);
    narrow.longSize = 4;
    narrow.events = {switchShape(12, 4)};
    narrow.buffers[0].pages.clear();
    narrow.record(0, {{0, 10, switchRecord(narrow.events[0], "a", 1, 1, "b", 2)}});
    write(folder, "v6-32-bit.dat", narrow.bytes());
}
