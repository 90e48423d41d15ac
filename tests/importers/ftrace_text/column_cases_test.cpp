// Cases about what surrounds an event in ftrace's text: columns, buffers, stacks, line ends.
#include "importers/ftrace_text/ftrace_line.h"
#include "tests/importers/ftrace_text/text_support.h"

#include <string>
#include <vector>

using namespace twolane;
using namespace twolane::tests;

namespace {

// Three kinds of lines of one story: the text of case 3 and of case 4.
const std::string oneWake =
    "            alba-4101    [000] d..2.    20.000000: sched_switch: prev_comm=alba prev_pid=4101 "
    "prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
    "           brezo-4103    [001] d..4.    20.000100: sched_waking: comm=alba pid=4101 prio=120 "
    "target_cpu=000\n"
    "           brezo-4103    [001] d..4.    20.000103: sched_wakeup: comm=alba pid=4101 prio=120 "
    "target_cpu=000\n"
    "          <idle>-0       [000] d..2.    20.000150: sched_switch: prev_comm=swapper/0 "
    "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=alba next_pid=4101 next_prio=120\n";
const std::string preemptions =
    "            alba-4101    [002] d..2.    30.000000: sched_switch: prev_comm=alba prev_pid=4101 "
    "prev_prio=120 prev_state=R+ ==> next_comm=brezo next_pid=4103 next_prio=120\n"
    "           brezo-4103    [002] d..2.    30.004000: sched_switch: prev_comm=brezo "
    "prev_pid=4103 prev_prio=120 prev_state=S ==> next_comm=alba next_pid=4101 next_prio=120\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

std::string prefixed(const std::string& text, const std::string& prefix) {
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        result += prefix + text.substr(begin, end - begin);
        begin = end;
    }
    return result;
}

} // namespace

TEST_CASE("case 30: frames of a stack belong to the event before of the same CPU") {
    const std::string text =
        "            alba-4101    [000] d..2.    21.000000: sched_switch: prev_comm=alba "
        "prev_pid=4101 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 "
        "next_prio=120\n"
        "           brezo-4103    [001] d..2.    21.000000: mark: x\n"
        "            alba-4101    [000] d..2.    21.000000: <stack trace>: \n"
        " => __schedule\n => schedule\n"
        "           brezo-4103    [001] d..2.    21.000000: <user stack trace>\n"
        " =>  <00007f0000000000>\n"
        "          <idle>-0       [000] d..2.    21.000400: sched_switch: prev_comm=swapper/0 "
        "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=alba next_pid=4101 next_prio=120\n";
    const auto reading = readText(text);
    CHECK(reading->sink.calls.size() == 3);
    CHECK(reading->diagnostics.empty());
    auto events = FtraceTextImporter().openEvents(std::make_unique<MemorySource>(text), {});
    REQUIRE(events.ok());
    REQUIRE((*events)->count() == 3);
    using Field = std::pair<std::string, std::string>;
    CHECK((*events)->at(0)->fields.back() == Field{"stack", "__schedule\nschedule"});
    CHECK((*events)->at(1)->fields.back() == Field{"stack", "<00007f0000000000>"});
    CHECK((*events)->at(2)->fields.back() == Field{"next_prio", "120"});

    // trace-cmd's stacks are events of their own.
    events = FtraceTextImporter().openEvents(
        std::make_unique<MemorySource>(
            "            alba-4101  [000]    21.000000: kernel_stack:    "
            "     <stack trace >\n"
            "=> __schedule (ffffffff81000000)\n=> schedule\n"),
        {});
    REQUIRE(events.ok());
    CHECK((*events)->at(0)->name == "kernel_stack");
    CHECK((*events)->at(0)->fields.back() ==
          Field{"stack", "__schedule (ffffffff81000000)\nschedule"});
}

