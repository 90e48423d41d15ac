// Exit statuses, streams and files, as a script meets them.
#include "tests/app/cli/program.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fs = std::filesystem;
using namespace twolane::tests;

namespace {

const std::string example = TWOLANE_EXAMPLE "/linux-6.12-interactive.dat";

std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

} // namespace

TEST_CASE("case 12: version and help need no display, and data alone is on standard output") {
    const Folder folder;
    CHECK(run(folder, "--version").status == 0);
    CHECK(run(folder, "--version").out.starts_with("twolane "));
    for (const char* command : {"", "formats", "info", "stats", "slices", "latencies"}) {
        const Ran help = run(folder, std::string(command) + " --help");
        CHECK(help.status == 0);
        CHECK(help.out.find("--help") != std::string::npos);
        CHECK(run(folder, std::string(command) + " --version").status == 0);
    }
    const Ran stats = run(folder, "stats --format csv " + example);
    CHECK(stats.status == 0);
    CHECK(stats.err.find("platform") == std::string::npos);
}

TEST_CASE("columns are the contract's") {
    const Folder folder;
    CHECK(firstLine(run(folder, "info --format csv " + example).out) ==
          "file,format,clock,resolution_ns,host,kernel,cpus,tasks,events,lost_events,wake_edge,"
          "start_ns,end_ns,duration_ns");
    CHECK(firstLine(run(folder, "info --events --format csv " + example).out) ==
          "file,event,count");
    const std::string numbers = "cpu_time_ns,timeslices,timeslice_mean_ns,timeslice_p50_ns,"
                                "timeslice_p99_ns,timeslice_max_ns,wakeups,latency_mean_ns,"
                                "latency_p50_ns,latency_p99_ns,latency_max_ns,latency_max_at_ns,"
                                "preempted_wait_ns,runqueue_wait_ns,sleep_ns,block_ns,"
                                "unknown_ns,voluntary,involuntary,migrations";
    CHECK(firstLine(run(folder, "stats --by task --format csv " + example).out) ==
          "tid,comm," + numbers);
    CHECK(firstLine(run(folder, "stats --by comm --format csv " + example).out) ==
          "tasks,comm," + numbers);
    CHECK(firstLine(run(folder, "stats --by cpu --format csv " + example).out) ==
          "cpu,busy_ns,idle_ns,unknown_ns,utilisation,switches,timeslices,timeslice_p50_ns,"
          "timeslice_p99_ns,wakeups,depth_mean,depth_p99,depth_max");
    CHECK(firstLine(run(folder, "slices --format csv " + example).out) ==
          "start_ns,end_ns,cpu,tid,comm,prio,end_state,clipped,certainty");
    CHECK(firstLine(run(folder, "latencies --format csv " + example).out) ==
          "kind,start_ns,end_ns,duration_ns,cpu,tid,comm,waker_tid,waker_comm,waker_cpu,queued_cpu,"
          "queued_ns,certainty");
}

TEST_CASE("a wrong command line is status 2") {
    const Folder folder;
    for (const char* arguments : {"stats", "stats --by nothing x", "stats a b", "nonsense --x",
                                  "stats --from 1x " TWOLANE_EXAMPLE "/linux-6.12-interactive.dat",
                                  "slices --cpu 3-1 x", "info --format xml x", "a b c"}) {
        const Ran ran = run(folder, arguments);
        CHECK_MESSAGE(ran.status == 2, arguments);
        CHECK(ran.out.empty());
        CHECK(ran.err.starts_with("twolane: "));
    }
}

TEST_CASE("an input that cannot be read is status 1, with file and remedy") {
    const Folder folder;
    std::ofstream(folder / "empty");
    std::ofstream(folder / "newline") << "\n";
    std::ofstream(folder / "foreign") << "\xFF\xD8\xFF\xE0 a picture, not a trace\n";
    std::ofstream(folder / "irq.txt") << "          <idle>-0       [000] d.h1.    10.000000: "
                                         "irq_handler_entry: irq=1 name=i8042\n";
    fs::create_directory(folder / "dir");
    std::ofstream(folder / "secret") << "x";
    chmod((folder / "secret").c_str(), 0);

    const auto fails = [&](const char* input, const char* what) {
        const Ran ran = run(folder, std::string("stats ") + input);
        CHECK_MESSAGE(ran.status == 1, input, ran.err);
        CHECK(ran.out.empty());
        CHECK_MESSAGE(ran.err.starts_with(std::string("twolane: ") + input + ": "), ran.err);
        CHECK_MESSAGE(ran.err.find(what) != std::string::npos, ran.err);
    };
    fails("absent", "No such file");
    fails("empty", "empty");
    fails("newline", "not a trace");
    fails("foreign", "not a trace");
    fails("dir", "directory");
    fails("irq.txt", "no sched_switch (found: irq_handler_entry)"); // case 44: named, with the
                                                                    // command that helps
    CHECK(run(folder, "stats irq.txt").err.find("trace-cmd record") != std::string::npos);
    if (geteuid() != 0)
        fails("secret", "Permission denied");
    CHECK(run(folder, "stats --input-format nothing " + example)
              .err.find("known formats: trace.dat, ") != std::string::npos);
    CHECK(run(folder, "stats --buffer nothing " + example).status == 1);
}

