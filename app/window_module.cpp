#include "app/window_module.h"

#include "app/window/window_api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace twolane {
namespace {

/// Without one Qt would end the program with an abort.
bool displayIsThere() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value)
            return true;
    return false;
}

Error otherVersion() {
    return {"twolane-window.so", "is of another version than the program", "",
            "install twolane anew"};
}

/// Beside the program in a build folder, below lib/ where installed. Never from the current folder
/// or from a path that the environment names.
Result<void*> loadModule() {
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    const std::filesystem::path folder = program.parent_path();
    const std::array<std::filesystem::path, 2> places{
        folder / "twolane-window.so", folder / ".." / "lib" / "twolane" / "twolane-window.so"};
    for (const auto& place : places) {
        if (failed || !std::filesystem::exists(place))
            continue;
        if (void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL))
            return module;
        return Error{"", std::string("what draws cannot be loaded: ") + dlerror(), "",
                     "install Qt 6 (libqt6widgets6, libqt6svg6) and QCustomPlot "
                     "(libqcustomplot2.1-qt6)"};
    }
    return Error{
        "",
        "this build has no window and draws no charts: twolane-window.so is not beside the program",
        "", "'twolane --help' lists what it does without one"};
}

int complain(const Error& error) {
    fmt::print(stderr, "twolane: {}\n", error.message());
    return 1;
}

} // namespace

int openWindow(const WindowRequest& request) {
    Result<void*> module = loadModule();
    if (!module)
        return complain(module.error());
    std::vector<const char*> names;
    for (const std::string& file : request.files)
        names.push_back(file.c_str());
    const int count = static_cast<int>(names.size());
    const auto run = reinterpret_cast<TwolaneRunWindow*>(dlsym(*module, TWOLANE_RUN_WINDOW));
    const auto draw = reinterpret_cast<TwolaneGrabWindow*>(dlsym(*module, TWOLANE_GRAB_WINDOW));
    if (!run || !draw)
        return complain(otherVersion());
    if (!request.grab) {
        if (displayIsThere())
            return run(names.data(), count);
        fmt::print(stderr, "twolane: there is no display to open a window on; set DISPLAY or "
                           "WAYLAND_DISPLAY, draw into a file with --grab FILE.png, or use a "
                           "subcommand ('twolane --help')\n");
        return 1;
    }
    const WindowRequest::Grab& wanted = *request.grab;
    const TimeRange span = wanted.span.value_or(TimeRange{});
    const TwolaneGrab grab{wanted.png.c_str(), wanted.width, wanted.height,
                           wanted.scale,       wanted.dark,  wanted.span.has_value(),
                           span.begin,         span.end};
    return draw(names.data(), count, &grab);
}

chart::ChartOutcome drawChart(const chart::ChartRequest& request) {
    Result<void*> module = loadModule();
    if (!module)
        return module.error();
    const auto draw = reinterpret_cast<chart::DrawChart*>(dlsym(*module, TWOLANE_DRAW_CHART));
    if (!draw)
        return otherVersion();
    chart::ChartOutcome outcome = std::vector<std::string>{};
    draw(&request, &outcome);
    return outcome;
}

} // namespace twolane
