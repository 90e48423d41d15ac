// Writes the seeds of the fuzz target: small files with one of each of the format's turns.
//   make_perf_data_corpus FOLDER
#include "tests/support/perf_data_writer.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace twolane;
using namespace twolane::tests;

namespace {

PerfDataWriter small(ByteOrder order = ByteOrder::little) {
    PerfDataWriter writer = smallPerfRecording(order);
    writer.records.clear();
    const EventShape& switches = writer.formats[0];
    const EventShape& waking = writer.formats[1];
    writer.comm({}, 101, "alba");
    for (std::uint64_t i = 0; i < 4; ++i) {
        const std::uint64_t time = 1'000'000 + i * 1000;
        writer.sample(1, {time, 1, 0}, waking.record(0, {"alba", 101, 120, 0}));
        writer.sample(0, {time + 100, 0, 0}, switchRecord(switches, "idle", 0, 0, "alba", 101));
        writer.sample(0, {time + 300, 0, 101}, switchRecord(switches, "alba", 101, 1, "idle", 0));
    }
    writer.lost({1'004'000, 1, 0}, 3);
    writer.sample(1, {1'005'000, 1, 0}, waking.record(0, {"alba", 101, 120, 0}));
    writer.lostSamples(5);
    return writer;
}

PerfDataWriter switchRecords() {
    PerfDataWriter writer = smallPerfRecording();
    writer.records.clear();
    writer.comm({}, 101, "alba");
    writer.fork({900, 0, 101}, 102, 101);
    writer.taskSwitch({1000, 0, 101}, true, true, 102);
    writer.taskSwitch({1002, 0, 102}, false, false, 101);
    writer.comm({1005, 0, 102}, 102, "cedro");
    writer.exit({1007, 0, 102}, 102);
    writer.taskSwitch({1010, 0, -1}, true, false, 0);
    writer.taskSwitch({1020, 0, 101}, false, false, 0);
    writer.taskSwitch({1030, 0, 101}, true, false, -1);
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
    write(folder, "file.data", small().file());
    write(folder, "pipe.data", small().pipe());
    write(folder, "big-endian.data", small(ByteOrder::big).file());
    write(folder, "compressed.data", small().compressed(50));
    write(folder, "compressed2.data", small().compressed2(70));
    write(folder, "compressed2-size.data", small().compressed2(1000, true));
    write(folder, "switch-records.data", switchRecords().file());
    PerfDataWriter chains = small();
    chains.records.clear();
    chains.events[0].sampleType |= perfSampleRead | perfSampleCallchain;
    chains.events[0].readFormat = perfReadGroup | perfReadId | perfReadLost;
    std::string counts;
    for (const std::uint64_t word : {1, 7, 11, 0})
        put64(counts, word, chains.order);
    std::string frames;
    for (const std::uint64_t word : {2, 100, 200})
        put64(frames, word, chains.order);
    chains.sample(0, {5000, 0, 0}, switchRecord(chains.formats[0], "idle", 0, 0, "alba", 101),
                  counts, frames);
    write(folder, "chains.data", chains.file());
    return 0;
}
