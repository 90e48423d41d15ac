// What a chart says of a side in words, broken into lines that its width can hold.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>

namespace twolane::chart {

/// `head` with all of `facts` behind it where `width` holds that; otherwise the head for itself,
/// cut in its middle if need be, and the facts below it. Lines break between facts only, for a
/// number without its end is another number; a fact that is wider than a line ends in "…".
QStringList legendLines(const QString& head, const QStringList& facts, double width,
                        const QFontMetricsF& metrics);

} // namespace twolane::chart
