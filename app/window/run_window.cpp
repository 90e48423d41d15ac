// The entry points of the window's module.
#include "app/window/headless.h"
#include "app/window/main_window.h"
#include "app/window/window_api.h"
#include "importers/load.h"

#include <QApplication>
#include <QPixmap>

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#define TWOLANE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace twolane;

window::LoadFn fileLoader() {
    return [](const std::filesystem::path& path, std::stop_token stop, const ProgressFn& progress) {
        return load(path, {}, std::move(stop), progress);
    };
}

std::vector<std::filesystem::path> pathsOf(const char* const* files, int count) {
    return {files, files + count};
}

} // namespace

TWOLANE_EXPORT int twolaneRunWindow(const char* const* files, int count) {
    window::Arguments arguments;
    QApplication app(arguments.count, arguments.values);
    QApplication::setApplicationName(QStringLiteral("twolane"));
    QApplication::setApplicationDisplayName(QStringLiteral("Twolane"));
    window::MainWindow window(fileLoader(), std::make_unique<QSettings>(QStringLiteral("twolane"),
                                                                        QStringLiteral("twolane")));
    window.openFiles(pathsOf(files, count));
    window.show();
    return QApplication::exec();
}

TWOLANE_EXPORT int twolaneGrabWindow(const char* const* files, int count, const TwolaneGrab* grab) {
    const window::HeadlessApplication application(grab->dark != 0, grab->scale);
    window::MainWindow window(fileLoader());
    window.resize(grab->width, grab->height); // never shown: grab() lays it out
    int status = 0;
    const auto paths = pathsOf(files, count);
    for (std::size_t i = 0; i < paths.size() && i < chart::sideCount; ++i) {
        auto trace = load(paths[i], {});
        if (!trace) {
            fmt::print(stderr, "twolane: {}\n", trace.error().message());
            return 1;
        }
        window.show(i, chart::prepare(*trace));
    }
    QApplication::processEvents();
    if (grab->hasSpan)
        window.view().show({grab->from, std::max(grab->to, grab->from)});
    QApplication::processEvents();
    while (window.lengths().busy())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QApplication::processEvents();
    if (!window.grab().save(QString::fromUtf8(grab->png), "PNG")) {
        fmt::print(stderr, "twolane: {}: cannot be written; check the folder and its permissions\n",
                   grab->png);
        status = 1;
    }
    return status;
}
