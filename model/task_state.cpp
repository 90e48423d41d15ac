#include "model/task_state.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace twolane {
namespace {

// Letters in the order in which they decide: a dead task may still carry sleep bits, and a
// killable or non-loading sleep carries a modifier beside its state.
struct Letter {
    char letter;
    TaskState state;
};
constexpr std::array deciding{
    Letter{'X', TaskState::dead},     Letter{'x', TaskState::dead},
    Letter{'Z', TaskState::zombie},   Letter{'D', TaskState::uninterruptible},
    Letter{'T', TaskState::stopped},  Letter{'t', TaskState::traced},
    Letter{'P', TaskState::parked},   Letter{'I', TaskState::idle},
    Letter{'S', TaskState::sleeping},
};

/// Letters of one value → its state; `other` where none of them decides.
TaskState decide(std::string_view letters) {
    for (const Letter& l : deciding) {
        if (letters.find(l.letter) == std::string_view::npos)
            continue;
        // 4.2 to 4.13 print an idle kernel thread as D with the modifier N (TASK_NOLOAD).
        if (l.letter == 'D' && letters.find('N') != std::string_view::npos)
            return TaskState::idle;
        return l.state;
    }
    return TaskState::other;
}

using Flag = PrevStateDecoder::Flag;

// Flag tables by kernel generation; the values are those of TASK_STATE_TO_CHAR_STR and of the
// sched_switch print formats of these kernels.
std::vector<Flag> flagsUpTo4_13() {
    return {{1, "S"},  {2, "D"},  {4, "T"},   {8, "t"},   {16, "Z"},
            {32, "X"}, {64, "x"}, {128, "K"}, {256, "W"}, {512, "P"}};
}
std::vector<Flag> flagsFrom4_14() {
    return {{1, "S"},    {2, "D"},    {4, "T"},    {8, "t"},
            {0x10, "X"}, {0x20, "Z"}, {0x40, "P"}, {0x80, "I"}};
}

std::optional<int> leadingNumber(std::string_view& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

} // namespace

std::string toString(PrevState state) {
    switch (state.state) {
    case TaskState::runnable:
        return "R";
    case TaskState::runnablePreempted:
        return "R+";
    case TaskState::sleeping:
        return "S";
    case TaskState::uninterruptible:
        return "D";
    case TaskState::stopped:
        return "T";
    case TaskState::traced:
        return "t";
    case TaskState::idle:
        return "I";
    case TaskState::parked:
        return "P";
    case TaskState::dead:
        return "X";
    case TaskState::zombie:
        return "Z";
    case TaskState::other:
        return fmt::format("{:#x}", state.raw);
    case TaskState::unknown:
        break;
    }
    return {};
}

std::string_view describe(TaskState state) {
    switch (state) {
    case TaskState::runnable:
        return "runnable";
    case TaskState::runnablePreempted:
        return "runnable, preempted";
    case TaskState::sleeping:
        return "sleeping";
    case TaskState::uninterruptible:
        return "uninterruptible sleep";
    case TaskState::stopped:
        return "stopped";
    case TaskState::traced:
        return "stopped by a tracer";
    case TaskState::idle:
        return "idle kernel thread";
    case TaskState::parked:
        return "parked";
    case TaskState::dead:
        return "dead";
    case TaskState::zombie:
        return "zombie";
    case TaskState::other:
        return "blocked, state not named by the file";
    case TaskState::unknown:
        break;
    }
    return "unknown";
}

PrevStateDecoder::PrevStateDecoder()
    : PrevStateDecoder(flagsFrom4_14(), 0x100) {}

PrevStateDecoder::PrevStateDecoder(std::vector<Flag> flags, std::uint64_t plusMask)
    : m_flags(std::move(flags))
    , m_plusMask(plusMask) {}

std::optional<PrevStateDecoder> PrevStateDecoder::forRelease(std::string_view release) {
    const auto major = leadingNumber(release);
    if (!major || release.empty() || release.front() != '.')
        return std::nullopt;
    release.remove_prefix(1);
    const auto minor = leadingNumber(release);
    if (!minor)
        return std::nullopt;

    const int version = *major * 1000 + *minor;
    if (version >= 4014)
        return PrevStateDecoder();
    std::vector<Flag> flags = flagsUpTo4_13();
    if (version >= 4008) {
        flags.push_back({1024, "N"});
        return PrevStateDecoder(std::move(flags), 4096);
    }
    if (version >= 4002) {
        flags.push_back({1024, "N"});
        return PrevStateDecoder(std::move(flags), 2048);
    }
    if (version >= 3009)
        return PrevStateDecoder(std::move(flags), 1024);
    return PrevStateDecoder(
        {{1, "S"}, {2, "D"}, {4, "T"}, {8, "t"}, {16, "Z"}, {32, "X"}, {64, "x"}, {128, "W"}}, 0);
}

PrevState PrevStateDecoder::fromRaw(std::uint64_t raw) const {
    const std::uint64_t bits = raw & ~m_plusMask;
    if (bits == 0)
        return {raw == 0 ? TaskState::runnable : TaskState::runnablePreempted, 0};

    std::array<char, 64> letters{};
    std::size_t n = 0;
    for (const Flag& flag : m_flags) {
        if ((bits & flag.bit) == 0)
            continue;
        for (std::size_t i = 0; i < flag.letter.size() && n < letters.size(); ++i)
            letters[n++] = flag.letter[i];
    }
    const TaskState state = decide({letters.data(), n});
    return {state, state == TaskState::other ? static_cast<std::uint32_t>(bits) : 0};
}

std::optional<PrevState> PrevStateDecoder::fromLetters(std::string_view text) {
    if (text.starts_with("0x")) {
        std::uint32_t raw = 0;
        const auto [end, error] =
            std::from_chars(text.data() + 2, text.data() + text.size(), raw, 16);
        const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
        if (error != std::errc() || raw == 0 || (!rest.empty() && rest != "+"))
            return std::nullopt;
        return PrevState{TaskState::other, raw};
    }
    const bool plus = text.ends_with('+');
    if (plus)
        text.remove_suffix(1);
    if (text.empty())
        return std::nullopt;
    if (text == "R")
        return PrevState{plus ? TaskState::runnablePreempted : TaskState::runnable, 0};

    // "D|K", or a single letter.
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool separator = i % 2 == 1;
        const bool fits =
            separator ? text[i] == '|'
                      : std::string_view("SDTtXxZPIKWN").find(text[i]) != std::string_view::npos;
        if (!fits)
            return std::nullopt;
    }
    if (text.size() % 2 == 0)
        return std::nullopt;
    const TaskState state = decide(text);
    if (state != TaskState::other)
        return PrevState{state, 0};
    // A modifier alone. Its bit differs by kernel; the value most kernels had is kept.
    std::uint32_t raw = 0;
    if (text.find('K') != std::string_view::npos || text.find('W') != std::string_view::npos)
        raw |= 0x80;
    if (text.find('N') != std::string_view::npos)
        raw |= 0x400;
    return PrevState{TaskState::other, raw};
}

} // namespace twolane
