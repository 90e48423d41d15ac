#include "importers/common/decompressor.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace twolane {
namespace {

using State = Decompressor::State;
using Step = Decompressor::Step;

constexpr std::uint64_t mostMemory = std::uint64_t{256} << 20;
constexpr int mostWindowLog = 27; // 128 MiB, what zstd writes without --ultra --long

unsigned char* bytesOf(std::span<const std::byte> span) {
    // zlib and liblzma do not write to their input.
    return const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(span.data()));
}

class Gunzip final : public Decompressor {
public:
    Gunzip()
        : m_ready(inflateInit2(&m_stream, 15 + 16) == Z_OK) {}
    ~Gunzip() override {
        if (m_ready)
            inflateEnd(&m_stream);
    }
    Step step(std::span<const std::byte> in, std::span<std::byte> out) override {
        if (!m_ready)
            return {0, 0, State::damaged};
        const std::size_t most = std::size_t{1} << 30; // zlib counts in 32 bits
        in = in.first(std::min(in.size(), most));
        out = out.first(std::min(out.size(), most));
        m_stream.next_in = bytesOf(in);
        m_stream.avail_in = static_cast<uInt>(in.size());
        m_stream.next_out = bytesOf(out);
        m_stream.avail_out = static_cast<uInt>(out.size());
        const int code = inflate(&m_stream, Z_NO_FLUSH);
        Step step{in.size() - m_stream.avail_in, out.size() - m_stream.avail_out, State::goesOn};
        if (code == Z_STREAM_END)
            step.state = State::ended;
        else if (code != Z_OK && code != Z_BUF_ERROR)
            step.state = State::damaged;
        return step;
    }
    void restart() override { inflateReset(&m_stream); }

private:
    z_stream m_stream{};
    bool m_ready;
};

class Unxz final : public Decompressor {
public:
    Unxz() { restart(); }
    ~Unxz() override { lzma_end(&m_stream); }
    Step step(std::span<const std::byte> in, std::span<std::byte> out) override {
        if (!m_ready)
            return {0, 0, State::damaged};
        m_stream.next_in = bytesOf(in);
        m_stream.avail_in = in.size();
        m_stream.next_out = bytesOf(out);
        m_stream.avail_out = out.size();
        const lzma_ret code = lzma_code(&m_stream, LZMA_RUN);
        Step step{in.size() - m_stream.avail_in, out.size() - m_stream.avail_out, State::goesOn};
        if (code == LZMA_STREAM_END)
            step.state = State::ended;
        else if (code == LZMA_MEMLIMIT_ERROR)
            step.state = State::greedy;
        else if (code != LZMA_OK && code != LZMA_BUF_ERROR)
            step.state = State::damaged;
        return step;
    }
    void restart() override { m_ready = lzma_stream_decoder(&m_stream, mostMemory, 0) == LZMA_OK; }

private:
    lzma_stream m_stream = LZMA_STREAM_INIT;
    bool m_ready = false;
};

class Unzstd final : public Decompressor {
public:
    Unzstd()
        : m_stream(ZSTD_createDStream()) {
        if (m_stream)
            ZSTD_DCtx_setParameter(m_stream, ZSTD_d_windowLogMax, mostWindowLog);
    }
    ~Unzstd() override { ZSTD_freeDStream(m_stream); }
    Step step(std::span<const std::byte> in, std::span<std::byte> out) override {
        if (!m_stream)
            return {0, 0, State::damaged};
        ZSTD_inBuffer from{in.data(), in.size(), 0};
        ZSTD_outBuffer to{out.data(), out.size(), 0};
        const std::size_t code = ZSTD_decompressStream(m_stream, &to, &from);
        if (ZSTD_isError(code))
            return {from.pos, to.pos,
                    ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge
                        ? State::greedy
                        : State::damaged};
        return {from.pos, to.pos, code == 0 ? State::ended : State::goesOn};
    }
    void restart() override { ZSTD_DCtx_reset(m_stream, ZSTD_reset_session_only); }

private:
    ZSTD_DStream* m_stream;
};

struct Magic {
    std::string_view bytes;
    Packing packing;
    std::string_view name;
    std::string_view unpack;
};
constexpr std::array magics{
    Magic{"\x1f\x8b", Packing::gzip, "gzip", "gunzip -k"},
    Magic{std::string_view("\xfd"
                           "7zXZ\0",
                           6),
          Packing::xz, "xz", "unxz -k"},
    Magic{"\x28\xb5\x2f\xfd", Packing::zstd, "zstd", "unzstd"},
};

constexpr Magic bzip2{"", Packing::bzip2, "bzip2", "bunzip2 -k"};

const Magic& magicOf(Packing packing) {
    return packing == Packing::bzip2 ? bzip2 : magics[static_cast<std::size_t>(packing)];
}

} // namespace

std::optional<Packing> packingOf(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    for (const Magic& magic : magics)
        if (text.starts_with(magic.bytes))
            return magic.packing;
    // A frame to be skipped, which pzstd writes first: 0x184D2A50 to 0x184D2A5F.
    if (text.size() >= 4 && (text[0] & '\xf0') == '\x50' && text.substr(1, 3) == "\x2a\x4d\x18")
        return Packing::zstd;
    // "BZh" alone may begin a text: a level and the mark of the first block follow.
    if (text.size() >= 10 && text.starts_with("BZh") && text[3] >= '1' && text[3] <= '9' &&
        text.substr(4, 6) == "1AY&SY")
        return Packing::bzip2;
    return std::nullopt;
}

std::string_view nameOf(Packing packing) {
    return magicOf(packing).name;
}

std::string_view unpackCommand(Packing packing) {
    return magicOf(packing).unpack;
}

std::unique_ptr<Decompressor> makeDecompressor(Packing packing) {
    switch (packing) {
    case Packing::gzip:
        return std::make_unique<Gunzip>();
    case Packing::xz:
        return std::make_unique<Unxz>();
    case Packing::zstd:
        return std::make_unique<Unzstd>();
    case Packing::bzip2:
        break;
    }
    return nullptr;
}

} // namespace twolane
