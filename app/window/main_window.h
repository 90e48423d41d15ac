// The main window: two sides, their loads, and the commands.
#pragma once

#include "app/chart/loaded_trace.h"
#include "app/window/load_job.h"
#include "app/window/timeline_view.h"
#include "app/window/view_state.h"

#include <QAction>
#include <QLabel>
#include <QMainWindow>
#include <QStackedWidget>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace twolane::window {

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(LoadFn load, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Fills the baseline, then the candidate; more than two files are not taken.
    void openFiles(const std::vector<std::filesystem::path>& files);
    void open(std::size_t side, const std::filesystem::path& file);
    void cancel(std::size_t side);
    void close(std::size_t side);
    void swapSides();
    using QMainWindow::close;

    /// Shows a trace that was loaded elsewhere.
    void show(std::size_t side, std::shared_ptr<const chart::LoadedTrace> trace);
    using QMainWindow::show;

    bool loading() const;
    std::shared_ptr<const chart::LoadedTrace> trace(std::size_t side) const {
        return m_sides[side].trace;
    }
    /// What keeps a side from being shown.
    std::optional<Error> error(std::size_t side) const { return m_sides[side].error; }
    ViewState& view() { return m_view; }
    TimelineView& timeline() { return *m_timeline; }

Q_SIGNALS:
    void loadEnded(); ///< of either side, however it ended

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Side {
        SideLoader* loader = nullptr;
        std::shared_ptr<const chart::LoadedTrace> trace;
        std::optional<Error> error;
    };

    void addActions();
    QAction* addCommand(const QString& text, const QList<QKeySequence>& keys,
                        std::function<void()> run);
    std::size_t sideOf(const SideLoader* loader) const;
    void ended(std::size_t side);
    void refresh(std::size_t side);
    void refreshTitle();
    void refreshStatus();
    void refreshCommands();
    void askForFiles(std::size_t side);
    void showKeys();

    ViewState m_view;
    QStackedWidget* m_pages;
    TimelineView* m_timeline;
    QLabel* m_pointerText;
    QLabel* m_viewText;
    std::array<Side, chart::sideCount> m_sides;
    std::array<QAction*, chart::sideCount> m_closeSide{};
    QAction* m_swap = nullptr;
    QAction* m_back = nullptr;
    QAction* m_forward = nullptr;
    std::vector<QAction*> m_needTrace;
};

} // namespace twolane::window
