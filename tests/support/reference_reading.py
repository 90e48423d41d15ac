#!/usr/bin/env python3
"""A second, separate reading of a lossless ftrace recording.

Reads the text of `trace-cmd report -R -t FILE.dat` (a file or standard input) and prints what the
definitions of the project say about it, as csv with the columns of the command line:

    reference_reading.py slices|latencies|cpus|counts|tasks [FILE]

It shares no code with the program, so that one mistake does not hide in both. It is slow, and it
refuses recordings with lost events: those are the business of the model's own tests.
"""

import csv
import re
import sys
from collections import Counter

# --------------------------------------------------------------------------- reading the text

LINE = re.compile(r"^\s*(.*?)-(-?\d+)\s+\[(\d+)\]\s+(\d+)\.(\d+):\s+(\S+):\s*(.*)$")
SWITCH = re.compile(
    r"^prev_comm=(.*) prev_pid=(-?\d+) prev_prio=(-?\d+) prev_state=(\S+) "
    r"(?:==> )?next_comm=(.*) next_pid=(-?\d+) next_prio=(-?\d+)$")
WAKE = re.compile(
    r"^comm=(.*) pid=(-?\d+) prio=(-?\d+)(?: success=\S+)?(?: target_cpu=(\d+))?$")
MIGRATE = re.compile(r"^comm=(.*) pid=(-?\d+) prio=(-?\d+) orig_cpu=(\d+) dest_cpu=(\d+)$")
FORK = re.compile(r"^parent_comm=(.*) parent_pid=(-?\d+) child_comm=(.*) child_pid=(-?\d+)$")
NEWTASK = re.compile(r"^pid=(-?\d+) comm=(.*) clone_flags=(\S+) oom_score_adj=(\S+)$")
EXEC = re.compile(r"^filename=(.*) pid=(-?\d+) old_pid=(-?\d+)$")
EXIT = re.compile(r"^comm=(.*) pid=(-?\d+) prio=(-?\d+)(?: group_dead=.*)?$")
RENAME = re.compile(r"^pid=(-?\d+) oldcomm=(.*) newcomm=(.*) oom_score_adj=(\S+)$")


class Event:
    def __init__(self, time, cpu, pid, name, body):
        self.time = time
        self.cpu = cpu
        self.pid = pid  # the record's own pid: names wakers, and is never evidence of who ran
        self.name = name
        self.body = body

    def fields(self, form):
        found = form.match(self.body)
        if not found:
            raise SystemExit(f"reference_reading: cannot read a {self.name}: {self.body!r}")
        return found.groups()


def read(stream):
    events = []
    for line in stream:
        line = line.rstrip("\n")
        if re.match(r"^CPU:?\s*\d+ .*(EVENTS|LOST)", line):
            raise SystemExit("reference_reading: the recording has lost events")
        found = LINE.match(line)
        if not found:
            if line and not re.match(r"^(cpus=\d+|version = .*|CPU \d+ is empty.*)$", line):
                raise SystemExit(f"reference_reading: cannot read the line {line!r}")
            continue
        _, pid, cpu, seconds, fraction, name, body = found.groups()
        time = int(seconds) * 10**9 + int(fraction.ljust(9, "0"))
        events.append(Event(time, int(cpu), int(pid), name, body.rstrip()))
    # Events are ordered by stamp, then CPU; equal stamps of one CPU keep the order of the file.
    events.sort(key=lambda e: (e.time, e.cpu))
    return events


# --------------------------------------------------------------------------- prev_state

def end_state(raw):
    """The letter of a prev_state number by the table of Linux 4.14 and later."""
    named = [(0x10, "X"), (0x20, "Z"), (2, "D"), (4, "T"), (8, "t"), (0x40, "P"), (0x80, "I"),
             (1, "S")]
    value = int(raw, 0)
    plus = value & 0x100
    rest = value & ~0x100
    if rest == 0:
        return "R+" if plus else "R"
    for bit, letter in named:
        if rest & bit:
            return letter
    return hex(value)


RUNNABLE = ("R", "R+")
DEAD = ("X", "Z")

# --------------------------------------------------------------------------- what is kept


