// Draws the window in its various states into a folder, to be looked at:
//   window_pictures FOLDER [light|dark] [SCALE]
// With "time" in place of the folder it prints how long frames take.
#include "app/window/main_window.h"
#include "tests/app/window/synthetic.h"

#include <QApplication>
#include <QStyleFactory>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

using namespace twolane;

namespace {

std::vector<std::int32_t> cpusUpTo(std::int32_t count) {
    std::vector<std::int32_t> cpus;
    for (std::int32_t cpu = 0; cpu < count; ++cpu)
        cpus.push_back(cpu);
    return cpus;
}

Result<std::shared_ptr<const Trace>>
noFile(const std::filesystem::path& path, const std::stop_token& stop, const ProgressFn& progress) {
    if (path.filename() == "broken.dat")
        return Error{path.string(),
                     "holds 1204 events but no sched_switch (found: kmem_alloc, irq_handler_entry)",
                     "",
                     "record with: trace-cmd record -e sched_switch -e sched_waking -e "
                     "sched_wakeup -e sched_wakeup_new -e sched_migrate_task"};
    progress(12'300'000, 45'600'000);
    while (!stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return Error{path.string(), "cancelled", "", "", true};
}

void settle() {
    for (int i = 0; i < 5; ++i)
        QApplication::processEvents();
}

class Gallery {
public:
    Gallery(std::string folder, std::string suffix)
        : m_folder(std::move(folder))
        , m_suffix(std::move(suffix)) {}
    void save(window::MainWindow& window, const char* name) {
        settle();
        while (window.lengths().busy())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        settle();
        window.grab().save(
            QString::fromStdString(fmt::format("{}/{}{}.png", m_folder, name, m_suffix)));
    }

private:
    std::string m_folder;
    std::string m_suffix;
};

void drawAll(Gallery gallery) {
    const auto a =
        chart::prepare(tests::makeTrace({.file = "pgbench-c8-linux-6.1.dat", .loss = true}));
    const auto b = chart::prepare(tests::makeTrace({.file = "pgbench-c8-linux-6.12.dat",
                                                    .kernel = "6.12.117+deb12-amd64",
                                                    .length = 4'300'000,
                                                    .meanSlice = 110'000,
                                                    .lateCpu = true,
                                                    .seed = 2}));
    const auto many = chart::prepare(tests::makeTrace(
        {.file = "numa-256.dat", .cpus = cpusUpTo(256), .length = 200'000'000, .loss = true}));
    const auto two =
        chart::prepare(tests::makeTrace({.file = "vm.dat", .cpus = {0, 1}, .length = 800'000'000}));
    const auto holes = chart::prepare(
        tests::makeTrace({.file = "holes.dat", .cpus = {0, 3, 11, 300, 1023}, .start = 0}));
    window::MainWindow window(noFile);
    window.resize(1600, 1000);
    window.QMainWindow::show();
    gallery.save(window, "welcome");
    window.show(0, a);
    gallery.save(window, "one");
    window.show(1, b);
    gallery.save(window, "pair");
    window.timeline().setPointer(QPointF(700, 120));
    gallery.save(window, "pair-hover");
    window.view().show({2'000'000, 2'300'000});
    window.timeline().setPointer(std::nullopt);
    gallery.save(window, "pair-zoomed");
    window.view().show({2'100'000, 2'100'030});
    gallery.save(window, "pair-deep");
    window.view().fit();
    window.open(1, "/recordings/another.dat");
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    gallery.save(window, "loading");
    window.open(1, "/recordings/broken.dat");
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    gallery.save(window, "error");
    window.close(0);
    window.show(0, many);
    window.show(1, b);
    gallery.save(window, "many-and-few");
    window.show(1, many);
    gallery.save(window, "many");
    window.show(0, two);
    window.show(1, holes);
    window.view().fit();
    gallery.save(window, "two-and-holes");
    window.resize(620, 480);
    gallery.save(window, "narrow");
}

void measure(std::size_t sides, std::size_t cpus, Nanos length) {
    const auto trace = chart::prepare(
        tests::makeTrace({.cpus = cpusUpTo(static_cast<std::int32_t>(cpus)), .length = length}));
    window::MainWindow window(noFile);
    window.resize(2420, 1100);
    window.QMainWindow::show();
    for (std::size_t side = 0; side < sides; ++side)
        window.show(side, trace);
    settle();
    QImage target(window.timeline().size(), QImage::Format_RGB32);
    const auto frame = [&] { window.timeline().render(&target); };
    frame();
    // A tour: in by a factor of 10,000 and out again, with pans between.
    constexpr int frames = 120;
    std::vector<double> times;
    const std::clock_t cpuBegin = std::clock();
    for (int i = 0; i < frames; ++i) {
        if (i % 4 == 3)
            window.view().panBy(i % 8 == 3 ? 300 : -300);
        else
            window.view().zoomAbout(700, i < frames / 2 ? 1.23 : 1 / 1.23);
        const auto begin = std::chrono::steady_clock::now();
        frame();
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count());
    }
    std::sort(times.begin(), times.end());
    const double cpuPerFrame =
        1e3 * static_cast<double>(std::clock() - cpuBegin) / CLOCKS_PER_SEC / frames;
    std::size_t slices = 0;
    for (const CpuTimeline& cpu : trace->trace->cpus)
        slices += cpu.slices.size();
    fmt::print("{} x {} CPUs, {} slices a side, {} columns: frame p50 {:.1f} p99 {:.1f} max {:.1f} "
               "ms ({:.1f} ms of CPU time)\n",
               sides, cpus, slices, window.view().view().width, times[frames / 2],
               times[frames * 99 / 100], times.back(), cpuPerFrame);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: window_pictures FOLDER|time [light|dark] [SCALE]\n");
        return 2;
    }
    const bool dark = argc > 2 && std::string_view(argv[2]) == "dark";
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (argc > 3)
        qputenv("QT_SCALE_FACTOR", argv[3]);
    QApplication app(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(chart::plainPalette(dark));
    if (std::string_view(argv[1]) == "time") {
        measure(2, 4, 2'000'000'000);
        measure(1, 64, 37'700'000'000);
        measure(2, 64, 18'850'000'000);
        measure(2, 256, 2'000'000'000);
        return 0;
    }
    drawAll(Gallery(argv[1], fmt::format("-{}{}", dark ? "dark" : "light",
                                         argc > 3 ? fmt::format("-{}x", argv[3]) : "")));
    return 0;
}
