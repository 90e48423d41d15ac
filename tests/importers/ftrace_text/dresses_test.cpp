// One recording in every dress that ftrace's texts come in: the same events each time, as far as
// the dress tells them.
#include "tests/importers/ftrace_text/text_support.h"

#include <string>
#include <string_view>
#include <vector>

using namespace twolane;
using namespace twolane::tests;

namespace {

using Calls = std::vector<std::string>;

// alba wakes brezo, is preempted by it in the kernel, and brezo goes to sleep.
const Calls story{"waking bre zo:4103:98 cpu1", "switch alba:4101:120 R+ > bre zo:4103:98",
                  "switch bre zo:4103:98 S > alba:4101:120"};
constexpr Nanos storyBegin = 1063896237000;

const std::string waking = "sched_waking: comm=bre zo pid=4103 prio=98 target_cpu=001\n";
const std::string preempted = "sched_switch: prev_comm=alba prev_pid=4101 prev_prio=120 "
                              "prev_state=R+ ==> next_comm=bre zo next_pid=4103 next_prio=98\n";
const std::string asleep = "sched_switch: prev_comm=bre zo prev_pid=4103 prev_prio=98 "
                           "prev_state=S ==> next_comm=alba next_pid=4101 next_prio=120\n";

std::vector<Nanos> timesOf(const Reading& reading) {
    std::vector<Nanos> times;
    for (const EventHeader& header : reading.sink.headers)
        times.push_back(header.time);
    return times;
}

/// Without the + of R+, which some dresses do not tell.
Calls withoutPlus(Calls calls) {
    for (std::string& call : calls)
        if (const std::size_t at = call.find(" R+ >"); at != std::string::npos)
            call.erase(at + 2, 1);
    return calls;
}

struct Dress {
    const char* what;
    std::string text;
    const char* detail;
    bool tellsPlus = true;
};

void check(const Dress& dress, const std::vector<Nanos>& times) {
    CAPTURE(dress.what);
    const auto reading = readText(dress.text);
    REQUIRE_MESSAGE(!reading->error, reading->error->message());
    CHECK(reading->sink.calls == (dress.tellsPlus ? story : withoutPlus(story)));
    CHECK(timesOf(*reading) == times);
    CHECK(reading->info.formatDetail == dress.detail);
    for (const EventHeader& header : reading->sink.headers)
        CHECK(header.cpu == 1);
    CHECK(reading->sink.headers[0].pid == 4101);
    CHECK(reading->sink.headers[2].pid == 4103);
    CHECK(reading->diagnostics.count("rejected_lines") == 0);
    // And the single events, with the names of their columns.
    auto events = FtraceTextImporter().openEvents(std::make_unique<MemorySource>(dress.text), {});
    REQUIRE(events.ok());
    REQUIRE((*events)->count() == 3);
    CHECK((*events)->at(1)->header.time == times[1]);
    CHECK((*events)->at(2)->task == "bre zo");
}

std::vector<Nanos> timesFrom(Nanos begin) {
    return {begin, begin + us(12), begin + us(420)};
}

std::string threeLines(std::string_view first, std::string_view second, std::string_view third) {
    return std::string(first) + waking + std::string(second) + preempted + std::string(third) +
           asleep;
}

const std::string tracefsHeader =
    "# tracer: nop\n#\n# entries-in-buffer/entries-written: 3/3   "
    "#P:2\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  "
    "FUNCTION\n#              | |         |   |||||     |         |\n";
const std::string latencyHeader =
    "# tracer: nop\n#\n# nop latency trace v1.1.5 on 6.18.44-test\n"
    "# --------------------------------------------------------------------\n"
    "# latency: 0 us, #3/3, CPU#0 | (M:PREEMPT(none) VP:0, KP:0, SP:0 HP:0 #P:2)\n#\n";

} // namespace

