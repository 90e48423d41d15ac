#!/usr/bin/env python3
"""Writes a long perf script text: one recording again and again, each time with later stamps.

usage: perf_script.py SCRIPT.txt MEGABYTES OUT.txt
Then, one core, in turn with `cat OUT.txt > /dev/null`:
       time taskset -c 1 twolane info OUT.txt
"""
import re
import sys

STAMP = re.compile(r"^(.{0,60}?\] +(?:[A-Za-z]+ +)?)(\d+)\.(\d{6,9}):")


def main():
    source, megabytes, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    lines = []
    with open(source, encoding="utf-8", errors="surrogateescape") as text:
        for line in text:
            found = STAMP.match(line)
            if found:
                lines.append((found.group(1), int(found.group(2)), line[found.end(2):]))
    span = lines[-1][1] - lines[0][1] + 1
    written = 0
    turn = 0
    with open(out, "w", encoding="utf-8", errors="surrogateescape") as text:
        while written < megabytes * 1_000_000:
            for before, seconds, behind in lines:
                line = f"{before}{seconds + turn * span}{behind}"
                text.write(line)
                written += len(line)
            turn += 1


main()
