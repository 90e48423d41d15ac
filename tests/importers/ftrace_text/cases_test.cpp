// Faults that users of such tools met, end to end: a text through load() into the model's columns
// and statistics. Each test carries the number of its case. Where a case leaves a choice, the rules
// of model/build/README.md made it: the wake is sched_waking where the trace has one.
#include "model/query/cpu_stats.h"
#include "model/query/task_stats.h"
#include "tests/importers/ftrace_text/text_support.h"

#include <map>

using namespace twolane;
using namespace twolane::tests;

namespace {

struct Comm {
    const char* name;
    int pid;
};
constexpr Comm alba{"alba", 4101};
constexpr Comm brezo{"brezo", 4103};
constexpr Comm cedro{"cedro", 4102};
constexpr Comm idle{"", 0};

std::string nameOf(Comm comm, int cpu) {
    return comm.pid == 0 ? fmt::format("swapper/{}", cpu) : comm.name;
}
std::string start(Comm comm, int cpu, const char* flags, const std::string& time) {
    return fmt::format("{:>16}-{:<7d} [{:03}] {} {:>12}: ", comm.pid == 0 ? "<idle>" : comm.name,
                       comm.pid, cpu, flags, time);
}
std::string switchLine(int cpu, const std::string& time, Comm prev, const char* state, Comm next) {
    return start(prev, cpu, "d..2.", time) +
           fmt::format("sched_switch: prev_comm={} prev_pid={} prev_prio=120 prev_state={} ==> "
                       "next_comm={} next_pid={} next_prio=120\n",
                       nameOf(prev, cpu), prev.pid, state, nameOf(next, cpu), next.pid);
}
std::string wakeLine(const char* event, int cpu, const std::string& time, Comm waker, Comm woken,
                     int target) {
    return start(waker, cpu, "d..4.", time) +
           fmt::format("{}: comm={} pid={} prio=120 target_cpu={:03}\n", event, woken.name,
                       woken.pid, target);
}
std::string waking(int cpu, const std::string& time, Comm waker, Comm woken, int target) {
    return wakeLine("sched_waking", cpu, time, waker, woken, target);
}
std::string wakeup(int cpu, const std::string& time, Comm waker, Comm woken, int target) {
    return wakeLine("sched_wakeup", cpu, time, waker, woken, target);
}

Selection whole(const Trace& trace) {
    Selection selection;
    selection.window = windowOf(trace);
    return selection;
}

CpuStats cpuOf(const Trace& trace, std::int32_t cpu, const Selection& selection) {
    for (const CpuStats& stats : cpuStats(trace, selection))
        if (stats.cpu == cpu)
            return stats;
    FAIL("no CPU " << cpu);
    return {};
}

TaskStats statsOf(const Trace& trace, std::int32_t tid, const Selection& selection) {
    for (const TaskStats& stats : statsByTask(trace, selection))
        if (stats.tid == tid)
            return stats;
    FAIL("no task " << tid);
    return {};
}

std::optional<Nanos> onlyWait(const Trace& trace, std::int32_t tid) {
    const auto waits = waitsOf(trace, tid);
    REQUIRE(waits.size() == 1);
    return lengthOf(waits[0]);
}

const std::string case3 =
    switchLine(0, "20.000000", alba, "S", idle) + waking(1, "20.000100", brezo, alba, 0) +
    wakeup(1, "20.000103", brezo, alba, 0) + switchLine(0, "20.000150", idle, "R", alba);

} // namespace

TEST_CASE("1: a CPU is not known before its first event, and what precedes is not guessed") {
    const auto trace = loadText(switchLine(0, "100.000000", alba, "S", idle) +
                                switchLine(1, "100.400000", cedro, "R", brezo) +
                                switchLine(1, "100.450000", brezo, "S", idle) +
                                switchLine(0, "100.500000", idle, "R", alba));
    const CpuTimeline* cpu1 = trace->cpu(1);
    REQUIRE(cpu1);
    REQUIRE_FALSE(cpu1->unknown.empty());
    CHECK(cpu1->unknown.front() == TimeRange{sec(100), sec(100) + ms(400)});
    const auto brezos = slicesOf(*trace, 4103);
    REQUIRE(brezos.size() == 1);
    CHECK(brezos[0].range.length() == ms(50));
    CHECK_FALSE(brezos[0].clipped());
    CHECK(waitsOf(*trace, 4103).empty());
    const auto cedros = slicesOf(*trace, 4102);
    REQUIRE(cedros.size() == 1);
    CHECK(cedros[0].openLeft);
    CHECK(waitsOf(*trace, 4101).empty());
    CHECK(statsOf(*trace, 4101, whole(*trace)).latencies.n() == 0);
}

