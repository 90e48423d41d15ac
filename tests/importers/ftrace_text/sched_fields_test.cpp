#include "importers/common/sched_fields.h"
#include "importers/common/text_number.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace twolane;

namespace {

struct Switch {
    std::string_view payload;
    std::string_view prevComm;
    std::int32_t prevPid;
    std::int32_t prevPrio;
    std::string_view state;
    std::string_view nextComm;
    std::int32_t nextPid;
    std::int32_t nextPrio;
};

void check(const Switch& expected, std::int32_t headerPid = -1) {
    CAPTURE(expected.payload);
    SchedSwitch event;
    event.header.pid = headerPid;
    PayloadForm form;
    SchedFields fields; // some texts are views into it
    REQUIRE(fields.parse(expected.payload, event, form));
    CHECK(event.prev_comm == expected.prevComm);
    CHECK(event.prev_pid == expected.prevPid);
    CHECK(event.prev_prio == expected.prevPrio);
    CHECK(toString(event.prev_state) == expected.state);
    CHECK(event.next_comm == expected.nextComm);
    CHECK(event.next_pid == expected.nextPid);
    CHECK(event.next_prio == expected.nextPrio);
}

bool parses(std::string_view payload) {
    SchedSwitch event;
    PayloadForm form;
    return SchedFields().parse(payload, event, form);
}

} // namespace

TEST_CASE("one sched_switch in all its forms (case 8)") {
    for (const char* payload : {
             "prev_comm=alba x prev_pid=4101 prev_prio=120 prev_state=R+ ==> next_comm=swapper/8 "
             "next_pid=0 next_prio=120",
             "prev_comm=alba x prev_pid=4101 prev_prio=120 prev_state=256 next_comm=swapper/8 "
             "next_pid=0 next_prio=120",
             "prev_comm=alba x prev_pid=4101 prev_prio=120 prev_state=0x100 next_comm=swapper/8 "
             "next_pid=0 next_prio=120",
             "prev_comm=alba x prev_pid=0x1005 (4101) prev_prio=0x78 (120) prev_state=0x100 (256) "
             "next_comm=swapper/8 "
             "next_pid=0x0 (0) next_prio=0x78 (120)",
             "prev_comm=alba x prev_pid=4101 prev_prio=120 prev_state=R+ ==> next_comm=swapper/8 "
             "next_pid=0 next_prio=120 "
             "next_info=1,2 extra=x",
             "[FAILED TO PARSE] prev_comm=alba x prev_pid=4101 prev_prio=120 prev_state=0x100 "
             "next_comm=swapper/8 next_pid=0 "
             "next_prio=120",
             "alba x:4101 [120] R+ ==> swapper/8:0 [120]",
         })
        check({payload, "alba x", 4101, 120, "R+", "swapper/8", 0, 120});
}

TEST_CASE("arrows and keys inside names (case 50)") {
    check({"prev_comm=a ==> b prev_pid=4242 prev_prio=120 prev_state=S ==> next_comm=q prev_pid=9 "
           "next_pid=4243 next_prio=120",
           "a ==> b", 4242, 120, "S", "q prev_pid=9", 4243, 120},
          4242);
    check({"a:1 [120] S ==>:4244 [120] S ==> swapper/3:0 [120]", "a:1 [120] S ==>", 4244, 120, "S",
           "swapper/3", 0, 120},
          4244);
    check({"prev_comm=prev_comm=x prev_pid=1 prev_prio=2 prev_state=S ==> next_comm= next_comm=y "
           "next_pid=3 next_prio=4",
           "prev_comm=x", 1, 2, "S", " next_comm=y", 3, 4},
          1);
    check({"prev_comm=prio=3 next_pid prev_pid=1 prev_prio=2 prev_state=R ==> next_comm=x "
           "next_prio=7 next_pid=3 next_prio=4",
           "prio=3 next_pid", 1, 2, "R", "x next_prio=7", 3, 4},
          1);
    check({"prev_comm= prev_pid=1 prev_prio=2 prev_state=S ==> next_comm= next_pid=3 next_prio=4",
           "", 1, 2, "S", "", 3, 4});
    check({":5 [120] S ==> :6 [120]", "", 5, 120, "S", "", 6, 120});
    check({"x ==> y:7 [120] R ==> z ==> w:8 [120]", "x ==> y", 7, 120, "R", "z ==> w", 8, 120}, 7);
}

