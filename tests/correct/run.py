#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Correct programs: treadle must find nothing in them, and come to the end.

Usage: run.py TREADLE [PROGRAM...]

Head comments are those of tests/programs. Here a case expects no finding; where it expects
another verdict than complete, it names the line of the ledger that is the reason."""
import concurrent.futures
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "programs"))
import harness  # noqa: E402
import run as programs  # noqa: E402


def rules(path):
    """What is wrong with the expectations of a program, as texts."""
    cases = harness.cases(path)
    wrong = [] if cases else ["no case"]
    for case in cases:
        if case.findings or case.verdict == "bug":
            wrong.append("a finding is expected")
        elif case.verdict != "complete" and not case.ledger:
            wrong.append("not complete, and no line of the ledger says why")
    return wrong


def test(treadle, path):
    name = os.path.splitext(os.path.basename(path))[0]
    wrong = rules(path)
    return [(name, wrong)] if wrong else programs.test(treadle, path)


def main():
    treadle = harness.Treadle(sys.argv[1])
    wanted = [os.path.abspath(p) for p in sys.argv[2:]]
    wanted = wanted or [os.path.join(HERE, n) for n in sorted(os.listdir(HERE)) if n.endswith(".c")]
    checks = harness.Checks()
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for results in pool.map(lambda path: test(treadle, path), wanted):
                for name, wrong in results:
                    checks.check(name, not wrong, "; ".join(wrong))
    finally:
        treadle.close()
    checks.finish()


if __name__ == "__main__":
    main()
