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

} // namespace

int openWindow(const WindowRequest& request) {
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    const std::filesystem::path folder = program.parent_path();
    // Beside the program in a build folder, below lib/ where installed. Never from the current
    // folder or from a path that the environment names.
    const std::array<std::filesystem::path, 2> places{
        folder / "twolane-window.so", folder / ".." / "lib" / "twolane" / "twolane-window.so"};
    for (const auto& place : places) {
        if (failed || !std::filesystem::exists(place))
            continue;
        void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!module) {
            fmt::print(stderr,
                       "twolane: the window cannot be loaded: {}; install Qt 6 (libqt6widgets6)\n",
                       dlerror());
            return 1;
        }
        std::vector<const char*> names;
        for (const std::string& file : request.files)
            names.push_back(file.c_str());
        const int count = static_cast<int>(names.size());
        const auto run = reinterpret_cast<TwolaneRunWindow*>(dlsym(module, TWOLANE_RUN_WINDOW));
        const auto draw = reinterpret_cast<TwolaneGrabWindow*>(dlsym(module, TWOLANE_GRAB_WINDOW));
        if (!run || !draw) {
            fmt::print(stderr, "twolane: {} is of another version; install twolane anew\n",
                       place.string());
            return 1;
        }
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
    fmt::print(stderr,
               "twolane: this build has no window (twolane-window.so is not beside the program); "
               "'twolane --help' lists what it does without one\n");
    return 1;
}

} // namespace twolane
