#!/bin/sh
# CPU time of one whole import beside `perf sched latency` and `perf script` on the same file, in
# turn.
#
#   tests/bench/perf_data.sh FILE [RUNS]
#
# Records FILE first where it does not exist: about a million events of perf's own messaging
# benchmark, which needs root. Needs a release build, perf and GNU time. Prints the medians and
# their ratios.
set -eu
file=$1
runs=${2:-7}
twolane=${TWOLANE:-$(dirname "$0")/../../build/release/twolane}
times=$(mktemp -d)
trap 'rm -rf "$times"' EXIT

if [ ! -e "$file" ]; then
    events=
    for event in switch stat_runtime stat_wait stat_sleep stat_iowait process_fork wakeup_new migrate_task waking; do
        # Some kernels have no schedstats.
        if [ -e "/sys/kernel/tracing/events/sched/sched_$event" ]; then
            events="$events -e sched:sched_$event"
        fi
    done
    # shellcheck disable=SC2086
    perf record -q -o "$file" -m 16384 -a -c 1 $events -- perf bench sched messaging -g 10 -l 2400 >&2
fi

measure() { # NAME COMMAND…: a line "CPU seconds, peak KiB" a run
    name=$1
    shift
    /usr/bin/time -f '%U %S %M' -a -o "$times/$name" "$@" >/dev/null 2>"$times/err" || { cat "$times/err" >&2; exit 1; }
}
median() { # FILE EXPRESSION
    awk "{ print $2 }" "$1" | sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

measure warm "$twolane" info "$file"
i=0
while [ "$i" -lt "$runs" ]; do
    measure twolane "$twolane" info "$file"
    measure latency perf sched latency -i "$file"
    measure script perf script -i "$file"
    i=$((i + 1))
done

ours=$(median "$times/twolane" '$1 + $2')
latency=$(median "$times/latency" '$1 + $2')
script=$(median "$times/script" '$1 + $2')
events=$("$twolane" info --format csv "$file" 2>/dev/null | awk -F, 'NR == 2 { print $9 }')
peak=$(median "$times/twolane" '$3')
echo "events                  $events"
echo "twolane info            $ours s of CPU, $peak KiB at the peak"
echo "perf sched latency      $latency s of CPU"
echo "perf script             $script s of CPU"
awk -v a="$ours" -v b="$latency" -v c="$script" -v m="$peak" -v n="$events" 'BEGIN {
    printf "CPU ratios              %.3f of perf sched latency, %.3f of perf script\nresident bytes an event %.1f\n", a / b, a / c, m * 1024 / n }'
