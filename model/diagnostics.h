// What was odd about a trace: counted, placed, and with advice. Part of every result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace twolane {

enum class Severity : std::uint8_t {
    info,     ///< worth knowing; every number stands
    dataLoss, ///< something is missing or doubtful; numbers that depend on it are marked
    error,    ///< a part of the input could not be understood
};

/// One kind of oddity.
struct Oddity {
    std::string code; ///< stable, lower_case: "lost_events"
    Severity severity = Severity::info;
    std::uint64_t count = 0;
    std::string what;   ///< one sentence without full stop, true for all `count` of them
    std::string first;  ///< the first place: "CPU 3 at 24.353689000", "line 17"; may be empty
    std::string advice; ///< what the user can do; may be empty

    /// "what (count, first at …); advice" in one line.
    std::string message() const;
};

/// Collects oddities by code, in the order in which their kinds were first met.
class Diagnostics {
public:
    /// Counts `count` more of `code`. The texts of the first call of a code are kept; `count` 0
    /// adds nothing.
    void add(const Oddity& oddity);

    const std::vector<Oddity>& all() const { return m_all; }
    const Oddity* find(const std::string& code) const;
    /// How often `code` was counted; 0 where it never was.
    std::uint64_t count(const std::string& code) const;
    bool empty() const { return m_all.empty(); }

private:
    std::vector<Oddity> m_all; // a few dozen kinds at most: a linear search is enough
};

} // namespace twolane
