#include "importers/ftrace_text/ftrace_line.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace twolane;

namespace {

struct Expected {
    std::string_view line;
    std::string_view comm;
    std::int32_t pid;
    std::int32_t tgid;
    std::int32_t cpu;
    std::string_view flags;
    Nanos time;
    std::string_view event;
    std::string_view payload;
};

void check(const Expected& expected) {
    CAPTURE(expected.line);
    EventLine line;
    REQUIRE(FtraceLineParser().parse(expected.line, line) == LineKind::event);
    CHECK(line.comm() == expected.comm);
    CHECK(line.pid == expected.pid);
    CHECK(line.tgid == expected.tgid);
    CHECK(line.cpu == expected.cpu);
    CHECK(line.flags == expected.flags);
    CHECK(line.time == expected.time);
    CHECK(line.event == expected.event);
    CHECK(line.payload == expected.payload);
}

LineKind kindOf(std::string_view text) {
    EventLine line;
    return FtraceLineParser().parse(text, line);
}

} // namespace

TEST_CASE("flags of 0 to 8 characters leave time and CPU alone (case 6)") {
    for (const std::string flags :
         {"", "d..", "d..2", "dNh2.", "D.Zff", "d...31", "d...311", "dNl.h.21"}) {
        const std::string text =
            "            alba-4101    [004] " + flags + (flags.empty() ? "" : " ") +
            " 1234.500000: sched_waking: comm=brezo pid=4103 prio=120 target_cpu=004";
        check({text, "alba", 4101, -1, 4, flags, 1234500000000, "sched_waking",
               "comm=brezo pid=4103 prio=120 target_cpu=004"});
    }
}

TEST_CASE("the tgid column is optional, and dashes in it are no number (case 54)") {
    const std::string tail = " [001] d..2.   44.000000: sched_waking: x";
    for (const auto& [column, tgid] : {std::pair<std::string, std::int32_t>{"    (   4100)", 4100},
                                       {"    (-------)", -1},
                                       {"    (-----)", -1},
                                       {"    (4100)", 4100},
                                       {"   ", -1}}) {
        const std::string text = "        alba (x)-4101" + column + tail;
        check({text, "alba (x)", 4101, tgid, 1, "d..2.", 44000000000, "sched_waking", "x"});
    }
}

TEST_CASE("the comm column may look like anything (case 5)") {
    const std::string tail = "-4105    [003] d..2.    41.000100: ev: p";
    for (const std::string comm :
         {"[NET 0] rx-7", "my task:1", "a==>b c=1", "[000] d..2", "x-123", "tab\there",
          "(weird) {x}", "prio=3 next_pid", "-7", "-7 [001] 1.0: x", "a-1 [0] 1: b: c", "<...>",
          "caf\xe9", "#hash", "=>x", "CPU:1 [LOST", " lead", ""}) {
        const std::string text = std::string(16 - comm.size(), ' ') + comm + tail;
        std::string_view shown = comm;
        while (!shown.empty() && shown.front() == ' ')
            shown.remove_prefix(1);
        check({text, shown, 4105, -1, 3, "d..2.", 41000100000, "ev", "p"});
    }
}

TEST_CASE("a negative header pid is not known") {
    check({"           <...>--1      [003] d..2.    41.000100: ev: p", "<...>", -1, -1, 3, "d..2.",
           41000100000, "ev", "p"});
}

TEST_CASE("columns that are elsewhere are found by their form") {
    // A first line whose blanks a terminal or a tool has trimmed.
    check({"atrace-14446 [000] ...2  1212.465062: ev: p", "atrace", 14446, -1, 0, "...2",
           1212465062000, "ev", "p"});
    check({"\t   <...>-15430 [006]  7115.449594: ev:          p", "<...>", 15430, -1, 6, "",
           7115449594000, "ev", "p"});
    check({"     my-app-1-99    (   12) [1023] .... 1.000001: ev: x-1 [000] 2.0: no", "my-app-1",
           99, 12, 1023, "....", 1000001000, "ev", "x-1 [000] 2.0: no"});
}

