// A file without a name: gone when it is closed, whatever happens to the program.
#pragma once

#include "importers/common/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace twolane {

/// Appended to first, then read as a source. Readable by this program alone.
class TemporaryBytes final : public ByteSource {
public:
    /// `name`: what the source is called in messages.
    static Result<std::unique_ptr<TemporaryBytes>> create(std::string name);
    ~TemporaryBytes() override;

    /// An error where the disk is full.
    Status append(std::span<const std::byte> bytes);

    const std::string& name() const override { return m_name; }
    std::uint64_t size() const override { return m_size; }
    Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> to) override;

private:
    TemporaryBytes(int descriptor, std::string name, std::string folder)
        : m_descriptor(descriptor)
        , m_name(std::move(name))
        , m_folder(std::move(folder)) {}

    int m_descriptor;
    std::string m_name;
    std::string m_folder;
    std::uint64_t m_size = 0;
};

} // namespace twolane
