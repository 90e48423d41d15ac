// The window before the first trace.
#pragma once

#include <QWidget>

namespace twolane::window {

class Welcome : public QWidget {
    Q_OBJECT

public:
    explicit Welcome(QWidget* parent);

Q_SIGNALS:
    void openWanted();
};

} // namespace twolane::window
