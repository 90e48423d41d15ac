// How a function that may fail says so: a value or an Error that a user can act upon.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace twolane {

/// What is wrong, where, and what would help. All parts are plain text for people.
struct Error {
    std::string file;         ///< the path as the user gave it; may be empty
    std::string what;         ///< what is wrong: "cut off inside a page"
    std::string where;        ///< "line 12", "byte 4096"; empty where no place can be named
    std::string remedy;       ///< what would help; empty where nothing would
    bool interrupted = false; ///< the user cancelled: not a fault of the input

    /// "FILE: what, at where; remedy" in one line, without the program's name.
    std::string message() const;
};

/// A T, or the Error that stood in its way.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_content(std::move(value)) {} // NOLINT(google-explicit-constructor)
    Result(Error error)
        : m_content(std::move(error)) {} // NOLINT(google-explicit-constructor)

    bool ok() const { return std::holds_alternative<T>(m_content); }
    explicit operator bool() const { return ok(); }

    T& value() & { return std::get<T>(m_content); }
    const T& value() const& { return std::get<T>(m_content); }
    T&& value() && { return std::get<T>(std::move(m_content)); }
    const Error& error() const { return std::get<Error>(m_content); }

    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> m_content;
};

/// Done, or the Error that stood in the way.
using Status = Result<std::monostate>;
inline Status success() {
    return std::monostate{};
}

} // namespace twolane
