// Runs the program as a script would.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace twolane::tests {

namespace fs = std::filesystem;

struct Ran {
    int status = -1;
    std::string out;
    std::string err;
};

inline std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder of this test's own, gone at its end.
struct Folder {
    fs::path path;
    Folder() {
        std::string name = (fs::temp_directory_path() / "twolane-contract-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    fs::path operator/(const char* name) const { return path / name; }
};

/// Runs the program with nothing in its environment but PATH and `environment`.
inline Ran run(const Folder& folder, const std::string& arguments,
               const std::string& environment = "") {
    const fs::path out = folder / "out";
    const fs::path err = folder / "err";
    const std::string command = "cd '" + folder.path.string() + "' && env -i PATH=/usr/bin:/bin " +
                                environment + " " TWOLANE_PROGRAM " " + arguments + " >'" +
                                out.string() + "' 2>'" + err.string() + "' </dev/null";
    Ran ran;
    const int status = std::system(command.c_str());
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.out = content(out);
    ran.err = content(err);
    return ran;
}

} // namespace twolane::tests