TEST_CASE("info tells of every input, and fails for the one that it cannot read") {
    const Folder folder;
    const Ran ran = run(folder, "info --format csv absent " + example);
    CHECK(ran.status == 1);
    CHECK(ran.err.find("absent") != std::string::npos);
    CHECK(ran.out.find("linux-6.12-interactive.dat,trace.dat,mono,1,") != std::string::npos);
}

TEST_CASE("an output file is whole or not there, and replaced only with --force") {
    const Folder folder;
    CHECK(run(folder, "slices -o s.csv --format csv " + example).status == 0);
    const std::string whole = content(folder / "s.csv");
    CHECK(whole == run(folder, "slices --format csv " + example).out);
    CHECK(run(folder, "formats -o s.csv").status == 1);
    CHECK(content(folder / "s.csv") == whole);
    CHECK(run(folder, "formats -o s.csv --force").status == 0);
    CHECK(content(folder / "s.csv") != whole);
    CHECK(run(folder, "formats -o nowhere/s.csv").status == 1);
    CHECK(run(folder, "stats -o t.csv absent").status == 1);
    CHECK_FALSE(fs::exists(folder / "t.csv"));
    std::size_t left = 0;
    for (const auto& entry : fs::directory_iterator(folder.path))
        left += entry.path().filename().string().starts_with("s.csv.");
    CHECK(left == 0);
}

TEST_CASE("case 14: no locale changes a number") {
    const Folder folder;
    const std::string plain =
        run(folder, "stats --by cpu --format json " + example, "LC_ALL=C").out;
    CHECK(plain ==
          run(folder, "stats --by cpu --format json " + example, "LC_ALL=de_DE.UTF-8").out);
    CHECK(plain.find("\"utilisation\":0.") != std::string::npos);
}

TEST_CASE("the formats are listed one a line, with what writes them") {
    const Folder folder;
    const std::string out = run(folder, "formats --format csv").out;
    CHECK(out.find("\ntrace.dat,") != std::string::npos);
    CHECK(out.find("\nftrace text,") != std::string::npos);
}

TEST_CASE("case 22: a clock that counts gets counts and no seconds") {
    const Folder folder;
    std::ofstream(folder / "counter.txt")
        << "          <idle>-0       [000] d..2.           10: sched_switch: prev_comm=swapper/0 "
           "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=5 next_prio=120\n"
           "               a-5       [000] d..2.           40: sched_switch: prev_comm=a "
           "prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 "
           "next_prio=120\n";
    const Ran info = run(folder, "info --clock ticks counter.txt");
    CHECK_MESSAGE(info.out.find("duration    30 counts\n") != std::string::npos, info.out);
    CHECK(info.out.find(" s\n") == std::string::npos);
    CHECK(run(folder, "stats --clock ticks counter.txt").out.find(" CPUs, 30 counts\n") !=
          std::string::npos);
}

TEST_CASE("windows and filters") {
    const Folder folder;
    const auto rows = [&](const std::string& arguments) {
        const std::string out = run(folder, "slices --format csv " + arguments + " " + example).out;
        return std::count(out.begin(), out.end(), '\n') - 1;
    };
    const auto all = rows("");
    CHECK(all > 1000);
    CHECK(rows("--from 0 --to 0.2s") + rows("--from 0.2s") == all);
    CHECK(rows("--cpu 0-1") + rows("--cpu 2,3") == all);
    CHECK(rows("--cpu 99") == 0);
    CHECK(rows("--task 'stress*'") > 0);
    CHECK(rows("--task 'no such comm'") == 0);
    CHECK(run(folder, "slices --relative --format csv " + example).out !=
          run(folder, "slices --format csv " + example).out);
}

TEST_CASE("without a display the window says so, and a picture needs none") {
    if (!TWOLANE_WITH_GUI)
        return;
    const Folder folder;
    const Ran window = run(folder, example);
    CHECK(window.status == 1);
    CHECK(window.err.starts_with("twolane: there is no display"));
    const Ran grab = run(folder, "--grab picture.png --grab-size 640x400 " + example);
    CHECK_MESSAGE(grab.status == 0, grab.err);
    CHECK(grab.out.empty());
    CHECK(grab.err.empty());
    CHECK(content(folder / "picture.png").substr(1, 3) == "PNG");
    const Ran absent = run(folder, "--grab other.png absent");
    CHECK(absent.status == 1);
    CHECK_FALSE(fs::exists(folder / "other.png"));
}

TEST_CASE("without Qt the window says what is missing") {
    if (TWOLANE_WITH_GUI)
        return;
    const Folder folder;
    const Ran ran = run(folder, "");
    CHECK(ran.status == 1);
    CHECK(ran.err.find("no window") != std::string::npos);
}
