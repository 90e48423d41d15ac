// A distribution of lengths as a chart in characters, for mails and terminals.
#pragma once

#include "app/chart/lengths/length_plot.h"

#include <QByteArray>
#include <QStringList>

namespace twolane::chart {

/// ASCII, lines of at most 76 columns, the same legend as a figure's and a bar a bin and side. Bins
/// are put together until there are 16 or fewer; their edges stay powers of ten or parts of a
/// decade. A bin that holds anything has a mark, however small its share. `scope`: what part of the
/// traces is shown; empty: all.
QByteArray lengthText(LengthKind kind, const SideCurves& curves, const QString& title,
                      const QStringList& scope);

} // namespace twolane::chart
