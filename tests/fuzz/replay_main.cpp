// Runs a fuzz target over files, where there is no libFuzzer.
//   NAME [--mutants N] [--only EXTENSION] [--shared FOLDER] [FILE or FOLDER]…
// --mutants: N changed copies of each file too, the same ones every time.
// --shared: a folder below the shared one; without it the program ends in peace.
#include "tests/support/shared.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

void run(const Bytes& bytes) {
    // An exact copy, so that a sanitizer sees the first byte too many.
    const Bytes exact(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

Bytes mutant(const Bytes& original, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Bytes bytes = original;
    const auto below = [&](std::size_t end) {
        return end ? static_cast<std::size_t>(random() % end) : 0;
    };
    for (std::size_t changes = 1 + below(8); changes > 0 && !bytes.empty(); --changes) {
        // Half of the changes hit the structure, which is at the beginning and at the end.
        std::size_t at = below(bytes.size());
        if (random() % 4 == 0)
            at = below(std::min<std::size_t>(bytes.size(), 256));
        if (random() % 4 == 0)
            at = bytes.size() - 1 - below(std::min<std::size_t>(bytes.size(), 512));
        switch (random() % 7) {
        case 0:
            bytes[at] ^= static_cast<std::uint8_t>(1U << random() % 8);
            break;
        case 1:
            bytes[at] = static_cast<std::uint8_t>(random());
            break;
        case 2:
        case 3: {
            constexpr std::uint64_t values[] = {
                0,          1,          0x7f,           0xff,
                0x7fff,     0xffff,     0x7fffffff,     0x80000000,
                0xffffffff, UINT64_MAX, UINT64_MAX / 2, std::uint64_t{1} << 63};
            const std::uint64_t value = values[random() % std::size(values)];
            const std::size_t width = std::size_t{1} << random() % 4;
            for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
                bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
            break;
        }
        case 4:
            bytes.resize(at);
            break;
        case 5: {
            const std::size_t count = std::min(bytes.size() - at, below(64));
            bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                        bytes.begin() + static_cast<std::ptrdiff_t>(at + count));
            break;
        }
        default: {
            const std::size_t from = below(bytes.size());
            const std::size_t count = std::min({bytes.size() - from, bytes.size() - at, below(64)});
            std::copy_n(original.begin() +
                            static_cast<std::ptrdiff_t>(std::min(from, original.size() - count)),
                        count, bytes.begin() + static_cast<std::ptrdiff_t>(at));
        }
        }
    }
    return bytes;
}

} // namespace

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    std::uint64_t mutants = 0;
    std::string only;
    std::vector<fs::path> files;
    const auto addAll = [&](const fs::path& path) {
        if (!fs::is_directory(path)) {
            files.push_back(path);
            return;
        }
        for (const auto& entry : fs::directory_iterator(path))
            if (entry.is_regular_file() && (only.empty() || entry.path().extension() == only))
                files.push_back(entry.path());
    };
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--mutants" && i + 1 < argc) {
            mutants = std::stoull(argv[++i]);
        } else if (argument == "--only" && i + 1 < argc) {
            only = argv[++i];
        } else if (argument == "--shared" && i + 1 < argc) {
            const auto path = twolane::tests::shared(argv[++i]);
            if (!path)
                return 0;
            addAll(*path);
        } else {
            addAll(argument);
        }
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) {
        std::fprintf(stderr, "no files to run\n");
        return 1;
    }
    double slowest = 0;
    for (const fs::path& path : files) {
        std::ifstream in(path, std::ios::binary);
        const Bytes bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        for (std::uint64_t i = 0; i <= mutants; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            run(i == 0 ? bytes : mutant(bytes, i));
            const double seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            if (seconds > 5) {
                std::fprintf(stderr, "%s, mutant %llu: %.1f s\n", path.c_str(),
                             static_cast<unsigned long long>(i), seconds);
                return 1;
            }
            slowest = std::max(slowest, seconds);
        }
    }
    std::printf("%zu files, %llu mutants of each, slowest %.3f s\n", files.size(),
                static_cast<unsigned long long>(mutants), slowest);
    return 0;
}