TEST_CASE("a header's pid breaks ties between complete cuts") {
    // "b:2 [1] S ==> c" is at once a name of 15 bytes and the rest of a switch.
    const std::string_view payload = "a:1 [0] S ==> b:2 [1] S ==> c:3 [4]";
    check({payload, "a:1 [0] S ==> b", 2, 1, "S", "c", 3, 4}, 2);
    check({payload, "a", 1, 0, "S", "b:2 [1] S ==> c", 3, 4}, 1);
    check({payload, "a:1 [0] S ==> b", 2, 1, "S", "c", 3, 4}, 77);
}

TEST_CASE("priorities of deadline tasks (case 58)") {
    check({"prev_comm=d prev_pid=2593 prev_prio=-1 prev_state=R ==> next_comm=e next_pid=1 "
           "next_prio=4294967295",
           "d", 2593, -1, "R", "e", 1, -1});
    check({"d:2593 [4294967295] R ==> e:1 [-1]", "d", 2593, -1, "R", "e", 1, -1});
}

TEST_CASE("state letters and numbers (case 9)") {
    const auto stateOf = [](const std::string& state, bool arrow, PrevStateDecoder decoder = {}) {
        SchedSwitch event;
        PayloadForm form;
        const std::string payload = "prev_comm=a prev_pid=1 prev_prio=120 prev_state=" + state +
                                    (arrow ? " ==>" : "") + " next_comm=b next_pid=2 next_prio=120";
        REQUIRE(SchedFields(std::move(decoder)).parse(payload, event, form));
        CHECK(form.state == state);
        return event.prev_state;
    };
    CHECK(stateOf("I", true).state == TaskState::idle);
    CHECK(stateOf("D|K", true).state == TaskState::uninterruptible);
    CHECK(stateOf("128", false).state == TaskState::idle);
    CHECK((stateOf("8192", false) == PrevState{TaskState::other, 0x2000}));
    CHECK((stateOf("0x800", true) == PrevState{TaskState::other, 0x800}));
    CHECK(stateOf("0", false).state == TaskState::runnable);
    CHECK(stateOf("x", true).state == TaskState::dead);
    CHECK(stateOf("R+", true).state == TaskState::runnablePreempted);
    CHECK(stateOf("?", true).state == TaskState::unknown);
    CHECK(stateOf("1024", false, *PrevStateDecoder::forRelease("3.10.0")).state ==
          TaskState::runnablePreempted);
    CHECK(stateOf("2048", false, *PrevStateDecoder::forRelease("4.4.0")).state ==
          TaskState::runnablePreempted);
    // The plug-ins' old table calls the idle threads' bit W.
    SchedSwitch event;
    PayloadForm form;
    REQUIRE(SchedFields().parse("rcu_preempt:15 [120] W ==> wl:19296 [120]", event, form));
    CHECK(event.prev_state.state == TaskState::idle);
}

TEST_CASE("comms that libtraceevent writes out byte by byte") {
    check({"prev_comm=ARRAY[c3, a9, 74, c3, a9, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00] "
           "prev_pid=18197 prev_prio=120 "
           "prev_state=1 next_comm=ARRAY[77, 6c, 00, 02, 5a, 2e, 00, 00, 68, 61, 63, 6b] "
           "next_pid=18190 next_prio=120",
           "\xc3\xa9t\xc3\xa9", 18197, 120, "S", "wl", 18190, 120});
    SchedWake wake;
    PayloadForm form;
    SchedFields fields;
    REQUIRE(fields.parse("comm=ARRAY[e9, 00, 00, 00, 00, 00, 00, 00] pid=5 prio=120 target_cpu=001",
                         wake, form));
    CHECK(wake.comm == "\xe9");
    TaskRename rename;
    REQUIRE(fields.parse(
        "pid=5 oldcomm=ARRAY[61, e9, 00, 00] newcomm=ARRAY[e9, 62, 00, 00] oom_score_adj=0",
        rename));
    CHECK(rename.oldcomm == "a\xe9");
    CHECK(rename.newcomm == "\xe9"
                            "b");
    // A comm of that look is none of these.
    REQUIRE(fields.parse("comm=ARRAY[61, 62] pid=5 prio=120 target_cpu=001", wake, form));
    CHECK(wake.comm == "ARRAY[61, 62]");
}

