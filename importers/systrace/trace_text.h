// The text of the trace in a file of systrace, as a source of bytes of its own.
#pragma once

#include "importers/common/byte_source.h"
#include "importers/systrace/trace_page.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace twolane {

/// In front of the text are as many line feeds as lines precede it in the file, so that places are
/// told by the file's own line numbers. A text that stands in the file as it is is read from there.
class TraceText final : public ByteSource {
public:
    /// `file` must outlive the result.
    static Result<std::unique_ptr<TraceText>> open(ByteSource& file,
                                                   const LineReader::GoOnFn& goOn = {});
    /// Keeps the file.
    static Result<std::unique_ptr<TraceText>> open(std::unique_ptr<ByteSource> file);

    const std::string& name() const override { return m_file.name(); }
    std::uint64_t size() const override { return m_leading + m_size; }
    Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> to) override;

    TraceContainer container() const { return m_place.container; }
    bool cutOff() const { return m_cutOff; }   ///< a compressed one
    bool damaged() const { return m_damaged; } ///< a compressed one

private:
    TraceText(ByteSource& file, TracePlace place)
        : m_file(file)
        , m_place(place) {}

    std::unique_ptr<ByteSource> m_owned;
    ByteSource& m_file;
    TracePlace m_place;
    std::uint64_t m_leading = 0; ///< line feeds
    std::uint64_t m_size = 0;    ///< of the text
    std::string m_text;          ///< where it does not stand in the file as it is
    bool m_cutOff = false;
    bool m_damaged = false;
};

} // namespace twolane