TEST_CASE("2: nothing is measured across lost events") {
    const auto trace =
        loadText(switchLine(1, "10.000000", idle, "R", alba) + "CPU:1 [LOST 42 EVENTS]\n" +
                 switchLine(1, "14.000000", cedro, "S", idle));
    REQUIRE(trace->losses.size() == 1);
    CHECK(trace->losses[0].cpu == 1);
    CHECK(trace->losses[0].range == TimeRange{sec(10), sec(14)});
    CHECK(trace->lostEvents == 42);
    CHECK(trace->diagnostics.count("rejected_lines") == 0);
    const auto albas = slicesOf(*trace, 4101);
    REQUIRE(albas.size() == 1);
    CHECK(albas[0].openRight);
    CHECK(albas[0].range.length() == 0);
    const auto cedros = slicesOf(*trace, 4102);
    REQUIRE(cedros.size() == 1);
    CHECK(cedros[0].openLeft);
    CHECK(cedros[0].range.length() == 0);
    const CpuStats cpu = cpuOf(*trace, 1, whole(*trace));
    CHECK(cpu.unknown == sec(4));
    CHECK(cpu.busy == 0);
}

TEST_CASE("3: sched_waking and sched_wakeup are one wake") {
    const auto trace = loadText(case3);
    CHECK((trace->wakeEdge == WakeEdge::waking));
    CHECK(onlyWait(*trace, 4101) == us(50));
    const Wait wait = waitsOf(*trace, 4101)[0];
    CHECK(wait.wakerTid == 4103);
    CHECK(wait.queuedAt == sec(20) + us(103));
    const auto sleeps = sleepsOf(*trace, 4101);
    REQUIRE(sleeps.size() == 1);
    CHECK(sleeps[0].range.length() == us(100));
    CHECK(statsOf(*trace, 4101, whole(*trace)).wakeups == 1);
}

TEST_CASE("4: a preempted task is runnable, in letters as in numbers") {
    const std::string letters = switchLine(2, "30.000000", alba, "R+", brezo) +
                                switchLine(2, "30.004000", brezo, "S", alba) +
                                switchLine(2, "30.005000", alba, "R", cedro) +
                                switchLine(2, "30.005500", cedro, "S", alba);
    std::string numbers = letters;
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"prev_state=R+ ==>", "prev_state=256"},
          {"prev_state=R ==>", "prev_state=0"},
          {"prev_state=S ==>", "prev_state=1"}})
        for (std::size_t at = 0; (at = numbers.find(from, at)) != std::string::npos;)
            numbers.replace(at, from.size(), to);
    for (const std::string& text : {letters, numbers}) {
        const auto trace = loadText(text);
        const auto waits = waitsOf(*trace, 4101);
        REQUIRE(waits.size() == 2);
        CHECK((waits[0].kind == WaitKind::preempted));
        CHECK(lengthOf(waits[0]) == ms(4));
        CHECK(lengthOf(waits[1]) == us(500));
        const auto slices = slicesOf(*trace, 4101);
        REQUIRE(slices.size() == 3);
        CHECK(slices[0].endState->state == TaskState::runnablePreempted);
        CHECK(slices[1].endState->state == TaskState::runnable);
        CHECK(statsOf(*trace, 4101, whole(*trace)).sleep == 0);
        CHECK(statsOf(*trace, 4103, whole(*trace)).voluntary == 1);
        CHECK(statsOf(*trace, 4102, whole(*trace)).voluntary == 1);
    }
}

TEST_CASE("5: names with blanks, brackets, colons, hyphens and digits") {
    const auto trace = loadText(
        "    [NET 0] rx-7-4105    [003] d..2.    41.000100: sched_switch: prev_comm=[NET 0] rx-7 "
        "prev_pid=4105 "
        "prev_prio=120 prev_state=S ==> next_comm=Timer (a:b) #2 next_pid=4106 next_prio=120\n");
    CHECK(trace->diagnostics.count("rejected_lines") == 0);
    CHECK(trace->commAt(taskOf(*trace, 4105), trace->range.end) == "[NET 0] rx-7");
    CHECK(trace->commAt(taskOf(*trace, 4106), trace->range.end) == "Timer (a:b) #2");
}

