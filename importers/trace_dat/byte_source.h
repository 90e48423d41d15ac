// Where a file's bytes come from: a file that may shrink while it is open, or memory (tests, and
// sections that were compressed).
#pragma once

#include "model/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace twolane {

class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    /// Bytes in all, as found when the source was opened.
    virtual std::uint64_t size() const = 0;
    /// Fills `to` from `offset` on and returns how many bytes could be had: fewer than asked for at
    /// the end, after an I/O error, or where a file has become shorter. Never throws.
    virtual std::size_t read(std::uint64_t offset, std::span<std::byte> to) = 0;
};

/// Reads with pread and not by mapping: touching a mapped page of a file that was cut short
/// meanwhile would end the program.
class FileSource final : public ByteSource {
public:
    static Result<std::unique_ptr<ByteSource>> open(const std::filesystem::path& path);
    ~FileSource() override;

    std::uint64_t size() const override { return m_size; }
    std::size_t read(std::uint64_t offset, std::span<std::byte> to) override;

private:
    FileSource(int descriptor, std::uint64_t size)
        : m_descriptor(descriptor)
        , m_size(size) {}

    int m_descriptor;
    std::uint64_t m_size;
};

/// Bytes that the caller keeps.
class MemorySource final : public ByteSource {
public:
    explicit MemorySource(std::span<const std::byte> bytes)
        : m_bytes(bytes) {}

    std::uint64_t size() const override { return m_bytes.size(); }
    std::size_t read(std::uint64_t offset, std::span<std::byte> to) override;

private:
    std::span<const std::byte> m_bytes;
};

} // namespace twolane
