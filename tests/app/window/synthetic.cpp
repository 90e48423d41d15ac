#include "tests/app/window/synthetic.h"

#include "model/trace_builder.h"

#include <algorithm>
#include <random>

namespace twolane::tests {
namespace {

struct Switch {
    Nanos time = 0;
    std::int32_t cpu = 0;
    std::int32_t prev = 0;
    std::int32_t next = 0;
    bool afterLoss = false;
    Nanos lossBegin = 0;
};

std::string nameOf(const Plan& plan, std::int32_t pid) {
    return pid == 0 ? std::string("swapper")
                    : plan.names[static_cast<std::size_t>(pid) % plan.names.size()];
}

} // namespace

std::shared_ptr<const Trace> makeTrace(const Plan& plan) {
    std::mt19937 random(plan.seed);
    std::vector<Switch> switches;
    for (std::size_t lane = 0; lane < plan.cpus.size(); ++lane) {
        Nanos at =
            plan.start + (plan.lateCpu && lane + 1 == plan.cpus.size() ? plan.length / 5 : 0);
        const Nanos lossBegin = plan.start + plan.length / 2;
        const Nanos lossEnd = lossBegin + plan.length / 12;
        std::int32_t running = 0;
        bool lost = !plan.loss || lane != 1;
        Nanos last = at;
        // Tasks of one CPU only, so that nobody runs twice at a time.
        while (at < plan.start + plan.length) {
            const bool idle = static_cast<int>(random() % 100) < plan.idlePercent;
            std::int32_t next = 0;
            if (!idle)
                next = static_cast<std::int32_t>(1000 + lane * 97 + random() % 23);
            if (next == running)
                next = running == 0 ? static_cast<std::int32_t>(1000 + lane * 97) : 0;
            if (!lost && at >= lossBegin) {
                at = std::max(at, lossEnd);
                switches.push_back({at, plan.cpus[lane], running, next, true, last});
                lost = true;
            } else {
                switches.push_back({at, plan.cpus[lane], running, next});
            }
            running = next;
            last = at;
            at += plan.meanSlice / 10 +
                  static_cast<Nanos>(random() % static_cast<std::uint64_t>(plan.meanSlice * 2 + 1));
        }
    }
    std::stable_sort(switches.begin(), switches.end(), [](const Switch& a, const Switch& b) {
        return std::pair(a.time, a.cpu) < std::pair(b.time, b.cpu);
    });

    TraceBuilder builder;
    // A loss is told ahead of every event that is later than its begin.
    std::vector<Switch> losses;
    for (const Switch& s : switches)
        if (s.afterLoss)
            losses.push_back(s);
    std::uint64_t index = 0;
    for (const Switch& s : switches) {
        for (auto loss = losses.begin(); loss != losses.end();) {
            if (s.time <= loss->lossBegin) {
                ++loss;
                continue;
            }
            builder.lostEvents({loss->cpu, {loss->lossBegin, loss->time}, 82});
            loss = losses.erase(loss);
        }
        SchedSwitch event;
        event.header = {s.time, s.cpu, s.prev, index++};
        const std::string prev = nameOf(plan, s.prev);
        const std::string next = nameOf(plan, s.next);
        event.prev_comm = prev;
        event.prev_pid = s.prev;
        event.prev_prio = 120;
        event.prev_state = {s.time % 3 == 0 ? TaskState::runnable : TaskState::sleeping, 0};
        event.next_comm = next;
        event.next_pid = s.next;
        event.next_prio = 120;
        builder.schedSwitch(event);
    }
    TraceInfo info;
    info.file = "/recordings/" + plan.file;
    info.format = "trace.dat";
    info.clock = "mono";
    info.resolution = 1;
    info.kernel = plan.kernel;
    info.stampsAreNanoseconds = plan.nanoseconds;
    return builder.finish(std::move(info), {});
}

std::shared_ptr<const Trace> makeTrace(std::int32_t cpu, const std::vector<Run>& runs,
                                       TimeRange range) {
    TraceBuilder builder;
    std::uint64_t index = 0;
    builder.otherEvent({range.begin, cpu, 0, index++});
    const Run idle{0, 0, "swapper", 0};
    const auto change = [&](Nanos time, const Run& from, const Run& to) {
        SchedSwitch event;
        event.header = {time, cpu, from.pid, index++};
        event.prev_comm = from.comm;
        event.prev_pid = from.pid;
        event.prev_prio = 120;
        event.prev_state = {from.pid == 0 ? TaskState::runnable : TaskState::sleeping, 0};
        event.next_comm = to.comm;
        event.next_pid = to.pid;
        event.next_prio = 120;
        builder.schedSwitch(event);
    };
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool follows = i > 0 && runs[i - 1].end == runs[i].begin;
        change(runs[i].begin, follows ? runs[i - 1] : idle, runs[i]);
        const bool followed = i + 1 < runs.size() && runs[i].end == runs[i + 1].begin;
        if (!followed)
            change(runs[i].end, runs[i], idle);
    }
    builder.otherEvent({range.end, cpu, 0, index++});
    TraceInfo info;
    info.file = "runs.dat";
    info.format = "trace.dat";
    info.resolution = 1;
    return builder.finish(std::move(info), {});
}

} // namespace twolane::tests
