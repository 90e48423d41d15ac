// The window's menus, tool bar and keys.
#include "app/chart/draw_chart.h"
#include "app/window/export_dialog.h"
#include "app/window/main_window.h"
#include "app/window/side_card.h"

#include <QActionGroup>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QGridLayout>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>

#include <utility>

namespace twolane::window {
using namespace chart;
namespace {

std::filesystem::path pathOf(const QString& name) {
    return QFile::encodeName(name).toStdString();
}

std::optional<SliceRef> beforeOnCpu(const LoadedTrace& loaded, SliceRef slice) {
    return previousOnCpu(*loaded.trace, slice);
}
std::optional<SliceRef> afterOnCpu(const LoadedTrace& loaded, SliceRef slice) {
    return nextOnCpu(*loaded.trace, slice);
}
std::optional<SliceRef> beforeOfTask(const LoadedTrace& loaded, SliceRef slice) {
    return previousOfTask(*loaded.trace, loaded.neighbours, slice);
}
std::optional<SliceRef> afterOfTask(const LoadedTrace& loaded, SliceRef slice) {
    return nextOfTask(*loaded.trace, loaded.neighbours, slice);
}

} // namespace

QAction* MainWindow::addCommand(const QString& text, const QList<QKeySequence>& keys,
                                std::function<void()> run) {
    auto* action = new QAction(text, this);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    addAction(action);
    return action;
}

QAction* MainWindow::command(const QString& name) const {
    for (QAction* action : actions())
        if (action->text().remove(QLatin1Char('&')) == name)
            return action;
    return nullptr;
}

void MainWindow::addCommands() {
    const auto key = [](const char* text) {
        return QList<QKeySequence>{QKeySequence(QString::fromUtf8(text))};
    };
    const auto zoom = [this](double factor) {
        m_view.zoomAbout(m_timeline->anchorPixel(), factor);
    };
    const auto pan = [this](int tenths) {
        m_view.panBy(std::int64_t{m_view.view().width} * tenths / 10);
    };

    QMenu* file = menuBar()->addMenu(QStringLiteral("&File"));
    QAction* openBaseline = addCommand(QStringLiteral("&Open baseline…"), {QKeySequence::Open},
                                       [this] { askForFiles(0); });
    openBaseline->setIconText(QStringLiteral("Open…"));
    openBaseline->setToolTip(QStringLiteral("Open a trace as A, the baseline (Ctrl+O)"));
    file->addAction(openBaseline);
    m_recent = file->addMenu(QStringLiteral("Open &recent"));
    m_recent->setToolTipsVisible(true);
    QAction* exportAction =
        addCommand(QStringLiteral("&Export a chart…"), key("Ctrl+E"), [this] { exportChart(); });
    exportAction->setIconText(QStringLiteral("Export…"));
    exportAction->setToolTip(
        QStringLiteral("Write what is shown to a .png, .svg or .pdf (Ctrl+E)"));
    file->addAction(exportAction);
    file->addSeparator();
    m_closeSide[0] = addCommand(QStringLiteral("Close &baseline"), {}, [this] { close(0); });
    m_closeSide[1] = addCommand(QStringLiteral("C&lose candidate"), {}, [this] { close(1); });
    file->addActions({m_closeSide[0], m_closeSide[1]});
    file->addSeparator();
    file->addAction(
        addCommand(QStringLiteral("&Quit"), key("Ctrl+Q"), [this] { QMainWindow::close(); }));

    QMenu* viewMenu = menuBar()->addMenu(QStringLiteral("&View"));
    QAction* fit =
        addCommand(QStringLiteral("&Fit"), {Qt::Key_F, Qt::Key_Home}, [this] { m_view.fit(); });
    fit->setToolTip(QStringLiteral("Show everything (F)"));
    QAction* zoomIn = addCommand(QStringLiteral("Zoom &in"),
                                 {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}, [zoom] { zoom(1.5); });
    QAction* zoomOut = addCommand(QStringLiteral("Zoom &out"), {Qt::Key_S, Qt::Key_Minus},
                                  [zoom] { zoom(1 / 1.5); });
    viewMenu->addActions({fit, zoomIn, zoomOut});
    viewMenu->addSeparator();
    auto* arrangements = new QActionGroup(this);
    m_stacked = addCommand(QStringLiteral("&Stacked"), {},
                           [this] { setArrangement(Arrangement::stacked); });
    m_sideBySide = addCommand(QStringLiteral("Side &by side"), {},
                              [this] { setArrangement(Arrangement::sideBySide); });
    m_stacked->setToolTip(QStringLiteral("A above B (X changes)"));
    m_sideBySide->setToolTip(QStringLiteral("A beside B (X changes)"));
    for (QAction* action : {m_stacked, m_sideBySide}) {
        action->setCheckable(true);
        arrangements->addAction(action);
    }
    m_stacked->setChecked(true);
    viewMenu->addActions({m_stacked, m_sideBySide});
    addCommand(QStringLiteral("Change the arrangement"), {Qt::Key_X}, [this] {
        setArrangement(m_timeline->arrangement() == Arrangement::stacked ? Arrangement::sideBySide
                                                                         : Arrangement::stacked);
    });
    viewMenu->addSeparator();
    m_showSidePanel =
        addCommand(QStringLiteral("Side &panel"), key("Ctrl+B"), [this] { placeSidePanel(); });
    m_showSidePanel->setCheckable(true);
    m_showSidePanel->setChecked(true);
    m_showSidePanel->setToolTip(
        QStringLiteral("Distributions and details, where the window is wide enough (Ctrl+B)"));
    m_showDoubts = addCommand(QStringLiteral("&Lost or doubtful"), key("Ctrl+L"),
                              [this] { showDoubts(m_showDoubts->isChecked()); });
    m_showDoubts->setCheckable(true);
    viewMenu->addActions({m_showSidePanel, m_showDoubts});

    QMenu* go = menuBar()->addMenu(QStringLiteral("&Go"));
    m_back = addCommand(QStringLiteral("&Back"), key("Alt+Left"), [this] { m_view.back(); });
    m_forward =
        addCommand(QStringLiteral("&Forward"), key("Alt+Right"), [this] { m_view.forward(); });
    m_back->setIconText(QStringLiteral("⟲"));
    m_forward->setIconText(QStringLiteral("⟳"));
    m_back->setToolTip(QStringLiteral("Back to the view before (Alt+Left)"));
    m_forward->setToolTip(QStringLiteral("Forward to the view after (Alt+Right)"));
    QAction* earlier =
        addCommand(QStringLiteral("&Earlier"), {Qt::Key_A, Qt::Key_Left}, [pan] { pan(-1); });
    QAction* later =
        addCommand(QStringLiteral("&Later"), {Qt::Key_D, Qt::Key_Right}, [pan] { pan(1); });
    QAction* up = addCommand(QStringLiteral("Lanes &up"), {Qt::Key_Up},
                             [this] { m_timeline->scrollLanes(-1); });
    QAction* down = addCommand(QStringLiteral("Lanes &down"), {Qt::Key_Down},
                               [this] { m_timeline->scrollLanes(1); });
    QAction* cpuBefore = addCommand(QStringLiteral("&Previous slice on the CPU"), {Qt::Key_Comma},
                                    [this] { step(beforeOnCpu); });
    QAction* cpuAfter = addCommand(QStringLiteral("&Next slice on the CPU"), {Qt::Key_Period},
                                   [this] { step(afterOnCpu); });
    QAction* taskBefore = addCommand(QStringLiteral("Previous slice of the &task"), {Qt::Key_P},
                                     [this] { step(beforeOfTask); });
    QAction* taskAfter = addCommand(QStringLiteral("Next slice of the t&ask"), {Qt::Key_N},
                                    [this] { step(afterOfTask); });
    QAction* toPicked =
        addCommand(QStringLiteral("&Zoom to the selection"), {Qt::Key_Z}, [this] { showPicked(); });
    go->addActions({m_back, m_forward});
    go->addSeparator();
    go->addActions({earlier, later, up, down});
    go->addSeparator();
    go->addActions({toPicked, cpuBefore, cpuAfter, taskBefore, taskAfter});

    QMenu* analyse = menuBar()->addMenu(QStringLiteral("&Analyse"));
    QAction* filterTasks = addCommand(QStringLiteral("Filter &tasks"), key("Ctrl+F"), [this] {
        m_taskFilter->setFocus(Qt::ShortcutFocusReason);
        m_taskFilter->selectAll();
    });
    QAction* filterCpus = addCommand(QStringLiteral("Filter &CPUs"), key("Ctrl+Shift+F"), [this] {
        m_cpuFilter->setFocus(Qt::ShortcutFocusReason);
        m_cpuFilter->selectAll();
    });
    QAction* copyDetails = addCommand(QStringLiteral("C&opy the selection's details"),
                                      {QKeySequence::Copy}, [this] { m_details->copy(); });
    QAction* deselect = addCommand(QStringLiteral("&Deselect"), {Qt::Key_Escape}, [this] {
        m_timeline->pick(std::nullopt);
        m_timeline->setFocus();
    });
    analyse->addActions({filterTasks, filterCpus});
    analyse->addSeparator();
    analyse->addActions({copyDetails, deselect});

    QMenu* compare = menuBar()->addMenu(QStringLiteral("&Compare"));
    QAction* openCandidate = addCommand(QStringLiteral("Open &candidate…"), key("Ctrl+Shift+O"),
                                        [this] { askForFiles(1); });
    openCandidate->setIconText(QStringLiteral("Compare…"));
    openCandidate->setToolTip(
        QStringLiteral("Open a trace as B, the candidate, to compare with A (Ctrl+Shift+O)"));
    m_swap = addCommand(QStringLiteral("&Swap sides"), {}, [this] { swapSides(); });
    compare->addActions({openCandidate, m_swap});

    menuBar()
        ->addMenu(QStringLiteral("&Help"))
        ->addAction(addCommand(QStringLiteral("&Keys and pointer"),
                               {QKeySequence::HelpContents, QKeySequence(QStringLiteral("?"))},
                               [this] { showKeys(); }));

    m_needTrace = {exportAction, fit,  zoomIn,      zoomOut,    earlier,   later,
                   up,           down, filterTasks, filterCpus, m_stacked, m_sideBySide};
    m_needPicked = {toPicked, cpuBefore, cpuAfter, taskBefore, taskAfter, copyDetails, deselect};
    refreshRecent();
}

void MainWindow::addToolBar() {
    QToolBar* bar = QMainWindow::addToolBar(QStringLiteral("Tools"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    bar->addActions({command(QStringLiteral("Open baseline…")),
                     command(QStringLiteral("Open candidate…")),
                     command(QStringLiteral("Export a chart…"))});
    bar->addSeparator();
    bar->addActions({m_back, m_forward, command(QStringLiteral("Fit"))});
    bar->addSeparator();
    bar->addActions({m_stacked, m_sideBySide});
    auto* room = new QWidget(bar);
    room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(room);
    m_taskFilter = new QLineEdit(bar);
    m_taskFilter->setObjectName(QStringLiteral("taskFilter"));
    m_taskFilter->setPlaceholderText(QStringLiteral("Tasks: postgres*, or a tid… Ctrl+F"));
    m_taskFilter->setToolTip(
        QStringLiteral("Tasks by a pattern of their comm (* ? [abc]) or by tid: others turn pale,\n"
                       "and the distributions count these alone"));
    m_taskFilter->setAccessibleName(QStringLiteral("Filter tasks"));
    m_taskFilter->setMaximumWidth(240);
    m_cpuFilter = new QLineEdit(bar);
    m_cpuFilter->setObjectName(QStringLiteral("cpuFilter"));
    m_cpuFilter->setPlaceholderText(QStringLiteral("CPUs: 0,2-5"));
    m_cpuFilter->setToolTip(QStringLiteral("CPUs by number: 0,2-5. Lanes of others are hidden"));
    m_cpuFilter->setAccessibleName(QStringLiteral("Filter CPUs"));
    m_cpuFilter->setMaximumWidth(110);
    for (QLineEdit* edit : {m_taskFilter, m_cpuFilter}) {
        edit->setClearButtonEnabled(true);
        connect(edit, &QLineEdit::textChanged, this, &MainWindow::applyFilter);
        connect(edit, &QLineEdit::returnPressed, this, [this] { m_timeline->setFocus(); });
        bar->addWidget(edit);
    }
}

void MainWindow::applyFilter() {
    const QString tasks = m_taskFilter->text().trimmed();
    const QString cpus = m_cpuFilter->text().trimmed();
    const auto parsed = cpus.isEmpty() ? CpuFilter() : CpuFilter::parse(cpus.toStdString());
    if (!parsed) {
        statusBar()->showMessage(
            QStringLiteral("“%1” is no list of CPUs: write one such as 0,2-5").arg(cpus), 4000);
        return; // what was shown stays
    }
    statusBar()->clearMessage();
    m_timeline->setFilter(*parsed,
                          tasks.isEmpty() ? TaskFilter() : TaskFilter(tasks.toStdString()));
    Q_EMIT filterChanged();
}

void MainWindow::setArrangement(Arrangement arrangement) {
    m_timeline->setArrangement(arrangement);
    m_stacked->setChecked(arrangement == Arrangement::stacked);
    m_sideBySide->setChecked(arrangement == Arrangement::sideBySide);
}

void MainWindow::showPicked() {
    const auto& picked = m_timeline->picked();
    if (!picked)
        return;
    const TimeRange range = m_timeline->rangeOf(*picked);
    const Nanos margin = std::max<Nanos>(range.length(), 1);
    m_view.show({addSaturated(range.begin, -margin), addSaturated(range.end, margin)});
}

/// From the picked slice to another one, which is brought into view if it lies outside.
void MainWindow::step(std::optional<SliceRef> (*neighbour)(const LoadedTrace&, SliceRef)) {
    const auto picked = m_timeline->picked();
    if (!picked)
        return;
    const LoadedTrace& loaded = *m_timeline->scene().sides[picked->side].loaded;
    std::optional<SliceRef> from;
    if (const auto* slice = std::get_if<SliceRef>(&picked->what))
        from = *slice;
    else
        from = sliceAfter(*loaded.trace, loaded.neighbours, std::get<WaitRow>(picked->what));
    const auto to = from ? neighbour(loaded, *from) : std::nullopt;
    if (!to) {
        statusBar()->showMessage(QStringLiteral("There is none in this recording"), 3000);
        return;
    }
    const Picked next{picked->side, *to};
    m_timeline->pick(next);
    const TimeRange range = m_timeline->rangeOf(next);
    const TimeRange view = m_view.view().range;
    if (range.begin < view.end && range.end > view.begin)
        return;
    const Nanos half = view.length() / 2;
    m_view.show(
        {addSaturated(range.begin, -half), addSaturated(range.begin, view.length() - half)});
}

void MainWindow::refreshCommands() {
    bool any = false;
    for (std::size_t i = 0; i < sideCount; ++i) {
        const Side& side = m_sides[i];
        any = any || side.trace;
        if (m_closeSide[i])
            m_closeSide[i]->setEnabled(side.trace || side.error || side.loader->busy());
    }
    if (m_swap)
        m_swap->setEnabled(m_closeSide[0]->isEnabled() || m_closeSide[1]->isEnabled());
    for (QAction* action : m_needTrace)
        action->setEnabled(any);
    for (QAction* action : m_needPicked)
        action->setEnabled(m_timeline->picked().has_value());
    if (m_back)
        m_back->setEnabled(any && m_view.canGoBack());
    if (m_forward)
        m_forward->setEnabled(any && m_view.canGoForward());
    refreshStatus();
}

void MainWindow::refreshRecent() {
    m_recent->clear();
    const QStringList paths = m_settings ? RecentFiles(*m_settings).list() : QStringList();
    const QStringList names = shortNames(paths);
    for (qsizetype i = 0; i < paths.size(); ++i) {
        // An ampersand in a name is no mark of a key.
        QString text = printable(names[i].toStdString());
        QAction* action = m_recent->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setToolTip(paths[i]);
        connect(action, &QAction::triggered, this, [this, path = paths[i]] {
            // The first free side, or in place of the candidate.
            open(m_sides[0].trace || m_sides[0].loader->busy() ? 1 : 0, pathOf(path));
        });
    }
    m_recent->setEnabled(!paths.isEmpty());
    if (paths.isEmpty())
        return;
    m_recent->addSeparator();
    connect(m_recent->addAction(QStringLiteral("Forget these")), &QAction::triggered, this, [this] {
        RecentFiles(*m_settings).clear();
        refreshRecent();
    });
}

void MainWindow::askForFiles(std::size_t side) {
    const QString folder =
        m_sides[side].loader->path().empty()
            ? QString()
            : QFile::decodeName(m_sides[side].loader->path().parent_path().string().c_str());
    const QStringList names = QFileDialog::getOpenFileNames(
        this, QStringLiteral("Open %1").arg(sideName(side)), folder,
        QStringLiteral("Traces (*.dat *.data *.txt *.trace *.log *.html *.gz *.xz *.zst);;"
                       "All files (*)"));
    if (names.isEmpty())
        return;
    if (names.size() == 1) {
        open(side, pathOf(names.front()));
        return;
    }
    std::vector<std::filesystem::path> files;
    for (const QString& name : names)
        files.push_back(pathOf(name));
    openFiles(files);
}

void MainWindow::exportChart() {
    auto* dialog = new ExportDialog(chartRequest(), this); // not modal
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const ChartRequest request = dialog->request();
        const ChartOutcome outcome = drawChart(request);
        // What went wrong stays until it is read: other messages replace it.
        if (!outcome)
            statusBar()->showMessage(printable(outcome.error().message()));
        else if (!outcome->empty())
            statusBar()->showMessage(printable(outcome->front()));
        else
            statusBar()->showMessage(
                QStringLiteral("Written: ") + printable(request.output.string()), 6000);
    });
    dialog->show();
}

void MainWindow::showKeys() {
    auto* sheet = new QDialog(this); // not modal: it may stay open beside the work
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->setWindowTitle(QStringLiteral("Keys and pointer"));
    auto* grid = new QGridLayout(sheet);
    grid->setContentsMargins(20, 16, 20, 16);
    grid->setHorizontalSpacing(24);
    constexpr std::array<std::pair<const char*, const char*>, 19> rows{
        {{"wheel", "zoom about the pointer"},
         {"Ctrl or Shift + wheel", "scroll in time"},
         {"wheel over CPU names", "scroll the lanes"},
         {"drag", "move in time and through the lanes"},
         {"drag on the scale", "zoom to that span"},
         {"drag in the overview", "move the view, or one of its edges"},
         {"click", "details of a slice, or of a waiting task below it"},
         {"double click", "zoom to it; beside everything: show everything"},
         {"W  S  +  −", "zoom in, zoom out"},
         {"A  D  ←  →", "earlier, later"},
         {"↑  ↓", "scroll the lanes"},
         {"F  Home", "show everything"},
         {"Alt ←  Alt →", "the view before, after"},
         {",  .", "previous, next slice on the CPU"},
         {"P  N", "previous, next slice of the task"},
         {"Z  Esc", "zoom to the selection, deselect"},
         {"X", "stacked or side by side"},
         {"Ctrl E", "write what is shown to a file"},
         {"Ctrl F  Ctrl L  Ctrl B", "filter tasks, what is lost, side panel"}}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto* keys = new QLabel(QString::fromUtf8(rows[i].first), sheet);
        QFont bold = keys->font();
        bold.setBold(true);
        keys->setFont(bold);
        grid->addWidget(keys, static_cast<int>(i), 0);
        grid->addWidget(new QLabel(QString::fromUtf8(rows[i].second), sheet), static_cast<int>(i),
                        1);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, sheet);
    connect(buttons, &QDialogButtonBox::rejected, sheet, &QDialog::reject);
    grid->addWidget(buttons, static_cast<int>(rows.size()), 0, 1, 2);
    sheet->show();
}

} // namespace twolane::window
