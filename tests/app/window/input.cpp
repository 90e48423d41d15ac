// Real events, and what they do to view, selection and pixels.
#include "app/chart/draw_chart.h"
#include "app/chart/timeline/overview.h"
#include "app/window/main_window.h"
#include "tests/app/window/qt_text.h"
#include "tests/app/window/synthetic.h"
#include "tests/support/story.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QWheelEvent>

using namespace twolane;
using namespace twolane::window;
using namespace twolane::chart;
using tests::makeTrace;

namespace {

/// CPU 0 is idle for a moment; alba runs, sleeps at 1000, is woken by brezo at 3000, waits for CPU
/// 0 until 5000, runs to 9000.
std::shared_ptr<const Trace> wakeStory() {
    return tests::story("0    0 switch dono:4 S > idle\n"
                        "1    0 switch idle R > alba:1\n"
                        "0    1 switch idle R > brezo:2\n"
                        "1000 0 switch alba:1 S > cedro:3\n"
                        "3000 1 waking alba:1 on 0 by 2\n"
                        "3000 1 wakeup alba:1 on 0 by 2\n"
                        "5000 0 switch cedro:3 S > alba:1\n"
                        "9000 0 switch alba:1 D > idle\n"
                        "9999 1 switch brezo:2 S > idle\n"
                        "10000 0 other\n");
}

/// A window of 1200 × 700 that is laid out, with the given traces.
struct Desk {
    explicit Desk(const std::vector<std::shared_ptr<const Trace>>& traces)
        : window([](const std::filesystem::path& path, const std::stop_token&,
                    const ProgressFn&) -> Result<std::shared_ptr<const Trace>> {
            return makeTrace({.file = path.string()});
        }) {
        window.resize(1200, 700);
        window.QMainWindow::show();
        for (std::size_t i = 0; i < traces.size(); ++i)
            window.show(i, prepare(traces[i]));
        settle();
    }
    static void settle() {
        for (int i = 0; i < 3; ++i)
            QApplication::processEvents();
    }

    TimelineView& timeline() { return window.timeline(); }
    TimeRange view() { return window.view().view().range; }
    double ratio() { return timeline().devicePixelRatioF(); }
    /// The logical point over a time of a side, at the bar or the strip of a lane.
    QPointF at(std::size_t side, std::size_t lane, Nanos time, bool strip = false) {
        const LaneArea& area = timeline().area(side);
        const int y = strip ? area.stripTop(lane) + 1 : area.barTop(lane) + area.barHeight / 2;
        return {(area.plot.left() + positionOf(window.view().view(), time) + 0.5) / ratio(),
                y / ratio()};
    }
    void send(QEvent::Type type, QPointF point, Qt::MouseButtons buttons) {
        QMouseEvent event(type, point, timeline().mapToGlobal(point), Qt::LeftButton, buttons,
                          Qt::NoModifier);
        QApplication::sendEvent(&timeline(), &event);
    }
    void press(QPointF point) { send(QEvent::MouseButtonPress, point, Qt::LeftButton); }
    void move(QPointF point) { send(QEvent::MouseMove, point, Qt::LeftButton); }
    void release(QPointF point) { send(QEvent::MouseButtonRelease, point, Qt::NoButton); }
    void click(QPointF point) {
        press(point);
        release(point);
    }
    void drag(QPointF from, QPointF to) {
        press(from);
        move((from + to) / 2);
        move(to);
        release(to);
    }
    void wheel(QPointF point, int degrees, Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(point, timeline().mapToGlobal(point), {}, {0, degrees * 8}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&timeline(), &event);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        timeline().setFocus();
        QApplication::setActiveWindow(&window);
        for (const auto type : {QEvent::KeyPress, QEvent::KeyRelease}) {
            if (type == QEvent::KeyPress) {
                QKeyEvent shortcut(QEvent::ShortcutOverride, key, modifiers);
                QApplication::sendEvent(&timeline(), &shortcut);
            }
            QKeyEvent event(type, key, modifiers);
            QApplication::sendEvent(&timeline(), &event);
        }
        settle();
    }
    void run(const char* command) {
        QAction* action = window.command(QString::fromUtf8(command));
        REQUIRE(action);
        CHECK(action->isEnabled());
        action->trigger();
        settle();
    }
    QRgb pixel(QPointF point) {
        const QImage image = timeline().grab().toImage();
        return image.pixel((point * ratio()).toPoint());
    }

