#include "tests/app/chart/lengths.h"

#include "model/trace_builder.h"

namespace twolane::tests {
namespace {

constexpr std::int32_t idle = 0;

struct Writer {
    TraceBuilder builder;
    std::uint64_t index = 0;

    void change(Nanos time, std::int32_t from, std::int32_t to) {
        SchedSwitch event;
        event.header = {time, 0, from, index++};
        event.prev_comm = from == idle ? "swapper" : "task";
        event.prev_pid = from;
        event.prev_prio = 120;
        event.prev_state = {from == idle ? TaskState::runnable : TaskState::sleeping, 0};
        event.next_comm = to == idle ? "swapper" : "task";
        event.next_pid = to;
        event.next_prio = 120;
        builder.schedSwitch(event);
    }
    void wake(Nanos time, std::int32_t task) {
        SchedWake event;
        event.header = {time, 0, idle, index++};
        event.comm = "task";
        event.pid = task;
        event.prio = 120;
        event.target_cpu = 0;
        builder.schedWaking(event);
    }
};

} // namespace

std::shared_ptr<const Trace> makeLengths(const LengthPlan& plan) {
    Writer writer;
    Nanos now = 1'000;
    if (plan.beginsInSlice)
        writer.change(now, 7, idle);
    else
        writer.builder.otherEvent({now, 0, idle, writer.index++});
    now += 100;
    std::int32_t task = 100;
    for (std::size_t i = 0; i < plan.slices.size(); ++i, ++task) {
        if (!plan.latencies.empty()) {
            writer.wake(now, task);
            now += plan.latencies[i];
        }
        writer.change(now, idle, task);
        now += plan.slices[i];
        writer.change(now, task, idle);
        now += 100;
    }
    TraceInfo info;
    info.file = "lengths.dat";
    info.format = "trace.dat";
    info.resolution = 1;
    info.stampsAreNanoseconds = plan.nanoseconds;
    return writer.builder.finish(std::move(info), {});
}

chart::LengthCurves curvesOf(const LengthPlan& plan, chart::LengthKind kind, const QString& label) {
    const auto trace = makeLengths(plan);
    auto curves = chart::lengthCurves(*trace, {windowOf(*trace), {}, {}}, kind);
    curves->label = label;
    return *std::move(curves);
}

} // namespace twolane::tests
