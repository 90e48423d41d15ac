#include "tests/support/trace_dat_writer.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <stdexcept>

namespace twolane::tests {
namespace {

void alignTo(std::string& bytes, std::size_t size) {
    bytes.resize((bytes.size() + size - 1) / size * size);
}

std::string compress(Codec codec, const std::string& content) {
    std::string packed;
    if (codec == Codec::zlib) {
        uLongf size = compressBound(content.size());
        packed.resize(size);
        if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                      reinterpret_cast<const Bytef*>(content.data()), content.size(), 6) != Z_OK)
            throw std::runtime_error("zlib");
        packed.resize(size);
    } else {
        packed.resize(ZSTD_compressBound(content.size()));
        const std::size_t size =
            ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 3);
        if (ZSTD_isError(size))
            throw std::runtime_error("zstd");
        packed.resize(size);
    }
    return packed;
}

void putOption(std::string& to, std::uint16_t id, const std::string& data, ByteOrder order) {
    put16(to, id, order);
    put32(to, data.size(), order);
    to += data;
}

std::string offsetOption(std::uint64_t offset, ByteOrder order) {
    std::string data;
    put64(data, offset, order);
    return data;
}

} // namespace

// The type is in the low bits on little-endian machines and in the high ones on others.
void PageWriter::word(std::uint64_t type, std::uint64_t delta) {
    put32(m_data, m_order == ByteOrder::big ? type << 27 | delta : type | delta << 5, m_order);
}

void PageWriter::extend(std::uint64_t time) {
    const std::uint64_t delta = time - m_last;
    if (delta >> 27 == 0)
        return;
    word(30, delta & ((1U << 27) - 1));
    put32(m_data, delta >> 27, m_order);
    m_last = time;
}

PageWriter& PageWriter::event(std::uint64_t time, std::string_view record) {
    if (record.size() > 112)
        return largeEvent(time, record);
    extend(time);
    word(record.size() / 4, time - m_last);
    m_data += record;
    m_last = time;
    return *this;
}

PageWriter& PageWriter::largeEvent(std::uint64_t time, std::string_view record) {
    extend(time);
    word(0, time - m_last);
    put32(m_data, record.size() + 4, m_order);
    m_data += record;
    m_last = time;
    return *this;
}

PageWriter& PageWriter::absolute(std::uint64_t time) {
    const std::uint64_t low = time & ((std::uint64_t{1} << 59) - 1);
    word(31, low & ((1U << 27) - 1));
    put32(m_data, low >> 27, m_order);
    m_last = time;
    return *this;
}

PageWriter& PageWriter::discarded(std::uint32_t delta, std::uint32_t size) {
    word(29, delta);
    put32(m_data, size - 4, m_order);
    m_data.resize(m_data.size() + size - 8, '\x55');
    m_last += delta;
    return *this;
}

PageWriter& PageWriter::paddingToEnd() {
    word(29, 0);
    m_data.resize(m_data.size() + 24, '\x55');
    return *this;
}

PageWriter& PageWriter::raw(std::string_view bytes) {
    m_data += bytes;
    return *this;
}

PageWriter& PageWriter::missed(std::uint64_t count) {
    m_missed = true;
    m_missedCount = count;
    return *this;
}

std::string PageWriter::bytes(std::uint32_t pageSize) const {
    std::string page;
    std::uint64_t commit = m_data.size();
    if (m_missed)
        commit |= 1U << 31;
    if (m_missedCount > 0)
        commit |= 1U << 30;
    put64(page, m_stamp, m_order);
    putNumber(page, commit, static_cast<int>(m_wordSize), m_order);
    page += m_data;
    if (m_missedCount > 0)
        putNumber(page, m_missedCount, static_cast<int>(m_wordSize), m_order);
    if (page.size() > pageSize)
        throw std::runtime_error("page too full");
    page.resize(pageSize);
    return page;
}

void TraceDatWriter::record(std::size_t buffer, const std::vector<Recorded>& records,
                            std::size_t perPage) {
    std::map<std::int32_t, std::vector<const Recorded*>> byCpu;
    for (const Recorded& each : records)
        byCpu[each.cpu].push_back(&each);
    for (const auto& [cpu, list] : byCpu)
        for (std::size_t i = 0; i < list.size(); i += perPage) {
            PageWriter page(list[i]->time, longSize, byteOrder);
            for (std::size_t k = i; k < std::min(i + perPage, list.size()); ++k)
                page.event(list[k]->time, list[k]->record);
            buffers[buffer].pages[cpu].push_back(page.bytes(pageSize));
        }
}