TEST_CASE("7: pid 0 is each CPU's own idle, never a task") {
    const auto trace = loadText(
        switchLine(0, "50.000000", idle, "R", alba) + switchLine(1, "50.000010", idle, "R", brezo) +
        switchLine(0, "50.000100", alba, "S", idle) + switchLine(1, "50.000200", brezo, "S", idle) +
        switchLine(0, "50.000300", idle, "R", alba));
    CHECK(cpuOf(*trace, 0, whole(*trace)).idle == us(200));
    CHECK(cpuOf(*trace, 1, whole(*trace)).idle == us(100));
    std::uint64_t voluntary = 0;
    std::uint64_t involuntary = 0;
    for (const TaskStats& stats : statsByTask(*trace, whole(*trace))) {
        CHECK(stats.tid != 0);
        voluntary += stats.voluntary;
        involuntary += stats.involuntary;
    }
    CHECK(voluntary == 2);
    CHECK(involuntary == 0);
    for (const Task& task : trace->tasks)
        CHECK(task.tid != 0);
    CHECK(waitsOf(*trace, 0).empty());
}

TEST_CASE("13: switches alone, wakes that are too old, and tasks that never run") {
    const std::string wakes = waking(1, "60.000000", brezo, alba, 0);
    const std::string rest = switchLine(0, "60.000020", idle, "R", alba) +
                             switchLine(0, "60.000100", alba, "S", idle) +
                             switchLine(0, "60.900000", idle, "R", alba);
    const auto trace = loadText(wakes + rest + waking(1, "60.950000", brezo, cedro, 0));
    CHECK(onlyWait(*trace, 4101) == us(20));
    CHECK(statsOf(*trace, 4101, whole(*trace)).latencies.n() == 1);
    CHECK(slicesOf(*trace, 4102).empty());
    const auto cedros = waitsOf(*trace, 4102);
    REQUIRE(cedros.size() == 1);
    CHECK((cedros[0].certainty == Certainty::clipped));

    const auto switches = loadText(rest);
    CHECK((switches->wakeEdge == WakeEdge::none));
    CHECK(switches->waits.empty());
    CHECK(slicesOf(*switches, 4101).size() == 2);
}

TEST_CASE("14: times do not depend on the locale") {
    const auto trace = loadText(switchLine(0, "812345.123457", idle, "R", alba));
    CHECK(trace->range.begin == 812345123457000);
}

TEST_CASE("15: records out of order are sorted, and that is told") {
    const auto trace = loadText(
        switchLine(0, "70.000100", idle, "R", alba) + switchLine(0, "70.000130", alba, "S", idle) +
        waking(1, "70.000060", brezo, alba, 0) + waking(1, "79.000000", brezo, alba, 0) +
        switchLine(0, "79.000050", idle, "R", alba));
    const auto waits = waitsOf(*trace, 4101);
    REQUIRE(waits.size() == 2);
    CHECK(lengthOf(waits[0]) == us(40));
    CHECK(lengthOf(waits[1]) == us(50));
    const Oddity* late = trace->diagnostics.find("late_events");
    REQUIRE(late);
    CHECK(late->count == 1);
    CHECK(late->severity == Severity::info);
    CHECK(late->what.find("70 us") != std::string::npos);
    CHECK(trace->diagnostics.count("cpu_time_backward") == 0);
}

TEST_CASE("16: a wake after its run is clock skew, not a latency") {
    const auto trace = loadText(switchLine(0, "700.000000", alba, "S", idle) +
                                switchLine(0, "700.000012", idle, "R", alba) +
                                waking(1, "700.000020", brezo, alba, 0) +
                                switchLine(0, "700.000400", alba, "S", idle));
    REQUIRE(trace->skews.size() == 1);
    CHECK(trace->skews[0].wakerCpu == 1);
    CHECK(trace->skews[0].cpu == 0);
    CHECK(trace->skews[0].count == 1);
    CHECK(trace->skews[0].worst == -us(8));
    const auto waits = waitsOf(*trace, 4101);
    REQUIRE(waits.size() == 1);
    CHECK_FALSE(waits[0].start);
    CHECK(statsOf(*trace, 4101, whole(*trace)).latencies.n() == 0);
}

