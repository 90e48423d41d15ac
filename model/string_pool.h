// Keeps each text once.
#pragma once

#include "model/ids.h"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace twolane {

/// Interns byte strings (comms need not be UTF-8). Ids are dense, in the order of first interning,
/// and the views stay valid as long as the pool.
class StringPool {
public:
    StringPool() = default;
    StringPool(const StringPool&) = delete; // the map's keys point into m_texts
    StringPool& operator=(const StringPool&) = delete;

    StringId intern(std::string_view text);
    /// The text of a valid id of this pool; "" for an invalid id.
    std::string_view text(StringId id) const {
        return id.valid() ? std::string_view(m_texts[id.value()]) : std::string_view();
    }
    /// The id of a text that was interned; an invalid id for any other.
    StringId find(std::string_view text) const;
    std::size_t size() const { return m_texts.size(); }

private:
    std::deque<std::string> m_texts; // a deque never moves its elements
    std::unordered_map<std::string_view, StringId> m_ids;
};

} // namespace twolane