std::string TraceDatWriter::headers() const {
    std::string page = headerPage;
    if (page.empty())
        page = fmt::format("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                           "\tfield: local_t commit;\toffset:8;\tsize:{0};\tsigned:1;\n"
                           "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                           "\tfield: char data;\toffset:{1};\tsize:{2};\tsigned:1;\n",
                           longSize, 8 + longSize, pageSize - 8 - longSize);
    const std::string event = "# compressed entry header\n\ttype_len    :    5 bits\n"
                              "\ttime_delta  :   27 bits\n\tarray       :   32 bits\n";
    std::string bytes("header_page\0", 12);
    put64(bytes, page.size(), byteOrder);
    bytes += page;
    bytes += std::string("header_event\0", 13);
    put64(bytes, event.size(), byteOrder);
    return bytes + event;
}

std::string TraceDatWriter::formats() const {
    std::map<std::string, std::vector<const EventShape*>> systems;
    for (const EventShape& event : events)
        systems[event.system()].push_back(&event);
    std::string bytes;
    put32(bytes, systems.size(), byteOrder);
    for (const auto& [name, list] : systems) {
        bytes += name;
        bytes.push_back('\0');
        put32(bytes, list.size(), byteOrder);
        for (const EventShape* event : list) {
            const std::string text = event->formatText();
            put64(bytes, text.size(), byteOrder);
            bytes += text;
        }
    }
    return bytes;
}

std::string TraceDatWriter::bytes() const {
    return version == 6 ? version6() : version7();
}

std::string TraceDatWriter::version6() const {
    std::string file("\x17\x08\x44tracing6\0", 12);
    put8(file, byteOrder == ByteOrder::big ? 1 : 0);
    put8(file, longSize);
    put32(file, pageSize, byteOrder);
    file += headers();
    put32(file, 0, byteOrder); // ftrace's own events
    file += formats();
    put32(file, 0, byteOrder); // kallsyms
    put32(file, 0, byteOrder); // printk
    std::string lines;
    for (const auto& [pid, name] : commandLines)
        lines += fmt::format("{} {}\n", pid, name);
    put64(file, lines.size(), byteOrder);
    file += lines;
    put32(file, cpus, byteOrder);
    file += std::string("options  \0", 10);
    putOption(file, 4, clocks + '\0', byteOrder);
    putOption(file, 5, uname + '\0', byteOrder);
    for (const auto& [id, data] : options)
        putOption(file, id, data, byteOrder);
    // The tables of further buffers are only known later: their offsets are filled in then.
    std::vector<std::size_t> offsetPlaces;
    for (std::size_t i = 1; i < buffers.size(); ++i) {
        offsetPlaces.push_back(file.size() + 6);
        putOption(file, 3, offsetOption(0, byteOrder) + buffers[i].name + '\0', byteOrder);
    }
    put16(file, 0, byteOrder);
    if (!latencyText.empty())
        return file + std::string("latency  \0", 10) + latencyText;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (i > 0) {
            alignTo(file, pageSize);
            std::string place;
            put64(place, file.size(), byteOrder);
            file.replace(offsetPlaces[i - 1], 8, place);
        }
        file += std::string("flyrecord\0", 10);
        const std::size_t table = file.size();
        file.resize(file.size() + cpus * 16);
        const std::string clockText = "[mono]";
        if (i == 0) {
            put64(file, clockText.size(), byteOrder);
            file += clockText;
        }
        alignTo(file, pageSize);
        std::string entries;
        for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
            put64(entries, file.size(), byteOrder);
            std::uint64_t size = 0;
            if (const auto pages = buffers[i].pages.find(static_cast<std::int32_t>(cpu));
                pages != buffers[i].pages.end())
                for (const std::string& page : pages->second) {
                    file += page;
                    size += page.size();
                }
            put64(entries, size, byteOrder);
        }
        file.replace(table, entries.size(), entries);
    }
    return file;
}

