// Payloads of kernels before 2.6.33 and of the old sched_switch tracer.
#include "importers/common/sched_fields.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace twolane;

namespace {

struct Read {
    SchedFields fields;
    SchedSwitch event;
    PayloadForm form;
    bool ok = false;

    explicit Read(std::string_view payload, std::int32_t pid = -1) {
        event.header.pid = pid;
        ok = fields.parse(payload, event, form);
    }
};

void checkSwitch(std::string_view payload, std::string_view prev, std::int32_t prevPid,
                 std::int32_t prevPrio, TaskState state, std::string_view next,
                 std::int32_t nextPid, std::int32_t nextPrio) {
    CAPTURE(payload);
    const Read read(payload, prevPid);
    REQUIRE(read.ok);
    CHECK_FALSE(read.form.plugin);
    CHECK(read.event.prev_comm == prev);
    CHECK(read.event.prev_pid == prevPid);
    CHECK(read.event.prev_prio == prevPrio);
    CHECK(read.event.prev_state.state == state);
    CHECK(read.event.next_comm == next);
    CHECK(read.event.next_pid == nextPid);
    CHECK(read.event.next_prio == nextPrio);
}

bool isSwitch(std::string_view payload) {
    return Read(payload).ok;
}

} // namespace

TEST_CASE("2.6.31 and 2.6.32: the state stands in parentheses") {
    checkSwitch("task alba:4101 [120] (S) ==> brezo:4103 [98]", "alba", 4101, 120,
                TaskState::sleeping, "brezo", 4103, 98);
    checkSwitch("task alba:4101 [120] (D|W) ==> swapper:0 [140]", "alba", 4101, 120,
                TaskState::uninterruptible, "swapper", 0, 140);
    checkSwitch("task alba:4101 [120] (R) ==> brezo:4103 [120]", "alba", 4101, 120,
                TaskState::runnable, "brezo", 4103, 120);
    checkSwitch("task alba:4101 [120] (x) ==> brezo:4103 [120]", "alba", 4101, 120, TaskState::dead,
                "brezo", 4103, 120);
}

TEST_CASE("2.6.30: no state is told, so none is known") {
    checkSwitch("task swapper:0 [140] ==> sealer:2612 [120]", "swapper", 0, 140, TaskState::unknown,
                "sealer", 2612, 120);
    const Read read("task alba:1 [120] ==> brezo:2 [120]");
    CHECK_FALSE(read.form.stateTold);
    CHECK_FALSE(read.form.unknownState); // nothing was there to be unknown
    CHECK(Read("task alba:1 [120] (S) ==> brezo:2 [120]").form.stateTold);
}

TEST_CASE("hostile names in the old forms (case 50)") {
    checkSwitch("task a ==> b:4242 [120] (S) ==> c:1 [120]:4243 [120]", "a ==> b", 4242, 120,
                TaskState::sleeping, "c:1 [120]", 4243, 120);
    checkSwitch("task task x:7 [1]:4242 [120] ==> (S):4243 [120]", "task x:7 [1]", 4242, 120,
                TaskState::unknown, "(S)", 4243, 120);
    // A plug-in's words about a task whose name begins like the old form.
    const Read read("task x:1 [120] S ==> b:2 [120]");
    REQUIRE(read.ok);
    CHECK(read.form.plugin);
    CHECK(read.event.prev_comm == "task x");
    CHECK(read.event.prev_state.state == TaskState::sleeping);
}

TEST_CASE("wakeups, migrations, forks and exits of 2.6.30 to 2.6.32") {
    SchedFields fields;
    PayloadForm form;
    SchedWake wake;
    REQUIRE(fields.parse("task a b:4101 [120] success=1 [003]", wake, form));
    CHECK_FALSE(form.plugin);
    CHECK(wake.comm == "a b");
    CHECK(wake.pid == 4101);
    CHECK(wake.prio == 120);
    CHECK(wake.target_cpu == 3);
    REQUIRE(fields.parse("task x [0]:4101 [120] success=0", wake, form));
    CHECK(wake.comm == "x [0]");
    CHECK(wake.target_cpu == -1);
    // trace-cmd's words about a task with such a name.
    REQUIRE(fields.parse("task x:4101 [120] success=1 CPU:002", wake, form));
    CHECK(form.plugin);
    CHECK(wake.comm == "task x");
    CHECK(wake.target_cpu == 2);

    SchedMigrateTask migrate;
    REQUIRE(fields.parse("task a from: 1:4101 [120] from: 0  to: 12", migrate));
    CHECK(migrate.comm == "a from: 1");
    CHECK(migrate.pid == 4101);
    CHECK(migrate.prio == 120);
    CHECK(migrate.orig_cpu == 0);
    CHECK(migrate.dest_cpu == 12);

    SchedProcessFork fork;
    REQUIRE(fields.parse("parent a  child b:4101  child c:d:4102", fork));
    CHECK(fork.parent_comm == "a  child b");
    CHECK(fork.parent_pid == 4101);
    CHECK(fork.child_comm == "c:d");
    CHECK(fork.child_pid == 4102);

    SchedProcessExit exited;
    REQUIRE(fields.parse("task a:b:4101 [120]", exited));
    CHECK(exited.comm == "a:b");
    CHECK(exited.pid == 4101);

    for (const char* text : {"", "task ", "task a", "task a:1", "task a:1 [120] from: x  to: 1",
                             "parent a:1", "parent a  child b:2"}) {
        CAPTURE(text);
        CHECK_FALSE(fields.parse(text, wake, form));
        CHECK_FALSE(fields.parse(text, migrate));
        CHECK_FALSE(fields.parse(text, fork));
    }
}

TEST_CASE("entries of the old sched_switch tracer") {
    checkSwitch("1408:120:R ==> [000]     9:115:R events/0", "", 1408, 120, TaskState::runnable,
                "events/0", 9, 115);
    checkSwitch("      9:115:S ==> [001]  1377:120:R a:1 [2] ==>", "", 9, 115, TaskState::sleeping,
                "a:1 [2] ==>", 1377, 120);
    checkSwitch("   1408: 98:D ==> [001]  1377:  0:R rt task", "", 1408, 98,
                TaskState::uninterruptible, "rt task", 1377, 0);
    checkSwitch("6263:120:? ==> 2717:120:R", "", 6263, 120, TaskState::unknown, "", 2717, 120);
    CHECK_FALSE(Read("1:120:S ==> [000] 2:120:R b").form.comms);

    SchedFields fields;
    PayloadForm form;
    SchedWake wake;
    REQUIRE(fields.parse("1408:120:S   + [002]  1377:120:S bash", wake, form));
    CHECK(wake.comm == "bash");
    CHECK(wake.pid == 1377);
    CHECK(wake.target_cpu == 2);
    REQUIRE(fields.parse("1408:120:S   + 1377:120:S", wake, form));
    CHECK(wake.comm == "");
    CHECK(wake.target_cpu == -1);

    for (const char* text :
         {"1408", "1408:120", "1408:120:", "1408:120:R", "1408:120:R ", "1408:120:R ==>",
          "1408:120:R ==> ", "1408:120:R ==> [000", "1408:120:R ==> [000] 9:115",
          "1408:120:R => [000] 9:115:R x", "1408:120:RR ==> [000] 9:115:R x"}) {
        CAPTURE(text);
        CHECK_FALSE(isSwitch(text));
        CHECK_FALSE(fields.parse(text, wake, form));
    }
}