TEST_CASE("the plain dress, with its columns there or missing") {
    const auto times = timesFrom(storyBegin);
    check({"flags",
           tracefsHeader + threeLines("            alba-4101    [001] d..3.  1063.896237: ",
                                      "            alba-4101    [001] d..2.  1063.896249: ",
                                      "          bre zo-4103    [001] d..2.  1063.896657: "),
           "trace"},
          times);
    check({"noirq-info",
           tracefsHeader + threeLines("            alba-4101    [001]   1063.896237: ",
                                      "            alba-4101    [001]   1063.896249: ",
                                      "          bre zo-4103    [001]   1063.896657: "),
           "trace"},
          times);
    check({"record-tgid",
           tracefsHeader +
               threeLines("            alba-4101    (   4101) [001] d..3.  1063.896237: ",
                          "            alba-4101    (-------) [001] d..2.  1063.896249: ",
                          "          bre zo-4103    (-------) [001] d..2.  1063.896657: "),
           "trace"},
          times);
    check({"noirq-info, record-tgid, pid of five columns",
           threeLines("            alba-4101  ( 4101) [001]  1063.896237: ",
                      "            alba-4101  (-----) [001]  1063.896249: ",
                      "          bre zo-4103  (-----) [001]  1063.896657: "),
           "trace_pipe"},
          times);
}

TEST_CASE("option fields") {
    check({"fields",
           "            alba-4101    [001] d..3.  1063.896237: sched_waking: comm=bre zo "
           "pid=0x1007 (4103) prio=0x62 (98) target_cpu=0x1 (1)\n"
           "            alba-4101    [001] d..2.  1063.896249: sched_switch: prev_comm=alba "
           "prev_pid=0x1005 (4101) prev_prio=0x78 (120) prev_state=0x100 (256) next_comm=bre zo "
           "next_pid=0x1007 (4103) next_prio=0x62 (98)\n"
           "          bre zo-4103    [001] d..2.  1063.896657: sched_switch: prev_comm=bre zo "
           "prev_pid=0x1007 (4103) prev_prio=0x62 (98) prev_state=0x1 (1) next_comm=alba "
           "next_pid=0x1005 (4101) next_prio=0x78 (120)\n",
           "trace_pipe, option fields"},
          timesFrom(storyBegin));
}

TEST_CASE("option latency-format: relative microseconds, the CPU glued to the flags") {
    const std::string text =
        latencyHeader +
        threeLines("    alba-4101      1d..3. 69728us+: ", "    alba-4101      1d..2. 69740us!: ",
                   "  bre zo-4103      1d..2. 70148us : ");
    check({"latency", text, "trace, option latency-format"}, timesFrom(us(69728)));
    const auto reading = readText(text);
    CHECK(reading->info.kernel == "6.18.44-test");
    CHECK(reading->info.cpuCount == 2);
    CHECK(reading->info.resolution == 1000);
    CHECK(reading->info.stampsAreNanoseconds);
    CHECK(reading->diagnostics.count("relative_stamps") == 1);
    CHECK(reading->diagnostics.count("clock_assumed") == 0);
}

TEST_CASE("every mark of a delay, and flags of old and new kernels") {
    for (const char mark : {' ', '+', '!', '#', '*', '@', '$'})
        for (const std::string flags : {"d..", "d..3", "d..3.", "dN.3..", "d..2.11"}) {
            const std::string line = "    alba-4101    123" + flags + " 4294967296us" + mark +
                                     ": " + "sched_waking: comm=a pid=1 prio=2 target_cpu=003\n";
            CAPTURE(line);
            const auto reading = readText(line);
            REQUIRE(reading->sink.headers.size() == 1);
            CHECK(reading->sink.headers[0].time == us(4294967296));
            CHECK(reading->sink.headers[0].cpu == 123);
            CHECK(reading->sink.headers[0].pid == 4101);
        }
    for (const char* line : {"    alba-4101      1d..3. 69728us?: sched_waking: x\n",
                             "    alba-4101      1d..3. 69728us: sched_waking: x\n",
                             "    alba-4101      1d..3. us : sched_waking: x\n",
                             "    alba-4101      d..3. 69728us : sched_waking: x\n",
                             "    alba-4101      1 69728us : sched_waking: x\n",
                             "    alba-4101      1d..3. 9223372036854775us : x\n"})
        CHECK_MESSAGE(readText(line)->error, line);
}