std::string TraceDatWriter::version7() const {
    std::string file("\x17\x08\x44tracing7\0", 12);
    put8(file, byteOrder == ByteOrder::big ? 1 : 0);
    put8(file, longSize);
    put32(file, pageSize, byteOrder);
    const bool packed = codec != Codec::none;
    file += codec == Codec::zstd ? "zstd" : packed ? "zlib" : "none";
    file.push_back('\0');
    file += std::string("1\0", 2);
    const std::size_t firstPlace = file.size();
    put64(file, 0, byteOrder);

    const auto sectionHeader = [&](std::uint16_t id, bool isPacked) {
        put16(file, id, byteOrder);
        put16(file, isPacked ? 1 : 0, byteOrder);
        put32(file, 0, byteOrder);
        put64(file, 0, byteOrder);
        return file.size() - 8;
    };
    const auto fillSize = [&](std::size_t place) {
        std::string size;
        put64(size, file.size() - place - 8, byteOrder);
        file.replace(place, 8, size);
    };
    const auto section = [&](std::uint16_t id, const std::string& content) {
        const std::uint64_t offset = file.size();
        const std::size_t place = sectionHeader(id, packed);
        if (packed) {
            const std::string less = compress(codec, content);
            put32(file, less.size(), byteOrder);
            put32(file, content.size(), byteOrder);
            file += less;
        } else {
            file += content;
        }
        fillSize(place);
        return offset;
    };
    std::string none;
    put32(none, 0, byteOrder);
    std::string lines;
    for (const auto& [pid, name] : commandLines)
        lines += fmt::format("{} {}\n", pid, name);
    std::string sized;
    put64(sized, lines.size(), byteOrder);
    const std::uint64_t headersAt = section(16, headers());
    const std::uint64_t ftraceAt = section(17, none);
    const std::uint64_t formatsAt = section(18, formats());
    const std::uint64_t linesAt = section(21, sized + lines);

    std::string first;
    put64(first, file.size(), byteOrder);
    file.replace(firstPlace, 8, first);
    std::size_t place = sectionHeader(0, false);
    putOption(file, 16, offsetOption(headersAt, byteOrder), byteOrder);
    putOption(file, 17, offsetOption(ftraceAt, byteOrder), byteOrder);
    putOption(file, 18, offsetOption(formatsAt, byteOrder), byteOrder);
    putOption(file, 21, offsetOption(linesAt, byteOrder), byteOrder);
    putOption(file, 4, clocks + '\0', byteOrder);
    putOption(file, 5, uname + '\0', byteOrder);
    for (const auto& [id, data] : options)
        putOption(file, id, data, byteOrder);
    std::string count;
    put32(count, cpus, byteOrder);
    putOption(file, 8, count, byteOrder);
    putOption(file, 0, offsetOption(0, byteOrder), byteOrder);
    const std::size_t nextPlace = file.size() - 8;
    fillSize(place);

    if (!latencyText.empty()) {
        const std::uint64_t at = file.size();
        place = sectionHeader(22, packed);
        if (packed) {
            // Chunks of a few lines.
            constexpr std::size_t chunk = 100;
            put32(file, (latencyText.size() + chunk - 1) / chunk, byteOrder);
            for (std::size_t i = 0; i < latencyText.size(); i += chunk) {
                const std::string content = latencyText.substr(i, chunk);
                const std::string less = compress(codec, content);
                put32(file, less.size(), byteOrder);
                put32(file, content.size(), byteOrder);
                file += less;
            }
        } else {
            file += latencyText;
        }
        fillSize(place);
        std::string optionsAt;
        put64(optionsAt, file.size(), byteOrder);
        file.replace(nextPlace, 8, optionsAt);
        place = sectionHeader(0, false);
        putOption(file, 22, offsetOption(at, byteOrder) + std::string("\0local\0", 7), byteOrder);
        putOption(file, 0, offsetOption(0, byteOrder), byteOrder);
        fillSize(place);
        return file;
    }
    std::vector<std::string> tables;
    for (const Buffer& buffer : buffers) {
        const std::uint64_t at = file.size();
        place = sectionHeader(3, packed);
        alignTo(file, pageSize);
        std::string table;
        put64(table, at, byteOrder);
        table += buffer.name + '\0' + buffer.clock + '\0';
        put32(table, pageSize, byteOrder);
        put32(table, buffer.pages.size(), byteOrder);
        for (const auto& [cpu, pages] : buffer.pages) {
            alignTo(file, pageSize);
            const std::uint64_t begin = file.size();
            if (packed)
                put32(file, (pages.size() + pagesInChunk - 1) / pagesInChunk, byteOrder);
            for (std::size_t i = 0; i < pages.size(); i += pagesInChunk) {
                std::string content;
                for (std::size_t k = i; k < std::min<std::size_t>(i + pagesInChunk, pages.size());
                     ++k)
                    content += pages[k];
                if (packed) {
                    const std::string less = compress(codec, content);
                    put32(file, less.size(), byteOrder);
                    put32(file, content.size(), byteOrder);
                    file += less;
                } else {
                    file += content;
                }
            }
            put32(table, static_cast<std::uint32_t>(cpu), byteOrder);
            put64(table, begin, byteOrder);
            // As trace-cmd does: the count of chunks is not in the size.
            put64(table, file.size() - begin - (packed ? 4 : 0), byteOrder);
        }
        fillSize(place);
        tables.push_back(std::move(table));
    }
    std::string next;
    put64(next, file.size(), byteOrder);
    file.replace(nextPlace, 8, next);
    place = sectionHeader(0, false);
    for (const std::string& table : tables)
        putOption(file, 3, table, byteOrder);
    putOption(file, 0, offsetOption(0, byteOrder), byteOrder);
    fillSize(place);
    return file;
}

} // namespace twolane::tests
