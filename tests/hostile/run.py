#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of this folder, each of which does something evil in one of its schedules.

Usage: run.py TREADLE [PROGRAM...]

Whatever a program does, treadle ends within a minute with exit code 0, 1 or 3 and a valid
report; a bug has a finding, an incomplete session a line in the ledger; the verdict is one of
those in the head comment, and at least as many runs were made as it says, so that the session
went on after the evil; a program with `lost: no` never ends without treadle knowing why; no
process of the program is left."""
import concurrent.futures
import os
import re
import shlex
import signal
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
import harness  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT_S = 60


def head(path):
    """The fields of a head comment."""
    fields = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"\s*\*\s*(treadle|verdict|runs|lost):\s*(.*?)\s*(\*/)?\s*$", line)
            if m:
                fields[m.group(1)] = m.group(2)
    return fields


def processes_of(program):
    """Ids of live processes that run the program."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") == program:
                found.append(int(pid))
        except OSError:
            pass
    return found


def leftovers(program):
    """What is still there a moment after the session; it is ended."""
    for _ in range(20):
        found = processes_of(program)
        if not found:
            return []
        time.sleep(0.1)
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    return found


def lost_runs(report):
    """Runs that ended without a word: they are in the ledger, not among the runs."""
    return sum(g["count"] for g in report.get("ledger", []) if g["kind"] == "lost run")


def compare(fields, result):
    if result.code is None:
        return [f"not done after {LIMIT_S} s"]
    if result.code not in (0, 1, 3):
        return [f"exit {result.code}: {result.tail()}"]
    if result.problem:
        return [f"no JSON: {result.problem}"]
    wrong = []
    report = result.report
    verdict = report.get("verdict")
    if harness.EXIT_OF.get(verdict) != result.code:
        wrong.append(f"exit {result.code} with verdict {verdict}")
    if verdict not in fields["verdict"].split():
        what = [f["id"] for f in report.get("findings", [])]
        gaps = [g["kind"] + " " + g["text"] for g in report.get("ledger", [])]
        wrong.append(f"verdict {verdict}, not {fields['verdict']}: {what} {gaps}")
    if verdict == "bug" and not report.get("findings"):
        wrong.append("a bug without finding")
    if verdict == "incomplete" and not report.get("ledger"):
        wrong.append("incomplete without a line in the ledger")
    if "lost" in fields and lost_runs(report):
        wrong.append(f"{lost_runs(report)} lost runs")
    runs = report.get("runs", 0) + lost_runs(report)
    if runs < int(fields["runs"]):
        wrong.append(f"{runs} runs, not {fields['runs']}")
    return wrong


def test(treadle, path):
    fields = head(path)
    program, error = treadle.cc(path, flags=["-I", HERE])
    if error:
        return ["does not build: " + error.splitlines()[-1]], 0
    result = treadle.run(program, (), shlex.split(fields["treadle"]), LIMIT_S)
    wrong = compare(fields, result)
    left = leftovers(program)
    if left:
        wrong.append(f"processes left: {left}")
    return wrong, result.seconds


def main():
    treadle = harness.Treadle(sys.argv[1])
    wanted = [os.path.abspath(p) for p in sys.argv[2:]]
    wanted = wanted or [os.path.join(HERE, n) for n in sorted(os.listdir(HERE)) if n.endswith(".c")]
    checks = harness.Checks()
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for path, (wrong, seconds) in zip(wanted, pool.map(lambda p: test(treadle, p), wanted)):
                name = f"{os.path.basename(path)[:-2]} ({seconds:.1f} s)"
                checks.check(name, not wrong, "; ".join(wrong))
    finally:
        treadle.close()
    checks.finish()


if __name__ == "__main__":
    main()
