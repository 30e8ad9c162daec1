#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Correct programs: treadle must find nothing in them, and come to the end.

Usage: run.py TREADLE [--first] [PROGRAM...]
--first: as in tests/programs.

Head comments are those of tests/programs. Here a case expects no finding; where it expects
another verdict than complete, it names the line of the ledger that is the reason."""
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
        if case.findings or case.verdict == "bug":
            wrong.append("a finding is expected")
        elif case.verdict != "complete" and not case.ledger:
            wrong.append("not complete, and no line of the ledger says why")
    return wrong


if __name__ == "__main__":
    programs.main(HERE, rules)
