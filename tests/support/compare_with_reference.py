#!/usr/bin/env python3
"""Compares the program's numbers with the separate reading beside this script.

    compare_with_reference.py TWOLANE TRACE.dat TRACE.txt

The program must also print the same bytes for the text as for the recording: both are one trace.

TRACE.txt is what `trace-cmd report -R -t TRACE.dat` prints; where it does not exist trace-cmd is
run. Every row that only one side has is told; exit status 1 on any difference, 77 where trace-cmd
is needed and not installed, or the recording has lost events.
"""

import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

import reference_reading

SHOWN = 20  # differing rows told of each table

# (what the reference calls it, the program's arguments)
TABLES = [
    ("counts", ["info", "--events"]),
    ("slices", ["slices"]),
    ("latencies", ["latencies"]),
    ("cpus", ["stats", "--by", "cpu"]),
    ("tasks", ["stats", "--by", "task"]),
]


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.stdout.write(done.stderr.decode(errors="replace"))
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}")
    return done.stdout.decode("utf-8", errors="backslashreplace")


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], rows[1:]


def in_order(header, rows):
    """Rows of slices and latencies come by start; where there is none, by end."""
    start, end = header.index("start_ns"), header.index("end_ns")
    times = [int(row[start] or row[end]) for row in rows]
    return times == sorted(times)


def compare(name, theirs, ours):
    """Rows of both sides, over the columns that both have; a row counts as often as it occurs."""
    their_header, their_rows = theirs
    our_header, our_rows = ours
    missing = [c for c in our_header if c not in their_header]
    if missing:
        print(f"{name}: the program has no column {', '.join(missing)}")
        return False
    places = [their_header.index(c) for c in our_header]
    got = Counter(tuple(row[i] for i in places) for row in their_rows)
    expected = Counter(tuple(row) for row in our_rows)
    differing = [("expected", row) for row in (expected - got).elements()]
    differing += [("got", row) for row in (got - expected).elements()]
    same = not differing
    if differing:
        print(f"{name}: {len(differing)} rows differ")
        print(f"  {'':8} {','.join(our_header)}")
        for side, row in sorted(differing, key=lambda item: (item[1], item[0]))[:SHOWN]:
            print(f"  {side:8} {','.join(row)}")
        if len(differing) > SHOWN:
            print(f"  … and {len(differing) - SHOWN} more")
    if name in ("slices", "latencies") and not in_order(their_header, their_rows):
        print(f"{name}: the program's rows are not in order of time")
        same = False
    return same


# What the text tells as well as the recording does.
SAME_FROM_TEXT = [["slices"], ["latencies"], ["stats", "--by", "cpu"], ["stats", "--by", "task"], ["stats", "--by", "comm"]]


def same_from_text(program, trace, text):
    same = True
    for arguments in SAME_FROM_TEXT:
        options = ["--format", "csv"]
        if run([program, *arguments, *options, trace]) != run([program, *arguments, *options, text]):
            print(f"{' '.join(arguments)}: the recording and its text differ")
            same = False
    return same


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    program, trace, text = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        if not os.path.exists(text):
            if not shutil.which("trace-cmd"):
                print("skipped: trace-cmd is not installed")
                raise SystemExit(77)
            text = os.path.join(folder, "report.txt")
            with open(text, "wb") as out:
                subprocess.run(["trace-cmd", "report", "-R", "-t", trace], stdout=out,
                               stderr=subprocess.DEVNULL, check=True)
        with open(text, "rb") as report:
            if any(b"EVENTS DROPPED" in line for line in report):
                print("skipped: the recording has lost events")
                raise SystemExit(77)
        with open(text, encoding="utf-8", errors="backslashreplace") as report:
            reading = reference_reading.Reading(reference_reading.read(report))
        same = True
        for name, arguments in TABLES:
            theirs = table(run([program, *arguments, "--format", "csv", trace]))
            header, *rows = reference_reading.TABLES[name](reading)
            ours = header, [[str(cell) for cell in row] for row in rows]
            same = compare(name, theirs, ours) and same
        same = same_from_text(program, trace, text) and same
    raise SystemExit(0 if same else 1)


if __name__ == "__main__":
    main()
