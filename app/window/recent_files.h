// The files opened last, kept between runs.
#pragma once

#include <QSettings>
#include <QStringList>

namespace twolane::window {

/// Reads and writes the list in `settings`, which must outlive it. Entries that are no plain text
/// are dropped on reading.
class RecentFiles {
public:
    static constexpr qsizetype most = 10;

    explicit RecentFiles(QSettings& settings)
        : m_settings(settings) {}

    /// Newest first; absolute paths.
    QStringList list() const;
    void add(const QString& path);
    void clear();

private:
    QSettings& m_settings;
};

/// Names of files for a menu: the last part of each path, and as much of the folders before it as
/// tells equal ones apart.
QStringList shortNames(const QStringList& paths);

} // namespace twolane::window
