#!/bin/sh
# CPU time and peak memory of one whole import beside `trace-cmd report` on the same file, in turn.
#
#   tests/bench/trace_dat.sh TRACE.dat [RUNS]
#
# Needs a release build, trace-cmd and GNU time. Prints the medians and their ratio.
set -eu
trace=$1
runs=${2:-7}
twolane=$(dirname "$0")/../../build/release/twolane
times=$(mktemp -d)
trap 'rm -rf "$times"' EXIT

measure() { # NAME COMMAND…: a line "CPU seconds, peak KiB" a run
    name=$1
    shift
    /usr/bin/time -f '%U %S %M' -a -o "$times/$name" "$@" >/dev/null 2>"$times/err" || { cat "$times/err" >&2; exit 1; }
}
median() { # FILE EXPRESSION
    awk "{ print $2 }" "$1" | sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

measure warm "$twolane" stats --by cpu "$trace"
measure warm trace-cmd report "$trace"
i=0
while [ "$i" -lt "$runs" ]; do
    measure twolane "$twolane" stats --by cpu "$trace"
    measure trace-cmd trace-cmd report "$trace"
    i=$((i + 1))
done

ours=$(median "$times/twolane" '$1 + $2')
theirs=$(median "$times/trace-cmd" '$1 + $2')
events=$("$twolane" info --format csv "$trace" 2>/dev/null | awk -F, 'NR == 2 { print $9 }')
peak=$(median "$times/twolane" '$3')
echo "events                    $events"
echo "twolane stats --by cpu    $ours s of CPU, $peak KiB at the peak"
echo "trace-cmd report          $theirs s of CPU"
awk -v a="$ours" -v b="$theirs" -v m="$peak" -v n="$events" 'BEGIN {
    printf "CPU ratio                 %.4f\nresident bytes an event   %.1f\n", a / b, m * 1024 / n }'