    MainWindow window;
};

} // namespace

TEST_CASE("a click on a slice tells its times, its wait, its waker and both states") {
    Desk desk({wakeStory()});
    desk.click(desk.at(0, 0, 7000));
    REQUIRE(desk.timeline().picked());
    CHECK(desk.timeline().rangeOf(*desk.timeline().picked()) == TimeRange{5000, 9000});
    const QString text = desk.window.details().plain();
    CHECK(text.startsWith("alba 1 ran 4.000 µs on CPU 0"_q));
    CHECK(text.contains("switched in: +0.000005000 s"_q));
    CHECK(text.contains("switched out: +0.000009000 s"_q));
    CHECK(text.contains("the slice is: exact"_q));
    CHECK(text.contains("(D)"_q));
    CHECK(text.contains("ready at: +0.000003000 s"_q));
    CHECK(text.contains("waited: 2.000 µs"_q));
    CHECK(text.contains("woken by: brezo, tid 2, on CPU 1"_q));
    CHECK(text.contains("the wait is: exact"_q));
    CHECK(text.contains("state before: sleeping (S), for 2.000 µs"_q));

    desk.run("Copy the selection's details");
    CHECK(QGuiApplication::clipboard()->text() == text);
    desk.click(desk.at(0, 0, 9500)); // idle
    CHECK(!desk.timeline().picked());
    CHECK(desk.window.details().plain().isEmpty());
}

TEST_CASE("a click on the strip picks the task that waits, and the strip shows it while it does") {
    Desk desk({wakeStory()});
    REQUIRE(desk.timeline().area(0).stripHeight > 0);
    const Theme& theme = desk.timeline().theme();
    CHECK(desk.pixel(desk.at(0, 0, 4000, true)) == theme.waiting);
    CHECK(desk.pixel(desk.at(0, 0, 2500, true)) == theme.base);
    CHECK(desk.pixel(desk.at(0, 0, 5500, true)) == theme.base);
    CHECK(desk.pixel(desk.at(0, 1, 4000, true)) == theme.base);
    desk.click(desk.at(0, 0, 4000, true));
    REQUIRE(desk.timeline().picked());
    CHECK(desk.timeline().rangeOf(*desk.timeline().picked()) == TimeRange{3000, 5000});
    const QString text = desk.window.details().plain();
    CHECK(text.startsWith("alba 1 waited 2.000 µs for CPU 0"_q));
    CHECK(text.contains("then ran: 4.000 µs on CPU 0"_q));
    desk.timeline().setPointer(desk.at(0, 0, 4000, true));
    REQUIRE(desk.timeline().hover());
    const QString card = desk.timeline().hover()->plain();
    CHECK(card.startsWith("1 task waits for CPU 0"_q));
    CHECK(card.contains("alba: tid 1, since "_q));
}

TEST_CASE("keys step from slice to slice, on the CPU and of the task") {
    Desk desk({wakeStory()});
    desk.click(desk.at(0, 0, 500));
    const auto range = [&desk] { return desk.timeline().rangeOf(*desk.timeline().picked()); };
    CHECK(range() == TimeRange{1, 1000});
    desk.key(Qt::Key_Period);
    CHECK(range() == TimeRange{1000, 5000});
    desk.key(Qt::Key_Comma);
    CHECK(range() == TimeRange{1, 1000});
    desk.key(Qt::Key_N);
    CHECK(range() == TimeRange{5000, 9000});
    desk.key(Qt::Key_P);
    CHECK(range() == TimeRange{1, 1000});
    desk.key(Qt::Key_Comma);
    CHECK(range() == TimeRange{0, 0});
    desk.key(Qt::Key_Comma); // case 38: before the first one there is none
    CHECK(range() == TimeRange{0, 0});
    desk.key(Qt::Key_Period);
    desk.key(Qt::Key_Z);
    CHECK(desk.view() == TimeRange{0, 2997});
    desk.key(Qt::Key_Escape);
    CHECK(!desk.timeline().picked());
}