TEST_CASE("17: a wait belongs to the task, wherever it is queued or runs") {
    const auto trace = loadText(
        switchLine(2, "90.000000", alba, "S", idle) + waking(5, "90.001000", brezo, alba, 2) +
        start(brezo, 5, "d..4.", "90.001002") +
        "sched_migrate_task: comm=alba pid=4101 prio=120 orig_cpu=2 dest_cpu=6\n" +
        wakeup(5, "90.001004", brezo, alba, 6) + switchLine(6, "90.001200", idle, "R", alba));
    CHECK(onlyWait(*trace, 4101) == us(200));
    const Wait wait = waitsOf(*trace, 4101)[0];
    CHECK(wait.queuedCpu == 6);
    CHECK(wait.queuedAt == sec(90) + us(1004));
    CHECK(wait.cpu == 6);
    CHECK(statsOf(*trace, 4101, whole(*trace)).migrations == 1);
}

TEST_CASE("18: a name is a function of time, and the line's first column is none") {
    const auto trace = loadText("          <idle>-0       [000] d..2.    80.000000: sched_switch: "
                                "prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
                                "next_comm=sh next_pid=4101 next_prio=120\n"
                                "           brezo-4101    [000] .....    80.010000: task_rename: "
                                "pid=4101 oldcomm=sh newcomm=brezo oom_score_adj=0\n"
                                "           brezo-4101    [000] d..2.    80.030000: sched_switch: "
                                "prev_comm=brezo prev_pid=4101 prev_prio=120 prev_state=S ==> "
                                "next_comm=swapper/0 next_pid=0 next_prio=120\n");
    const auto slices = slicesOf(*trace, 4101);
    REQUIRE(slices.size() == 1);
    CHECK(slices[0].range.length() == ms(30));
    CHECK(trace->commAt(taskOf(*trace, 4101), sec(80) + ms(5)) == "sh");
    std::map<std::string, Nanos> byComm;
    for (const TaskStats& stats : statsByComm(*trace, whole(*trace)))
        byComm[stats.comm] = stats.cpuTime;
    CHECK(byComm == std::map<std::string, Nanos>{{"sh", ms(10)}, {"brezo", ms(20)}});
}

TEST_CASE("20: placeholder names are no names, and -1 is no task") {
    const auto trace = loadText("           <...>--1      [008] d..2.    15.000000: sched_switch: "
                                "prev_comm=cedro prev_pid=4102 prev_prio=120 "
                                "prev_state=X ==> next_comm=swapper/8 next_pid=0 next_prio=120\n"
                                "           <...>-4104    [001] d..4.    15.000100: sched_waking: "
                                "comm=alba pid=4101 prio=120 target_cpu=001\n");
    for (const Task& task : trace->tasks)
        CHECK(task.tid > 0);
    const auto slices = slicesOf(*trace, 4102);
    REQUIRE(slices.size() == 1);
    CHECK(slices[0].endState->dead());
    const auto waits = waitsOf(*trace, 4101);
    REQUIRE(waits.size() == 1);
    CHECK(waits[0].wakerTid == 4104);
    if (waits[0].waker.valid())
        CHECK(trace->commAt(waits[0].waker, trace->range.end) == "");
}

TEST_CASE("23: a wake of a task that has not left its CPU, and two wakes of one wait") {
    // metrics: the trace records sched_waking, so a sched_wakeup that none preceded starts a
    // doubtful wait. The case's 500.020 ms are its length, and the last wake is kept beside it.
    const auto trace = loadText(
        switchLine(0, "100.000000", idle, "R", alba) + waking(1, "100.000090", brezo, alba, 0) +
        switchLine(0, "100.000100", alba, "S", idle) + wakeup(1, "100.000105", brezo, alba, 0) +
        switchLine(0, "100.000140", idle, "R", alba) +
        switchLine(0, "100.000200", alba, "S", idle) + wakeup(1, "101.000000", brezo, alba, 0) +
        wakeup(1, "101.500000", brezo, alba, 0) + switchLine(0, "101.500020", idle, "R", alba));
    const auto waits = waitsOf(*trace, 4101);
    REQUIRE(waits.size() == 2);
    CHECK(lengthOf(waits[0]) == us(40));
    CHECK((waits[0].certainty == Certainty::exact));
    CHECK(lengthOf(waits[1]) == us(500020));
    CHECK((waits[1].certainty == Certainty::doubtful));
    REQUIRE(waits[1].lastWakeAt);
    CHECK(waits[1].end - *waits[1].lastWakeAt == us(20));
    const TaskStats stats = statsOf(*trace, 4101, whole(*trace));
    CHECK(stats.latencies.n() == 1);
    CHECK(stats.latencyMax == us(40));
}

