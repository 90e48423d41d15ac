// The line over each side's lanes: what is shown, how much of it, and how far it is to be trusted.
#pragma once

#include "app/chart/loaded_trace.h"
#include "app/chart/theme.h"

#include <QPainter>
#include <QRect>
#include <QString>

namespace twolane::chart {

struct HeaderText {
    QString name;       ///< the label, or the file's name
    QString origin;     ///< kernel, format, clock
    QString amount;     ///< events, CPUs, tasks
    QString trust;      ///< what was lost
    bool lossy = false; ///< `trust` is a warning
    QString details;    ///< several lines, for a tooltip
};

/// `label` replaces the file's name unless it is empty.
HeaderText headerText(const LoadedTrace& loaded, const QString& label);

/// Paints in logical coordinates; parts that have no room are left out, trust last. Returns where
/// the trust stands; empty where it does not.
QRect paintHeader(QPainter& painter, const QRect& box, std::size_t side, const HeaderText& text,
                  const Theme& theme);

} // namespace twolane::chart
