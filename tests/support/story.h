// Traces that can be read: a few lines of history, told through the builder.
#pragma once

#include "model/trace.h"

#include <memory>
#include <string_view>

namespace twolane::tests {

/// Builds a trace from lines of "TIME CPU EVENT …", times in ns, in order. `#` starts a comment.
///
///     100 0 switch  a:1 S > b:2        a leaves as S, b comes; "idle" is tid 0
///     101 0 out     b:2 R for a:1     a switch record; R: preempted; "for ?": next not told
///     102 0 in      a:1 after b:2     likewise
///     110 1 waking  a:1 on 0 by 3      recorded on CPU 1 while tid 3 was current; target CPU 0
///     112 0 wakeup  a:1 on 0 by 0
///     115 0 new     c:4 on 1 by 2      sched_wakeup_new
///     116 0 migrate a:1 0 > 1
///     117 0 fork    c:4 by p:2
///     118 0 exec    /bin/ls 4          or "exec /bin/ls 4 old 5"
///     119 0 exit    c:4
///     120 0 rename  4 sh > ls
///     121 0 other
///     122 0 lost    42 until 200       a gap on CPU 0 from 122 to 200; "?" for the number: unknown
std::shared_ptr<const Trace> story(std::string_view lines);

} // namespace twolane::tests
