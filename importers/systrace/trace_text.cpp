#include "importers/systrace/trace_text.h"

#include "importers/systrace/compressed_text.h"
#include "importers/systrace/script_text.h"

#include <algorithm>
#include <cstring>

namespace twolane {
namespace {

// An hour of a phone is some 200 MB of text.
constexpr std::uint64_t maxInflated = std::uint64_t{1} << 30;

} // namespace

Result<std::unique_ptr<TraceText>> TraceText::open(ByteSource& file,
                                                   const LineReader::GoOnFn& goOn) {
    Result<TracePlace> place = findTrace(file, goOn);
    if (!place)
        return place.error();
    std::unique_ptr<TraceText> text(new TraceText(file, *place));
    text->m_leading = place->line - 1;
    switch (place->container) {
    case TraceContainer::page:
        text->m_size = place->end - place->begin;
        return text;
    case TraceContainer::script:
    case TraceContainer::fragment: {
        Result<std::string> plain = readScriptString(file, place->begin, goOn);
        if (!plain)
            return plain.error();
        text->m_text = std::move(*plain);
        break;
    }
    case TraceContainer::compressed: {
        Result<InflatedText> plain = inflateText(file, place->begin, maxInflated, goOn);
        if (!plain)
            return plain.error();
        text->m_text = std::move(plain->text);
        text->m_cutOff = plain->cutOff;
        text->m_damaged = plain->damaged;
        break;
    }
    }
    text->m_size = text->m_text.size();
    return text;
}

Result<std::unique_ptr<TraceText>> TraceText::open(std::unique_ptr<ByteSource> file) {
    Result<std::unique_ptr<TraceText>> text = open(*file);
    if (text)
        (*text)->m_owned = std::move(file);
    return text;
}

Result<std::size_t> TraceText::read(std::uint64_t offset, std::span<std::byte> to) {
    std::size_t done = 0;
    if (offset < m_leading) {
        done = static_cast<std::size_t>(std::min<std::uint64_t>(m_leading - offset, to.size()));
        std::memset(to.data(), '\n', done);
        offset += done;
        to = to.subspan(done);
    }
    const std::uint64_t from = offset - m_leading;
    if (to.empty() || from >= m_size)
        return done;
    to = to.first(static_cast<std::size_t>(std::min<std::uint64_t>(m_size - from, to.size())));
    if (m_place.container == TraceContainer::page) {
        Result<std::size_t> got = m_file.read(m_place.begin + from, to);
        if (!got)
            return got;
        return done + *got;
    }
    std::memcpy(to.data(), m_text.data() + from, to.size());
    return done + to.size();
}

} // namespace twolane