TEST_CASE("the buffer's name precedes the comm column (case 55)") {
    EventLine line;
    REQUIRE(
        FtraceLineParser().parse("foo:             alba-4101    [000] d..2.    20.000000: ev: p",
                                 line) == LineKind::event);
    CHECK(line.buffer() == "foo");
    CHECK(line.comm() == "alba");
    // Padded to the longest name, and the top buffer's lines with blanks alone.
    REQUIRE(FtraceLineParser().parse("  foo:             alba-4101    [000] 20.000000: ev: p",
                                     line) == LineKind::event);
    CHECK(line.buffer() == "foo");
    REQUIRE(FtraceLineParser().parse("                   alba-4101    [000] 20.000000: ev: p",
                                     line) == LineKind::event);
    CHECK(line.buffer() == "");
    CHECK(line.comm() == "alba");
    // A comm that looks like a name of a buffer is none.
    REQUIRE(FtraceLineParser().parse("     rsfmt: bash-4101    [000] 20.000000: ev: p", line) ==
            LineKind::event);
    CHECK(line.buffer() == "");
    CHECK(line.comm() == "rsfmt: bash");
}

TEST_CASE("stamps keep every digit (case 22)") {
    EventLine line;
    const auto timeOf = [&line](const std::string& stamp) {
        REQUIRE(
            FtraceLineParser().parse("            alba-4101    [000] d..2. " + stamp + ": ev: p",
                                     line) == LineKind::event);
        return line.time;
    };
    CHECK(timeOf("17584.921558") == 17584921558000);
    CHECK(line.decimals == 6);
    CHECK(timeOf("2218816.767894977") == 2218816767894977);
    CHECK(line.decimals == 9);
    CHECK(timeOf("1234.999999501") == 1234999999501);
    CHECK(timeOf("1.00001") == 1000010000);
    CHECK(line.decimals == 5);
    CHECK(timeOf("0.000000") == 0);
    CHECK(timeOf("1796069097.588131") == 1796069097588131000);
    CHECK(timeOf("99176715281005") == 99176715281005);
    CHECK(line.decimals == 0);
    CHECK(timeOf("9223372035.999999999") == 9223372035999999999);
}

TEST_CASE("stamps that do not fit into 64 bits are no stamps") {
    const std::string begin = "            alba-4101    [000] d..2. ";
    for (const char* stamp : {"9223372036.9", "99999999999999999999.0", "9223372036854775808", "1.",
                              ".5", "1.1234567890", "1.2.3", "-1.5", "1e9", "1,5"})
        CHECK_MESSAGE(kindOf(begin + stamp + ": ev: p") == LineKind::foreign, stamp);
    EventLine line;
    CHECK(FtraceLineParser(LineForm::standard, 16, 1000)
              .parse(begin + "9223372036854776: ev: p", line) == LineKind::foreign);
    CHECK(FtraceLineParser(LineForm::standard, 16, 1000)
              .parse(begin + "9223372036854775: ev: p", line) == LineKind::event);
    CHECK(line.time == 9223372036854775000);
}

TEST_CASE("an event is named by the token behind the stamp only") {
    check({"            bash-15947   (  15947) [000] ...1.  1066.875142: tracing_mark_write: "
           "sched_switch: prev_comm=a",
           "bash", 15947, 15947, 0, "...1.", 1066875142000, "tracing_mark_write",
           "sched_switch: prev_comm=a"});
    check({"            bash-159   [000] ...1.  1066.875142: 0: B|159|x", "bash", 159, -1, 0,
           "...1.", 1066875142000, "0", "B|159|x"});
    check({"           <...>-4083  [004] ....   395.705679: sys_ioctl(fd: ff, cmd: 5410)", "<...>",
           4083, -1, 4, "....", 395705679000, "sys_ioctl", "(fd: ff, cmd: 5410)"});
    check({"           <...>-4083  [004] ....   395.705673: sys_rt_sigprocmask -> 0x0", "<...>",
           4083, -1, 4, "....", 395705673000, "sys_rt_sigprocmask", "-> 0x0"});
    check({"            bash-159   [000] ...1.  1066.875142: do_one <-do_all", "bash", 159, -1, 0,
           "...1.", 1066875142000, "function", "do_one <-do_all"});
    check({"            bash-159   [000] ...1.  1066.875142: ev:", "bash", 159, -1, 0, "...1.",
           1066875142000, "ev", ""});
}

TEST_CASE("CPU numbers are decimal, whatever their zeros, and have a bound (case 25)") {
    check({"            alba-4101    [008] 1.000000: ev: p", "alba", 4101, -1, 8, "", 1000000000,
           "ev", "p"});
    check({"            alba-4101    [65535] 1.000000: ev: p", "alba", 4101, -1, 65535, "",
           1000000000, "ev", "p"});
    CHECK(kindOf("            alba-4101    [65536] 1.000000: ev: p") == LineKind::foreign);
    CHECK(kindOf("            alba-4101    [99999999999999999999] 1.000000: ev: p") ==
          LineKind::foreign);
}