TEST_CASE("names in the latency format are cut, and may look like the rest of the line") {
    for (const std::string name : {"a-1   2d", " -7", "x-123", "-1 0d..2", "1 5us : ", "tab\tx"}) {
        const std::string line = std::string(8 - name.size(), ' ') + name + "-4101      1d..3. " +
                                 "69728us : sched_waking: comm=a pid=1 prio=2 target_cpu=003\n";
        CAPTURE(line);
        const auto reading = readText(line);
        REQUIRE(reading->sink.headers.size() == 1);
        CHECK(reading->sink.headers[0].pid == 4101);
        CHECK(reading->sink.headers[0].cpu == 1);
        CHECK(reading->sink.headers[0].time == us(69728));
    }
}

TEST_CASE("options latency-format and verbose: absolute microseconds in hexadecimal") {
    // 0x3f69c4ad = 1063896237
    const std::string text =
        latencyHeader +
        threeLines("            alba    4101   1 1 00000003 00000000 [3f69c4ad] 69.728ms "
                   "(+0.012ms): ",
                   "            alba    4101   1 1 00000002 00000001 [3f69c4b9] 69.740ms "
                   "(+0.408ms): ",
                   "          bre zo    4103   1 1 00000002 00000002 [3f69c651] 70.148ms "
                   "(+0.000ms): ");
    check({"verbose", text, "trace, option latency-format, option verbose"}, timesFrom(storyBegin));
    CHECK(readText(text)->diagnostics.empty());
    CHECK(readText(text)->info.kernel == "6.18.44-test");

    const std::string tail = " [3f69c4ad] 69.728ms (+0.012ms): sched_waking: comm=a pid=1 prio=2 "
                             "target_cpu=003\n";
    for (const std::string name :
         {"1 2 3", "[3f69c4ad] 1.1m", "a 1 00000000", "x", "(weird) {x}"}) {
        const std::string line = std::string(16 - name.size(), ' ') + name +
                                 "    4101   1 45 00000003 0000000000000007" + tail;
        CAPTURE(line);
        const auto reading = readText(line);
        REQUIRE(reading->sink.headers.size() == 1);
        CHECK(reading->sink.headers[0].pid == 4101);
        CHECK(reading->sink.headers[0].cpu == 1);
        CHECK(reading->sink.headers[0].time == storyBegin);
    }
    for (const std::string head :
         {"4101   1 45 00000003 00000007", "alba    4101   1 00000003 00000007",
          "alba    4101   1 45 0003 00000007", "alba   70000   70000 1 00000003 00000007"})
        CHECK_MESSAGE(readText(head + tail)->error, head);
}

TEST_CASE("clocks that do not count nanoseconds, in the latency format") {
    LoadOptions options;
    options.clock = StampUnit::ticks;
    const std::string latency = threeLines("    alba-4101      1d..3. 2126121577804: ",
                                           "    alba-4101      1d..2. "
                                           "2126121577805: ",
                                           "  bre zo-4103      1d..2. 2126121577806: ");
    auto reading = readText(latency, options);
    CHECK(reading->sink.calls == story);
    CHECK(timesOf(*reading) == std::vector<Nanos>{2126121577804, 2126121577805, 2126121577806});
    CHECK_FALSE(reading->info.stampsAreNanoseconds);
    CHECK(reading->diagnostics.empty());
    const std::string verbose =
        threeLines("            alba    4101   1 1 00000003 00000000 [000001ef06a5df8c] 5 (+1): ",
                   "            alba    4101   1 1 00000002 00000001 [000001ef06a5df8d] 6 (+1): ",
                   "          bre zo    4103   1 1 00000002 00000002 [000001ef06a5df8e] 7 (+0): ");
    reading = readText(verbose, options);
    CHECK(reading->sink.calls == story);
    CHECK(timesOf(*reading) == std::vector<Nanos>{0x1ef06a5df8c, 0x1ef06a5df8d, 0x1ef06a5df8e});
    options.clock = StampUnit::microseconds;
    reading = readText(verbose, options);
    CHECK(timesOf(*reading)[0] == us(0x1ef06a5df8c));
    CHECK(reading->info.resolution == 1000);
    options.clock = StampUnit::automatic;
    CHECK(readText(latency, options)->diagnostics.count("clock_assumed") == 1);
}