TEST_CASE("broken switches are refused") {
    const std::string whole = "prev_comm=alba prev_pid=4101 prev_prio=120 prev_state=S ==> "
                              "next_comm=swapper/0 next_pid=0 next_prio=120";
    CHECK(parses(whole));
    for (std::size_t n = 0; n + 3 < whole.size(); ++n)
        CHECK_MESSAGE(!parses(whole.substr(0, n)), whole.substr(0, n));
    for (const char* payload :
         {"", "]", " [", ":1 [2]", "a:1 [2] S ==>", "==>", " ==> ", "a:1 [2] ==> b:3 [4]",
          "prev_comm=a prev_pid=99999999999 prev_prio=1 prev_state=S ==> next_comm=b next_pid=2 "
          "next_prio=3",
          "prev_comm=a prev_pid= prev_prio=1 prev_state=S ==> next_comm=b next_pid=2 next_prio=3"})
        CHECK_MESSAGE(!parses(payload), payload);
}

TEST_CASE("one wakeup in all its forms (case 8)") {
    for (const char* payload :
         {"alba x:4101 [120] success=1 CPU:008",
          "alba x:4101 [120]<CANT FIND FIELD success> CPU:008", "alba x:4101 [120] CPU:008",
          "comm=alba x pid=4101 prio=120 target_cpu=008",
          "comm=alba x pid=4101 prio=120 success=1 target_cpu=008",
          "comm=alba x pid=4101 prio=120 success=1 target_cpu=8",
          "comm=alba x pid=0x1005 (4101) prio=0x78 (120) target_cpu=0x8 (8)",
          "comm=alba x pid=4101 prio=120 target_cpu=008 vendor=1"}) {
        CAPTURE(payload);
        SchedWake event;
        PayloadForm form;
        REQUIRE(SchedFields().parse(payload, event, form));
        CHECK(event.comm == "alba x");
        CHECK(event.pid == 4101);
        CHECK(event.prio == 120);
        CHECK(event.target_cpu == 8);
    }
    for (const char* payload :
         {"comm=alba pid=4101 prio=120", "comm=alba pid=4101 prio=120 success=1", "alba:4101 [120]",
          "alba:4101 [120] success=0"}) {
        CAPTURE(payload);
        SchedWake event;
        event.target_cpu = 5;
        PayloadForm form;
        REQUIRE(SchedFields().parse(payload, event, form));
        CHECK(event.comm == "alba");
        CHECK(event.target_cpu == -1);
    }
    for (const char* payload : {"", "comm=alba", "alba", "alba:4101", "comm=alba pid=x prio=120",
                                "alba:x [120] CPU:001"}) {
        SchedWake event;
        PayloadForm form;
        CHECK_MESSAGE(!SchedFields().parse(payload, event, form), payload);
    }
}

TEST_CASE("wakeups of tasks with hostile names") {
    for (const std::string comm : {"a==>b c=1", "[000] d..2", "x:1 [2]", "pid=7 prio=8", "comm=x",
                                   "caf\xe9", "", "a CPU:001", " "}) {
        CAPTURE(comm);
        for (const std::string& payload :
             {"comm=" + comm + " pid=7 prio=120 target_cpu=003", comm + ":7 [120] CPU:003"}) {
            SchedWake event;
            PayloadForm form;
            REQUIRE(SchedFields().parse(payload, event, form));
            CHECK(event.comm == comm);
            CHECK(event.pid == 7);
            CHECK(event.target_cpu == 3);
        }
    }
}

