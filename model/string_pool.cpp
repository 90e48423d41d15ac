#include "model/string_pool.h"

namespace twolane {

StringId StringPool::intern(std::string_view text) {
    if (const auto known = m_ids.find(text); known != m_ids.end())
        return known->second;
    const StringId id(static_cast<std::uint32_t>(m_texts.size()));
    m_texts.emplace_back(text);
    m_ids.emplace(m_texts.back(), id);
    return id;
}

StringId StringPool::find(std::string_view text) const {
    const auto known = m_ids.find(text);
    return known == m_ids.end() ? StringId() : known->second;
}

} // namespace twolane
