#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Results and errno of calls with arguments at their limits, with and without treadle.

Usage: run.py TREADLE"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Lines that differ for a reason: the text of the call, and the reason.
REASONS = {}


def lines(path):
    with open(path, encoding="utf-8") as f:
        found = [line.rstrip("\n").split(": ", 1) for line in f if ": " in line]
    return {int(a): b for a, b in found}


def main():
    treadle = os.path.abspath(sys.argv[1])
    source = os.path.join(HERE, "calls.c")
    with open(source, encoding="utf-8") as f:
        text = [""] + f.read().splitlines()
    with tempfile.TemporaryDirectory() as work:
        flags = ["-g", "-O1", "-w", "-pthread", source, "-o"]
        subprocess.run(["gcc", *flags, work + "/own"], check=True)
        subprocess.run([treadle, "cc", *flags, work + "/calls"], check=True)
        with open(work + "/own.txt", "w", encoding="utf-8") as f:
            subprocess.run([work + "/own"], stdout=f, check=True, timeout=60)
        done = subprocess.run([treadle, "run", "--quiet", "--search=random", "--runs=1", "--output=" + work + "/calls.txt",
                               "--out=" + work + "/out", work + "/calls"], capture_output=True, text=True, timeout=120)
        own, ours = lines(work + "/own.txt"), lines(work + "/calls.txt")
    wrong = 0
    for line in sorted(own):
        call = text[line].strip()
        if own[line] == ours.get(line) or call in REASONS:
            continue
        print(f"FAIL calls.c:{line} {call} {own[line]}, with treadle {ours.get(line, 'nothing')}")
        wrong += 1
    if wrong:
        print(done.stdout + done.stderr)
    print(f"{len(own)} calls, {wrong} differ")
    sys.exit(bool(wrong) or not own)


if __name__ == "__main__":
    main()
