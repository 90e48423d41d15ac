#include "app/window_module.h"

#include <array>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace twolane {

int openWindow(const std::vector<std::string>& files) {
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    const std::filesystem::path folder = program.parent_path();
    // Beside the program in a build folder, below lib/ where installed. Never from the current
    // folder or from a path that the environment names.
    const std::array<std::filesystem::path, 2> places{folder / "twolane-window.so", folder / ".." / "lib" / "twolane" / "twolane-window.so"};
    for (const auto& place : places) {
        if (failed || !std::filesystem::exists(place)) continue;
        void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!module) {
            fmt::print(stderr, "twolane: the window cannot be loaded: {}; install Qt 6 (libqt6widgets6)\n", dlerror());
            return 1;
        }
        using RunWindow = int (*)(const char* const* files, int count);
        const auto runWindow = reinterpret_cast<RunWindow>(dlsym(module, "twolaneRunWindow"));
        if (!runWindow) {
            fmt::print(stderr, "twolane: {} is of another version; install twolane anew\n", place.string());
            return 1;
        }
        std::vector<const char*> names;
        for (const std::string& file : files) names.push_back(file.c_str());
        return runWindow(names.data(), static_cast<int>(names.size()));
    }
    fmt::print(stderr, "twolane: this build has no window (twolane-window.so is not beside the program); "
                       "'twolane --help' lists what it does without one\n");
    return 1;
}

} // namespace twolane