class Life:
    """One life of one tid."""

    def __init__(self, tid, first, not_before):
        self.tid = tid
        self.first = first
        self.not_before = not_before  # an open-left run cannot reach back beyond this
        self.last = None
        self.born = False
        self.died = False
        self.exiting = False
        self.newborn = False
        self.history = False  # ran, slept or waited
        self.woken_new = False  # had its sched_wakeup_new
        self.names = []  # (from, comm)

        # unknown, running, waiting, asleep, dead; `since` is when that began
        self.state = "unknown"
        self.since = first
        self.run = None  # the open Slice
        self.wait = None
        self.sleep_letter = None
        self.wakes_in_run = []
        self.after_unwoken_sleep = False  # this run followed a seen sleep whose wake was not seen
        self.pending = []  # sched_waking that have not had their sched_wakeup yet
        self.last_run_end = None
        self.last_run_cpu = None
        self.unknown_since_run = False

        self.slices = []
        self.waits = []
        self.unknown = 0
        self.sleep = 0
        self.block = 0
        self.wakeups = 0

    def name(self, time, comm):
        if not self.names or self.names[-1][1] != comm:
            self.names.append((time, comm))

    def comm(self):
        return self.names[-1][1] if self.names else ""

    def comm_at(self, time):
        answer = self.names[0][1] if self.names else ""
        for since, comm in self.names:
            if since <= time:
                answer = comm
        return answer


class Slice:
    def __init__(self, life, cpu, begin, comm, prio, open_left):
        self.life = life
        self.tid = life.tid
        self.cpu = cpu
        self.begin = begin
        self.end = None
        self.comm = comm
        self.prio = prio
        self.state = ""
        self.open_left = open_left
        self.open_right = False
        self.migrated = False
        self.order = 0  # place of its switch-in among the events

    def clipped(self):
        return self.open_left or self.open_right


class Wake:
    def __init__(self, event, order, target, waker):
        self.time = event.time
        self.order = order
        self.waker_tid = event.pid
        self.waker = waker
        self.cpu = event.cpu
        self.place = None if target is None else int(target)  # whose queue holds the task
        self.doubtful = False
        self.queued_cpu = None
        self.queued_at = None


class Wait:
    def __init__(self, kind, start, wake):
        self.kind = kind
        self.start = start
        self.wake = wake  # None for a preempted one
        self.doubtful = bool(wake and wake.doubtful)
        self.place = wake.place if wake else None
        self.queued_cpu = wake.queued_cpu if wake else None
        self.queued_at = wake.queued_at if wake else None
        self.last_wake = None
        self.end = None
        self.cpu = None
        self.tid = None
        self.comm = None
        self.clipped = False


class Cpu:
    def __init__(self, number, start):
        self.number = number
        self.last_event = None
        self.told = False  # does a sched_switch tell who is current?
        self.current = None  # a Life, or None for idle
        self.known_from = None
        self.unknown_from = start
        self.idle_since = None
        self.busy = 0
        self.idle = 0
        self.unknown = 0
        self.switches = 0


