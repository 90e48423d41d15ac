#include "model/diagnostics.h"

#include <algorithm>

namespace twolane {

std::string Oddity::message() const {
    std::string text = what;
    if (count > 1) {
        text += " (" + std::to_string(count) + " in all" +
                (first.empty() ? "" : ", first at " + first) + ")";
    } else if (!first.empty()) {
        text += " (at " + first + ")";
    }
    if (!advice.empty())
        text += "; " + advice;
    return text;
}

void Diagnostics::add(const Oddity& oddity) {
    if (oddity.count == 0)
        return;
    const auto known = std::find_if(m_all.begin(), m_all.end(),
                                    [&](const Oddity& o) { return o.code == oddity.code; });
    if (known == m_all.end())
        m_all.push_back(oddity);
    else
        known->count += oddity.count;
}

const Oddity* Diagnostics::find(const std::string& code) const {
    const auto known =
        std::find_if(m_all.begin(), m_all.end(), [&](const Oddity& o) { return o.code == code; });
    return known == m_all.end() ? nullptr : &*known;
}

std::uint64_t Diagnostics::count(const std::string& code) const {
    const Oddity* known = find(code);
    return known ? known->count : 0;
}

} // namespace twolane
