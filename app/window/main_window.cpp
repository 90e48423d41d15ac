#include "app/window/main_window.h"

#include "app/window/side_card.h"
#include "app/window/side_header.h"
#include "app/window/welcome.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QGridLayout>
#include <QMenuBar>
#include <QMimeData>
#include <QStatusBar>
#include <QToolBar>

#include <utility>

namespace twolane::window {
using namespace chart;
namespace {

std::filesystem::path pathOf(const QString& name) {
    return QFile::encodeName(name).toStdString();
}

} // namespace

MainWindow::MainWindow(LoadFn load, QWidget* parent)
    : QMainWindow(parent)
    , m_pages(new QStackedWidget(this))
    , m_timeline(new TimelineView(m_view, m_pages))
    , m_pointerText(new QLabel(this))
    , m_viewText(new QLabel(this)) {
    setAcceptDrops(true);
    auto* welcome = new Welcome(m_pages);
    m_pages->addWidget(welcome);
    m_pages->addWidget(m_timeline);
    setCentralWidget(m_pages);
    connect(welcome, &Welcome::openWanted, this, [this] { askForFiles(0); });

    for (std::size_t i = 0; i < sideCount; ++i) {
        auto* loader = new SideLoader(load, this);
        m_sides[i].loader = loader;
        // A swap moves loaders to the other side: ask where one is now.
        connect(loader, &SideLoader::progressed, this, [this, loader] { refresh(sideOf(loader)); });
        connect(loader, &SideLoader::loaded, this,
                [this, loader](std::shared_ptr<const LoadedTrace> trace) {
                    const std::size_t side = sideOf(loader);
                    m_sides[side].trace = std::move(trace);
                    m_sides[side].error.reset();
                    ended(side);
                });
        connect(loader, &SideLoader::failed, this, [this, loader](const Error& error) {
            const std::size_t side = sideOf(loader);
            m_sides[side].error = error;
            ended(side);
        });
        connect(loader, &SideLoader::cancelled, this, [this, loader] { ended(sideOf(loader)); });
        SideCard& card = m_timeline->card(i);
        connect(&card, &SideCard::openWanted, this, [this, i] { askForFiles(i); });
        connect(&card, &SideCard::cancelWanted, this, [this, i] { cancel(i); });
        connect(&card, &SideCard::dismissWanted, this, [this, i] {
            m_sides[i].error.reset();
            refresh(i);
        });
    }

    m_pointerText->setTextFormat(Qt::PlainText);
    m_viewText->setTextFormat(Qt::PlainText);
    m_pointerText->setMinimumWidth(1); // long texts are cut, they never widen the window
    m_pointerText->setContentsMargins(8, 0, 8, 0);
    m_viewText->setContentsMargins(8, 0, 8, 0);
    statusBar()->addWidget(m_pointerText, 1);
    statusBar()->addPermanentWidget(m_viewText);
    statusBar()->setSizeGripEnabled(false);
    connect(m_timeline, &TimelineView::pointerMoved, this, &MainWindow::refreshStatus);
    connect(&m_view, &ViewState::changed, this, &MainWindow::refreshCommands);

    addActions();
    for (std::size_t i = 0; i < sideCount; ++i)
        refresh(i);
    resize(1280, 800);
}

MainWindow::~MainWindow() {
    // The loaders wait for their threads; nothing of this window may be told of their end.
    for (Side& side : m_sides) {
        side.loader->disconnect(this);
        delete std::exchange(side.loader, nullptr);
    }
    m_view.disconnect(this);
    m_timeline->disconnect(this);
    delete std::exchange(m_pages,
                         nullptr); // the timeline refers to m_view, which goes before children do
}

void MainWindow::openFiles(const std::vector<std::filesystem::path>& files) {
    for (std::size_t i = 0; i < files.size() && i < sideCount; ++i)
        open(i, files[i]);
    if (files.size() > sideCount)
        statusBar()->showMessage(
            QStringLiteral("Two traces are compared at a time: the first two files were opened."),
            8000);
}

void MainWindow::open(std::size_t side, const std::filesystem::path& file) {
    m_sides[side].error.reset();
    m_sides[side].loader->start(file);
    refresh(side);
}

void MainWindow::cancel(std::size_t side) {
    m_sides[side].loader->cancel();
}

void MainWindow::close(std::size_t side) {
    m_sides[side].trace.reset();
    m_sides[side].error.reset();
    cancel(side);
    refresh(side);
}

void MainWindow::swapSides() {
    std::swap(m_sides[0], m_sides[1]);
    for (std::size_t i = 0; i < sideCount; ++i)
        refresh(i);
}

void MainWindow::show(std::size_t side, std::shared_ptr<const LoadedTrace> trace) {
    cancel(side);
    m_sides[side].trace = std::move(trace);
    m_sides[side].error.reset();
    refresh(side);
}

bool MainWindow::loading() const {
    return m_sides[0].loader->busy() || m_sides[1].loader->busy();
}

std::size_t MainWindow::sideOf(const SideLoader* loader) const {
    return m_sides[0].loader == loader ? 0 : 1;
}

void MainWindow::ended(std::size_t side) {
    refresh(side);
    Q_EMIT loadEnded();
}

void MainWindow::refresh(std::size_t index) {
    const Side& side = m_sides[index];
    SideHeader& header = m_timeline->header(index);
    SideCard& card = m_timeline->card(index);
    const QString name = printable(side.loader->path().filename().string());
    if (side.loader->busy()) {
        card.showLoad(side.loader->path(), side.loader->bytesDone(), side.loader->bytesTotal());
        header.setTrace(nullptr, name);
        m_timeline->setSide(index, nullptr, false);
    } else if (side.error) {
        card.showError(*side.error, side.trace != nullptr);
        header.setTrace(nullptr, name);
        m_timeline->setSide(index, nullptr, false);
    } else if (side.trace) {
        header.setTrace(side.trace);
        m_timeline->setSide(index, side.trace, false);
    } else {
        card.showInvitation();
        header.setTrace(nullptr, sideName(index));
        m_timeline->setSide(index, nullptr, true);
    }
    const auto idle = [](const Side& each) {
        return !each.loader->busy() && !each.error && !each.trace;
    };
    m_pages->setCurrentIndex(idle(m_sides[0]) && idle(m_sides[1]) ? 0 : 1);
    refreshTitle();
    refreshStatus();
    refreshCommands();
}

void MainWindow::refreshTitle() {
    QStringList names;
    for (const Side& side : m_sides) {
        if (!side.trace || side.error || side.loader->busy())
            continue;
        const std::filesystem::path file(side.trace->trace->info.file);
        names << printable(file.filename().string());
    }
    if (names.size() == 2 && names[0] == names[1]) { // told apart by their folders
        for (std::size_t i = 0; i < sideCount; ++i) {
            const std::filesystem::path folder =
                std::filesystem::path(m_sides[i].trace->trace->info.file).parent_path();
            if (!folder.empty())
                names[static_cast<qsizetype>(i)].prepend(printable(folder.string()) +
                                                         QLatin1Char('/'));
        }
    }
    setWindowTitle(names.isEmpty()
                       ? QStringLiteral("Twolane")
                       : names.join(QStringLiteral(" ↔ ")) + QStringLiteral(" — Twolane"));
}

void MainWindow::refreshStatus() {
    const bool lanes = m_timeline->area(0).lanes > 0 || m_timeline->area(1).lanes > 0;
    if (!lanes) {
        m_pointerText->setText(m_pages->currentIndex() == 0
                                   ? QString()
                                   : QStringLiteral("Wheel zooms, drag pans, F shows everything"));
        m_viewText->clear();
        return;
    }
    const TimeFormat times = m_timeline->times();
    const Viewport& view = m_view.view();
    const Nanos all = m_view.extent().length() - 1; // without the last stamp's own nanosecond
    m_viewText->setText(m_view.fitted() ? QStringLiteral("all of %1").arg(durationText(all, times))
                                        : QStringLiteral("view %1 of %2")
                                              .arg(durationText(view.range.length(), times),
                                                   durationText(all, times)));
    const auto at = m_timeline->pointerTime();
    m_pointerText->setText(at ? instantText(*at, times)
                              : QStringLiteral("Wheel zooms, drag pans, F shows everything"));
}

void MainWindow::refreshCommands() {
    bool any = false;
    for (std::size_t i = 0; i < sideCount; ++i) {
        const Side& side = m_sides[i];
        const bool something = side.trace || side.error || side.loader->busy();
        any = any || side.trace;
        if (m_closeSide[i])
            m_closeSide[i]->setEnabled(something);
    }
    if (m_swap)
        m_swap->setEnabled(m_closeSide[0]->isEnabled() || m_closeSide[1]->isEnabled());
    for (QAction* action : m_needTrace)
        action->setEnabled(any);
    if (m_back)
        m_back->setEnabled(any && m_view.canGoBack());
    if (m_forward)
        m_forward->setEnabled(any && m_view.canGoForward());
    refreshStatus();
}

QAction* MainWindow::addCommand(const QString& text, const QList<QKeySequence>& keys,
                                std::function<void()> run) {
    auto* action = new QAction(text, this);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    addAction(action);
    return action;
}

void MainWindow::addActions() {
    const auto zoom = [this](double factor) {
        m_view.zoomAbout(m_timeline->anchorPixel(), factor);
    };
    const auto pan = [this](int tenths) {
        m_view.panBy(std::int64_t{m_view.view().width} * tenths / 10);
    };

    QAction* openBaseline = addCommand(QStringLiteral("&Open baseline…"), {QKeySequence::Open},
                                       [this] { askForFiles(0); });
    QAction* openCandidate =
        addCommand(QStringLiteral("Open &candidate…"),
                   {QKeySequence(QStringLiteral("Ctrl+Shift+O"))}, [this] { askForFiles(1); });
    m_swap = addCommand(QStringLiteral("&Swap sides"), {}, [this] { swapSides(); });
    m_closeSide[0] = addCommand(QStringLiteral("Close &baseline"), {}, [this] { close(0); });
    m_closeSide[1] = addCommand(QStringLiteral("C&lose candidate"), {}, [this] { close(1); });
    QAction* quit = addCommand(QStringLiteral("&Quit"), {QKeySequence(QStringLiteral("Ctrl+Q"))},
                               [this] { QMainWindow::close(); });
    QMenu* file = menuBar()->addMenu(QStringLiteral("&File"));
    file->addActions({openBaseline, openCandidate});
    file->addSeparator();
    file->addActions({m_swap, m_closeSide[0], m_closeSide[1]});
    file->addSeparator();
    file->addAction(quit);

    QAction* fit =
        addCommand(QStringLiteral("&Fit"), {Qt::Key_F, Qt::Key_Home}, [this] { m_view.fit(); });
    QAction* zoomIn = addCommand(QStringLiteral("Zoom &in"),
                                 {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}, [zoom] { zoom(1.5); });
    QAction* zoomOut = addCommand(QStringLiteral("Zoom &out"), {Qt::Key_S, Qt::Key_Minus},
                                  [zoom] { zoom(1 / 1.5); });
    QAction* earlier =
        addCommand(QStringLiteral("&Earlier"), {Qt::Key_A, Qt::Key_Left}, [pan] { pan(-1); });
    QAction* later =
        addCommand(QStringLiteral("&Later"), {Qt::Key_D, Qt::Key_Right}, [pan] { pan(1); });
    QAction* up = addCommand(QStringLiteral("Lanes &up"), {Qt::Key_Up},
                             [this] { m_timeline->scrollLanes(-1); });
    QAction* down = addCommand(QStringLiteral("Lanes &down"), {Qt::Key_Down},
                               [this] { m_timeline->scrollLanes(1); });
    m_back = addCommand(QStringLiteral("&Back"), {QKeySequence(QStringLiteral("Alt+Left"))},
                        [this] { m_view.back(); });
    m_forward = addCommand(QStringLiteral("F&orward"), {QKeySequence(QStringLiteral("Alt+Right"))},
                           [this] { m_view.forward(); });
    m_back->setToolTip(QStringLiteral("The view before (Alt+Left)"));
    m_forward->setToolTip(QStringLiteral("The view after (Alt+Right)"));
    m_needTrace = {fit, zoomIn, zoomOut, earlier, later, up, down};
    QMenu* viewMenu = menuBar()->addMenu(QStringLiteral("&View"));
    viewMenu->addActions({fit, zoomIn, zoomOut});
    viewMenu->addSeparator();
    viewMenu->addActions({earlier, later, up, down});
    viewMenu->addSeparator();
    viewMenu->addActions({m_back, m_forward});

    QAction* keys =
        addCommand(QStringLiteral("&Keys"), {QKeySequence::HelpContents}, [this] { showKeys(); });
    menuBar()->addMenu(QStringLiteral("&Help"))->addAction(keys);

    // The same commands under shorter names.
    QToolBar* bar = addToolBar(QStringLiteral("Tools"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    openBaseline->setIconText(QStringLiteral("Open…"));
    openCandidate->setIconText(QStringLiteral("Compare…"));
    bar->addActions({openBaseline, openCandidate});
    bar->addSeparator();
    bar->addActions({m_back, m_forward});
    bar->addSeparator();
    bar->addActions({fit, zoomIn, zoomOut});
}

void MainWindow::askForFiles(std::size_t side) {
    const QString folder =
        m_sides[side].loader->path().empty()
            ? QString()
            : QString::fromStdString(m_sides[side].loader->path().parent_path().string());
    const QStringList names = QFileDialog::getOpenFileNames(
        this, QStringLiteral("Open %1").arg(sideName(side)), folder,
        QStringLiteral("Traces (*.dat *.data *.txt *.trace *.log);;All files (*)"));
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

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    std::vector<std::filesystem::path> files;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            files.push_back(pathOf(url.toLocalFile()));
    event->acceptProposedAction();
    if (files.size() == 1) {
        // On the side it was dropped on; the first one is the baseline.
        const bool empty = m_pages->currentIndex() == 0;
        open(empty ? 0 : m_timeline->sideAt(m_timeline->mapFrom(this, event->position().toPoint())),
             files.front());
    } else {
        openFiles(files);
    }
}

void MainWindow::showKeys() {
    QDialog dialog(this);
    dialog.setWindowTitle(QStringLiteral("Keys and pointer"));
    auto* grid = new QGridLayout(&dialog);
    grid->setContentsMargins(20, 16, 20, 16);
    grid->setHorizontalSpacing(24);
    const std::array<std::pair<const char*, const char*>, 11> rows{
        {{"wheel", "zoom about the pointer"},
         {"Ctrl or Shift + wheel", "scroll in time"},
         {"wheel over CPU names", "scroll the lanes"},
         {"drag", "move in time and through the lanes"},
         {"W  S  +  −", "zoom in, zoom out"},
         {"A  D  ←  →", "earlier, later"},
         {"↑  ↓", "scroll the lanes"},
         {"F  Home  double click", "show everything"},
         {"Alt ←  Alt →", "the view before, after"},
         {"Ctrl O  Ctrl Shift O", "open baseline, candidate"},
         {"Ctrl Q", "quit"}}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto* key = new QLabel(QString::fromUtf8(rows[i].first), &dialog);
        QFont bold = key->font();
        bold.setBold(true);
        key->setFont(bold);
        grid->addWidget(key, static_cast<int>(i), 0);
        grid->addWidget(new QLabel(QString::fromUtf8(rows[i].second), &dialog), static_cast<int>(i),
                        1);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    grid->addWidget(buttons, static_cast<int>(rows.size()), 0, 1, 2);
    dialog.exec();
}

} // namespace twolane::window
