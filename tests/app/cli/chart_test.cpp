// Charts through the program itself: files, exit statuses, and a bare environment.
#include "tests/app/cli/program.h"

#include <doctest/doctest.h>

using namespace twolane::tests;

namespace {

std::size_t countOf(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size())
        ++count;
    return count;
}

const std::string a = TWOLANE_EXAMPLE "/linux-6.1-interactive.dat";
const std::string b = TWOLANE_EXAMPLE "/linux-6.12-interactive.dat";

} // namespace

TEST_CASE("case 12: charts are drawn without a display, and nothing of the platform is heard") {
    const Folder folder;
    for (const char* kind : {"timeline", "timeslices", "latency"}) {
        for (const char* ending : {"png", "svg", "pdf"}) {
            CAPTURE(kind);
            CAPTURE(ending);
            const std::string name = std::string(kind) + "." + ending;
            const Ran ran = run(folder, std::string("chart ") + kind + " " + b + " -o " + name);
            CHECK(ran.status == 0);
            CHECK(ran.out.empty());
            CHECK_MESSAGE(ran.err.empty(), ran.err);
            const std::string bytes = content(folder / name.c_str());
            CHECK(bytes.size() > 2000);
            const std::string_view begins = ending == std::string("png")   ? "\x89PNG\r\n"
                                            : ending == std::string("svg") ? "<?xml "
                                                                           : "%PDF-1.";
            CHECK(bytes.starts_with(begins));
        }
        const std::string svg = content(folder / (std::string(kind) + ".svg").c_str());
        CHECK(countOf(svg, "<text") >= 8); // text stays text
        CHECK(svg.find("</svg>") != std::string::npos);
    }
    // Runs of equal pixels are one rectangle: far fewer than 4 lanes x 1500 columns x 2 bands.
    CHECK(countOf(content(folder / "timeline.svg"), "<rect") < 4500);
    CHECK(content(folder / "timeline.svg").find(">CPU 3</text>") != std::string::npos);
}

TEST_CASE("a platform that cannot be had is an error, no crash") {
    const Folder folder;
    const Ran ran = run(folder, "chart timeline " + b + " -o x.png", "QT_QPA_PLATFORM=nosuch");
    CHECK(ran.status == 1);
    CHECK(ran.err.find("QT_QPA_PLATFORM") != std::string::npos);
    CHECK(!std::filesystem::exists(folder / "x.png"));
}

TEST_CASE("case 14: the same chart under any locale, at every time and place") {
    const Folder folder;
    // A locale that does not exist would be C again: make one with a decimal comma.
    const std::string make =
        "localedef -i de_DE -f UTF-8 '" + (folder / "de_DE.UTF-8").string() + "' 2>/dev/null";
    if (std::system(make.c_str()) != 0) {
        MESSAGE("skipped: no locale can be made here (package locales)");
        return;
    }
    for (const char* ending : {"png", "svg", "pdf"}) {
        const std::string first = std::string("1.") + ending;
        const std::string second = std::string("2.") + ending;
        CHECK(run(folder, "chart timeline " + a + " " + b + " -o " + first).status == 0);
        CHECK(run(folder, "chart timeline " + a + " " + b + " -o " + second,
                  "LOCPATH='" + folder.path.string() + "' LC_ALL=de_DE.UTF-8 TZ=JST-9")
                  .status == 0);
        CHECK(content(folder / first.c_str()) == content(folder / second.c_str()));
    }
}

TEST_CASE("case 49: names are text in a chart, never markup") {
    const Folder folder;
    CHECK(run(folder, "chart timeslices " + b + " --label '<b>x</b>&%s%3' --title 'a<i>b' -o x.svg")
              .status == 0);
    const std::string svg = content(folder / "x.svg");
    CHECK(svg.find("&lt;b&gt;x&lt;/b&gt;&amp;%s%3") != std::string::npos);
    CHECK(svg.find("a&lt;i&gt;b") != std::string::npos);
    CHECK(svg.find("<b>") == std::string::npos);
}