TEST_CASE("trace-cmd report, with plug-ins and without, -l and -R") {
    const auto times = timesFrom(storyBegin);
    const std::string plugins[] = {
        "sched_waking:         comm=bre zo pid=4103 prio=98 target_cpu=001\n",
        "sched_switch:         alba:4101 [120] R ==> bre zo:4103 [98]\n",
        "sched_switch:         bre zo:4103 [98] S ==> alba:4101 [120]\n"};
    const std::string raw[] = {
        "sched_waking:          comm=bre zo pid=4103 prio=98 target_cpu=1\n",
        "sched_switch:          prev_comm=alba prev_pid=4101 prev_prio=120 prev_state=256 "
        "next_comm=bre zo next_pid=4103 next_prio=98\n",
        "sched_switch:          prev_comm=bre zo prev_pid=4103 prev_prio=98 prev_state=1 "
        "next_comm=alba next_pid=4101 next_prio=120\n"};
    const auto lines = [](const std::string(&payloads)[3], std::string_view first,
                          std::string_view second, std::string_view third) {
        return "cpus=2\n" + std::string(first) + payloads[0] + std::string(second) + payloads[1] +
               std::string(third) + payloads[2];
    };
    check({"plug-ins",
           lines(plugins, "            alba-4101  [001]  1063.896237: ",
                 "            alba-4101  [001]  1063.896249: ",
                 "          bre zo-4103  [001]  1063.896657: "),
           "trace-cmd report", false},
          times);
    check(
        {"-l",
         lines(plugins, "    alba-4101    1d..3.  1063.896237: ",
               "    alba-4101    1d..2.  1063.896249: ", "  bre zo-4103    1d..2.  1063.896657: "),
         "trace-cmd report -l", false},
        times);
    check({"-l -t -R",
           lines(raw, "    alba-4101    1-0x1  1063.896237000: ",
                 "    alba-4101    1-0x2d  1063.896249000: ",
                 "  bre zo-4103    1-0x1  1063.896657000: "),
           "trace-cmd report -l -R -t"},
          times);
    check({"--ts-diff",
           lines(raw, "            alba-4101  [001]  1063.896237:         ",
                 "            alba-4101  [001]  1063.896249: (+12)  ",
                 "          bre zo-4103  [001]  1063.896657: (+408) "),
           "trace-cmd report -R"},
          times);
    const auto reading = readText(
        lines(plugins, "    alba-4101    1d..3.  1063.896237: ",
              "    alba-4101    1d..2.  1063.896249: ", "  bre zo-4103    1d..2.  1063.896657: "));
    REQUIRE(reading->diagnostics.find("plugin_text"));
    CHECK(reading->diagnostics.count("plugin_text") == 2);
    CHECK(reading->diagnostics.count("relative_stamps") == 0);
}

