// A Qt application that draws into files: no display, no desktop's settings.
#pragma once

#include <QApplication>

#include <string>

namespace twolane::window {

/// What Qt wants to see as command line; it keeps references to it.
struct Arguments {
    std::string program = "twolane";
    char* values[2] = {program.data(), nullptr};
    int count = 1;
};

/// Qt's offscreen platform, unless the user chose one, and colours that no desktop has a say in.
/// `scale`: device pixels a pixel of widgets.
class HeadlessApplication {
public:
    HeadlessApplication(bool dark, double scale);

private:
    Arguments m_arguments;
    QApplication m_application;
};

} // namespace twolane::window