TEST_CASE("case 50: arrows and key look-alikes inside names, in the text's other dresses") {
    const auto reading =
        readText("a ==> b-4242       3d..2.    43us : sched_switch: prev_comm=a ==> b "
                 "prev_pid=4242 prev_prio=120 prev_state=S ==> next_comm=q prev_pid=9 "
                 "next_pid=4243 next_prio=120\n"
                 "a:1 [120-4244       3d..2.    44us : sched_switch: a:1 [120] S ==>:4244 [120] S "
                 "==> swapper/3:0 [120]\n");
    CHECK(reading->sink.calls ==
          std::vector<std::string>{"switch a ==> b:4242:120 S > q prev_pid=9:4243:120",
                                   "switch a:1 [120] S ==>:4244:120 S > swapper/3:0:120"});
}

TEST_CASE("case 51: bytes that are no UTF-8, in every dress") {
    const std::string payload = "sched_waking: comm=caf\xe9 pid=4301 prio=120 target_cpu=000\n";
    for (const std::string head :
         {"            caf\xe8-4302    [000] d..2.    12.000100: ",
          "    caf\xe8-4302      0d..2. 12us : ",
          "            caf\xe8    4302   0 1 00000003 00000000 [3f69c4ad] 69.728ms (+0.012ms): "}) {
        const std::string text = head + payload;
        auto events = FtraceTextImporter().openEvents(std::make_unique<MemorySource>(text), {});
        REQUIRE(events.ok());
        REQUIRE((*events)->count() == 1);
        CHECK((*events)->at(0)->task == "caf\xe8");
        CHECK((*events)->at(0)->fields[0].second == "caf\xe9");
    }
}

TEST_CASE("case 52: CR LF, a byte-order mark and no line feed at the end, in every dress") {
    const std::string latency = "    alba-4101      1d..3. 69728us+: sched_waking: comm=a pid=1 "
                                "prio=2 target_cpu=003\n"
                                "    alba-4101      1d..3. 69729us+: sched_switch: a:1 [2] S ==> "
                                "b:2 [120]\n";
    const std::string verbose =
        "            alba    4101   1 1 00000003 00000000 [3f69c4ad] 69.728ms (+0.012ms): "
        "sched_waking: comm=a pid=1 prio=2 target_cpu=003\n";
    const std::string tracer = "    bash-1408  [000] 26208.816921:   1408:120:S   + [001]     "
                               "9:115:S events/0\n";
    for (const std::string& text : {preemptions, latency, verbose, tracer}) {
        CAPTURE(text);
        const auto expected = readText(text)->sink.calls;
        REQUIRE_FALSE(expected.empty());
        const std::string withCr = replaced(text, "\n", "\r\n");
        for (const std::string& changed :
             {"\xEF\xBB\xBF" + withCr, text.substr(0, text.size() - 1), "\xEF\xBB\xBF" + text,
              withCr.substr(0, withCr.size() - 2)}) {
            CAPTURE(changed);
            const auto reading = readText(changed);
            CHECK(reading->sink.calls == expected);
            CHECK(reading->diagnostics.count("rejected_lines") == 0);
            CHECK(reading->diagnostics.count("cut_off") == 0);
        }
    }
}

TEST_CASE("case 54: the tgid column") {
    const std::string tail =
        "[001] d..2.   44.000000: sched_waking: comm=brezo pid=4103 prio=120 target_cpu=001";
    struct Column {
        const char* text;
        std::int32_t tgid;
    };
    for (const Column& column :
         {Column{"   (   4100) ", 4100}, Column{"   (-------) ", -1}, Column{"    ", -1},
          Column{"  ( 4100) ", 4100}, Column{"  (-----) ", -1}, Column{" (4100) ", 4100}}) {
        const std::string text = "        alba (x)-4101 " + (column.text + tail);
        CAPTURE(text);
        EventLine line;
        REQUIRE(FtraceLineParser().parse(text, line) == LineKind::event);
        CHECK(line.comm() == "alba (x)");
        CHECK(line.pid == 4101);
        CHECK(line.tgid == column.tgid);
        CHECK(line.cpu == 1);
        const auto reading = readText(text + "\n");
        CHECK(reading->sink.calls == std::vector<std::string>{"waking brezo:4103:120 cpu1"});
    }
}

