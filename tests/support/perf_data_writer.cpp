#include "tests/support/perf_data_writer.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace twolane::tests {
namespace {

constexpr std::array features{PerfFeature::tracingData, PerfFeature::hostname,
                              PerfFeature::osRelease, PerfFeature::cpuCount,
                              PerfFeature::eventDescriptions};
constexpr std::uint64_t headerSize = 104;

std::string header(PerfType type, std::size_t size, std::uint16_t misc, ByteOrder order) {
    std::string bytes;
    put32(bytes, static_cast<std::uint32_t>(type), order);
    put16(bytes, misc, order);
    put16(bytes, size & 0xffff, order);
    return bytes;
}

} // namespace

std::size_t PerfDataWriter::add(PerfType type, std::string_view body, std::uint16_t misc) {
    const std::size_t place = records.size();
    records += header(type, body.size() + perfRecordHeaderSize, misc, order);
    records += body;
    return place;
}

void PerfDataWriter::sample(std::size_t event, const PerfWhen& when, std::string_view raw,
                            std::string_view readPart, std::string_view chain) {
    const PerfEventShape& shape = events[event];
    std::string body;
    const auto has = [&shape](std::uint64_t bit) { return (shape.sampleType & bit) != 0; };
    const std::uint64_t id = shape.ids.empty() ? 0 : shape.ids.front();
    if (has(perfSampleIdentifier))
        put64(body, id, order);
    if (has(perfSampleIp))
        put64(body, 0xffffffff81000000, order);
    if (has(perfSampleTid)) {
        put32(body, static_cast<std::uint32_t>(when.tid), order);
        put32(body, static_cast<std::uint32_t>(when.tid), order);
    }
    if (has(perfSampleTime))
        put64(body, when.time, order);
    if (has(perfSampleAddr))
        put64(body, 0, order);
    if (has(perfSampleId))
        put64(body, id, order);
    if (has(perfSampleStreamId))
        put64(body, id, order);
    if (has(perfSampleCpu)) {
        put32(body, static_cast<std::uint32_t>(when.cpu), order);
        put32(body, 0, order);
    }
    if (has(perfSamplePeriod))
        put64(body, 1, order);
    body += readPart;
    body += chain;
    if (has(perfSampleRaw)) {
        std::string padded(raw);
        padded.resize((raw.size() + 4 + 7) / 8 * 8 - 4);
        put32(body, padded.size(), order);
        body += padded;
    }
    add(PerfType::sample, body);
}

std::string PerfDataWriter::trailer(const PerfWhen& when) const {
    const PerfEventShape& shape = events.front();
    std::string bytes;
    if (!shape.sampleIdAll)
        return bytes;
    const auto has = [&shape](std::uint64_t bit) { return (shape.sampleType & bit) != 0; };
    const std::uint64_t id = shape.ids.empty() ? 0 : shape.ids.front();
    if (has(perfSampleTid)) {
        put32(bytes, static_cast<std::uint32_t>(when.tid), order);
        put32(bytes, static_cast<std::uint32_t>(when.tid), order);
    }
    if (has(perfSampleTime))
        put64(bytes, when.time, order);
    if (has(perfSampleId))
        put64(bytes, id, order);
    if (has(perfSampleStreamId))
        put64(bytes, id, order);
    if (has(perfSampleCpu)) {
        put32(bytes, static_cast<std::uint32_t>(when.cpu), order);
        put32(bytes, 0, order);
    }
    if (has(perfSampleIdentifier))
        put64(bytes, id, order);
    return bytes;
}

void PerfDataWriter::comm(const PerfWhen& when, std::int32_t tid, std::string_view name) {
    std::string body;
    put32(body, static_cast<std::uint32_t>(tid), order);
    put32(body, static_cast<std::uint32_t>(tid), order);
    body += name;
    body.resize((body.size() + 8) / 8 * 8); // with a NUL at least
    add(PerfType::comm, body + trailer(when));
}

void PerfDataWriter::fork(const PerfWhen& when, std::int32_t child, std::int32_t parent) {
    std::string body;
    for (const std::int32_t pid : {child, parent, child, parent})
        put32(body, static_cast<std::uint32_t>(pid), order);
    put64(body, when.time, order);
    add(PerfType::fork, body + trailer(when));
}

void PerfDataWriter::exit(const PerfWhen& when, std::int32_t tid) {
    std::string body;
    for (const std::int32_t pid : {tid, 1, tid, 1})
        put32(body, static_cast<std::uint32_t>(pid), order);
    put64(body, when.time, order);
    add(PerfType::exit, body + trailer(when));
}

void PerfDataWriter::lost(const PerfWhen& when, std::uint64_t count) {
    std::string body;
    put64(body, 1, order);
    put64(body, count, order);
    add(PerfType::lost, body + trailer(when));
}

void PerfDataWriter::lostSamples(std::uint64_t count, std::uint16_t misc) {
    std::string body;
    put64(body, count, order);
    add(PerfType::lostSamples, body + trailer({}), misc);
}

