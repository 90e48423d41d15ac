#include "importers/systrace/compressed_text.h"

#include <fmt/format.h>
#include <zlib.h>

#include <vector>

namespace twolane {
namespace {

class Inflater {
public:
    Inflater() { m_ready = inflateInit(&m_stream) == Z_OK; }
    ~Inflater() {
        if (m_ready)
            inflateEnd(&m_stream);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    bool ready() const { return m_ready; }
    z_stream& stream() { return m_stream; }

private:
    z_stream m_stream{};
    bool m_ready = false;
};

constexpr std::size_t blockSize = std::size_t{64} << 10;

} // namespace

Result<InflatedText> inflateText(ByteSource& source, std::uint64_t begin, std::uint64_t most,
                                 const LineReader::GoOnFn& goOn) {
    Inflater inflater;
    if (!inflater.ready())
        return Error{source.name(), "cannot be unpacked: no memory for it", "", ""};
    z_stream& stream = inflater.stream();
    std::vector<std::byte> packed(blockSize);
    std::vector<char> plain(4 * blockSize);
    InflatedText result;
    for (std::uint64_t at = begin;;) {
        if (goOn && !goOn(at))
            return Error{source.name(), "interrupted", "", "", true};
        Result<std::size_t> got = source.read(at, packed);
        if (!got)
            return got.error();
        result.cutOff = *got == 0;
        if (result.cutOff)
            break;
        at += *got;
        stream.next_in = reinterpret_cast<Bytef*>(packed.data());
        stream.avail_in = static_cast<uInt>(*got);
        int code = Z_OK;
        do {
            stream.next_out = reinterpret_cast<Bytef*>(plain.data());
            stream.avail_out = static_cast<uInt>(plain.size());
            code = inflate(&stream, Z_NO_FLUSH);
            const std::size_t size = plain.size() - stream.avail_out;
            if (size > most - result.text.size())
                return Error{source.name(), fmt::format("unpacks to more than {} bytes", most), "",
                             "unpack it to a file, and open that"};
            result.text.append(plain.data(), size);
        } while (code == Z_OK && stream.avail_out == 0);
        if (code == Z_STREAM_END)
            break;
        if (code != Z_OK && code != Z_BUF_ERROR) {
            result.damaged = true;
            break;
        }
    }
    if (result.text.empty())
        return Error{source.name(), "holds no text that can be unpacked",
                     fmt::format("byte {}", begin), "record it again, or without -z"};
    return result;
}

} // namespace twolane