TEST_CASE("the other events, as printed and as single fields") {
    SchedFields fields;
    for (const char* payload :
         {"comm=a b pid=5 prio=120 orig_cpu=2 dest_cpu=6",
          "comm=a b pid=5 prio=120 orig_cpu=2 dest_cpu=6 running=1",
          "comm=a b pid=0x5 (5) prio=0x78 (120) orig_cpu=0x2 (2) dest_cpu=0x6 (6)"}) {
        SchedMigrateTask event;
        REQUIRE_MESSAGE(fields.parse(payload, event), payload);
        CHECK(event.comm == "a b");
        CHECK(event.pid == 5);
        CHECK(event.prio == 120);
        CHECK(event.orig_cpu == 2);
        CHECK(event.dest_cpu == 6);
    }
    for (const char* payload :
         {"comm=sh pid=5 child_comm=sh x child_pid=6",
          "parent_comm=sh parent_pid=5 child_comm=sh x child_pid=6",
          "parent_comm=sh parent_pid=0x5 (5) child_comm=sh x child_pid=0x6 (6)"}) {
        SchedProcessFork event;
        REQUIRE_MESSAGE(fields.parse(payload, event), payload);
        CHECK(event.parent_comm == "sh");
        CHECK(event.parent_pid == 5);
        CHECK(event.child_comm == "sh x");
        CHECK(event.child_pid == 6);
    }
    SchedProcessExec exec;
    REQUIRE(fields.parse("filename=/usr/bin/my tool pid=2 pid=6 old_pid=7", exec));
    CHECK(exec.filename == "/usr/bin/my tool pid=2");
    CHECK(exec.pid == 6);
    CHECK(exec.old_pid == 7);
    for (const char* payload :
         {"comm=sh pid=5 prio=120", "comm=sh pid=5 prio=120 group_dead=true"}) {
        SchedProcessExit event;
        REQUIRE_MESSAGE(fields.parse(payload, event), payload);
        CHECK(event.comm == "sh");
        CHECK(event.pid == 5);
        CHECK(event.prio == 120);
    }
    for (const char* payload : {"pid=5 oldcomm=sh newcomm=my x oom_score_adj=0",
                                "pid=0x5 (5) oldcomm=sh newcomm=my x oom_score_adj=0x0 (0)",
                                "pid=5 oldcomm=sh newcomm=my x oom_score_adj=-1000"}) {
        TaskRename event;
        REQUIRE_MESSAGE(fields.parse(payload, event), payload);
        CHECK(event.pid == 5);
        CHECK(event.oldcomm == "sh");
        CHECK(event.newcomm == "my x");
    }
    for (const char* payload :
         {"pid=5 comm=sh x clone_flags=1200000 oom_score_adj=0",
          "pid=0x5 (5) comm=sh x clone_flags=0x1200000 (18874368) oom_score_adj=0x0 (0)"}) {
        SchedProcessFork event;
        event.header.pid = 4;
        REQUIRE_MESSAGE(fields.parseNewtask(payload, event), payload);
        CHECK(event.child_comm == "sh x");
        CHECK(event.child_pid == 5);
        CHECK(event.parent_pid == 4);
    }
}

TEST_CASE("names of events") {
    CHECK(schedEventOf("sched_switch") == SchedEvent::schedSwitch);
    CHECK(schedEventOf("sched_waking") == SchedEvent::schedWaking);
    CHECK(schedEventOf("sched_wakeup") == SchedEvent::schedWakeup);
    CHECK(schedEventOf("sched_wakeup_new") == SchedEvent::schedWakeupNew);
    CHECK(schedEventOf("sched_migrate_task") == SchedEvent::schedMigrateTask);
    CHECK(schedEventOf("sched_process_fork") == SchedEvent::schedProcessFork);
    CHECK(schedEventOf("sched_process_exec") == SchedEvent::schedProcessExec);
    CHECK(schedEventOf("sched_process_exit") == SchedEvent::schedProcessExit);
    CHECK(schedEventOf("task_rename") == SchedEvent::taskRename);
    CHECK(schedEventOf("task_newtask") == SchedEvent::taskNewtask);
    for (const char* name : {"", "sched_switcx", "sched_process_wait", "sched_stat_wait", "sched"})
        CHECK(schedEventOf(name) == SchedEvent::none);
}

TEST_CASE("numbers") {
    const auto number = [](std::string_view text) -> std::optional<std::int64_t> {
        const char* at = text.data();
        std::int64_t value = 0;
        if (!takeNumber(at, text.data() + text.size(), value) || at != text.data() + text.size())
            return std::nullopt;
        return value;
    };
    CHECK(number("007") == 7);
    CHECK(number("-1") == -1);
    CHECK(number("0x1f") == 31);
    CHECK(number("0x1f (31)") == 31);
    CHECK(number("0xffffffffffffffff (-1)") == -1);
    CHECK(number("9223372036854775807") == INT64_MAX);
    CHECK(number("9223372036854775808") == std::nullopt);
    CHECK(number("99999999999999999999") == std::nullopt);
    CHECK(number("") == std::nullopt);
    CHECK(number("-") == std::nullopt);
    CHECK(number("0x") == std::nullopt);
    CHECK(number("1 ") == std::nullopt);
    std::int32_t narrow = 0;
    CHECK(toInt32(4294967295, narrow));
    CHECK(narrow == -1);
    CHECK_FALSE(toInt32(4294967296, narrow));
    CHECK_FALSE(toInt32(-2147483649, narrow));
}