TEST_CASE("sizes, spans, looks and arrangements change the picture") {
    const Folder folder;
    const auto draw = [&folder](const std::string& options) {
        const Ran ran =
            run(folder, "chart timeline " + a + " " + b + " -o x.png --force " + options);
        CHECK_MESSAGE(ran.status == 0, ran.err);
        return content(folder / "x.png");
    };
    const auto sizeOf = [](const std::string& png) {
        const auto number = [&png](std::size_t at) {
            int value = 0;
            for (std::size_t i = at; i < at + 4; ++i)
                value = value * 256 + static_cast<unsigned char>(png[i]);
            return value;
        };
        return std::pair(number(16), number(20)); // of the header chunk
    };
    const std::string plain = draw("");
    CHECK(sizeOf(plain) == std::pair(1600, 900));
    CHECK(sizeOf(draw("--size 640x480")) == std::pair(640, 480));
    CHECK(sizeOf(draw("--size 640x480 --scale 2")) == std::pair(1280, 960));
    for (const char* options :
         {"--theme dark", "--theme print", "--layout side-by-side", "--from 1s --to 1.1s",
          "--cpu 0,2", "--task 'stress*'", "--title x", "--label A1"})
        CHECK_MESSAGE(draw(options) != plain, options);
}

TEST_CASE("the numbers of a distribution are those of the tables") {
    const Folder folder;
    CHECK(run(folder, "chart timeslices " + b + " --task cyclictest -o x.svg").status == 0);
    const std::string svg = content(folder / "x.svg");
    const Ran table = run(folder, "stats --by comm --task cyclictest --format csv " + b);
    const auto cell = [&table](int column) {
        std::string line = table.out.substr(table.out.find('\n') + 1);
        for (int i = 0; i < column; ++i)
            line = line.substr(line.find(',') + 1);
        return line.substr(0, line.find(','));
    };
    REQUIRE(table.out.starts_with("tasks,comm,cpu_time_ns,timeslices,timeslice_mean_ns,"
                                  "timeslice_p50_ns,timeslice_p99_ns,timeslice_max_ns"));
    // "n 201 · p50 123.456 µs": whole numbers are grouped by a narrow blank.
    const std::string p50 = cell(5);
    CHECK(svg.find("p50 " + p50.substr(0, p50.size() - 3) + "." + p50.substr(p50.size() - 3)) !=
          std::string::npos);
}

TEST_CASE("a chart that cannot be drawn says why, and leaves nothing behind") {
    const Folder folder;
    const auto refused = [&](const std::string& arguments, int status, const char* what) {
        const Ran ran = run(folder, "chart " + arguments);
        CHECK_MESSAGE(ran.status == status, arguments, ran.err);
        CHECK_MESSAGE(ran.err.find(what) != std::string::npos, ran.err);
        CHECK(ran.out.empty());
    };
    refused("depth " + b + " -o x.png", 2, "draws timeline, timeslices and latency");
    refused("nothing " + b + " -o x.png", 2, "no kind of chart");
    refused("timeline " + b, 2, "-o");
    refused("timeline " + b + " -o x.jpg", 2, ".png, .svg or .pdf");
    refused("timeline " + b + " -o x.png --size 0x5", 2, "a size such as");
    refused("timeline " + b + " -o x.png --from 2s --to 1s", 2, "--to is not after --from");
    refused("timeline " + b + " -o x.png --from 900s", 1, "has nothing in that span");
    refused("timeline absent -o x.png", 1, "No such file");
    refused("timeline " + b + " -o nowhere/x.png", 1, "cannot be written");
    CHECK(run(folder, "chart timeline " + b + " -o x.png").status == 0);
    refused("timeline " + b + " -o x.png", 1, "--force");
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path)) {
        const std::string name = entry.path().filename().string();
        CHECK_MESSAGE((name == "x.png" || name == "out" || name == "err"), name);
        ++files;
    }
    CHECK(files == 3);
}

TEST_CASE("a wrong command line of a chart is status 2, and writes nothing") {
    const Folder folder;
    for (const std::string& arguments :
         {std::string("chart"), std::string("chart timeslices"), "chart timeslices " + b,
          "chart utilisation " + b + " -o a.png", "chart timeslices " + b + " -o a",
          "chart timeslices " + b + " " + b + " " + b + " -o a.png",
          "chart timeslices " + b + " -o a.png --size 100x99999",
          "chart timeslices " + b + " -o a.png --scale 0",
          "chart timeslices " + b + " -o a.png --scale nan",
          "chart timeslices " + b + " -o a.png --theme blue",
          "chart timeline " + b + " -o a.png --layout round"}) {
        const Ran ran = run(folder, arguments);
        CHECK_MESSAGE(ran.status == 2, arguments, ran.err);
        CHECK(ran.out.empty());
        CHECK_MESSAGE(ran.err.starts_with("twolane: "), ran.err);
        CHECK_FALSE(fs::exists(folder / "a.png"));
    }
    const std::string help = run(folder, "chart --help").out;
    CHECK(help.find("timeslices") != std::string::npos);
    CHECK(help.find("utilisation") == std::string::npos); // not before it is drawn
    CHECK(run(folder, "chart --version").out.starts_with("twolane "));
}

