// Run times and wakeup latencies against `perf sched timehist` of the same recordings: every row
// whose interval is exact is equal to the microsecond, and the others differ for known reasons.
//
// What timehist measures (tools/perf/builtin-sched.c of Linux 6.1, timehist_update_runtime_stats):
// run time from the CPU's sched_switch before, sch delay from the last waking to that switch; both
// cut to whole microseconds, and 0.000 where it does not know.
#include "importers/load.h"
#include "model/query/neighbour.h"
#include "tests/support/shared.h"

#include <doctest/doctest.h>

#include <charconv>
#include <fstream>
#include <string>

using namespace twolane;
using namespace twolane::tests;

namespace {

struct Row {
    Nanos at = 0; ///< of the switch-out, in µs
    std::int32_t cpu = 0;
    std::int32_t tid = 0; ///< 0: idle
    Nanos delay = 0;      ///< µs
    Nanos run = 0;        ///< µs
    std::string text;
};

/// "  1234.567" → 1234567: the point is left out.
Nanos withoutPoint(std::string_view text) {
    Nanos value = 0;
    for (const char c : text)
        if (c >= '0' && c <= '9')
            value = value * 10 + (c - '0');
    return value;
}

/// The last word of `text`, which is cut off.
std::string_view takeLast(std::string_view& text) {
    text = text.substr(0, text.find_last_not_of(' ') + 1);
    const auto blank = text.find_last_of(' ');
    const std::string_view word = text.substr(blank + 1);
    text = text.substr(0, blank);
    return word;
}

std::vector<Row> rowsOf(const std::filesystem::path& path) {
    std::vector<Row> rows;
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line)) {
        const auto bracket = line.find(" [");
        if (line.empty() || line[0] == '-' || bracket == std::string::npos ||
            line.find("time  ") != std::string::npos || line.find("[tid/pid]") != std::string::npos)
            continue;
        Row row;
        row.text = line;
        std::string_view rest = line;
        row.run = withoutPoint(takeLast(rest));
        row.delay = withoutPoint(takeLast(rest));
        takeLast(rest); // wait time: all time off the CPU
        row.at = withoutPoint(rest.substr(0, bracket));
        row.cpu = static_cast<std::int32_t>(withoutPoint(rest.substr(bracket + 2, 4)));
        // "comm[tid]" or "comm[tid/pid]"; idle has none.
        rest = rest.substr(0, rest.find_last_not_of(' ') + 1);
        if (rest.ends_with(']')) {
            const auto open = rest.find_last_of('[');
            std::from_chars(rest.data() + open + 1, rest.data() + rest.size(),
                            row.tid); // of [tid/pid]
        } else {
            CHECK(rest.ends_with("<idle>"));
        }
        rows.push_back(row);
    }
    return rows;
}

/// How many rows are equal, and why the others cannot be.
struct Tally {
    int equal = 0;
    int idle = 0;      ///< not a task
    int openLeft = 0;  ///< ran at the recording's begin: timehist has no begin either
    int preempted = 0; ///< a preempted wait: no sch delay in timehist's sense
    int wakeInRun = 0; ///< woken during the run before: timehist drops that delay
    int twoCpus = 0;   ///< seen on two CPUs: where the run began is not known
    int lost = 0;      ///< after lost events
    int noWake = 0;    ///< switched in out of a sleep without a wake: both know no delay
    int doubtful = 0;  ///< a wakeup whose waking was not seen: not exact
    int forgotten = 0; ///< perf knows the tid no more and counts it as -1

