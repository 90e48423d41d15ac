#include "importers/systrace/trace_page.h"

#include "importers/common/text_number.h"
#include "importers/ftrace_text/ftrace_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace twolane {
namespace {

using std::string_view;

constexpr std::size_t headSize = std::size_t{64} << 10;
constexpr string_view scriptBegin = "var linuxPerfData = \"";
constexpr string_view compressedBegin = "TRACE:";

string_view withoutIndent(string_view line) {
    while (!line.empty() && isBlank(line.front()))
        line.remove_prefix(1);
    return line;
}

bool startsAnyCase(string_view text, string_view lower) {
    return text.size() >= lower.size() &&
           std::equal(lower.begin(), lower.end(), text.begin(), [](char want, char c) {
               return c == want || (c >= 'A' && c <= 'Z' && c - 'A' + 'a' == want);
           });
}

bool isPage(string_view head) {
    if (head.starts_with("\xEF\xBB\xBF"))
        head.remove_prefix(3);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    head.remove_prefix(first == string_view::npos ? head.size() : first);
    return startsAnyCase(head, "<!doctype html") || startsAnyCase(head, "<html");
}

/// The offset of the stream of zlib behind the line "TRACE:".
std::optional<std::size_t> compressedPlace(string_view head) {
    for (std::size_t at = 0; (at = head.find(compressedBegin, at)) != string_view::npos; ++at) {
        if (at > 0 && head[at - 1] != '\n')
            continue;
        std::size_t behind = at + compressedBegin.size();
        if (behind < head.size() && head[behind] == '\r')
            ++behind;
        // Deflate in 32 KiB windows is all that atrace writes.
        if (behind + 1 < head.size() && head[behind] == '\n' && head[behind + 1] == '\x78')
            return behind + 1;
    }
    return std::nullopt;
}

bool isFragment(string_view head) {
    const FtraceLineParser parser;
    EventLine line;
    std::size_t escaped = 0;
    std::size_t plain = 0;
    while (!head.empty()) {
        const std::size_t feed = head.find('\n');
        string_view text = head.substr(0, feed);
        head.remove_prefix(feed == string_view::npos ? head.size() : feed + 1);
        if (text.ends_with('\r'))
            text.remove_suffix(1);
        if (parser.parse(text, line) == LineKind::event)
            ++(text.ends_with("\\n\\") ? escaped : plain);
    }
    return escaped > plain;
}

/// A <script class="trace-data">: the rest of the line behind its tag.
std::optional<string_view> openedBlock(string_view line) {
    if (!line.starts_with("<script "))
        return std::nullopt;
    const std::size_t close = line.find('>');
    if (close == string_view::npos ||
        line.substr(0, close).find("class=\"trace-data\"") == string_view::npos)
        return std::nullopt;
    return line.substr(close + 1);
}

Error holdsNone(const ByteSource& source) {
    return Error{source.name(), "is a page (HTML) that holds no trace of systrace", "",
                 "save the trace with systrace, or as text with atrace"};
}

/// Walks the lines of a page.
class PageWalk {
public:
    explicit PageWalk(ByteSource& source)
        : m_source(source) {}

    Result<TracePlace> run(const LineReader::GoOnFn& goOn) {
        LineReader reader(m_source, goOn);
        RawLine raw;
        while (reader.next(raw)) {
            ++m_line;
            if (m_inBlock ? inBlock(raw) : outside(raw))
                return m_place;
        }
        if (reader.failure())
            return *reader.failure();
        m_place.end = m_source.size();
        if (m_inBlock && m_isTrace)
            return m_place; // cut off
        return holdsNone(m_source);
    }

private:
    // True when the trace was found.
    bool outside(const RawLine& raw) {
        const string_view line = withoutIndent(raw.text);
        if (line.starts_with(scriptBegin)) {
            m_place.container = TraceContainer::script;
            begin(raw, line.substr(scriptBegin.size()));
            if (line.substr(scriptBegin.size()) == "\\") { // nothing but the string's going on
                m_place.begin = raw.next;
                ++m_place.line;
            }
            m_place.end = m_source.size();
            return true;
        }
        if (line.starts_with("<!-- BEGIN TRACE -->"))
            m_inTrace = true;
        else if (line.starts_with("<!-- END TRACE -->"))
            m_inTrace = false;
        else if (const auto rest = openedBlock(line); rest && m_inTrace) {
            m_inBlock = true;
            m_isTrace = false;
            begin(raw, *rest);
            lookAt(*rest);
        }
        return false;
    }

    bool inBlock(const RawLine& raw) {
        if (!withoutIndent(raw.text).starts_with("</script>")) {
            lookAt(raw.text);
            return false;
        }
        m_inBlock = false;
        m_place.end = raw.offset;
        return m_isTrace;
    }

    void begin(const RawLine& raw, string_view rest) {
        m_place.begin = raw.offset + static_cast<std::uint64_t>(rest.data() - raw.text.data());
        m_place.line = m_line;
    }

    void lookAt(string_view line) {
        EventLine unused;
        if (!m_isTrace)
            m_isTrace =
                line.starts_with("# tracer:") || m_parser.parse(line, unused) == LineKind::event;
    }

    ByteSource& m_source;
    FtraceLineParser m_parser;
    TracePlace m_place;
    std::uint64_t m_line = 0;
    bool m_inTrace = false; ///< between the two comments
    bool m_inBlock = false;
    bool m_isTrace = false; ///< the block is
};

} // namespace

std::optional<TraceContainer> containerOf(std::string_view head) {
    if (isPage(head))
        return TraceContainer::page;
    if (compressedPlace(head))
        return TraceContainer::compressed;
    if (isFragment(head))
        return TraceContainer::fragment;
    return std::nullopt;
}

Result<TracePlace> findTrace(ByteSource& source, const LineReader::GoOnFn& goOn) {
    std::string head(headSize, '\0');
    Result<std::size_t> got = source.read(0, std::as_writable_bytes(std::span(head)));
    if (!got)
        return got.error();
    head.resize(*got);
    const auto container = containerOf(head);
    if (container == TraceContainer::page)
        return PageWalk(source).run(goOn);
    TracePlace place;
    place.end = source.size();
    if (container == TraceContainer::compressed) {
        place.container = TraceContainer::compressed;
        place.begin = *compressedPlace(head);
        return place;
    }
    if (container == TraceContainer::fragment) {
        place.container = TraceContainer::fragment;
        return place;
    }
    return Error{source.name(), "is neither a page of systrace nor output of atrace -z", "",
                 "'twolane formats' lists what can be read"};
}

} // namespace twolane
