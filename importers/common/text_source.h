// Bytes by offset: a file read with pread, or memory (tests and fuzzers).
#pragma once

#include "model/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace twolane {

class TextSource {
public:
    TextSource() = default;
    TextSource(const TextSource&) = delete;
    TextSource& operator=(const TextSource&) = delete;
    virtual ~TextSource() = default;

    /// For messages: the path as the user gave it.
    virtual const std::string& name() const = 0;
    /// In bytes, when it was opened. The file may have shrunk or grown since.
    virtual std::uint64_t size() const = 0;
    /// Copies bytes from `offset` on. Fewer than `into.size()` only at the end, 0 beyond it.
    virtual Result<std::size_t> read(std::uint64_t offset, std::span<char> into) = 0;
};

/// Opens a regular file. Its bytes are read, never mapped: a file that shrinks while open must not
/// raise a signal.
Result<std::unique_ptr<TextSource>> openTextFile(const std::filesystem::path& path);

/// Reads from memory that it does not own.
class MemoryText final : public TextSource {
public:
    explicit MemoryText(std::string_view bytes, std::string name = "memory")
        : m_bytes(bytes)
        , m_name(std::move(name)) {}

    const std::string& name() const override { return m_name; }
    std::uint64_t size() const override { return m_bytes.size(); }
    Result<std::size_t> read(std::uint64_t offset, std::span<char> into) override;

private:
    std::string_view m_bytes;
    std::string m_name;
};

} // namespace twolane