class Reading:
    def __init__(self, events):
        self.events = events
        self.start = events[0].time
        self.end = events[-1].time
        self.cpus = {}
        self.lives = []
        self.life_of_tid = {}  # the latest life of each tid, dead or not
        self.gone = {}  # when a tid that has no life lost it
        self.skews = []
        names = {e.name for e in events}
        # The wake is sched_waking where the trace records it, else sched_wakeup.
        self.edge = ("sched_waking" if "sched_waking" in names else
                     "sched_wakeup" if "sched_wakeup" in names else "")
        for order, event in enumerate(events):
            self.take(order, event)
        self.close()

    # ---- lives

    def new_life(self, tid, time):
        old = self.life_of_tid.get(tid)
        not_before = self.gone.get(tid)
        if old:
            not_before = old.last
        life = Life(tid, time, not_before if not_before is not None else self.start)
        self.lives.append(life)
        self.life_of_tid[tid] = life
        return life

    def life(self, tid, time, revive=True):
        """The life that an event at `time` speaks of; begins at first sight, or after a death."""
        if tid <= 0:
            return None
        life = self.life_of_tid.get(tid)
        if life is None or (life.state == "dead" and revive):
            life = self.new_life(tid, time)
        return life

    def end_life(self, life, time):
        """A life that is over without its dead switch-out having been seen."""
        if life.state == "running":
            self.stop_elsewhere(life, time)
        if life.state == "waiting":
            self.finish_wait(life, time, None, clipped=True)
        elif life.state == "asleep":
            self.add_sleep(life, time)
        elif life.state == "unknown":
            life.unknown += time - life.since
        life.last = time
        life.state = "dead"

    def birth(self, tid, time, again=False):
        """fork, task_newtask and sched_wakeup_new begin a life, unless it is the newborn's own."""
        life = self.life_of_tid.get(tid)
        if life is not None and life.state != "dead":
            if (life.newborn and not again) or not life.history:
                return life
            self.end_life(life, time)
        life = self.new_life(tid, time)
        life.not_before = time
        return life

    # ---- one event

    def take(self, order, event):
        time = event.time
        cpu = self.cpus.setdefault(event.cpu, Cpu(event.cpu, self.start))
        # A CPU is known from its first event of any kind on, and so again after its current task
        # was seen elsewhere.
        self.now = cpu
        if cpu.known_from is None:
            cpu.unknown += time - cpu.unknown_from
            cpu.known_from = time
        handler = {
            "sched_switch": self.on_switch,
            "sched_waking": self.on_waking,
            "sched_wakeup": self.on_wakeup,
            "sched_wakeup_new": self.on_wakeup_new,
            "sched_migrate_task": self.on_migrate,
            "sched_process_fork": self.on_fork,
            "task_newtask": self.on_newtask,
            "sched_process_exec": self.on_exec,
            "sched_process_exit": self.on_exit,
            "task_rename": self.on_rename,
        }.get(event.name)
        if handler:
            handler(order, event, cpu)
        cpu.last_event = time

    # ---- sched_switch

    def on_switch(self, order, event, cpu):
        (prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid,
         next_prio) = event.fields(SWITCH)
        prev, nxt = int(prev_pid), int(next_pid)
        time = event.time
        letter = end_state(prev_state)
        cpu.switches += 1

        if cpu.told:
            current_tid = cpu.current.tid if cpu.current else 0
            if current_tid != prev:
                # Contradiction: what was current ends, clipped, at the CPU's last event; from
                # there to now nobody knows, and prev is only known to have run at this instant.
                if cpu.current:
                    self.cut(cpu.current, cpu, cpu.last_event)
                else:
                    cpu.idle += cpu.last_event - cpu.idle_since
                cpu.unknown += time - cpu.last_event
                cpu.known_from = time
                cpu.told = False
            elif cpu.current:
                self.end_run(cpu.current, cpu, time, prev_comm, int(prev_prio), letter)
            else:
                cpu.idle += time - cpu.idle_since
        if not cpu.told:
            if prev > 0:
                self.open_left(order, prev, cpu, event, prev_comm, int(prev_prio), letter)
            else:
                cpu.idle += time - cpu.known_from

        cpu.told = True
        if nxt > 0:
            self.switch_in(order, nxt, cpu, event, next_comm, int(next_prio))
        else:
            cpu.current = None
            cpu.idle_since = time

    def open_left(self, order, tid, cpu, event, comm, prio, letter):
        """prev ran already when the CPU became known: from that instant, but never from before
        the task itself was last seen to leave a CPU."""
        time = event.time
        life = self.life(tid, time)
        if life.state == "running":
            self.stop_elsewhere(life, time)
        begin = max(cpu.known_from, life.not_before)
        if life.last_run_end is not None:
            begin = max(begin, life.last_run_end)
        forked_wait = life.state == "waiting" and life.wait.kind == "fork"
        if forked_wait:
            begin = max(begin, life.wait.start)
        cpu.unknown += begin - cpu.known_from
        if begin < life.first:
            life.first = begin
            if life.state == "unknown" and not life.slices:
                life.since = begin
        life.wakes_in_run = []
        if life.state == "waiting":
            wait = life.wait
            wakes = [w for w in wait.all_wakes if w.time >= begin] if wait.kind != "fork" else []
            if wait.kind == "wakeup" and wait.start >= begin and wait.woken_off_cpu:
                # The wake found it running. What was taken for a sleep before it is unknown.
                life.wakeups -= 1
                if wait.sleep:
                    since, kind, length = wait.sleep
                    if kind == "block":
                        life.block -= length
                    else:
                        life.sleep -= length
                    life.unknown += begin - since
                elif wait.unknown_before is not None:
                    life.unknown -= wait.unknown_before[1]
                    life.unknown += max(0, begin - wait.unknown_before[0])
            else:
                # The wait's end was not seen.
                life.unknown += begin - wait.start
            life.wakes_in_run = wakes
            life.wait = None
        elif life.state in ("asleep", "unknown"):
            life.unknown += max(0, begin - life.since)
        run = Slice(life, cpu.number, begin, comm, prio, open_left=True)
        run.order = -1
        life.state = "running"
        life.history = True
        life.newborn = False
        life.run = run
        life.after_unwoken_sleep = False
        self.end_run(life, cpu, time, comm, prio, letter)

    def switch_in(self, order, tid, cpu, event, comm, prio):
        time = event.time
        life = self.life(tid, time)
        if life.state == "running":
            self.stop_elsewhere(life, time)
        number = cpu.number
        run = Slice(life, number, time, comm, prio, open_left=False)
        run.order = order
        life.name(time, comm)
        life.after_unwoken_sleep = False
        known = life.last_run_end is not None and not life.unknown_since_run
        if life.state == "waiting":
            self.finish_wait(life, time, number, clipped=False)
        elif life.state == "asleep":
            # No wake was seen: the whole time off the CPU is unknown.
            life.unknown += time - life.since
            life.after_unwoken_sleep = True
            known = False
        elif life.state == "unknown":
            life.unknown += time - life.since
            known = False
        # A migration: on another CPU than the last time, and nothing unknown in between.
        run.migrated = known and life.last_run_cpu != number
        life.state = "running"
        life.history = True
        life.newborn = False
        life.run = run
        life.wakes_in_run = []
        cpu.current = life

    def end_run(self, life, cpu, time, comm, prio, letter):
        run = life.run
        run.end, run.comm, run.prio, run.state, run.tid = time, comm, prio, letter, life.tid
        life.name(time, comm)
        self.keep_run(life, run, cpu)
        runnable = letter in RUNNABLE
        if letter in DEAD or (life.exiting and not runnable):
            life.state = "dead"
            life.died = True
            life.last = time
        elif runnable:
            wait = Wait("preempted", time, None)
            wait.queued_cpu, wait.queued_at = run.cpu, time
            self.begin_wait(life, wait)
        elif life.wakes_in_run:
            # Woken before it had left: the wait starts here, and it slept for nothing. Of several
            # wakes the last one names the waker.
            life.wakeups += 1
            wait = Wait("wakeup", time, life.wakes_in_run[-1])
            self.begin_wait(life, wait)
        else:
            life.state = "asleep"
            life.since = time
            life.sleep_letter = letter
        life.wakes_in_run = []

    def keep_run(self, life, run, cpu):
        life.slices.append(run)
        cpu.busy += run.end - run.begin
        life.run = None
        life.last_run_end = run.end
        life.last_run_cpu = run.cpu
        life.unknown_since_run = False
        # A waking that came before this run's switch-in will have no sched_wakeup any more.
        if run.open_left:
            life.pending = [w for w in life.pending if w.time >= run.begin]
        else:
            life.pending = [w for w in life.pending if w.order > run.order]

    def cut(self, life, cpu, time):
        run = life.run
        run.end = time
        run.open_right = True
        self.keep_run(life, run, cpu)
        life.wakes_in_run = []
        life.state = "unknown"
        life.since = time
        life.unknown_since_run = True

    def stop_elsewhere(self, life, time):
        """Its run on the other CPU ends, clipped, at that CPU's last event; that CPU is unknown
        until its next one."""
        cpu = self.cpus[life.run.cpu]
        last = time if cpu is self.now else cpu.last_event
        self.cut(life, cpu, last)
        cpu.told = False
        cpu.current = None
        cpu.known_from = None
        cpu.unknown_from = last

    # ---- waits and sleeps

    def begin_wait(self, life, wait, sleep=None, unknown_before=None, off_cpu=False):
        wait.sleep = sleep
        wait.unknown_before = unknown_before
        wait.woken_off_cpu = off_cpu
        wait.all_wakes = [wait.wake] if wait.wake and off_cpu else []
        life.state = "waiting"
        life.since = wait.start
        life.history = True
        life.wait = wait

    def finish_wait(self, life, time, cpu, clipped):
        wait = life.wait
        wait.end = time
        wait.cpu = cpu
        wait.clipped = clipped
        wait.tid = life.tid
        wait.comm = life.comm()
        if wait.queued_at is None:
            wait.queued_cpu = wait.place
        life.waits.append(wait)
        life.wait = None

    def add_sleep(self, life, until):
        length = until - life.since
        if life.sleep_letter == "D":
            life.block += length
            return (life.since, "block", length)
        life.sleep += length
        return (life.since, "sleep", length)

    # ---- wakes

    def on_waking(self, order, event, cpu):
        comm, pid, _, target = event.fields(WAKE)
        wake = self.make_wake(order, event, target)
        life = self.life(int(pid), event.time)
        if life is None:
            return
        life.name(event.time, comm)
        life.pending.append(wake)
        self.wake(life, wake)

    def on_wakeup(self, order, event, cpu):
        comm, pid, _, target = event.fields(WAKE)
        target = int(target) if target is not None else None
        tid = int(pid)
        if tid <= 0:
            return
        life = self.life_of_tid.get(tid)
        if life and life.state != "dead" and life.pending:
            life.name(event.time, comm)
            # The second stamp of a wake: it says where and when the task was queued, no more.
            wake = life.pending.pop()
            wake.place = wake.place if target is None else target
            wake.queued_cpu, wake.queued_at = wake.place, event.time
            wait = life.wait if life.state == "waiting" else None
            if wait and wait.queued_at is None:
                wait.place = wait.place if target is None else target
                wait.queued_cpu, wait.queued_at = wait.place, event.time
            return
        wake = self.make_wake(order, event, target)  # first: its waker is not who wakes up
        life = self.life(tid, event.time)
        life.name(event.time, comm)
        wake.queued_cpu, wake.queued_at = target, event.time
        wake.doubtful = self.edge == "sched_waking"  # no sched_waking preceded it
        self.wake(life, wake)

    def make_wake(self, order, event, target):
        waker = self.life(event.pid, event.time, revive=False)
        return Wake(event, order, target, waker)

    def wake(self, life, wake):
        time = wake.time
        life.newborn = False
        if life.state == "asleep":
            slept = self.add_sleep(life, time)
            life.wakeups += 1
            self.begin_wait(life, Wait("wakeup", time, wake), sleep=slept, off_cpu=True)
        elif life.state == "unknown":
            length = time - life.since
            life.unknown += length
            life.wakeups += 1
            self.begin_wait(life, Wait("wakeup", time, wake), unknown_before=(life.since, length),
                            off_cpu=True)
        elif life.state == "running":
            if life.after_unwoken_sleep:
                # Stamped late: this is the wake of the sleep before this run.
                life.after_unwoken_sleep = False
                late = Wait("wakeup", None, wake)
                late.doubtful = True
                late.end = life.run.begin
                late.cpu = life.run.cpu
                late.tid = life.run.tid
                late.comm = life.run.comm
                if late.queued_at is None:
                    late.queued_cpu = wake.place
                life.waits.append(late)
                life.wakeups += 1
                self.skews.append((wake.cpu, late.cpu, late.end - time))
            else:
                life.wakes_in_run.append(wake)
        elif life.state == "waiting":
            life.wait.all_wakes.append(wake)
            if life.wait.kind != "preempted":
                life.wait.doubtful = True
                life.wait.last_wake = time

    def on_wakeup_new(self, order, event, cpu):
        comm, pid, _, target = event.fields(WAKE)
        tid = int(pid)
        if tid <= 0:
            return
        wake = self.make_wake(order, event, target)
        wake.queued_cpu = int(target) if target is not None else None
        wake.queued_at = event.time
        # A task has its first wakeup once: a second one speaks of another task.
        known = self.life_of_tid.get(tid)
        life = self.birth(tid, event.time, again=bool(known and known.woken_new))
        life.woken_new = True
        life.name(event.time, comm)
        if life.state == "waiting":
            life.wait.doubtful = True
            life.wait.last_wake = event.time
            return
        life.unknown += event.time - life.since
        self.begin_wait(life, Wait("fork", event.time, wake))

    # ---- the other events

    def on_migrate(self, order, event, cpu):
        comm, pid, _, _, dest = event.fields(MIGRATE)
        life = self.life(int(pid), event.time)
        if not life:
            return
        life.name(event.time, comm)
        if life.state == "waiting":
            life.wait.place = int(dest)
        for wake in life.wakes_in_run:
            wake.place = int(dest)

    def on_fork(self, order, event, cpu):
        parent_comm, parent, child_comm, child = event.fields(FORK)
        self.forked(event, int(parent), parent_comm, int(child), child_comm)

    def on_newtask(self, order, event, cpu):
        pid, comm, _, _ = event.fields(NEWTASK)
        self.forked(event, event.pid, None, int(pid), comm)

    def forked(self, event, parent, parent_comm, child, child_comm):
        mother = self.life(parent, event.time) if parent_comm else None
        if mother:
            mother.name(event.time, parent_comm)
        if child <= 0:
            return
        life = self.birth(child, event.time)
        life.born = True
        life.newborn = True
        life.name(event.time, child_comm)

    def on_exec(self, order, event, cpu):
        filename, pid, old = event.fields(EXEC)
        pid, old = int(pid), int(old)
        comm = filename.rsplit("/", 1)[-1][:15]
        if pid <= 0:
            return
        if old <= 0:
            old = pid
        life = self.life(old, event.time)
        if pid != old:
            # A thread other than the leader: its life goes on under the leader's tid.
            leader = self.life_of_tid.get(pid)
            if leader and leader.state != "dead":
                self.end_life(leader, event.time)
            del self.life_of_tid[old]
            self.gone[old] = event.time
            self.life_of_tid[pid] = life
            life.tid = pid
        life.newborn = False
        life.name(event.time, comm)

    def on_exit(self, order, event, cpu):
        comm, pid, _ = event.fields(EXIT)
        life = self.life(int(pid), event.time)
        if life:
            life.name(event.time, comm)
            life.exiting = True
            life.newborn = False

    def on_rename(self, order, event, cpu):
        pid, _, newcomm, _ = event.fields(RENAME)
        life = self.life(int(pid), event.time)
        if life:
            life.name(event.time, newcomm)

    # ---- the end of the trace

    def close(self):
        end = self.end
        for cpu in self.cpus.values():
            if not cpu.told:
                cpu.unknown += end - (cpu.unknown_from if cpu.known_from is None
                                      else cpu.known_from)
            elif cpu.current:
                life = cpu.current
                run = life.run
                run.end = end
                run.open_right = True
                self.keep_run(life, run, cpu)
            else:
                cpu.idle += end - cpu.idle_since
        for life in self.lives:
            if life.state == "dead":
                continue
            life.last = end
            if life.state == "waiting":
                self.finish_wait(life, end, None, clipped=True)
            elif life.state == "asleep":
                self.add_sleep(life, end)
            elif life.state == "unknown":
                life.unknown += end - life.since
        self.check()

    def check(self):
        """What must add up, to the nanosecond."""
        span = self.end - self.start
        for number, cpu in self.cpus.items():
            total = cpu.busy + cpu.idle + cpu.unknown
            if total != span:
                raise SystemExit(f"reference_reading: CPU {number}: {total} of {span} ns")
        for life in self.lives:
            total = (sum(s.end - s.begin for s in life.slices) +
                     sum(w.end - w.start for w in life.waits if w.start is not None) +
                     life.sleep + life.block + life.unknown)
            if total != life.last - life.first:
                raise SystemExit(f"reference_reading: task {life.tid} of {life.first}: {total} of "
                                 f"{life.last - life.first} ns")