void PerfDataWriter::taskSwitch(const PerfWhen& when, bool out, bool preempted,
                                std::int32_t other) {
    std::string body;
    if (other >= 0) {
        put32(body, static_cast<std::uint32_t>(other), order);
        put32(body, static_cast<std::uint32_t>(other), order);
    }
    const auto misc = static_cast<std::uint16_t>((out ? perfMiscSwitchOut : 0) |
                                                 (preempted ? perfMiscSwitchOutPreempt : 0));
    add(other >= 0 ? PerfType::switchCpuWide : PerfType::taskSwitch, body + trailer(when), misc);
}

std::string PerfDataWriter::attr(const PerfEventShape& event) const {
    std::string bytes;
    put32(bytes, event.type, order);
    put32(bytes, event.attrSize, order);
    put64(bytes, event.config, order);
    put64(bytes, 1, order); // the period
    put64(bytes, event.sampleType, order);
    put64(bytes, event.readFormat, order);
    std::string flags(8, '\0');
    const auto set = [&](unsigned bit) {
        flags[bit / 8] =
            static_cast<char>(static_cast<unsigned char>(flags[bit / 8]) |
                              1U << (order == ByteOrder::little ? bit % 8 : 7 - bit % 8));
    };
    if (event.sampleIdAll)
        set(perfFlagSampleIdAll);
    if (event.clock)
        set(perfFlagUseClockid);
    bytes += flags;
    bytes.resize(92);
    put32(bytes, static_cast<std::uint32_t>(event.clock.value_or(0)), order);
    bytes.resize(event.attrSize, '\x5a'); // parts that only newer kernels know
    return bytes;
}

std::string PerfDataWriter::text(std::string_view content) const {
    std::string padded(content);
    padded.resize((content.size() + 64) / 64 * 64);
    std::string bytes;
    put32(bytes, padded.size(), order);
    return bytes + padded;
}

std::string PerfDataWriter::tracingData() const {
    std::string bytes("\x17\x08\x44tracing0.6", 13);
    put8(bytes, 0);
    put8(bytes, order == ByteOrder::big ? 1 : 0);
    put8(bytes, 8);
    put32(bytes, 4096, order);
    for (const char* page : {"header_page", "header_event"}) {
        bytes += page;
        put8(bytes, 0);
        put64(bytes, 3, order);
        bytes += "abc";
    }
    put32(bytes, 0, order); // formats of ftrace's own events
    std::vector<std::string> systems;
    for (const EventShape& shape : formats)
        if (std::find(systems.begin(), systems.end(), shape.system()) == systems.end())
            systems.push_back(shape.system());
    put32(bytes, systems.size(), order);
    for (const std::string& system : systems) {
        bytes += system;
        put8(bytes, 0);
        put32(bytes,
              static_cast<std::uint64_t>(
                  std::count_if(formats.begin(), formats.end(),
                                [&](const EventShape& s) { return s.system() == system; })),
              order);
        for (const EventShape& shape : formats) {
            if (shape.system() != system)
                continue;
            const std::string format = shape.formatText();
            put64(bytes, format.size(), order);
            bytes += format;
        }
    }
    put32(bytes, 0, order); // kallsyms
    put32(bytes, 0, order); // formats of printk
    put64(bytes, 0, order); // names of tasks
    return bytes;
}

std::string PerfDataWriter::feature(PerfFeature which) const {
    std::string bytes;
    switch (which) {
    case PerfFeature::tracingData:
        return tracingData();
    case PerfFeature::hostname:
        return text(host);
    case PerfFeature::osRelease:
        return text(release);
    case PerfFeature::cpuCount:
        put32(bytes, cpus + 4, order);
        put32(bytes, cpus, order);
        return bytes;
    case PerfFeature::eventDescriptions:
        put32(bytes, events.size(), order);
        put32(bytes, events.empty() ? 0 : events.front().attrSize, order);
        for (const PerfEventShape& event : events) {
            std::string described = attr(event);
            described.resize(events.front().attrSize);
            bytes += described;
            put32(bytes, event.ids.size(), order);
            bytes += text(event.name);
            for (const std::uint64_t id : event.ids)
                put64(bytes, id, order);
        }
        return bytes;
    default:
        return bytes;
    }
}

