#include "app/window/main_window.h"

#include "app/window/details.h"
#include "app/window/side_card.h"
#include "app/window/welcome.h"

#include <QDragEnterEvent>
#include <QFile>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>
#include <QStatusBar>
#include <QVBoxLayout>

#include <utility>

namespace twolane::window {
using namespace chart;
namespace {

std::filesystem::path pathOf(const QString& name) {
    return QFile::encodeName(name).toStdString();
}

} // namespace

MainWindow::MainWindow(LoadFn load, std::unique_ptr<QSettings> settings)
    : m_settings(std::move(settings))
    , m_pages(new QStackedWidget(this))
    , m_pointerText(new QLabel(this))
    , m_viewText(new QLabel(this)) {
    setAcceptDrops(true);
    auto* welcome = new Welcome(m_pages);
    m_pages->addWidget(welcome);
    m_pages->addWidget(makeWorkspace());
    setCentralWidget(m_pages);
    connect(welcome, &Welcome::openWanted, this, [this] { askForFiles(0); });
    for (std::size_t i = 0; i < sideCount; ++i)
        connectSide(i, load);

    m_pointerText->setTextFormat(Qt::PlainText);
    m_viewText->setTextFormat(Qt::PlainText);
    m_pointerText->setMinimumWidth(1); // long texts are cut, they never widen the window
    m_pointerText->setContentsMargins(8, 0, 8, 0);
    m_viewText->setContentsMargins(8, 0, 8, 0);
    statusBar()->addWidget(m_pointerText, 1);
    statusBar()->addPermanentWidget(m_viewText);
    statusBar()->setSizeGripEnabled(false);

    addCommands();
    addToolBar();
    connect(&m_view, &ViewState::changed, this, &MainWindow::refreshCommands);
    for (std::size_t i = 0; i < sideCount; ++i)
        refresh(i);
    resize(1440, 900);
}

/// Timeline, what is lost below it, and at the right what is known of the view and of the pick.
QWidget* MainWindow::makeWorkspace() {
    auto* columns = new QSplitter(Qt::Horizontal, m_pages);
    auto* rows = new QSplitter(Qt::Vertical, columns);
    m_timeline = new TimelineView(m_view, rows);
    m_doubts = new DoubtsPanel(rows);
    m_doubts->hide();
    rows->addWidget(m_timeline);
    rows->addWidget(m_doubts);
    rows->setStretchFactor(0, 4);
    rows->setStretchFactor(1, 1);
    rows->setCollapsible(0, false);

    auto* scroll = new QScrollArea(columns);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(scroll);
    auto* stack = new QVBoxLayout(content);
    stack->setContentsMargins(0, 0, 0, 0);
    stack->setSpacing(0);
    m_lengths = new LengthsPanel(content);
    stack->addWidget(m_lengths);
    auto* line = new QFrame(content);
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Midlight);
    stack->addWidget(line);
    m_details = new DetailsPanel(content);
    stack->addWidget(m_details);
    stack->addStretch(1);
    scroll->setWidget(content);
    scroll->setMinimumWidth(300);
    m_sidePanel = scroll;
    columns->addWidget(rows);
    columns->addWidget(scroll);
    columns->setStretchFactor(0, 1);
    columns->setStretchFactor(1, 0);
    columns->setSizes({1040, 400});
    columns->setCollapsible(0, false);

    connect(m_timeline, &TimelineView::pointerMoved, this, &MainWindow::refreshStatus);
    connect(m_timeline, &TimelineView::pickedChanged, this, &MainWindow::refreshDetails);
    connect(m_timeline, &TimelineView::doubtsWanted, this,
            [this](std::size_t side) { showDoubts(true, side); });
    connect(m_doubts, &DoubtsPanel::closeWanted, this, [this] { showDoubts(false); });
    connect(this, &MainWindow::filterChanged, this, &MainWindow::followView);
    connect(&m_view, &ViewState::changed, this, &MainWindow::followView);
    connect(m_details, &DetailsPanel::showWanted, this, &MainWindow::showPicked);
    return columns;
}

void MainWindow::connectSide(std::size_t i, LoadFn load) {
    auto* loader = new SideLoader(std::move(load), this);
    m_sides[i].loader = loader;
    // A swap moves loaders to the other side: ask where one is now.
    connect(loader, &SideLoader::progressed, this, [this, loader] {
        m_timeline->card(sideOf(loader))
            .showLoad(loader->path(), loader->bytesDone(), loader->bytesTotal());
    });
    connect(
        loader, &SideLoader::loaded, this,
        [this, loader](std::shared_ptr<const LoadedTrace> trace) {
            const std::size_t side = sideOf(loader);
            m_sides[side].trace = std::move(trace);
            m_sides[side].error.reset();
            if (m_settings) {
                RecentFiles(*m_settings).add(QFile::decodeName(loader->path().string().c_str()));
                refreshRecent();
            }
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
        if (!std::exchange(m_sides[i].error, std::nullopt))
            m_sides[i].trace.reset(); // it is the trace itself that cannot be shown
        refresh(i);
    });
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
    SideCard& card = m_timeline->card(index);
    if (side.loader->busy()) {
        card.showLoad(side.loader->path(), side.loader->bytesDone(), side.loader->bytesTotal());
        m_timeline->setSide(index, nullptr, false);
    } else if (side.error) {
        card.showError(*side.error, side.trace != nullptr);
        m_timeline->setSide(index, nullptr, false);
    } else if (const auto apart = index == 1 ? apartFromBaseline() : std::nullopt) {
        card.showError(*apart, false);
        m_timeline->setSide(index, nullptr, false);
    } else if (side.trace) {
        m_timeline->setSide(index, side.trace, false);
    } else {
        card.showInvitation();
        m_timeline->setSide(index, nullptr, true);
    }
    if (index == 0 && m_sides[1].trace)
        refresh(1); // it may fit to this one, or no more
    m_doubts->setTraces({m_timeline->scene().sides[0].loaded, m_timeline->scene().sides[1].loaded});
    const auto idle = [](const Side& each) {
        return !each.loader->busy() && !each.error && !each.trace;
    };
    m_pages->setCurrentIndex(idle(m_sides[0]) && idle(m_sides[1]) ? 0 : 1);
    followView();
    refreshTitle();
    refreshStatus();
    refreshCommands();
}