TEST_CASE("24: states at a window's edges, and run + idle + unknown is the window") {
    const auto trace = loadText(switchLine(0, "200.000000", idle, "R", alba) +
                                switchLine(1, "205.000000", idle, "R", brezo) +
                                switchLine(0, "210.000000", alba, "S", idle) +
                                switchLine(0, "212.000000", idle, "R", alba));
    Selection window;
    window.window = windowOf(*trace, sec(4), sec(6)); // 204 to 206
    CHECK(cpuOf(*trace, 0, window).busy == sec(2));
    CHECK(cpuOf(*trace, 0, window).utilisation == doctest::Approx(1.0));
    CHECK(cpuOf(*trace, 1, window).busy == sec(1));
    CHECK(cpuOf(*trace, 1, window).unknown == sec(1));
    CHECK(statsOf(*trace, 4101, window).cpuTime == sec(2));
    const Selection all = whole(*trace);
    CHECK(statsOf(*trace, 4101, all).cpuTime == sec(10));
    CHECK(statsOf(*trace, 4103, all).cpuTime == sec(7));
    CHECK(slicesOf(*trace, 4103).at(0).openRight);
    CHECK(cpuOf(*trace, 1, all).unknown == sec(5));
    for (const Selection& selection : {window, all})
        for (const CpuStats& cpu : cpuStats(*trace, selection))
            CHECK(cpu.busy + cpu.idle + cpu.unknown == selection.window.range.length());
}

TEST_CASE("25: CPU numbers with holes") {
    std::string text;
    int step = 0;
    for (const int cpu : {0, 3, 11, 300, 1023}) {
        text += switchLine(cpu, fmt::format("50.{:06}", ++step * 100), idle, "R", alba);
        text += switchLine(cpu, fmt::format("50.{:06}", ++step * 100), alba, "S", idle);
    }
    const auto trace = loadText(text);
    std::vector<std::int32_t> cpus;
    for (const CpuTimeline& cpu : trace->cpus)
        cpus.push_back(cpu.cpu);
    CHECK(cpus == std::vector<std::int32_t>{0, 3, 11, 300, 1023});
    CHECK(trace->cpu(0) != nullptr);
    CHECK(trace->cpu(1) == nullptr);
}

TEST_CASE("26: half of twelve CPUs is half") {
    std::string text;
    for (const char* time : {"1.000000", "1.500000", "2.000000"})
        for (int cpu = 0; cpu < 12; ++cpu) {
            const Comm task{"alba", 4101 + cpu};
            text += time[2] == '5' ? switchLine(cpu, time, task, "S", idle)
                                   : switchLine(cpu, time, idle, "R", task);
        }
    const auto trace = loadText(text);
    Nanos busy = 0;
    for (const CpuStats& cpu : cpuStats(*trace, whole(*trace))) {
        CHECK(cpu.utilisation == doctest::Approx(0.5));
        busy += cpu.busy;
    }
    CHECK(busy == sec(6));
}

TEST_CASE("38: degenerate traces, and 0.000000 is a time") {
    for (const std::string& text : {switchLine(0, "0.000000", idle, "R", alba),
                                    switchLine(0, "0.000000", idle, "R", alba) +
                                        switchLine(0, "0.000000", alba, "S", idle)}) {
        const auto trace = loadText(text);
        CHECK(trace->range == TimeRange{0, 0});
        CHECK(slicesOf(*trace, 4101).size() == 1);
    }
    // Without an event there is nothing to show, and load() says so.
    const TemporaryFile empty(
        "# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0   #P:2\n");
    const auto trace = load(empty.path(), {}, {}, {});
    REQUIRE_FALSE(trace.ok());
    CHECK_FALSE(trace.error().remedy.empty());
}