std::string PerfDataWriter::file(std::string_view data) const {
    std::string ids;
    std::string attrs;
    std::uint32_t attrSize = 0;
    for (const PerfEventShape& event : events)
        attrSize = std::max(attrSize, event.attrSize);
    for (const PerfEventShape& event : events) {
        std::string bytes = attr(event);
        bytes.resize(attrSize);
        put64(bytes, headerSize + ids.size(), order);
        put64(bytes, event.ids.size() * 8, order);
        attrs += bytes;
        for (const std::uint64_t id : event.ids)
            put64(ids, id, order);
    }
    std::string bytes = order == ByteOrder::little ? "PERFILE2" : "2ELIFREP";
    put64(bytes, headerSize, order);
    put64(bytes, attrSize + 16, order);
    put64(bytes, headerSize + ids.size(), order);
    put64(bytes, attrs.size(), order);
    put64(bytes, headerSize + ids.size() + attrs.size(), order);
    put64(bytes, data.size(), order);
    put64(bytes, 0, order);
    put64(bytes, 0, order);
    std::array<std::uint64_t, 4> flags{};
    std::vector<PerfFeature> present(features.begin(), features.end());
    if (directory)
        present.push_back(PerfFeature::dirFormat);
    for (const PerfFeature which : present)
        flags[0] |= std::uint64_t{1} << static_cast<unsigned>(which);
    for (const std::uint64_t word : flags)
        put64(bytes, word, order);
    bytes += ids + attrs;
    bytes += data;
    std::string contents;
    const std::size_t begin = bytes.size() + present.size() * 16;
    for (const PerfFeature which : present) {
        const std::string content = feature(which);
        put64(bytes, begin + contents.size(), order);
        put64(bytes, content.size(), order);
        contents += content;
    }
    return bytes + contents;
}

std::string PerfDataWriter::file() const {
    return file(records);
}

std::string PerfDataWriter::pipe() const {
    std::string bytes = order == ByteOrder::little ? "PERFILE2" : "2ELIFREP";
    put64(bytes, 16, order);
    for (const PerfEventShape& event : events) {
        std::string body = attr(event);
        for (const std::uint64_t id : event.ids)
            put64(body, id, order);
        bytes += header(PerfType::headerAttr, body.size() + 8, 0, order) + body;
    }
    for (const PerfFeature which : features) {
        if (which == PerfFeature::tracingData)
            continue;
        std::string body;
        put64(body, static_cast<std::uint64_t>(which), order);
        body += feature(which);
        body += "odd"; // records of a pipe are not aligned
        bytes += header(PerfType::headerFeature, body.size() + 8, 0, order) + body;
    }
    std::string data = tracingData();
    data.resize((data.size() + 7) / 8 * 8);
    std::string body;
    put32(body, data.size(), order);
    put32(body, 0, order);
    bytes += header(PerfType::tracingData, body.size() + 8, 0, order) + body + data;
    return bytes + records;
}

std::string PerfDataWriter::packedRecords() const {
    std::string packed(ZSTD_compressBound(records.size()), '\0');
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), records.data(), records.size(), 1);
    if (ZSTD_isError(size))
        throw std::runtime_error("zstd");
    packed.resize(size);
    return packed;
}

std::string PerfDataWriter::compressed(std::size_t piece) const {
    const std::string packed = packedRecords();
    std::string data;
    for (std::size_t at = 0; at < packed.size(); at += piece) {
        const std::string part = packed.substr(at, piece);
        data += header(PerfType::compressed, part.size() + 8, 0, order) + part;
    }
    return file(data);
}

std::string PerfDataWriter::compressed2(std::size_t piece, bool wrongSize) const {
    const std::string packed = packedRecords();
    std::string data;
    for (std::size_t at = 0; at < packed.size(); at += piece) {
        std::string part = packed.substr(at, piece);
        std::string body;
        put64(body, part.size(), order);
        part.resize((part.size() + 7) / 8 * 8, '\x7f');
        body += part;
        data += header(PerfType::compressed2, wrongSize ? 0 : body.size() + 8, 0, order) + body;
    }
    return file(data);
}

PerfDataWriter smallPerfRecording(ByteOrder order) {
    PerfDataWriter writer(order);
    const EventShape switches = switchShape().order(order);
    const EventShape waking = wakeShape("sched_waking", 320).order(order);
    writer.formats = {switches, waking};
    writer.events.resize(2);
    writer.events[0].config = switches.id();
    writer.events[0].ids = {11, 12};
    writer.events[0].name = "sched:sched_switch";
    writer.events[0].clock = 1;
    writer.events[1].config = waking.id();
    writer.events[1].ids = {13, 14};
    writer.events[1].name = "sched:sched_waking";
    writer.events[1].clock = 1;
    writer.comm({}, 101, "alba");
    for (std::uint64_t round = 0; round < 5; ++round) {
        for (std::int32_t cpu = 1; cpu >= 0; --cpu) {
            for (std::uint64_t i = 0; i < 10; ++i) {
                const std::uint64_t time =
                    1'000'000 + round * 100'000 + i * 1'000 + static_cast<std::uint64_t>(cpu) * 7;
                const std::int32_t tid = 101 + cpu;
                const std::string name = cpu == 0 ? "alba" : "cedro";
                if (i % 2 == 0)
                    writer.sample(1, {time, cpu, 0}, waking.record(0, {name, tid, 120, cpu}));
                else if (i % 4 == 1)
                    writer.sample(0, {time, cpu, 0},
                                  switchRecord(switches, "swapper", 0, 0, name, tid));
                else
                    writer.sample(0, {time, cpu, tid},
                                  switchRecord(switches, name, tid, 1, "swapper", 0));
            }
        }
        writer.add(static_cast<PerfType>(68), {}); // FINISHED_ROUND
    }
    return writer;
}

} // namespace twolane::tests
