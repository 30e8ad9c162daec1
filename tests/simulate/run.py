#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Workers in simulated time on an exactly counted tree (simulate.c): nothing is lost or counted twice, and the
efficiency is that of the model in docs/parallel.md, within 20 %.

Usage: run.py TREADLE [--workers=N] [--level=N] [--seeds=N] [NAME=VALUE ...]
All parameters with their values: PARAMETERS in simulate.c."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

WITHIN = 0.2
PEACE = ["lost=0", "doubled=0", "late=0", "torn=0", "deaths_per_minute=0"]


def simulate(program, words):
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    directory = tempfile.mkdtemp(prefix="treadle-simulate.", dir=base)
    try:
        done = subprocess.run([program, directory, *words], capture_output=True, text=True, timeout=2900)
    finally:
        shutil.rmtree(directory)
    if not done.stdout.startswith("{"):
        sys.exit(f"simulate {' '.join(words)}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def problems(result):
    """What is wrong with it."""
    if not result["exact"]:
        yield "not every run was counted once"
    if result["parked"]:
        yield f"{result['parked']} parked"
    off = result["efficiency"] / result["model_efficiency"] - 1
    if abs(off) > WITHIN:
        yield f"efficiency {result['efficiency']}, the model says {result['model_efficiency']}"


def line(result):
    return (f"{result['workers']} workers, {result['runs']} runs, {result['seconds']:.0f} s: efficiency "
            f"{result['efficiency']:.2f} (model {result['model_efficiency']:.2f}), {result['per_s']:.0f} exchanges/s "
            f"(peak {result['peak_per_s']}), {result['bytes_per_s'] / 1000:.0f} kB/s; {result['lost']} lost, "
            f"{result['doubled']} doubled, {result['stale']} stale, {result['deaths']} deaths")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle")
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--level", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--run-us", type=int, default=1000)
    parser.add_argument("--peace", action="store_true", help="nothing is lost, nobody dies")
    parser.add_argument("words", nargs="*", metavar="NAME=VALUE")
    options = parser.parse_intermixed_args()
    program = os.path.join(os.path.dirname(os.path.abspath(options.treadle)), "tests", "simulate")
    failed = 0
    for seed in range(1, options.seeds + 1):
        words = [f"workers={options.workers}", f"level={options.level}", f"seed={seed}", f"run_us={options.run_us}"]
        result = simulate(program, words + (PEACE if options.peace else []) + options.words)
        wrong = list(problems(result))
        print(("FAIL " if wrong else "ok   ") + line(result) + "".join("; " + w for w in wrong), flush=True)
        failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
