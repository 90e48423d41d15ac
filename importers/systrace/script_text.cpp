#include "importers/systrace/script_text.h"

#include "importers/common/text_number.h"

#include <string_view>

namespace twolane {
namespace {

using std::string_view;

void appendUtf8(std::string& text, std::uint32_t code) {
    const auto add = [&text](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6);
        add(0x80 | (code & 0x3f));
    } else {
        add(0xe0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    }
}

/// Takes the digits of "\xHH" and "\uHHHH". False where they are not there: the letter stands for
/// itself then.
bool takeCode(string_view line, std::size_t& at, std::size_t digits, std::uint32_t& code) {
    if (line.size() - at < digits)
        return false;
    const char* p = line.data() + at;
    std::uint64_t value = 0;
    if (!takeHexDigits(p, line.data() + at + digits, value) || p != line.data() + at + digits)
        return false;
    code = static_cast<std::uint32_t>(value);
    at += digits;
    return true;
}

enum class LineEnd { feed, continued, stringEnd };

/// Whether a quote is the one that ends the statement.
bool endsStatement(string_view behind) {
    while (!behind.empty() && isBlank(behind.front()))
        behind.remove_prefix(1);
    return behind.empty() || behind.front() == ';';
}

LineEnd unescapeLine(string_view line, std::string& text) {
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t special = line.find_first_of("\\\"", at);
        text += line.substr(at, special - at);
        if (special == string_view::npos)
            return LineEnd::feed;
        at = special + 1;
        if (line[special] == '"') {
            if (endsStatement(line.substr(at)))
                return LineEnd::stringEnd;
            text.push_back('"');
            continue;
        }
        if (at == line.size())
            return LineEnd::continued;
        std::uint32_t code = 0;
        switch (const char c = line[at++]) {
        case 'n':
            text.push_back('\n');
            break;
        case 't':
            text.push_back('\t');
            break;
        case 'r':
            text.push_back('\r');
            break;
        case 'b':
            text.push_back('\b');
            break;
        case 'f':
            text.push_back('\f');
            break;
        case 'v':
            text.push_back('\v');
            break;
        case 'x':
        case 'u':
            if (takeCode(line, at, c == 'x' ? 2 : 4, code))
                appendUtf8(text, code);
            else
                text.push_back(c);
            break;
        default:
            text.push_back(c);
        }
    }
    return LineEnd::feed;
}

} // namespace

Result<std::string> readScriptString(ByteSource& source, std::uint64_t begin,
                                     const LineReader::GoOnFn& goOn) {
    std::string text;
    LineReader reader(source, goOn, begin);
    RawLine raw;
    while (reader.next(raw)) {
        if (raw.tooLong) {
            text += "(a line of more than 64 KiB)\n";
            continue;
        }
        const std::size_t first = raw.text.find_first_not_of(" \t");
        if (first != string_view::npos && raw.text.substr(first).starts_with("</script>"))
            break;
        const LineEnd end = unescapeLine(raw.text, text);
        if (end == LineEnd::stringEnd)
            break;
        if (end == LineEnd::feed && raw.terminated)
            text.push_back('\n');
    }
    if (reader.failure())
        return *reader.failure();
    return text;
}

} // namespace twolane
