// A second model of a scheduler trace: separately written, slow and plain, to check the real one.
//
// It shares the types of the public headers with the model and no line of its code. Wherever the
// evidence has to be weighed it looks back over the whole list of events or of earlier results.
#pragma once

#include "model/event.h"
#include "model/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace twolane::tests {

/// One call of an EventSink, with texts of its own.
struct TestEvent {
    enum class Kind : std::uint8_t {
        switched,
        waking,
        wakeup,
        wakeupNew,
        migrate,
        fork,
        exec,
        exit,
        rename,
        other,
        lost,
    };

    Kind kind = Kind::other;
    Nanos time = 0; ///< `lost`: the begin of its range
    std::int32_t cpu = 0;
    std::int32_t header = -1; ///< the pid in the record's header

    /// The task spoken of: prev of a switch, child of a fork, pid of all others.
    std::int32_t tid = -1;
    std::string comm; ///< its comm; of an exec the file name, of a rename the new comm
    std::int32_t prio = 120;
    PrevState state; ///< of a switch

    /// The second task: next of a switch, parent of a fork, old_pid of an exec.
    std::int32_t tid2 = -1;
    std::string comm2; ///< its comm; of a rename the old comm
    std::int32_t prio2 = 120;

    std::int32_t target = -1; ///< target_cpu of a wake, dest_cpu of a migration
    std::int32_t origin = -1; ///< orig_cpu of a migration
    Nanos lostEnd = 0;
    std::int64_t lostCount = -1;
};

/// Hands the events to a sink, one call each.
void feed(const std::vector<TestEvent>& events, EventSink& sink);
/// One line a person can read.
std::string describe(const TestEvent& event);

/// One life of one tid.
struct SlowLife {
    std::int32_t tid = 0;
    Nanos first = 0;
    Nanos last = 0;
    bool born = false;
    bool died = false;
};

struct SlowSlice {
    TimeRange range;
    std::int32_t cpu = 0;
    std::size_t life = 0;
    std::int32_t tid = 0;
    std::string comm;
    std::int32_t prio = 0;
    std::optional<PrevState> endState;
    bool openLeft = false;
    bool openRight = false;
    bool migrated = false;
};

struct SlowWait {
    WaitKind kind = WaitKind::wakeup;
    Certainty certainty = Certainty::exact;
    std::optional<Nanos> start;
    Nanos end = 0;
    std::size_t life = 0;
    std::int32_t tid = 0;
    std::string comm;
    std::optional<std::int32_t> cpu;
    Nanos wakeAt = 0;
    std::optional<std::int32_t> wakerTid;
    std::optional<std::size_t> waker;
    std::optional<std::int32_t> wakerCpu;
    std::optional<std::int32_t> queuedCpu;
    std::optional<Nanos> queuedAt;
    std::optional<Nanos> lastWakeAt;
    std::vector<std::pair<Nanos, std::int32_t>> moves; ///< to which CPU's queue, once queued
};

struct SlowSleep {
    TimeRange range;
    std::size_t life = 0;
    TaskState state = TaskState::sleeping;
};

struct SlowSkew {
    std::uint64_t count = 0;
    Nanos worst = 0;
};

struct SlowTrace {
    TimeRange range;
    WakeEdge wakeEdge = WakeEdge::none;
    std::vector<SlowLife> lives;
    std::vector<SlowSlice> slices;
    std::vector<SlowWait> waits;
    std::vector<SlowSleep> sleeps;
    std::map<std::int32_t, std::vector<TimeRange>> unknown;          ///< by CPU; ranges may touch
    std::map<std::pair<std::int32_t, std::int32_t>, SlowSkew> skews; ///< by waker's CPU, CPU
};

SlowTrace slowModel(const std::vector<TestEvent>& events);

} // namespace twolane::tests
