#define DOCTEST_CONFIG_IMPLEMENT
#include "app/chart/theme.h"

#include <QApplication>
#include <QStyleFactory>

#include <doctest/doctest.h>

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(twolane::chart::plainPalette(false));
    return doctest::Context(argc, argv).run();
}
