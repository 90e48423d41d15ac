#include "importers/common/sched_event.h"

namespace twolane {

SchedEvent schedEventOf(std::string_view name) {
    switch (name.size()) {
    case 11:
        return name == "task_rename" ? SchedEvent::taskRename : SchedEvent::none;
    case 12:
        return name == "sched_switch"   ? SchedEvent::schedSwitch
               : name == "sched_waking" ? SchedEvent::schedWaking
               : name == "sched_wakeup" ? SchedEvent::schedWakeup
               : name == "task_newtask" ? SchedEvent::taskNewtask
                                        : SchedEvent::none;
    case 16:
        return name == "sched_wakeup_new" ? SchedEvent::schedWakeupNew : SchedEvent::none;
    case 18:
        return name == "sched_migrate_task"   ? SchedEvent::schedMigrateTask
               : name == "sched_process_fork" ? SchedEvent::schedProcessFork
               : name == "sched_process_exec" ? SchedEvent::schedProcessExec
               : name == "sched_process_exit" ? SchedEvent::schedProcessExit
                                              : SchedEvent::none;
    default:
        return SchedEvent::none;
    }
}

} // namespace twolane