TEST_CASE("39: equal stamps keep their order, and runs of 0 ns are runs") {
    const auto trace = loadText(switchLine(0, "400.000010", idle, "R", alba) +
                                switchLine(0, "400.000010", alba, "S", brezo) +
                                switchLine(0, "400.000012", brezo, "S", idle));
    const auto albas = slicesOf(*trace, 4101);
    REQUIRE(albas.size() == 1);
    CHECK(albas[0].range.length() == 0);
    CHECK(albas[0].endState->state == TaskState::sleeping);
    const auto brezos = slicesOf(*trace, 4103);
    REQUIRE(brezos.size() == 1);
    CHECK(brezos[0].range.length() == us(2));
    CHECK(trace->eventCount == 3);
}

TEST_CASE("44: a text without switches is refused with what it holds") {
    const TemporaryFile file("# tracer: nop\n            alba-4101    [000] d.h1.    12.000100: "
                             "irq_handler_entry: irq=28 name=x\n");
    const auto trace = load(file.path(), {}, {}, {});
    REQUIRE_FALSE(trace.ok());
    CHECK(trace.error().what.find("irq_handler_entry") != std::string::npos);
}

TEST_CASE("50: arrows and key look-alikes inside names") {
    const auto trace =
        loadText("         a ==> b-4242    [003] d..2.    43.000000: sched_switch: prev_comm=a ==> "
                 "b prev_pid=4242 prev_prio=120 "
                 "prev_state=S ==> next_comm=q prev_pid=9 next_pid=4243 next_prio=120\n"
                 " a:1 [120] S ==>-4244    [003] d..2.    43.000100: sched_switch: a:1 [120] S "
                 "==>:4244 [120] S ==> "
                 "swapper/3:0 [120]\n");
    const auto nameAt = [&trace](std::int32_t tid) {
        return trace->commAt(taskOf(*trace, tid), trace->range.end);
    };
    CHECK(nameAt(4242) == "a ==> b");
    CHECK(nameAt(4243) == "q prev_pid=9");
    CHECK(nameAt(4244) == "a:1 [120] S ==>");
}

TEST_CASE("51: names that are no UTF-8") {
    const auto trace = loadText("          caf\xe9-4301    [000] d..2.    12.000100: sched_switch: "
                                "prev_comm=caf\xe9 prev_pid=4301 prev_prio=120 "
                                "prev_state=S ==> next_comm=caf\xe8 next_pid=4302 next_prio=120\n");
    CHECK(trace->commAt(taskOf(*trace, 4301), trace->range.end) == "caf\xe9");
    CHECK(trace->commAt(taskOf(*trace, 4302), trace->range.end) == "caf\xe8");
}

TEST_CASE("52: CR LF, a byte-order mark and no newline at the end") {
    std::string text = "\xEF\xBB\xBF";
    for (const char c : switchLine(2, "30.000000", alba, "R+", brezo) +
                            switchLine(2, "30.004000", brezo, "S", alba))
        text += c == '\n' ? "\r\n" : std::string(1, c);
    for (const std::string& form :
         {text, text.substr(0, text.size() - 2), text.substr(0, text.size() - 1)}) {
        const auto trace = loadText(form);
        CHECK(trace->eventCount == 2);
        const auto slices = slicesOf(*trace, 4101);
        REQUIRE(slices.size() == 2);
        CHECK(slices[1].prio == 120);
        CHECK(trace->diagnostics.count("rejected_lines") == 0);
    }
}

TEST_CASE("55: one buffer is shown, not two at once") {
    std::string text;
    for (std::size_t at = 0; at < case3.size();) {
        const std::size_t end = case3.find('\n', at) + 1;
        text += "foo: " + case3.substr(at, end - at) + case3.substr(at, end - at);
        at = end;
    }
    for (const std::optional<std::string>& buffer :
         {std::optional<std::string>(), std::optional<std::string>("foo")}) {
        LoadOptions options;
        options.buffer = buffer;
        const auto trace = loadText(text, options);
        CHECK(trace->info.buffer == buffer.value_or(""));
        CHECK(onlyWait(*trace, 4101) == us(50));
        CHECK(statsOf(*trace, 4101, whole(*trace)).wakeups == 1);
    }
}