TEST_CASE("W A S D, arrows and F move the view, and every step can be undone and redone") {
    Desk desk({makeTrace({.length = 1'000'000'000})});
    const TimeRange all = desk.view();
    desk.key(Qt::Key_W);
    const TimeRange zoomed = desk.view();
    CHECK(zoomed.length() < all.length());
    desk.key(Qt::Key_D);
    const TimeRange later = desk.view();
    CHECK(later.begin > zoomed.begin);
    CHECK(later.length() == zoomed.length());
    desk.key(Qt::Key_Left);
    CHECK(desk.view() == zoomed);
    desk.key(Qt::Key_S);
    CHECK(desk.view().length() > zoomed.length());
    desk.key(Qt::Key_F);
    CHECK(desk.view() == all);
    desk.run("Back");
    CHECK(desk.view() != all);
    while (desk.window.view().canGoBack())
        desk.key(Qt::Key_Left, Qt::AltModifier);
    CHECK(desk.view() == all);
    CHECK(!desk.window.command("Back"_q)->isEnabled());
    while (desk.window.view().canGoForward())
        desk.key(Qt::Key_Right, Qt::AltModifier);
    CHECK(desk.view() == all); // F came last
}

TEST_CASE("a drag on the scale zooms to that span") {
    Desk desk({makeTrace({.length = 1'000'000'000}), makeTrace({.length = 900'000'000})});
    const QRect ruler = desk.timeline().layoutNow().sides[0].ruler;
    const QPointF from(desk.at(0, 0, 200'000'000).x(), ruler.center().y());
    const QPointF to(desk.at(0, 0, 300'000'000).x(), ruler.center().y());
    const Nanos pixel = desk.view().length() / desk.window.view().view().width + 1;
    desk.press(to);
    desk.move(from);
    CHECK(!desk.timeline().grab().isNull());
    desk.release(from);
    CHECK(std::abs(desk.view().begin - 200'000'000) <= pixel);
    CHECK(std::abs(desk.view().end - 300'000'000) <= pixel);
    desk.window.view().back();
    CHECK(desk.window.view().fitted());
    desk.click(from); // no drag: nothing happens
    CHECK(desk.window.view().fitted());
}

TEST_CASE("the overview's brush moves the view, and its edges change it, each drag one step back") {
    Desk desk({makeTrace({.length = 1'000'000'000})});
    desk.window.view().show({400'000'000, 500'000'000});
    const auto box = [&desk] { return QRectF(desk.timeline().layoutNow().sides[0].overview); };
    const auto brush = [&] { return brushOf(box(), desk.timeline().scene()); };
    const Nanos pixel = 1'000'000'001 / desk.window.view().view().width + 1;

    const QPointF middle(brush().center().x(), box().center().y());
    desk.drag(middle, middle + QPointF(brush().width(), 0));
    CHECK(desk.view().length() == 100'000'000);
    CHECK(std::abs(desk.view().begin - 500'000'000) <= 2 * pixel);
    desk.window.view().back();
    CHECK(desk.view() == TimeRange{400'000'000, 500'000'000});

    const QPointF right(brush().right(), box().center().y());
    desk.drag(right, right + QPointF(brush().width(), 0));
    CHECK(desk.view().begin == 400'000'000);
    CHECK(std::abs(desk.view().end - 600'000'000) <= 2 * pixel);
    const QPointF left(brush().left(), box().center().y());
    desk.drag(left, left - QPointF(brush().width() / 2, 0));
    CHECK(std::abs(desk.view().begin - 300'000'000) <= 2 * pixel);

    const Nanos length = desk.view().length();
    desk.click({box().left() + box().width() * 0.9, box().center().y()});
    CHECK(desk.view().length() == length);
    CHECK(std::abs((desk.view().begin + desk.view().end) / 2 - 900'000'000) <=
          std::max(2 * pixel, length));
    desk.drag({box().left() + box().width() * 0.9, box().center().y()}, {-5000, 0});
    CHECK(desk.view().begin == 0); // never beyond the recording
}

TEST_CASE("side by side: both plots alike, one view, its own scale below each") {
    Desk desk({makeTrace({.length = 1'000'000}), makeTrace({.length = 1'000'000, .seed = 2})});
    const int stackedWidth = desk.timeline().area(0).plot.width();
    desk.key(Qt::Key_X);
    CHECK(desk.timeline().arrangement() == Arrangement::sideBySide);
    CHECK(desk.window.command("Side by side"_q)->isChecked());
    const LaneArea& a = desk.timeline().area(0);
    const LaneArea& b = desk.timeline().area(1);
    CHECK(a.plot.width() == b.plot.width());
    CHECK(a.plot.width() < stackedWidth * 0.55);
    CHECK(a.plot.right() < b.plot.left());
    CHECK(a.plot.top() == b.plot.top());
    CHECK(!desk.timeline().layoutNow().sides[1].ruler.isEmpty());
    CHECK(desk.timeline().sideAt({a.plot.right() + 200, 300}) == 1);

    // The instant under the pointer stays there, on either side.
    for (const std::size_t side : {0, 1}) {
        const QPointF point = desk.at(side, 0, 250'000);
        desk.timeline().setPointer(point);
        const auto before = desk.timeline().pointerTime();
        desk.wheel(point, 15);
        CHECK(desk.timeline().pointerTime() == before);
        desk.window.view().fit();
    }
    desk.run("Stacked");
    CHECK(desk.timeline().area(0).plot.width() == stackedWidth);
}

TEST_CASE("case 28: hover and zoom agree with what is drawn, at any scale factor") {
    Desk desk({wakeStory()});
    desk.window.resize(1111, 640);
    Desk::settle();
    for (const Nanos time : {1500, 4900, 5100, 8900, 9100}) {
        const QPointF point = desk.at(0, 0, time);
        desk.timeline().setPointer(point);
        REQUIRE(desk.timeline().hover());
        const QString title = desk.timeline().hover()->title;
        CHECK(title == (time < 5000 ? "cedro"_q : time < 9000 ? "alba"_q : "idle"_q));
        desk.timeline().setPointer(std::nullopt);
        const Theme& theme = desk.timeline().theme();
        const QRgb drawn = desk.pixel(desk.at(0, 0, time));
        CHECK(drawn ==
              (time > 9000 ? theme.lane : sliceColour(theme, time < 5000 ? "cedro" : "alba")));
    }
    const QPointF point = desk.at(0, 0, 5000);
    desk.timeline().setPointer(point);
    const Nanos before = *desk.timeline().pointerTime();
    for (int i = 0; i < 12; ++i)
        desk.wheel(point, 15);
    const Nanos devicePixel = desk.view().length() / desk.window.view().view().width + 1;
    CHECK(std::abs(*desk.timeline().pointerTime() - before) <= devicePixel);
}

TEST_CASE("filters hide lanes and pale tasks; what is no list of CPUs changes nothing") {
    Desk desk({wakeStory()});
    auto* tasks = desk.window.findChild<QLineEdit*>("taskFilter"_q);
    auto* cpus = desk.window.findChild<QLineEdit*>("cpuFilter"_q);
    REQUIRE(tasks);
    REQUIRE(cpus);
    const Theme theme = desk.timeline().theme();
    CHECK(desk.pixel(desk.at(0, 0, 7000)) == sliceColour(theme, "alba"));
    tasks->setText("ced*"_q);
    CHECK(desk.pixel(desk.at(0, 0, 7000)) == theme.faded);
    CHECK(desk.pixel(desk.at(0, 0, 2000)) == sliceColour(theme, "cedro"));
    tasks->setText("1"_q);
    CHECK(desk.pixel(desk.at(0, 0, 7000)) == sliceColour(theme, "alba"));
    CHECK(desk.pixel(desk.at(0, 0, 2000)) == theme.faded);
    tasks->clear();
    cpus->setText("1"_q);
    REQUIRE(desk.timeline().labels(0).size() == 1);
    CHECK(desk.timeline().labels(0)[0].name == "CPU 1"_q);
    desk.timeline().setPointer(desk.at(0, 0, 7000));
    CHECK(desk.timeline().hover()->title == "brezo"_q);
    cpus->setText("1,x"_q);
    CHECK(desk.timeline().labels(0).size() == 1);
    cpus->clear();
    CHECK(desk.timeline().labels(0).size() == 2);
}

TEST_CASE("a click on what was lost opens the panel with counts and advice, as text to copy") {
    Desk desk({makeTrace({.loss = true}), makeTrace({})});
    CHECK(!desk.window.doubts().isVisible());
    desk.timeline().grab();
    const QRect header = desk.timeline().layoutNow().sides[0].header;
    desk.click(QPointF(header.right() - 40, header.center().y()));
    CHECK(desk.window.doubts().isVisible());
    CHECK(desk.window.command("Lost or doubtful"_q)->isChecked());
    const QString text = desk.window.doubts().plain();
    CHECK(text.contains("A\ttimeslices\t"_q));
    CHECK(text.contains("B\twaits\t"_q));
    for (std::size_t i = 0; i < sideCount; ++i) {
        for (const Oddity& oddity : desk.window.trace(i)->trace->diagnostics.all()) {
            CHECK(text.contains(QString::fromStdString(oddity.what)));
            CHECK(text.contains(QString::fromStdString(oddity.advice)));
        }
    }
    CHECK(!desk.window.trace(0)->trace->diagnostics.empty());
    desk.run("Lost or doubtful");
    CHECK(!desk.window.doubts().isVisible());
}

TEST_CASE("a file dropped on a side is opened there") {
    Desk desk({makeTrace({}), makeTrace({.seed = 2})});
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile("/traces/b 2.dat"_q)});
    const QPoint below = desk.timeline().mapTo(&desk.window, desk.at(1, 1, 1000).toPoint());
    QDragEnterEvent enter(below, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&desk.window, &enter);
    CHECK(enter.isAccepted());
    QDropEvent drop(below, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&desk.window, &drop);
    while (desk.window.loading())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    CHECK(desk.window.trace(0)->trace->info.file == "/recordings/synthetic.dat");
    CHECK(desk.window.trace(1)->trace->info.file == "/recordings//traces/b 2.dat");
}

TEST_CASE("recent files: newest first, each once, nonsense in the settings left out") {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"_q), QSettings::IniFormat);
    RecentFiles recent(settings);
    CHECK(recent.list().isEmpty());
    for (int i = 0; i < 15; ++i)
        recent.add("/traces/%1.dat"_q.arg(i));
    recent.add("/traces/7.dat"_q);
    CHECK(recent.list().size() == RecentFiles::most);
    CHECK(recent.list().front() == "/traces/7.dat"_q);
    CHECK(recent.list().count("/traces/7.dat"_q) == 1);
    settings.setValue("recentFiles"_q, QStringList{"/a"_q, ""_q, "relative"_q, "/a"_q});
    CHECK(recent.list() == QStringList{"/a"_q});
    settings.setValue("recentFiles"_q, 10'000);
    CHECK(recent.list().isEmpty());
    CHECK(shortNames({"/x/6.1/t.dat"_q, "/x/6.12/t.dat"_q, "/x/u.dat"_q}) ==
          QStringList{"6.1/t.dat"_q, "6.12/t.dat"_q, "u.dat"_q});
}

TEST_CASE("case 35: 256 CPUs and thousands of tasks scroll, and the lane below the pointer stays") {
    std::vector<std::int32_t> cpus;
    for (std::int32_t cpu = 0; cpu < 256; ++cpu)
        cpus.push_back(cpu);
    std::vector<std::string> names;
    for (int i = 0; i < 20'000; ++i)
        names.push_back("task" + std::to_string(i));
    Desk desk({makeTrace({.cpus = cpus, .names = names, .length = 50'000'000})});
    const LaneArea& area = desk.timeline().area(0);
    CHECK(area.overflow() > 0);
    const QPointF point(600, area.plot.center().y() / desk.ratio());
    desk.timeline().setPointer(point);
    desk.timeline().scrollLanes(5);
    const auto lane = area.laneAt(static_cast<int>(point.y() * desk.ratio()));
    desk.wheel(point, 15);
    CHECK(area.laneAt(static_cast<int>(point.y() * desk.ratio())) == lane);
    CHECK(!desk.timeline().grab().isNull());
}

TEST_CASE("the panel of lengths follows zoom and filter") {
    Desk desk({wakeStory()});
    const auto numbers = [&desk] {
        while (desk.window.lengths().busy())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        const auto& curves = desk.window.lengths().timeslices().curves()[0];
        REQUIRE(curves);
        return curves->numbers(LengthKind::timeslices).replace(QChar(0x202f), QLatin1Char(' '));
    };
    // Exact slices: alba 999 ns and 4 µs, cedro 4 µs, brezo 9.999 µs; dono's is open at the left.
    CHECK(numbers() == "n 4 · p50 4.000 µs · max 9.999 µs"_q);
    const auto& latency = desk.window.lengths().latencies().curves()[0];
    REQUIRE(latency);
    CHECK(latency->n == 1);
    CHECK(latency->max == 2000);
    desk.window.view().show({0, 6000});
    CHECK(numbers() == "n 2 · p50 999 ns · max 4.000 µs"_q);
    desk.window.findChild<QLineEdit*>("taskFilter"_q)->setText("ced*"_q);
    CHECK(numbers() == "n 1 · p50 4.000 µs · max 4.000 µs"_q);
    desk.window.findChild<QLineEdit*>("taskFilter"_q)->setText("nobody"_q);
    CHECK(numbers() == "no exact timeslice ends here"_q);
    desk.window.findChild<QLineEdit*>("taskFilter"_q)->clear();
    desk.window.view().fit();
    numbers();
    Desk::settle(); // drawn, so that it has a place
    const LengthView& view = desk.window.lengths().timeslices();
    const double x = view.axisRect()->axis(QCPAxis::atBottom)->coordToPixel(4'100);
    CHECK(view.valuesAt(x) == "3.981 µs to 5.012 µs: A 50.0 %"_q);
}

TEST_CASE("what the window exports is the command line's chart") {
    Desk desk({makeTrace({}), makeTrace({.seed = 2})});
    desk.window.view().show({1'000'000, 2'000'000});
    ChartRequest request = desk.window.chartRequest();
    CHECK(request.inputs.size() == 2);
    CHECK(request.span == TimeRange{1'000'000, 2'000'000});
    CHECK(request.width == desk.timeline().width());
    const QTemporaryDir folder;
    request.output = folder.filePath("x.png"_q).toStdString();
    REQUIRE(drawChart(request));
    const QImage written(folder.filePath("x.png"_q));
    desk.timeline().setPointer(std::nullopt);
    QImage shown = desk.timeline().grab().toImage();
    REQUIRE(written.size() == shown.size());
    // Between the headers, where a figure has no scroll bars either, pixel for pixel.
    int different = 0;
    for (int y = 0; y < shown.height(); ++y)
        for (int x = 0; x < shown.width(); ++x)
            different += written.pixel(x, y) != shown.pixel(x, y) ? 1 : 0;
    CHECK(different == 0);
    CHECK(!drawChart(request)); // it is there already
    request.force = true;
    CHECK(drawChart(request));
}

TEST_CASE("case 29: a trace of counts is not laid under one of time") {
    Desk desk({makeTrace({})});
    const auto counts = makeTrace({.nanoseconds = false});
    desk.window.show(1, prepare(counts));
    CHECK(desk.timeline().scene().sides[0].loaded);
    CHECK(!desk.timeline().scene().sides[1].loaded);
    CHECK(desk.window.chartRequest().inputs.size() == 1);
    desk.window.close(0); // alone it can be shown
    CHECK(desk.timeline().scene().sides[1].loaded);
    desk.window.show(0, prepare(makeTrace({})));
    CHECK(!desk.timeline().scene().sides[1].loaded);
    desk.window.swapSides();
    CHECK(desk.timeline().scene().sides[0].loaded);
    CHECK(!desk.timeline().scene().sides[1].loaded);
}
