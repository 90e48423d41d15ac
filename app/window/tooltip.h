// Plain text as a tooltip.
#pragma once

#include <QString>

namespace twolane::window {

/// Tooltips take text that looks like markup for markup: makes all of it markup, escaped.
inline QString asTooltip(const QString& plain) {
    return QStringLiteral("<p style='white-space:pre-wrap'>") +
           plain.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")) +
           QStringLiteral("</p>");
}

} // namespace twolane::window