# --------------------------------------------------------------------------- tables


def certainty(clipped, doubtful=False):
    return "clipped" if clipped else "doubtful" if doubtful else "exact"


def blank(value):
    return "" if value is None else value


def slices(reading):
    yield "start_ns,end_ns,cpu,tid,comm,prio,end_state,clipped,certainty".split(",")
    rows = [s for life in reading.lives for s in life.slices]
    for s in sorted(rows, key=lambda s: (s.begin, s.cpu, s.tid)):
        yield [s.begin, s.end, s.cpu, s.tid, s.comm, s.prio, s.state, int(s.clipped()),
               certainty(s.clipped())]


def latencies(reading):
    yield ("kind,start_ns,end_ns,duration_ns,cpu,tid,comm,waker_tid,waker_comm,waker_cpu,"
           "queued_cpu,queued_ns,certainty").split(",")
    rows = [w for life in reading.lives for w in life.waits]
    rows.sort(key=lambda w: (w.end if w.start is None else w.start, -1 if w.cpu is None else w.cpu,
                             w.tid))
    for w in rows:
        waker_tid = waker_comm = waker_cpu = None
        if w.wake and w.wake.waker_tid >= 0:
            waker_tid, waker_cpu = w.wake.waker_tid, w.wake.cpu
            waker_comm = w.wake.waker.comm_at(w.wake.time) if w.wake.waker else "<idle>"
        duration = None if w.start is None else w.end - w.start
        yield [blank(v) for v in (w.kind, w.start, w.end, duration, w.cpu, w.tid, w.comm, waker_tid,
                                  waker_comm, waker_cpu, w.queued_cpu, w.queued_at,
                                  certainty(w.clipped, w.doubtful))]


