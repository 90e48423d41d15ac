// Where the fields are is what the file says.
#include "tests/importers/trace_dat/import.h"

#include <doctest/doctest.h>

using namespace twolane;
using namespace twolane::tests;

namespace {

std::unique_ptr<Import> importOne(const EventShape& shape, const std::string& record,
                                  std::uint32_t longSize = 8) {
    TraceDatWriter writer;
    writer.longSize = longSize;
    writer.events = {shape};
    writer.record(0, {{2, 5000, record}});
    return importBytes(writer.bytes());
}

} // namespace

TEST_CASE(
    "a switch is the same whatever the sizes of the common header, of prev_state and of long") {
    for (const std::uint32_t header : {8U, 12U})
        for (const std::uint32_t state : {4U, 8U})
            for (const std::uint32_t longSize : {4U, 8U}) {
                const EventShape shape = switchShape(header, state);
                const auto import =
                    importOne(shape, switchRecord(shape, "alba", 41, 2, "cedro", 42), longSize);
                REQUIRE(import->status);
                REQUIRE(import->sink.lines.size() == 1);
                CHECK(import->sink.lines[0] == "5000 2 41 0 switch alba:41:120 D => cedro:42:120");
            }
}

TEST_CASE("a switch without prev_state has no state, not the running one") {
    const EventShape shape = switchShape(8, 0);
    const auto import = importOne(shape, switchRecord(shape, "alba", 41, 0, "cedro", 42));
    REQUIRE(import->sink.lines.size() == 1);
    CHECK(import->sink.lines[0] == "5000 2 41 0 switch alba:41:120 ? => cedro:42:120");
    CHECK(import->diagnostics.count("prev_state_guessed") == 0);
}

TEST_CASE("the states' table is the file's, else the release's, else today's") {
    const auto stateOf = [](const std::string& print, const std::string& uname, std::int64_t raw) {
        TraceDatWriter writer;
        writer.uname = uname;
        EventShape shape = switchShape();
        shape.print(print);
        writer.events = {shape};
        writer.record(0, {{0, 10, switchRecord(shape, "a", 1, raw, "b", 2)}});
        const auto import = importBytes(writer.bytes());
        REQUIRE(import->sink.switches.size() == 1);
        return toString(import->sink.switches[0].prev_state) +
               (import->diagnostics.count("prev_state_guessed") ? "?" : "");
    };
    CHECK(stateOf(switchPrintFormat(), "Linux h 3.10.0 x86_64", 0x80) == "I");
    CHECK(stateOf("\"%d\", REC->prev_state", "Linux h 3.10.0 x86_64", 1024) == "R+");
    CHECK(stateOf("\"%d\", REC->prev_state", "Linux h 6.1.0 x86_64", 0x100) == "R+");
    CHECK(stateOf("\"%d\", REC->prev_state", "", 0x100) == "R+?");
    CHECK(stateOf(switchPrintFormat(), "", 0x2000) == "0x2000");
}

TEST_CASE("texts: fixed, __data_loc and __rel_loc") {
    for (int kind = 0; kind < 3; ++kind) {
        EventShape shape("sched", "sched_migrate_task", 9);
        if (kind == 0)
            shape.text("comm");
        if (kind == 1)
            shape.dataLoc("comm");
        if (kind == 2)
            shape.relLoc("comm");
        shape.integer("pid_t", "pid", 4).integer("int", "prio", 4);
        shape.integer("int", "orig_cpu", 4).integer("int", "dest_cpu", 4);
        const auto import = importOne(shape, shape.record(7, {"kworker/0:1", 33, 120, 1, 3}));
        REQUIRE(import->sink.lines.size() == 1);
        CHECK(import->sink.lines[0] == "5000 2 7 0 migrate kworker/0:1:33:120 1 => 3");
    }
    // All 16 bytes in use, and no NUL to end them.
    const EventShape wake = wakeShape("sched_wakeup_new", 9);
    const auto import = importOne(wake, wake.record(7, {"0123456789abcdef", 33, 120, 1}));
    CHECK(import->sink.lines[0] == "5000 2 7 0 wakeup_new 0123456789abcdef:33:120 on 1");
}

TEST_CASE("a text whose place lies outside the record is empty") {
    EventShape shape("sched", "sched_process_exec", 9);
    shape.dataLoc("filename").integer("pid_t", "pid", 4).integer("pid_t", "old_pid", 4);
    for (const std::uint64_t place : {0xffffffffULL, 0x0010ffffULL, 0xffff0010ULL, 0x00100014ULL}) {
        std::string record = shape.record(7, {"/bin/true", 33, 34});
        std::string bytes;
        put32(bytes, place);
        record.replace(8, 4, bytes);
        const auto import = importOne(shape, record);
        REQUIRE(import->sink.lines.size() == 1);
        CHECK(import->sink.lines[0].ends_with(" 33 34"));
    }
}

TEST_CASE("all kinds of events that are used, and one call for each that is not") {
    TraceDatWriter writer;
    EventShape exec("sched", "sched_process_exec", 1);
    exec.dataLoc("filename").integer("pid_t", "pid", 4).integer("pid_t", "old_pid", 4);
    EventShape exits("sched", "sched_process_exit", 2);
    exits.text("comm").integer("pid_t", "pid", 4).integer("int", "prio", 4);
    EventShape newtask("task", "task_newtask", 3);
    newtask.integer("pid_t", "pid", 4)
        .text("comm")
        .integer("unsigned long", "clone_flags", 8, false);
    EventShape rename("task", "task_rename", 4);
    rename.integer("pid_t", "pid", 4).text("oldcomm").text("newcomm");
    EventShape other("irq", "softirq_entry", 5);
    other.integer("unsigned int", "vec", 4, false);
    EventShape impostor("mine", "sched_switch", 6); // of another system: not the scheduler's
    impostor.integer("int", "next_pid", 4);
    const EventShape unknown("x", "not in the file", 1234);
    writer.events = {exec, exits, newtask, rename, other, impostor};
    writer.record(0, {{0, 10, exec.record(5, {"/bin/true", 5, 6})},
                      {0, 20, exits.record(5, {"true", 5, 120})},
                      {0, 30, newtask.record(5, {77, "true", 0x10000})},
                      {0, 40, rename.record(5, {77, "true", "false"})},
                      {0, 50, other.record(5, {1})},
                      {0, 60, impostor.record(5, {1})},
                      {0, 70, unknown.record(5, {})}});
    const auto import = importBytes(writer.bytes());
    REQUIRE(import->status);
    CHECK(import->sink.lines ==
          std::vector<std::string>{"10 0 5 0 exec /bin/true 5 6", "20 0 5 1 exit true:5:120",
                                   "30 0 5 2 fork :5 => true:77",
                                   "40 0 5 3 rename 77 true => false", "50 0 5 4 other",
                                   "60 0 5 5 other", "70 0 5 6 other"});
    std::string counts;
    for (const EventCount& count : import->info.events)
        counts += fmt::format("{}={} ", count.event, count.count);
    CHECK(counts ==
          "event 1234=1 sched_process_exec=1 sched_process_exit=1 sched_switch=1 softirq_entry=1 "
          "task_newtask=1 task_rename=1 ");
}

TEST_CASE("a record that is shorter than its format is counted and not decoded") {
    const EventShape shape = switchShape();
    const auto import =
        importOne(shape, switchRecord(shape, "alba", 41, 2, "cedro", 42).substr(0, 40));
    REQUIRE(import->sink.lines.size() == 1);
    CHECK(import->sink.lines[0] == "5000 2 -1 0 other");
    CHECK(import->diagnostics.count("short_record") == 1);
}