TEST_CASE("case 55: named buffers before the lines are no part of a name") {
    // As trace-cmd report prints several buffers: the names right-aligned to the longest one.
    const std::string text = prefixed(oneWake, "foo: ") + prefixed(oneWake, "     ");
    LoadOptions options;
    const auto named = [&](const std::string& buffer) {
        options.buffer = buffer;
        return loadText(text, options);
    };
    for (const char* buffer : {"foo", ""}) {
        const auto trace = named(buffer);
        CHECK(trace->info.buffer == buffer);
        CHECK(waitsOf(*trace, 4101).size() == 1); // one wake, not two
        CHECK(trace->tasks[taskOf(*trace, 4103).value()].tid == 4103);
    }
    auto events = FtraceTextImporter().openEvents(std::make_unique<MemorySource>(text), options);
    REQUIRE(events.ok());
    CHECK((*events)->count() == 4);
    CHECK((*events)->at(0)->task == "alba");

    // The same with the columns of -l.
    const std::string latency = "foo:     alba-4101    1d..3.    20.000000: mark: x\n"
                                "         alba-4101    1d..3.    20.000001: mark: x\n"
                                " ab:     alba-4101    1d..3.    20.000002: mark: x\n"
                                "foo: CPU:1 [3 EVENTS DROPPED]\n";
    MemorySource source(latency);
    const auto buffers = FtraceTextImporter().buffers(source);
    REQUIRE(buffers.ok());
    REQUIRE(buffers->size() == 3);
    CHECK((*buffers)[0].name == "");
    CHECK((*buffers)[1].name == "foo");
    CHECK((*buffers)[2].name == "ab");
    options.buffer = "foo";
    const auto reading = readText(latency, options);
    CHECK(reading->sink.headers.size() == 1);
    REQUIRE(reading->sink.losses.size() == 1);
    CHECK(reading->sink.losses[0].count == 3);
}

TEST_CASE("case 22: what the time number means, and keeping it exact") {
    const auto timeOf = [](const std::string& stamp, StampUnit unit = StampUnit::automatic) {
        LoadOptions options;
        options.clock = unit;
        const auto reading =
            readText("            alba-4101    [000] ..... " + stamp + ": mark: x\n", options);
        return reading->sink.headers.at(0).time;
    };
    CHECK(timeOf("99176715281005") == 99176715281005);
    CHECK(timeOf("17584.921558") == 17584921558000);
    CHECK(timeOf("2218816.767894977") == 2218816767894977);
    CHECK(timeOf("1234.999999501") == 1234999999501);
    CHECK(timeOf("99176715281005", StampUnit::nanoseconds) == 99176715281005);
    CHECK(timeOf("99176715281", StampUnit::microseconds) == 99176715281000);
    CHECK(timeOf("99176715281", StampUnit::ticks) == 99176715281);

    // The unit holds for the model and for the single events alike.
    const std::string text =
        replaced(replaced(oneWake, "20.000", "        20000"), "    [00", " [00");
    LoadOptions options;
    options.clock = StampUnit::microseconds;
    auto trace = loadText(text, options);
    REQUIRE(waitsOf(*trace, 4101).size() == 1);
    CHECK(lengthOf(waitsOf(*trace, 4101)[0]) == us(50));
    CHECK(trace->info.stampsAreNanoseconds);
    auto events = FtraceTextImporter().openEvents(std::make_unique<MemorySource>(text), options);
    REQUIRE(events.ok());
    CHECK((*events)->at(3)->header.time == us(20000150));
    options.clock = StampUnit::ticks;
    trace = loadText(text, options);
    CHECK(lengthOf(waitsOf(*trace, 4101)[0]) == 50);
    CHECK_FALSE(trace->info.stampsAreNanoseconds);
    // What is odd is placed by its count too.
    trace =
        loadText(text + "           cedro-4102 [000] d..2. 20000300: sched_switch: prev_comm=cedro "
                        "prev_pid=4102 prev_prio=120 prev_state=S ==> next_comm=swapper/0 "
                        "next_pid=0 next_prio=120\n",
                 options);
    REQUIRE(trace->diagnostics.find("prev_is_not_current"));
    CHECK(trace->diagnostics.find("prev_is_not_current")->first == "CPU 0, at 20000300");
}
