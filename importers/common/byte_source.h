// Where a file's bytes come from: a file that may shrink while it is open, or memory (tests,
// fuzzers, and sections that were compressed).
#pragma once

#include "model/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace twolane {

class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    /// For messages: the path as the user gave it.
    virtual const std::string& name() const = 0;
    /// Bytes in all, as found when the source was opened.
    virtual std::uint64_t size() const = 0;
    /// Fills `to` from `offset` on and returns how many bytes could be had: fewer than asked for
    /// only at the end, or where a file has become shorter.
    virtual Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> to) = 0;

    /// Another file of the same recording, in the same folder. `file` is a bare name. An error
    /// where there is none, or this source is no file.
    virtual Result<std::unique_ptr<ByteSource>> beside(const std::string& file);

    /// The same for readers to whom bytes that cannot be read are bytes that are not there.
    std::size_t readAvailable(std::uint64_t offset, std::span<std::byte> to) {
        const Result<std::size_t> got = read(offset, to);
        return got ? *got : 0;
    }
};

/// Reads with pread and not by mapping: touching a mapped page of a file that was cut short
/// meanwhile would end the program.
class FileSource final : public ByteSource {
public:
    static Result<std::unique_ptr<ByteSource>> open(const std::filesystem::path& path);
    ~FileSource() override;

    const std::string& name() const override { return m_name; }
    std::uint64_t size() const override { return m_size; }
    Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> to) override;
    Result<std::unique_ptr<ByteSource>> beside(const std::string& file) override;

private:
    FileSource(int descriptor, std::uint64_t size, std::string name)
        : m_descriptor(descriptor)
        , m_size(size)
        , m_name(std::move(name)) {}

    int m_descriptor;
    std::uint64_t m_size;
    std::string m_name;
};

/// Bytes that the caller keeps.
class MemorySource final : public ByteSource {
public:
    explicit MemorySource(std::span<const std::byte> bytes, std::string name = "memory")
        : m_bytes(bytes)
        , m_name(std::move(name)) {}
    explicit MemorySource(std::string_view text, std::string name = "memory")
        : MemorySource(std::as_bytes(std::span(text.data(), text.size())), std::move(name)) {}

    const std::string& name() const override { return m_name; }
    std::uint64_t size() const override { return m_bytes.size(); }
    Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> to) override;

private:
    std::span<const std::byte> m_bytes;
    std::string m_name;
};

} // namespace twolane
