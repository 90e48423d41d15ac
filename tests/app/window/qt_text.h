// Lets doctest print Qt's strings.
#pragma once

#include <QString>

#include <doctest/doctest.h>

namespace doctest {
template <>
struct StringMaker<QString> {
    static String convert(const QString& text) { return text.toUtf8().constData(); }
};
} // namespace doctest

inline QString operator""_q(const char* text, std::size_t length) {
    return QString::fromUtf8(text, static_cast<qsizetype>(length));
}
