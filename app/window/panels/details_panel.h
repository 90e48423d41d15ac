// What is known of the picked slice or wait, as text to read and to copy.
#pragma once

#include "app/window/facts.h"

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include <optional>

namespace twolane::window {

class DetailsPanel : public QWidget {
    Q_OBJECT

public:
    explicit DetailsPanel(QWidget* parent = nullptr);

    /// Nothing: an invitation to pick something.
    void setFacts(std::optional<Facts> facts);
    /// All of it, one fact a line; empty without facts.
    QString plain() const;
    void copy() const; ///< plain() to the clipboard

Q_SIGNALS:
    void showWanted(); ///< the picked thing is to be brought into view

private:
    std::optional<Facts> m_facts;
    QLabel* m_title;
    QPushButton* m_show;
    QPushButton* m_copy;
    QWidget* m_body = nullptr; ///< the rows
};

} // namespace twolane::window
