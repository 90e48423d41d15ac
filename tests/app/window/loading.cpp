#include "app/window/main_window.h"
#include "app/window/side_card.h"
#include "tests/app/window/qt_text.h"
#include "tests/app/window/synthetic.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <condition_variable>
#include <mutex>
#include <set>

using namespace twolane;
using namespace twolane::window;
using namespace twolane::chart;
using tests::makeTrace;

namespace {

/// A disk under the test's control: "slow…" ends when released or stopped, "deaf…" when released
/// only, "bad…" fails, anything else is there at once. The trace is named after the path.
class Disk {
public:
    LoadFn loader() {
        return [this](const std::filesystem::path& path, const std::stop_token& stop,
                      const ProgressFn& progress) -> Result<std::shared_ptr<const Trace>> {
            const std::string name = path.string();
            progress(1, 4);
            if (name.starts_with("bad"))
                return Error{name, "is not <b>a</b> trace", "byte 0", "open another"};
            if (name.starts_with("throws"))
                throw std::runtime_error("out of luck");
            if (name.starts_with("slow") || name.starts_with("deaf")) {
                std::unique_lock lock(m_mutex);
                ++m_waiting;
                m_changed.notify_all();
                const auto released = [this, &name] { return m_released.contains(name); };
                if (name.starts_with("slow"))
                    m_changed.wait(lock, stop, released);
                else
                    m_changed.wait(lock, released);
                ++m_ended;
                if (stop.stop_requested() && name.starts_with("slow"))
                    return Error{name, "cancelled", "", "", true};
            }
            return makeTrace({.file = name});
        };
    }
    void release(const std::string& name) {
        const std::lock_guard lock(m_mutex);
        m_released.insert(name);
        m_changed.notify_all();
    }
    void awaitStarted(int count) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this, count] { return m_waiting >= count; });
    }
    int ended() {
        const std::lock_guard lock(m_mutex);
        return m_ended;
    }

private:
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::set<std::string> m_released;
    int m_waiting = 0;
    int m_ended = 0;
};

void awaitIdle(const MainWindow& window) {
    while (window.loading())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

QString fileOf(const MainWindow& window, std::size_t side) {
    return window.trace(side) ? QString::fromStdString(window.trace(side)->trace->info.file)
                              : QString();
}

} // namespace

TEST_CASE("two files fill baseline and candidate") {
    Disk disk;
    MainWindow window(disk.loader());
    window.openFiles({"one", "two"});
    awaitIdle(window);
    CHECK(fileOf(window, 0).endsWith("one"_q));
    CHECK(fileOf(window, 1).endsWith("two"_q));
    CHECK(window.windowTitle() == "one ↔ two — Twolane"_q);
    window.swapSides();
    CHECK(fileOf(window, 0).endsWith("two"_q));
    CHECK(!window.grab().isNull());
}

TEST_CASE("case 11: a load can be cancelled, also twice, and another one begun at once") {
    Disk disk;
    MainWindow window(disk.loader());
    window.open(0, "slow");
    disk.awaitStarted(1);
    CHECK(window.loading());
    window.cancel(0);
    CHECK(!window.loading());
    window.cancel(0);
    window.open(0, "other");
    awaitIdle(window);
    CHECK(fileOf(window, 0).endsWith("other"_q));
    CHECK(!window.error(0));
}

TEST_CASE("case 11: the result of an abandoned load is dropped") {
    Disk disk;
    MainWindow window(disk.loader());
    window.open(0, "deaf");
    disk.awaitStarted(1);
    window.open(0, "slow");
    disk.awaitStarted(2);
    disk.release("deaf"); // ends with a trace that nobody wants any more
    while (disk.ended() < 1)
        QApplication::processEvents();
    for (int i = 0; i < 50; ++i)
        QApplication::processEvents();
    CHECK(window.loading());
    CHECK(fileOf(window, 0).isEmpty());
    disk.release("slow");
    awaitIdle(window);
    CHECK(fileOf(window, 0).endsWith("slow"_q));
}