def cpus(reading):
    yield "cpu,busy_ns,idle_ns,unknown_ns,switches".split(",")
    for number, cpu in sorted(reading.cpus.items()):
        yield [number, cpu.busy, cpu.idle, cpu.unknown, cpu.switches]


def counts(reading):
    yield "event,count".split(",")
    yield from sorted(Counter(e.name for e in reading.events).items())


def longest_comm(life):
    """The comm held longest on a CPU: CPU time splits where the name changes."""
    held = {}
    for s in life.slices:
        marks = [s.begin] + [t for t, _ in life.names if s.begin < t < s.end] + [s.end]
        for begin, end in zip(marks, marks[1:]):
            comm = life.comm_at(begin)
            held[comm] = held.get(comm, 0) + end - begin
    if not held:
        return life.comm()
    most = max(held.values())
    return next(comm for comm in held if held[comm] == most)


def percentile(lengths, per_cent):
    """Nearest rank, counted from 1 in ascending order; nothing where there is no value."""
    if not lengths:
        return None
    rank = -(-per_cent * len(lengths) // 100)
    return sorted(lengths)[rank - 1]


def distribution(lengths):
    return [blank(percentile(lengths, p)) for p in (50, 99, 100)]


def tasks(reading):
    """Sums hold the known part of clipped and doubtful items too, distributions exact ones only;
    `timeslices` is how many its distribution has."""
    yield ("tid,comm,cpu_time_ns,timeslices,wakeups,preempted_wait_ns,runqueue_wait_ns,sleep_ns,"
           "block_ns,unknown_ns,voluntary,involuntary,migrations,timeslice_p50_ns,timeslice_p99_ns,"
           "timeslice_max_ns,latency_p50_ns,latency_p99_ns,latency_max_ns").split(",")
    rows = []
    for life in reading.lives:
        waits = [w for w in life.waits if w.start is not None]
        runs = [s.end - s.begin for s in life.slices if not s.clipped()]
        latency = [w.end - w.start for w in waits
                   if w.kind == "wakeup" and not w.clipped and not w.doubtful]
        rows.append([
            life.tid, longest_comm(life), sum(s.end - s.begin for s in life.slices),
            len(runs), life.wakeups,
            sum(w.end - w.start for w in waits if w.kind == "preempted"),
            sum(w.end - w.start for w in waits), life.sleep, life.block, life.unknown,
            sum(1 for s in life.slices if s.state and s.state not in RUNNABLE),
            sum(1 for s in life.slices if s.state in RUNNABLE),
            sum(1 for s in life.slices if s.migrated), *distribution(runs),
            *distribution(latency)])
    yield from sorted(rows, key=lambda r: (-r[2], r[0]))


TABLES = {"slices": slices, "latencies": latencies, "cpus": cpus, "counts": counts, "tasks": tasks}


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in TABLES:
        raise SystemExit(__doc__)
    if len(sys.argv) == 3:
        with open(sys.argv[2], encoding="utf-8", errors="backslashreplace") as stream:
            events = read(stream)
    else:
        events = read(sys.stdin)
    if not events:
        raise SystemExit("reference_reading: no events")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerows(TABLES[sys.argv[1]](Reading(events)))


if __name__ == "__main__":
    main()