    bool operator==(const Tally&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Tally& t) {
    return out << '{' << t.equal << ", " << t.idle << ", " << t.openLeft << ", " << t.preempted
               << ", " << t.wakeInRun << ", " << t.twoCpus << ", " << t.lost << ", " << t.noWake
               << ", " << t.doubtful << ", " << t.forgotten << '}';
}

std::optional<std::size_t> laneOf(const Trace& trace, std::int32_t cpu) {
    for (std::size_t i = 0; i < trace.cpus.size(); ++i)
        if (trace.cpus[i].cpu == cpu)
            return i;
    return std::nullopt;
}

/// The slice that a switch at that µs took off the CPU.
std::optional<SliceRef> sliceOf(const Trace& trace, const Row& row) {
    const auto lane = laneOf(trace, row.cpu);
    REQUIRE(lane);
    const SliceColumns& slices = trace.cpus[*lane].slices;
    for (std::size_t i = 0; i < slices.size(); ++i)
        if (slices.ends()[i] / 1000 == row.at && (slices[i].tid == row.tid || row.tid == -1) &&
            !slices[i].openRight)
            return SliceRef{*lane, i};
    return std::nullopt;
}

/// A run that is open at the left although its CPU had switched before: the evidence was
/// contradictory.
bool beganUnseenLater(const Trace& trace, SliceRef slice) {
    const CpuTimeline& cpu = trace.cpus[slice.lane];
    return !cpu.switches.empty() && cpu.switches[0] < cpu.slices.ends()[slice.row];
}

Tally compare(const Trace& trace, const std::vector<Row>& rows) {
    const NeighbourIndex index(trace);
    Tally tally;
    for (const Row& row : rows) {
        CAPTURE(row.text);
        if (row.tid == 0) {
            ++tally.idle;
            continue;
        }
        const auto ref = sliceOf(trace, row);
        REQUIRE(ref);
        const Timeslice slice = trace.cpus[ref->lane].slices[ref->row];
        if (slice.openLeft) {
            const bool lossBefore =
                std::any_of(trace.losses.begin(), trace.losses.end(), [&](const LostEvents& loss) {
                    return loss.cpu == row.cpu && loss.range.begin < slice.range.end;
                });
            if (lossBefore) {
                ++tally.lost;
            } else if (beganUnseenLater(trace, *ref)) {
                ++tally.twoCpus;
            } else {
                ++tally.openLeft;
                CHECK(row.run == 0);
                CHECK(row.delay == 0);
            }
            continue;
        }
        CHECK(row.run == slice.range.length() / 1000);
        if (row.tid == -1) {
            ++tally.forgotten;
            CHECK(row.delay == 0);
            continue;
        }
        const auto wait = waitBefore(trace, index, *ref);
        if (!wait) {
            const auto before = previousOfTask(trace, index, *ref);
            if (before && trace.cpus[before->lane].slices[before->row].openRight) {
                ++tally.twoCpus;
            } else {
                ++tally.noWake;
                CHECK(row.delay == 0);
            }
            continue;
        }
        const Wait facts = trace.waits[*wait];
        REQUIRE(facts.start);
        if (facts.kind == WaitKind::preempted) {
            ++tally.preempted;
            CHECK(row.delay == 0);
        } else if (facts.certainty != Certainty::exact) {
            ++tally.doubtful;
        } else if (facts.wakeAt < *facts.start) {
            ++tally.wakeInRun;
            CHECK(row.delay == 0);
        } else {
            ++tally.equal;
            CHECK(row.delay == (facts.end - *facts.start) / 1000);
        }
    }
    return tally;
}

} // namespace

TEST_CASE("run time and sch delay equal perf sched timehist's") {
    struct Expected {
        const char* kernel;
        const char* name;
        Tally tally;
    };
    const Expected all[] = {
        {"6.1", "tiny-sched", {71, 53, 4, 17, 0, 0, 0, 0, 1, 0}},
        {"6.1", "tiny-defclock", {62, 37, 4, 20, 1, 0, 0, 0, 0, 0}},
        {"6.1", "tiny-dir", {81, 46, 4, 35, 0, 1, 0, 1, 2, 0}},
        {"6.1", "tiny-switchevents", {72, 51, 4, 13, 1, 2, 0, 0, 2, 0}},
        {"6.1", "tiny-z", {60, 47, 4, 8, 0, 1, 0, 0, 2, 0}},
        {"6.12", "tiny-sched", {40, 35, 4, 3, 1, 0, 0, 0, 0, 1}},
        {"6.12", "tiny-defclock", {58, 43, 4, 12, 0, 1, 0, 0, 0, 0}},
        {"6.12", "tiny-dir", {37, 30, 4, 3, 1, 0, 0, 0, 0, 0}},
        {"6.12", "tiny-switchevents", {52, 38, 4, 12, 2, 0, 0, 1, 0, 0}},
        {"6.12", "tiny-z", {59, 51, 4, 9, 1, 0, 0, 0, 0, 0}},
    };
    for (const Expected& each : all) {
        const std::string stem =
            std::string("traces/") + each.kernel + "/expected/" + each.name + ".perf.";
        CAPTURE(stem);
        const auto script = shared(stem + "script.txt");
        const auto timehist = shared(stem + "timehist.txt");
        if (!script || !timehist)
            continue;
        const auto trace = load(*script, {});
        REQUIRE(trace);
        CHECK((*trace)->info.format == "perf script");
        const std::vector<Row> rows = rowsOf(*timehist);
        CHECK(rows.size() > 70);
        CHECK(compare(**trace, rows) == each.tally);
    }
}