TEST_CASE("the old sched_switch tracer") {
    const std::string text = "# tracer: sched_switch\n#\n#  TASK-PID    CPU#    TIMESTAMP  "
                             "FUNCTION\n#     | |       |          |         |\n"
                             "    bash-1408  [000] 26208.816921:   1408:120:S   + [001]     "
                             "9:115:S events/0\n"
                             "    bash-1408  [000] 26208.816939:   1408:120:S ==> [000]     "
                             "9:115:R events/0\n"
                             "events/0-9     [000] 26208.817088:      9:115:? ==> [000]  "
                             "1377:120:R gnome x:1 [2]\n";
    auto reading = readText(text);
    CHECK(reading->sink.calls == Calls{"wakeup events/0:9:115 cpu1",
                                       "switch bash:1408:120 S > events/0:9:115",
                                       "switch events/0:9:115  > gnome x:1 [2]:1377:120"});
    CHECK(reading->info.formatDetail == "trace, sched_switch tracer");
    CHECK(reading->diagnostics.count("states_not_told") == 1);
    CHECK(reading->sink.headers[0].time == 26208816921000);

    // Older ones tell neither CPU nor comm behind the arrow.
    reading = readText("            ssh-6263  [001]    16.003000:   6263:120:? ==> 2717:120:R\n"
                       "            sshd-2717  [001]    16.004000:   2717:120:S   + 6263:120:S\n");
    CHECK(reading->sink.calls ==
          Calls{"switch ssh:6263:120  > :2717:120", "wakeup :6263:120 cpu-1"});

    // The latency tracers write the same entries.
    reading = readText("# tracer: wakeup\n#\n# wakeup latency trace v1.1.5 on 6.1.0\n"
                       "  <idle>-0       3dNh7    1us :      0:120:R   + [003]    2448: 94:S x\n"
                       "  <idle>-0       3d..3   15us :      0:120:R ==> [003]    2448: 94:R x\n");
    CHECK(reading->sink.calls == Calls{"wakeup x:2448:94 cpu3", "switch :0:120 R > x:2448:94"});

    auto events = FtraceTextImporter().openEvents(std::make_unique<MemorySource>(text), {});
    REQUIRE(events.ok());
    CHECK((*events)->at(1)->name == "sched_switch");
    using Fields = std::vector<std::pair<std::string, std::string>>;
    CHECK((*events)->at(1)->fields == Fields{{"prev_pid", "1408"},
                                             {"prev_prio", "120"},
                                             {"prev_state", "S"},
                                             {"next_comm", "events/0"},
                                             {"next_pid", "9"},
                                             {"next_prio", "115"}});
}

TEST_CASE("events of Linux 2.6.30 to 2.6.32") {
    const std::string begin = "            alba-4101  [000]    16.00";
    const auto reading = readText(
        begin + "1000: sched_wakeup: task bre zo:4103 [120] success=1 [001]\n" + begin +
        "2000: sched_migrate_task: task bre zo:4103 [120] from: 1  to: 0\n" + begin +
        "3000: sched_switch: task alba:4101 [120] (D) ==> bre zo:4103 [120]\n" + begin +
        "4000: sched_switch: task bre zo:4103 [120] ==> alba:4101 [120]\n" + begin +
        "5000: sched_process_fork: parent alba:4101  child alba:4104\n" + begin +
        "6000: sched_process_exit: task alba:4101 [120]\n" + begin +
        "7000: sched_switch: prev_comm=alba prev_pid=4101 prev_prio=120 prev_state=D|W ==> "
        "next_comm=bre zo next_pid=4103 next_prio=120\n");
    CHECK(reading->sink.calls ==
          Calls{"wakeup bre zo:4103:120 cpu1", "migrate bre zo:4103:120 1 > 0",
                "switch alba:4101:120 D > bre zo:4103:120",
                "switch bre zo:4103:120  > alba:4101:120", "fork alba:4101 > alba:4104",
                "exit alba:4101:120", "switch alba:4101:120 D > bre zo:4103:120"});
    CHECK(reading->diagnostics.count("states_not_told") == 1);
    CHECK(reading->diagnostics.count("unreadable_events") == 0);
    CHECK(reading->diagnostics.count("plugin_text") == 0);
}

TEST_CASE("numbers of states are read with the table of the kernel that the text names") {
    const auto stateOn = [](const std::string& release, int state) {
        return readText("# tracer: nop\n# nop latency trace v1.1.5 on " + release +
                        "\n    alba-4101      1d..2.    15us : sched_switch: prev_comm=alba "
                        "prev_pid=4101 prev_prio=120 prev_state=" +
                        std::to_string(state) + " next_comm=b next_pid=2 next_prio=120\n")
            ->sink.calls.at(0);
    };
    CHECK(stateOn("6.1.0", 256) == "switch alba:4101:120 R+ > b:2:120");
    CHECK(stateOn("4.4.0", 2048) == "switch alba:4101:120 R+ > b:2:120");
    CHECK(stateOn("4.9.337", 4096) == "switch alba:4101:120 R+ > b:2:120");
    CHECK(stateOn("3.18.0", 1024) == "switch alba:4101:120 R+ > b:2:120");
    CHECK(stateOn("6.1.0", 16) == "switch alba:4101:120 X > b:2:120");
}
