// Which of a file's events the model uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twolane {

/// The events that the model uses.
enum class SchedEvent : std::uint8_t {
    none,
    schedSwitch,
    schedWaking,
    schedWakeup,
    schedWakeupNew,
    schedMigrateTask,
    schedProcessFork,
    schedProcessExec,
    schedProcessExit,
    taskRename,
    taskNewtask,
};
constexpr std::size_t schedEventCount = 11;

/// By an event's name without its system.
SchedEvent schedEventOf(std::string_view name);

} // namespace twolane