TEST_CASE("lines of losses") {
    EventLine line;
    struct Loss {
        std::string_view text;
        std::string_view prefix;
        std::int32_t cpu;
        std::int64_t count;
    };
    for (const Loss& loss :
         {Loss{"CPU:0 [LOST 452 EVENTS]", "", 0, 452}, Loss{"CPU:12 [LOST EVENTS]", "", 12, -1},
          Loss{"CPU:0 [250 EVENTS DROPPED]", "", 0, 250}, Loss{"CPU:3 [EVENTS DROPPED]", "", 3, -1},
          Loss{"rsfmt: CPU:0 [250 EVENTS DROPPED]", "rsfmt: ", 0, 250},
          Loss{"       CPU:0 [250 EVENTS DROPPED]", "       ", 0, 250}}) {
        CAPTURE(loss.text);
        REQUIRE(FtraceLineParser().parse(loss.text, line) == LineKind::loss);
        CHECK(line.left == loss.prefix);
        CHECK(line.cpu == loss.cpu);
        CHECK(line.lost == loss.count);
    }
    for (const char* text :
         {"CPU:x [LOST 1 EVENTS]", "CPU:0 [LOST]", "CPU:0 [1 EVENTS]", "CPU:0 [LOST 1 EVENTS",
          "xCPU:0 [LOST 1 EVENTS]", "CPU:70000 [LOST 1 EVENTS]"})
        CHECK_MESSAGE(kindOf(text) == LineKind::foreign, text);
}

TEST_CASE("lines that are no events, and no faults either") {
    for (const char* text : {"", " ", "   \t"})
        CHECK(kindOf(text) == LineKind::blank);
    for (const char* text :
         {"# tracer: nop", "#", "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION"})
        CHECK(kindOf(text) == LineKind::header);
    for (const char* text :
         {"##### CPU 1 buffer started ####", "cpus=4", "version = 6", "CPU 0 is empty"})
        CHECK_MESSAGE(kindOf(text) == LineKind::note, text);
    for (const char* text :
         {" => __schedule", "=> schedule (ffffffff81000000)", " =>  <00007f0000000000>"})
        CHECK_MESSAGE(kindOf(text) == LineKind::stackFrame, text);
    for (const char* text :
         {"            alba-4101    [003] d..2.    21.000000: <stack trace>",
          "            alba-4101    [003] d..2.    21.000000: <stack trace>: ",
          "            alba-4101    [003] d..2.    21.000000: <user stack trace>"}) {
        EventLine line;
        CHECK_MESSAGE(FtraceLineParser().parse(text, line) == LineKind::stackTitle, text);
        CHECK(line.cpu == 3);
    }
}

TEST_CASE("text of other tools is told apart") {
    CHECK(kindOf("alba  4101 [002]    12.000100: sched:sched_switch: alba:4101 [120] S ==> "
                 "swapper/2:0 [120]") == LineKind::otherTool);
    CHECK(kindOf(":-1    -1 [008]    15.000000: sched:sched_switch: prev_comm=cedro") ==
          LineKind::otherTool);
    CHECK(kindOf("Timer (a:b) #2 4106/4107 [003]    41.000200: sched:sched_switch: prev_comm=x") !=
          LineKind::event);
    CHECK(kindOf("runtop.s-18189   1d..2.  1122.471148: sched_switch: a") == LineKind::foreign);
    CHECK(kindOf("sched_switch: prev_comm=run.sh prev_pid=15605") == LineKind::foreign);
    CHECK(kindOf("Was the recorder stopped properly?") == LineKind::foreign);
}

TEST_CASE("every beginning of a line is taken without harm") {
    const std::string text = "    [NET 0] rx-7-4105    (   4100) [003] d..2.    41.000100: "
                             "sched_switch: prev_comm=[NET 0] rx-7";
    for (std::size_t n = 0; n <= text.size(); ++n) {
        // A copy of its own, so that a sanitizer sees a step too far.
        const std::string part = text.substr(0, n);
        EventLine line;
        FtraceLineParser().parse(std::string_view(part.data(), part.size()), line);
    }
}
