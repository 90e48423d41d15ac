// A table of answers: what the command line prints and a panel shows.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace twolane {

/// What the numbers of a column are, so that a reader may be shown 1.2 ms for 1200000.
enum class Unit : std::uint8_t {
    none,     ///< text, ids, counts
    duration, ///< ns
    instant,  ///< ns in the trace's clock
    share,    ///< 0 to 1
};

struct Column {
    std::string name; ///< stable: scripts rely on it
    Unit unit = Unit::none;
    std::string heading = {}; ///< short, for people; empty: only in csv and json
};

/// No value, a whole number, a fraction, or bytes that need not be UTF-8.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows; ///< each as long as `columns`
    /// Sentences that belong beneath: how much was left out, and why.
    std::vector<std::string> notes = {};
};

} // namespace twolane
