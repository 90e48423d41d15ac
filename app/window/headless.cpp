#include "app/window/headless.h"

#include "app/chart/theme.h"

#include <QHashFunctions>
#include <QStyleFactory>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace twolane::window {
namespace {

/// What Qt remarks about the session (no runtime folder, no D-Bus) is none of a picture's business.
void onlyErrors(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtCriticalMsg || type == QtFatalMsg)
        fmt::print(stderr, "twolane: {}\n", text.toStdString());
    if (type == QtFatalMsg) { // Qt would abort: a platform that cannot be had is an error, no crash
        fmt::print(stderr, "twolane: unset QT_QPA_PLATFORM, or set it to offscreen\n");
        std::_Exit(1);
    }
}

/// Before there is an application.
int& prepared(int& count, double scale) {
    QHashSeed::setDeterministicGlobalSeed(); // the same picture is the same file
    qInstallMessageHandler(onlyErrors);
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", QByteArray::number(scale));
    return count;
}

} // namespace

HeadlessApplication::HeadlessApplication(bool dark, double scale)
    : m_application(prepared(m_arguments.count, scale), m_arguments.values) {
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(chart::plainPalette(dark));
}

} // namespace twolane::window