/// Why the candidate cannot be shown on the scale of the baseline that is shown.
std::optional<Error> MainWindow::apartFromBaseline() const {
    const auto& baseline = m_timeline->scene().sides[0].loaded;
    return baseline && m_sides[1].trace ? clocksApart(*baseline->trace, *m_sides[1].trace->trace)
                                        : std::nullopt;
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
    const Scene& scene = m_timeline->scene();
    if (!scene.sides[0].loaded && !scene.sides[1].loaded) {
        m_pointerText->clear();
        m_viewText->clear();
        return;
    }
    const TimeFormat times = scene.times();
    const Viewport& view = m_view.view();
    const Nanos all = m_view.extent().length() - 1; // without the last stamp's own nanosecond
    m_viewText->setText(m_view.fitted() ? QStringLiteral("all of %1").arg(durationText(all, times))
                                        : QStringLiteral("view %1 of %2")
                                              .arg(durationText(view.range.length(), times),
                                                   durationText(all, times)));
    if (const auto at = m_timeline->pointerTime()) {
        m_pointerText->setText(instantText(*at, times));
        return;
    }
    // What is shown, and on what the two scales of time are aligned.
    QStringList parts;
    for (std::size_t i = 0; i < sideCount; ++i) {
        const auto& loaded = scene.sides[i].loaded;
        if (!loaded)
            continue;
        const TraceInfo& info = loaded->trace->info;
        QStringList words{printable(info.format)};
        if (!info.clock.empty())
            words << QStringLiteral("clock ") + printable(info.clock);
        words << loaded->lossText();
        parts << QStringLiteral("%1: ").arg(QLatin1Char(i == 0 ? 'A' : 'B')) +
                     words.join(QStringLiteral(", "));
    }
    if (parts.size() == 2)
        parts << QStringLiteral("each from its own start");
    m_pointerText->setText(parts.join(QStringLiteral(" · ")));
}

void MainWindow::refreshDetails() {
    const auto& picked = m_timeline->picked();
    if (picked)
        m_details->setFacts(detailsOf(*m_timeline->scene().sides[picked->side].loaded, *picked));
    else
        m_details->setFacts(std::nullopt);
    refreshCommands();
}

/// Of a side's trace: the part in view, and what the filters leave.
Selection MainWindow::shownSelection(const Trace& trace) const {
    const TimeRange view = m_view.view().range;
    return {windowOf(trace, view.begin, view.end), m_timeline->cpuFilter(),
            m_timeline->taskFilter()};
}

void MainWindow::followView() {
    LengthsJob::Request request;
    for (std::size_t i = 0; i < sideCount; ++i)
        if (const auto& loaded = m_timeline->scene().sides[i].loaded)
            request[i] = {loaded->trace, shownSelection(*loaded->trace)};
    m_lengths->follow(std::move(request));
}

chart::ChartRequest MainWindow::chartRequest() const {
    ChartRequest request;
    for (const SideScene& side : m_timeline->scene().sides)
        if (side.loaded)
            request.inputs.push_back({side.loaded->trace, side.label.toStdString(),
                                      shownSelection(*side.loaded->trace)});
    if (!m_view.fitted())
        request.span = m_view.view().range;
    request.width = m_timeline->width();
    request.height = m_timeline->height();
    request.look = m_timeline->theme().dark ? ChartRequest::Look::dark : ChartRequest::Look::light;
    request.sideBySide = m_timeline->arrangement() == Arrangement::sideBySide;
    return request;
}

void MainWindow::showDoubts(bool shown, std::optional<std::size_t> side) {
    m_doubts->setVisible(shown);
    m_showDoubts->setChecked(shown);
    if (shown && side)
        m_doubts->showSide(*side);
}

/// A narrow window belongs to the lanes.
void MainWindow::placeSidePanel() {
    constexpr int leastWidth = 860;
    m_sidePanel->setVisible(m_showSidePanel->isChecked() && width() >= leastWidth);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    placeSidePanel();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_doubts) {
        m_doubts->setTheme(themeOf(palette()));
        m_lengths->setTheme(themeOf(palette()));
    }
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

} // namespace twolane::window
