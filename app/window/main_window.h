// The main window: two sides, their loads, and the commands.
#pragma once

#include "app/chart/chart_request.h"
#include "app/chart/loaded_trace.h"
#include "app/window/load_job.h"
#include "app/window/panels/details_panel.h"
#include "app/window/panels/doubts_panel.h"
#include "app/window/panels/lengths_panel.h"
#include "app/window/recent_files.h"
#include "app/window/timeline_view.h"
#include "app/window/view_state.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
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
    /// `settings`: where the window keeps what it remembers; null: it remembers nothing.
    explicit MainWindow(LoadFn load, std::unique_ptr<QSettings> settings = nullptr);
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
    DetailsPanel& details() { return *m_details; }
    DoubtsPanel& doubts() { return *m_doubts; }
    LengthsPanel& lengths() { return *m_lengths; }
    /// What the window shows, as a chart of the command line: the same picture.
    chart::ChartRequest chartRequest() const;
    /// The action of that name, as in a menu without its mark; null where there is none.
    QAction* command(const QString& name) const;
    void setArrangement(chart::Arrangement arrangement);

Q_SIGNALS:
    void loadEnded(); ///< of either side, however it ended
    void filterChanged();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Side {
        SideLoader* loader = nullptr;
        std::shared_ptr<const chart::LoadedTrace> trace;
        std::optional<Error> error;
    };

    QWidget* makeWorkspace();
    void connectSide(std::size_t side, LoadFn load);
    // In main_window_commands.cpp:
    void addCommands();
    void addToolBar();
    QAction* addCommand(const QString& text, const QList<QKeySequence>& keys,
                        std::function<void()> run);
    void refreshRecent();
    void refreshCommands();
    void applyFilter();
    void showPicked();
    void step(std::optional<SliceRef> (*neighbour)(const chart::LoadedTrace&, SliceRef));
    void askForFiles(std::size_t side);
    void showKeys();
    void exportChart();
    std::size_t sideOf(const SideLoader* loader) const;
    void ended(std::size_t side);
    void refresh(std::size_t side);
    std::optional<Error> apartFromBaseline() const;
    void refreshTitle();
    void refreshStatus();
    void refreshDetails();
    void followView();
    Selection shownSelection(const Trace& trace) const;
    void placeSidePanel();
    void showDoubts(bool shown, std::optional<std::size_t> side = {});

    std::unique_ptr<QSettings> m_settings;
    ViewState m_view;
    QStackedWidget* m_pages;
    TimelineView* m_timeline = nullptr;
    DetailsPanel* m_details = nullptr;
    DoubtsPanel* m_doubts = nullptr;
    LengthsPanel* m_lengths = nullptr;
    QWidget* m_sidePanel = nullptr;
    QLabel* m_pointerText;
    QLabel* m_viewText;
    std::array<Side, chart::sideCount> m_sides;
    std::array<QAction*, chart::sideCount> m_closeSide{};
    QAction* m_swap = nullptr;
    QAction* m_back = nullptr;
    QAction* m_forward = nullptr;
    QAction* m_stacked = nullptr;
    QAction* m_sideBySide = nullptr;
    QAction* m_showSidePanel = nullptr;
    QAction* m_showDoubts = nullptr;
    QMenu* m_recent = nullptr;
    QLineEdit* m_taskFilter = nullptr;
    QLineEdit* m_cpuFilter = nullptr;
    std::vector<QAction*> m_needTrace;
    std::vector<QAction*> m_needPicked;
};

} // namespace twolane::window
