#!/bin/sh
# Draws the README's pictures anew from the bundled recordings.
# usage: resources/screenshots/make.sh [PROGRAM]     (build/release/twolane unless told)
set -eu
cd "$(dirname "$0")/../.."
program=${1:-build/release/twolane}
example=resources/example
out=resources/screenshots

"$program" --grab $out/hackbench.png --grab-size 1440x900 \
    $example/linux-6.1-hackbench.dat $example/linux-6.12-hackbench.dat
"$program" --grab $out/interactive.png --grab-size 1280x720 --grab-theme dark \
    --grab-span 0.2s..0.25s $example/linux-6.1-interactive.dat $example/linux-6.12-interactive.dat
"$program" chart latency $example/linux-6.1-hackbench.dat $example/linux-6.12-hackbench.dat \
    --label 'Linux 6.1 (CFS)' --label 'Linux 6.12 (EEVDF)' --title 'hackbench: wakeup latency' \
    --size 900x560 -o $out/latency.png --force --quiet 2>/dev/null
