#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs at the borders of what treadle sees: each once had a wrong answer.

Usage: run.py TREADLE [PROGRAM...]

Head comments are those of tests/programs. The right answer is a finding, COMPLETE, or
INCOMPLETE with a line of the ledger that names the place."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "programs"))
import run as programs  # noqa: E402


def rules(cases):
    """What is wrong with the expectations of a program, as texts."""
    wrong = [] if cases else ["no case"]
    for case in cases:
        # A program without an end is cut somewhere, and that is no place to name.
        if case.verdict == "incomplete" and not any(line[1] or line[0] == "depth" for line in case.ledger):
            wrong.append("incomplete, and no line of the ledger names a place")
        if case.verdict == "bug" and not case.findings:
            wrong.append("a bug, and no finding is expected")
    return wrong


if __name__ == "__main__":
    programs.main(HERE, rules)
