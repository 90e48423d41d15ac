// prev_state of sched_switch: the one place that knows what its bits mean.
//
// The bits changed with the kernels (TASK_PARKED in 3.9, TASK_NOLOAD in 4.2, TASK_NEW in 4.8, the
// TASK_REPORT mapping in 4.14), and so did the bit that prints as "+". Everything outside this
// class sees PrevState only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twolane {

/// The state in which a task left its CPU.
enum class TaskState : std::uint8_t {
    runnable,          ///< R: may have been preempted on the way to user space
    runnablePreempted, ///< R+: preempted inside the kernel, for certain
    sleeping,          ///< S
    uninterruptible,   ///< D
    stopped,           ///< T
    traced,            ///< t
    idle,              ///< I: a kernel thread waiting without adding to the load
    parked,            ///< P
    dead,              ///< X
    zombie,            ///< Z
    other,             ///< bits that the file's table does not name: off the CPU, blocked
    unknown,           ///< the file does not tell: off the CPU, state not recorded
};

/// A prev_state as translated. `raw` is kept where `state` is `other`, else 0.
struct PrevState {
    TaskState state = TaskState::unknown;
    std::uint32_t raw = 0;

    bool operator==(const PrevState&) const = default;
    /// All sleep bits clear: still wants the CPU.
    bool runnable() const {
        return state == TaskState::runnable || state == TaskState::runnablePreempted;
    }
    bool dead() const { return state == TaskState::dead || state == TaskState::zombie; }
    /// Sleeps that count as `block` (D); all other sleeps count as `sleep`.
    bool blocked() const { return state == TaskState::uninterruptible; }
};

/// "R", "R+", "S", …; "0x2000" for `other`; "" for `unknown`.
std::string toString(PrevState state);
/// A word for people: "sleeping", "uninterruptible", …
std::string_view describe(TaskState state);

/// Translates raw prev_state values and printed letters.
class PrevStateDecoder {
public:
    struct Flag {
        std::uint64_t bit = 0;
        std::string letter; ///< as in the print format: "S", "D", …
    };

    /// The table of Linux 4.14 and later.
    PrevStateDecoder();
    /// From the flag table of the file's own sched_switch print format. `plusMask` is the bit
    /// that prints as "+", 0 where the format has none (before 3.9).
    PrevStateDecoder(std::vector<Flag> flags, std::uint64_t plusMask);
    /// The table of a kernel release such as "4.9.337" or "6.1.0-57-cloud-amd64"; nothing for
    /// texts that are no release.
    static std::optional<PrevStateDecoder> forRelease(std::string_view release);

    /// A number as recorded. Among several sleep bits the one that decides is, in this order:
    /// dead, zombie, D, T, t, P, I, S. Bits without a name make it `other`, unless a named one
    /// is set too. 0x80 is I where TASK_NOLOAD and D are reported together (4.14 and later).
    PrevState fromRaw(std::uint64_t raw) const;

    /// Letters as printed: "R", "R+", "S", "D|K", "x" … A hexadecimal number ("0x800") is a
    /// value that the kernel's own table did not name: `other`. Nothing for anything else.
    static std::optional<PrevState> fromLetters(std::string_view text);

private:
    std::vector<Flag> m_flags;
    std::uint64_t m_plusMask = 0;
};

} // namespace twolane
