#include "importers/common/payload_cuts.h"

#include "importers/common/text_number.h"

#include <cstring>

namespace twolane {
namespace {

constexpr std::size_t maxNumber = 40; // "0xffffffffffffffff (-9223372036854775808)"

} // namespace

using std::string_view;

string_view trimRight(string_view text) {
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

bool wholeNumber(string_view text, std::int64_t& value) {
    const char* at = text.data();
    const char* const end = at + text.size();
    return takeNumber(at, end, value) && at == end;
}

bool wholeInt32(string_view text, std::int32_t& value) {
    std::int64_t wide = 0;
    return wholeNumber(text, wide) && toInt32(wide, value);
}

bool cutValue(string_view& rest, string_view key, string_view& value) {
    std::size_t at = rest.size();
    const std::size_t floor = at > maxNumber ? at - maxNumber : 0;
    while (at > floor && rest[at - 1] != '=')
        --at;
    if (at == floor || at < key.size())
        return false;
    if (std::memcmp(rest.data() + at - key.size(), key.data(), key.size()) != 0)
        return false;
    value = rest.substr(at);
    rest = rest.substr(0, at - key.size());
    return true;
}

bool cutInt(string_view& rest, string_view key, std::int32_t& out) {
    string_view cut = rest;
    string_view value;
    if (!cutValue(cut, key, value) || !wholeInt32(value, out))
        return false;
    rest = cut;
    return true;
}

bool cutIntAndTail(string_view& rest, string_view key, std::int32_t& out) {
    if (cutInt(rest, key, out))
        return true;
    for (std::size_t from = rest.rfind(key); from != string_view::npos;) {
        const char* at = rest.data() + from + key.size();
        const char* const end = rest.data() + rest.size();
        std::int64_t value = 0;
        if (takeNumber(at, end, value) && (at == end || isBlank(*at)) && toInt32(value, out)) {
            rest = rest.substr(0, from);
            return true;
        }
        if (from == 0)
            break;
        from = rest.rfind(key, from - 1);
    }
    return false;
}

bool cutFront(string_view& rest, string_view prefix) {
    if (!rest.starts_with(prefix))
        return false;
    rest.remove_prefix(prefix.size());
    return true;
}

bool CommCuts::next(string_view& before, string_view& comm) {
    if (m_from == string_view::npos)
        return false;
    const std::size_t at = m_rest.rfind(m_key, m_from);
    if (at == string_view::npos)
        return false;
    const bool tooLong = m_rest.size() - at - m_key.size() > maxComm;
    if (tooLong && m_found)
        return false;
    m_found = true;
    before = m_rest.substr(0, at);
    comm = m_rest.substr(at + m_key.size());
    m_from = at == 0 || tooLong ? string_view::npos : at - 1;
    return true;
}

bool cutPidAndPrio(string_view& rest, std::int32_t& pid, std::int32_t& prio) {
    if (!rest.ends_with(']'))
        return false;
    const std::size_t open = rest.rfind(" [");
    if (open == string_view::npos || rest.size() - open > maxNumber)
        return false;
    if (!wholeInt32(rest.substr(open + 2, rest.size() - open - 3), prio))
        return false;
    string_view front = rest.substr(0, open);
    const std::size_t colon = front.rfind(':');
    if (colon == string_view::npos || !wholeInt32(front.substr(colon + 1), pid))
        return false;
    rest = front.substr(0, colon);
    return true;
}

} // namespace twolane