TEST_CASE("a chart without a font is refused: Qt alone would draw boxes") {
    const Folder folder;
    std::ofstream(folder / "fonts.conf") << "<?xml version=\"1.0\"?><fontconfig><dir>"
                                         << (folder / "none").string() << "</dir></fontconfig>";
    const Ran ran = run(folder, "chart timeslices " + b + " -o x.svg",
                        "FONTCONFIG_FILE=" + (folder / "fonts.conf").string());
    CHECK_MESSAGE(ran.status == 1, ran.err);
    CHECK(ran.err.find("fonts-dejavu-core") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "x.svg"));
}

TEST_CASE("a picture of more pixels than can be held is refused") {
    const Folder folder;
    const Ran ran = run(folder, "chart timeslices " + b + " -o x.png --size 10000x10000 --scale 8");
    CHECK(ran.status == 1);
    CHECK_MESSAGE(ran.err.find("--scale") != std::string::npos, ran.err);
    CHECK_FALSE(fs::exists(folder / "x.png"));
}

TEST_CASE("a distribution says what part of the trace it shows") {
    const Folder folder;
    CHECK(run(folder, "chart timeslices " + b + " -o a.svg").status == 0);
    CHECK(content(folder / "a.svg").find(">only ") == std::string::npos);
    CHECK(run(folder,
              "chart timeslices " + b + " -o b.svg --cpu 0,2-3 --task '<i>*' --from 0.5 --to 900ms")
              .status == 0);
    CHECK(content(folder / "b.svg")
              .find(">only   CPUs 0,2-3 · tasks &lt;i&gt;* · from 0.5 · up to 900ms<") !=
          std::string::npos);
}

TEST_CASE("distributions are drawn in characters too, a timeline is not") {
    const Folder folder;
    for (const char* kind : {"timeslices", "latency"}) {
        const std::string chart = std::string("chart ") + kind + " " + a + " " + b + " -o x.txt";
        CHECK(run(folder, chart).status == 0);
        const std::string text = content(folder / "x.txt");
        CHECK(text.find("\nA  6.1") != std::string::npos);
        CHECK(text.find("\nB  6.12") != std::string::npos);
        CHECK(text.find(" #####") != std::string::npos);
        CHECK(run(folder, chart).status == 1);
        CHECK(run(folder, chart + " --force", "LC_ALL=de_DE.UTF-8").status == 0);
        CHECK(content(folder / "x.txt") == text);
        fs::remove(folder / "x.txt");
    }
    const Ran timeline = run(folder, "chart timeline " + b + " -o x.txt");
    CHECK(timeline.status == 2);
    CHECK(timeline.err.find("not drawn in characters") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "x.txt"));
}

TEST_CASE("the legend of a distribution is of what was selected") {
    const Folder folder;
    const auto legend = [&](const std::string& arguments) {
        const Ran ran =
            run(folder, "chart timeslices " + b + " -o s.svg --force --label x " + arguments);
        CHECK_MESSAGE(ran.status == 0, ran.err);
        const std::string svg = content(folder / "s.svg");
        const auto at = svg.find(">A  x");
        return at == std::string::npos ? std::string() : svg.substr(at, svg.find('<', at) - at);
    };
    const std::string all = legend("");
    CHECK(all.find(" p99 ") != std::string::npos);
    for (const char* some : {"--cpu 0", "--task 'stress*'", "--to 0.2s", "--from 0.2s"})
        CHECK_MESSAGE(legend(some) != all, some);
    CHECK(legend("--cpu 99").find("no exact timeslice ends here") != std::string::npos);
}

TEST_CASE("CPUs that have no room are told") {
    const Folder folder;
    const Ran ran = run(folder, "chart timeline " + a + " " + b + " -o x.png --size 400x90");
    CHECK(ran.status == 0);
    CHECK(ran.err.find("CPUs have no room in the picture") != std::string::npos);
}