TEST_CASE("cancelling keeps the trace that was there") {
    Disk disk;
    MainWindow window(disk.loader());
    window.open(0, "first");
    awaitIdle(window);
    window.open(0, "slow");
    disk.awaitStarted(1);
    window.cancel(0);
    CHECK(fileOf(window, 0).endsWith("first"_q));
    CHECK(window.timeline().area(0).lanes == 4);
}

TEST_CASE("case 11: the window can be closed in the middle of two loads") {
    Disk disk;
    {
        MainWindow window(disk.loader());
        window.openFiles({"slow1", "slow2"});
        window.open(0, "slow3");
        disk.awaitStarted(1);
    }
    CHECK(true); // no thread outlives the window, or the sanitizers speak
}

TEST_CASE("an error stands on its own side and leaves the other alone") {
    Disk disk;
    MainWindow window(disk.loader());
    window.openFiles({"good", "bad"});
    awaitIdle(window);
    REQUIRE(window.error(1));
    CHECK(!window.error(0));
    CHECK(fileOf(window, 0).endsWith("good"_q));
    bool shown = false;
    for (const QLabel* label : window.timeline().card(1).findChildren<QLabel*>()) {
        if (!label->text().contains("is not <b>a</b> trace, at byte 0"_q))
            continue;
        shown = true;
        CHECK(label->textFormat() == Qt::PlainText);
        CHECK((label->textInteractionFlags() & Qt::TextSelectableByMouse) != 0);
        CHECK(label->text().contains("open another"_q));
    }
    CHECK(shown);
    window.open(1, "throws");
    awaitIdle(window);
    REQUIRE(window.error(1));
    CHECK(window.error(1)->what == "out of luck");
    window.open(1, "fine");
    awaitIdle(window);
    CHECK(!window.error(1));
    CHECK(fileOf(window, 1).endsWith("fine"_q));
}

TEST_CASE("sides may change places while one is being read") {
    Disk disk;
    MainWindow window(disk.loader());
    window.openFiles({"here", "slow"});
    disk.awaitStarted(1);
    while (!window.trace(0))
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window.swapSides();
    disk.release("slow");
    awaitIdle(window);
    CHECK(fileOf(window, 0).endsWith("slow"_q));
    CHECK(fileOf(window, 1).endsWith("here"_q));
}

TEST_CASE("the wheel zooms about the pointer, and a drag there and back restores the view") {
    Disk disk;
    MainWindow window(disk.loader());
    window.resize(900, 600);
    window.openFiles({"one", "two"});
    awaitIdle(window);
    TimelineView& timeline = window.timeline();
    CHECK(!window.grab().isNull()); // lays everything out
    const LaneArea& area = timeline.area(0);
    const QPointF point(area.plot.left() + 321.0, area.plot.top() + 5.0);
    const Nanos before = timeAt(window.view().view(), 321);
    for (const int delta : {120, 15, 240, -60, 120}) {
        QWheelEvent wheel(point, point, {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&timeline, &wheel);
        CHECK(timeAt(window.view().view(), 321) == before);
    }
    CHECK(!window.view().fitted());

    const Viewport start = window.view().view();
    const auto mouse = [&](QEvent::Type type, QPointF at, Qt::MouseButtons buttons) {
        QMouseEvent event(type, at, at, type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                          buttons, Qt::NoModifier);
        QApplication::sendEvent(&timeline, &event);
    };
    mouse(QEvent::MouseButtonPress, point, Qt::LeftButton);
    mouse(QEvent::MouseMove, point + QPointF(-100, 0), Qt::LeftButton);
    CHECK(window.view().view() == pannedBy(start, 100, window.view().extent()));
    mouse(QEvent::MouseMove, point, Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, point, Qt::NoButton);
    CHECK(window.view().view() == start);

    mouse(QEvent::MouseButtonDblClick, point, Qt::LeftButton);
    CHECK(window.view().fitted());
    window.view().back();
    CHECK(window.view().view() == start);
    window.view().forward();
    CHECK(window.view().fitted());
}
