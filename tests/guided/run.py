#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The search guided: bugs that random schedules miss, and the same runs for the same seed.

Usage: run.py TREADLE

1. Programs of bench/sctbench whose bug random does not find within a budget: guided does, with every seed.
   tests/suite/rare.c likewise.
2. Sessions of a corrected program with the same seed have the same events, traces and pairs, whatever
   -j says; with other seeds they differ.
3. It never ends complete, and says so; random counts pairs with --census only."""
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "programs"))
import harness  # noqa: E402

PATTERNS = os.path.join(ROOT, "bench", "sctbench", "programs")
# Source, arguments, runs.
MISSED = [(os.path.join(PATTERNS, "reorder.c"), ["20"], 300),
          (os.path.join(PATTERNS, "twostage.c"), ["20"], 500),
          (os.path.join(ROOT, "tests", "suite", "rare.c"), [], 1000)]
SEEDS = (1, 2, 3)


def session(treadle, program, args, search, runs, seed, *more):
    options = [f"--search={search}", f"--runs={runs}", f"--seed={seed}", "--no-known", *more]
    return treadle.run(program, args, options).report


def missed(checks, treadle):
    for source, args, runs in MISSED:
        name = os.path.basename(source)[:-2]
        program, _ = treadle.cc(source, name)
        for seed in SEEDS:
            random = session(treadle, program, args, "random", runs, seed)
            guided = session(treadle, program, args, "guided", runs, seed)
            checks.check(f"{name}, seed {seed}: random misses it", not random["findings"])
            checks.check(f"{name}, seed {seed}: guided finds it", len(guided["findings"]) == 1)


def what(report):
    return [report.get(k) for k in ("runs", "pairs", "events", "traces", "digest", "trace_digest")]


def determined(checks, treadle):
    program, _ = treadle.cc(os.path.join(PATTERNS, "wronglock.c"), "fixed", ["-DFIXED"])
    one, two, other = (session(treadle, program, ["3"], "guided", 300, seed, "--census", jobs)
                       for seed, jobs in ((1, "-j1"), (1, "-j2"), (2, "-j1")))
    checks.check("same seed, same runs", what(one) == what(two), f"{what(one)} {what(two)}")
    checks.check("another seed, other runs", what(one) != what(other))
    checks.check("it is a sample", one["verdict"] == "incomplete", one["verdict"])
    checks.check("pairs are counted", one["pairs"] > 0)
    random = session(treadle, program, ["3"], "random", 10, 1)
    checks.check("random does not count pairs", "pairs" not in random)
    random = session(treadle, program, ["3"], "random", 10, 1, "--census")
    checks.check("random counts pairs with --census", random["pairs"] > 0)


def main():
    checks = harness.Checks()
    treadle = harness.Treadle(sys.argv[1])
    try:
        missed(checks, treadle)
        determined(checks, treadle)
    finally:
        treadle.close()
    sys.exit(checks.finish())


if __name__ == "__main__":
    main()
