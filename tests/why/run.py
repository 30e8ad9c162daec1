#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""WHY: does it name the lines of the cause?

Usage: run.py TREADLE [-v] [NAME...]

bugs.txt has the lines of the cause of each bug. WHY of its report is
  named   if it names a line of each group of the cause, and no line besides that the table does not have;
  wrong   if it names a line that the table does not have, or a line of another file;
  silent  otherwise.
The test fails if fewer than LEAST per cent are named, if more than MOST_WRONG are wrong, or if a session,
from its start to the report, takes longer than LONGEST seconds, or their median longer than MEDIAN. It fails
too if the replay of a bug prints another WHY than its session."""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("TREADLE_JOBS", "1")
os.environ["NO_COLOR"] = "1"
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

LEAST = 90        # per cent that are named
MOST_WRONG = 0    # bugs
MEDIAN = 1.6      # seconds of a session: twice what one may take on an idle machine, and a second that the search for a change may
LONGEST = 5.0


def read_bugs():
    for line in open(os.path.join(HERE, "bugs.txt")):
        if line.strip() and not line.startswith("#"):
            build, command, cause, besides, words = (part.strip() for part in line.split("|", 4))
            source, *flags = build.split()
            yield source, flags, command.split(), cause.split(), besides.split(), words


def why_of(text):
    """The sentences of WHY, one after the other."""
    lines, inside = [], False
    for line in text.splitlines():
        if line.startswith("WHY"):
            inside = True
        elif inside and not line.startswith("           "):
            break
        if inside:
            lines.append(line[11:])
    return " ".join(lines)


def judge(why, source, cause, besides, words):
    base = os.path.basename(source)
    named = set(re.findall(r"\b" + re.escape(base) + r":(\d+)", why))
    if re.search(r"Every schedule\b.* fails", why):
        named.add("every")
    others = [place for place, file in re.findall(r"\b(([\w.+-]+\.\w+):\d+)", why) if file != base]
    if others:
        return "wrong", "names " + ", ".join(others)
    known = {line for group in cause for line in group.split("/")} | set(besides)
    wrong = sorted(named - known - {"every"})
    if wrong:
        return "wrong", "names " + ", ".join(wrong)
    missing = [group for group in cause if not named & set(group.split("/"))]
    if missing:
        return "silent", "does not name " + ", ".join(missing)
    if words and not re.search(words, why):
        return "silent", "does not say " + words
    return "named", ""


def ask(treadle, bug, folder):
    """WHY, and the seconds of the session."""
    source, flags, command, *_ = bug
    program = os.path.join(folder, "program")
    compiler = ["c++", "-std=c++20"] if source.endswith(".cpp") else ["cc"]
    subprocess.run([treadle, *compiler, "-g", "-O1", "-pthread", *flags, "-o", program, os.path.join(ROOT, source)],
                   check=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    words = [program if word == "%" else word for word in command]
    start = time.monotonic()
    named = any(word.startswith(("--goal", "--search", "--model", "-k")) for word in words)
    first = [] if "-k" in words else ["--first"]
    done = subprocess.run([treadle, "run", *first, *([] if named else ["--goal=states"]), *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=120)
    took = time.monotonic() - start
    text = done.stdout.decode(errors="replace")
    return why_of(text), took, done.returncode, why_of(replay(treadle, text, folder))


def replay(treadle, text, folder):
    """The report of the replay of the first bug."""
    id_ = re.search(r"^Replay +treadle replay (\S+)", text, re.M)
    if not id_:
        return ""
    done = subprocess.run([treadle, "replay", "--quiet", id_.group(1)], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120)
    return done.stdout.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle")
    parser.add_argument("-v", action="store_true", help="print every WHY")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    treadle = os.path.abspath(args.treadle)
    counts, seconds, failed = {"named": 0, "silent": 0, "wrong": 0}, [], False
    for bug in read_bugs():
        name = " ".join([os.path.splitext(os.path.basename(bug[0]))[0]] + bug[1] + bug[2][bug[2].index("%") + 1:])
        if args.names and not any(n in name for n in args.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            why, took, status, again = ask(treadle, bug, folder)
        verdict, what = judge(why, bug[0], *bug[3:])
        if status != 1:
            print(f"{name}: no bug, exit status {status}")
            failed = True
        if again != why:
            print(f"{name}: WHY of the replay differs: {again}")
            failed = True
        counts[verdict] += 1
        seconds.append(took)
        print(f"{verdict:7} {took:5.2f} s  {name:28} {what}")
        if args.v or verdict == "wrong":
            print("        " + why)
    n = sum(counts.values())
    print(f"{n} bugs: {counts['named']} named, {counts['silent']} silent, {counts['wrong']} wrong; "
          f"seconds: median {statistics.median(seconds):.2f}, longest {max(seconds):.2f}")
    if args.names:
        return failed
    return (failed or counts["named"] * 100 < LEAST * n or counts["wrong"] > MOST_WRONG
            or statistics.median(seconds) > MEDIAN or max(seconds) > LONGEST)


if __name__ == "__main__":
    sys.exit(main())
