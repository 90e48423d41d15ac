#include "importers/common/prev_state_format.h"

#include "importers/common/constant_expression.h"

#include <string>
#include <utility>
#include <vector>

namespace twolane {
namespace {

constexpr std::size_t mostFlags = 64;

void skipSpace(std::string_view& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    text.remove_prefix(first == std::string_view::npos ? text.size() : first);
}

bool take(std::string_view& text, char c) {
    skipSpace(text);
    if (text.empty() || text.front() != c)
        return false;
    text.remove_prefix(1);
    return true;
}

/// `{ VALUE, "LETTER" }`
std::optional<PrevStateDecoder::Flag> takeFlag(std::string_view& text) {
    if (!take(text, '{'))
        return std::nullopt;
    const std::size_t comma = text.find_first_of(",{}\"");
    if (comma == std::string_view::npos || text[comma] != ',')
        return std::nullopt;
    const auto bit = evaluateConstant(text.substr(0, comma));
    text.remove_prefix(comma + 1);
    if (!bit || !take(text, '"'))
        return std::nullopt;
    const std::size_t close = text.find_first_of("\"\\{}");
    if (close == std::string_view::npos || text[close] != '"')
        return std::nullopt;
    PrevStateDecoder::Flag flag{*bit, std::string(text.substr(0, close))};
    text.remove_prefix(close + 1);
    if (!take(text, '}') || flag.letter.empty() || flag.letter.size() > 8)
        return std::nullopt;
    return flag;
}

std::optional<std::vector<PrevStateDecoder::Flag>> flagTable(std::string_view text) {
    constexpr std::string_view call = "__print_flags(";
    const std::size_t begin = text.find(call);
    if (begin == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(begin + call.size());
    if (text.substr(0, text.find(',')).find("prev_state") == std::string_view::npos)
        return std::nullopt;
    const std::size_t table = text.find('{');
    if (table == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(table);

    std::vector<PrevStateDecoder::Flag> flags;
    do {
        auto flag = takeFlag(text);
        if (!flag || flags.size() == mostFlags)
            return std::nullopt;
        flags.push_back(std::move(*flag));
    } while (take(text, ','));
    if (!take(text, ')'))
        return std::nullopt;
    return flags;
}

/// The mask in `prev_state & MASK ? "+"`; 0 where no "+" is printed.
std::optional<std::uint64_t> plusMask(std::string_view text) {
    const std::size_t plus = text.find("\"+\"");
    if (plus == std::string_view::npos)
        return 0;
    const std::size_t question = text.rfind('?', plus);
    if (question == std::string_view::npos)
        return std::nullopt;
    const std::string_view condition = text.substr(0, question);
    const std::size_t state = condition.rfind("prev_state");
    if (state == std::string_view::npos)
        return std::nullopt;
    std::string_view mask = condition.substr(state + std::string_view("prev_state").size());
    if (!take(mask, '&'))
        return std::nullopt;

    // The whole condition may stand in parentheses that were opened before "prev_state".
    std::size_t open = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (mask[i] == '(')
            ++open;
        if (mask[i] == ')' && open-- == 0) {
            mask = mask.substr(0, i);
            break;
        }
    }
    while (!mask.empty() && mask.back() == ' ')
        mask.remove_suffix(1);
    return evaluateConstant(mask);
}

} // namespace

std::optional<PrevStateDecoder> prevStateFromPrintFormat(std::string_view printFormat) {
    auto flags = flagTable(printFormat);
    const auto mask = plusMask(printFormat);
    if (!flags || !mask)
        return std::nullopt;
    return PrevStateDecoder(std::move(*flags), *mask);
}

} // namespace twolane
