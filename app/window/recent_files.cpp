#include "app/window/recent_files.h"

#include <QFileInfo>

#include <algorithm>

namespace twolane::window {
namespace {

const QString key = QStringLiteral("recentFiles");

/// The last `parts` parts of a path.
QString tail(const QString& path, qsizetype parts) {
    const QStringList all = path.split(QLatin1Char('/'));
    return all.mid(std::max<qsizetype>(0, all.size() - parts)).join(QLatin1Char('/'));
}

} // namespace

QStringList RecentFiles::list() const {
    QStringList files;
    const QStringList stored = m_settings.value(key).toStringList();
    for (const QString& path : stored)
        if (path.startsWith(QLatin1Char('/')) && path.size() < 4096 && !files.contains(path))
            files << path;
    return files.mid(0, most);
}

void RecentFiles::add(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = list();
    files.removeAll(absolute);
    files.prepend(absolute);
    m_settings.setValue(key, files.mid(0, most));
}

void RecentFiles::clear() {
    m_settings.remove(key);
}

QStringList shortNames(const QStringList& paths) {
    QStringList names;
    for (const QString& path : paths) {
        qsizetype parts = 1;
        const qsizetype all = path.count(QLatin1Char('/')) + 1;
        const auto ambiguous = [&] {
            return std::any_of(paths.begin(), paths.end(), [&](const QString& other) {
                return other != path && tail(other, parts) == tail(path, parts);
            });
        };
        while (parts < all && ambiguous())
            ++parts;
        names << tail(path, parts);
    }
    return names;
}

} // namespace twolane::window
