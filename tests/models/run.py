#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: run.py TREADLE [--large]

Programs with known numbers of execution graphs, and known answers, under each memory model; what --search=graphs covers
against --goal=traces. --large: more of them, minutes."""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
PEERS = HERE.parent.parent / "bench" / "peers"
CASES = HERE.parent / "programs"
MODELS = ["sc", "tso", "rc11"]
TESTS = ["SB", "SBF", "SBSC", "W22", "W22SC", "LB", "MP", "MPRA", "MPF", "IRIW", "IRIWSC", "CORR", "ADDS", "RELSEQ",
         "CASES"]

# Graphs under sc, tso, rc11; whether the outcome that sc forbids is reached (1) or not (0). The counts of SB, W22,
# IRIW, LB and MP are those of GenMC; the rest follows from enumeration by hand and by tests/unit/test_graph.c.
LITMUS = {
    "SB": ([3, 4, 4], [0, 1, 1]),
    "SBF": ([3, 3, 3], [0, 0, 0]),
    "SBSC": ([3, 3, 3], [0, 0, 0]),
    "W22": ([3, 3, 4], [0, 0, 1]),
    "W22SC": ([3, 3, 3], [0, 0, 0]),
    "LB": ([3, 3, 3], [0, 0, 0]),
    "MP": ([3, 3, 4], [0, 0, 1]),
    "MPRA": ([3, 3, 3], [0, 0, 0]),
    "MPF": ([3, 3, 3], [0, 0, 0]),
    "IRIW": ([15, 15, 16], [0, 0, 1]),
    "IRIWSC": ([15, 15, 15], [0, 0, 0]),
    "CORR": ([6, 6, 6], [0, 0, 0]),
    "ADDS": ([6, 6, 6], [0, 0, 0]),
    "RELSEQ": ([9, 9, 9], [0, 0, 0]),
    "CASES": ([3, 3, 3], [0, 0, 0]),
}

# How the report says why a read may miss a store; lines are wrapped.
MISSES = re.compile(r"misses\s+the\s+store\s+of\s+T\d\s+at\s+litmus.c:\d+,\s+which\s+nothing\s+orders\s+before")

# Exit statuses under sc, tso, rc11: 0 COMPLETE, 1 a bug.
ANSWERS = [
    ("exclusion.c", ["-DDEKKER"], [0, 1, 1]),
    ("exclusion.c", ["-DDEKKER", "-DFENCE"], [0, 0, 0]),
    ("exclusion.c", [], [0, 1, 1]),
    ("exclusion.c", ["-DFENCE"], [0, 0, 0]),
    ("exclusion.c", ["-DDOOR"], [0, 1, 1]),
    ("exclusion.c", ["-DDOOR", "-DFENCE"], [0, 0, 0]),
    ("structures.c", ["-DRING"], [0, 0, 0]),
    ("structures.c", ["-DRING", "-DWEAK"], [0, 0, 1]),
    ("structures.c", ["-DSEQLOCK"], [0, 0, 0]),
    ("structures.c", ["-DSEQLOCK", "-DWEAK"], [0, 0, 1]),
    ("structures.c", ["-DTICKET"], [0, 0, 0]),
    ("structures.c", ["-DTICKET", "-DWEAK"], [0, 0, 1]),
    ("structures.c", ["-DSTACK"], [0, 0, 0]),
    ("structures.c", ["-DSTACK", "-DWEAK"], [0, 0, 1]),
    ("structures.c", [], [0, 0, 0]),
    ("structures.c", ["-DWEAK"], [1, 1, 1]),  # a data race, whatever the memory
]

# Whole traces of --goal=traces and graphs of --search=graphs must be as many.
SAME = [("fetchadd.c", ["-DN=4"]), ("fib.c", ["-DN=3"]), ("lastzero.c", ["-DN=5"]), ("readers.c", ["-DN=6"]),
        ("singlelock.c", ["-DN=3"]), ("pairs.c", []), ("indexer.c", ["-DN=12"]), ("szymanski.c", [])]

# Graphs of fib.c by N under sc and rc11: those of GenMC for N=5.
FIB = {5: (218243, 525630)}


class Failures(list):
    def check(self, what, got, want):
        if got != want:
            self.append(f"{what}: {got}, not {want}")
            print(f"FAILED  {self[-1]}", flush=True)


def build(treadle, source, defines, out):
    subprocess.run([treadle, "cc", "-g", "-O1", *defines, "-o", out, source], check=True,
                   stderr=subprocess.DEVNULL)


def run(treadle, program, where, *options):
    """Exit status, and the result as JSON."""
    result = where / "result.json"
    done = subprocess.run([treadle, "run", "-q", "-j1", "--no-known", f"--out={where / 'session'}", f"--json={result}",
                           *options, program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    subprocess.run(["rm", "-rf", where / "session"], check=True)
    return done.returncode, json.loads(result.read_text()), done.stdout


def whole(result):
    return result["whole_traces"]


def litmus(treadle, where, failures):
    for number, name in enumerate(TESTS):
        counts, reached = LITMUS[name]
        build(treadle, PROGRAMS / "litmus.c", [f"-DTEST={number}"], where / "count")
        build(treadle, PROGRAMS / "litmus.c", [f"-DTEST={number}", "-DFORBIDDEN"], where / "forbidden")
        for model, n, is_reached in zip(MODELS, counts, reached):
            code, result, _ = run(treadle, where / "count", where, "--search=graphs", f"--model={model}")
            failures.check(f"{name} {model}", (code, whole(result), result["repeated_runs"]), (0, n, 0))
            code, _, text = run(treadle, where / "forbidden", where, "--search=graphs", f"--model={model}")
            failures.check(f"{name} {model} outcome", code, is_reached)
            if is_reached:
                says = "x86 (TSO) allows this run" if name == "SB" else "RC11 allows this run"
                failures.check(f"{name} {model} says so", says in text and (" misses #" in text and MISSES.search(text)) is not None
                               or name == "W22", True)


def answers(treadle, where, failures):
    for source, defines, want in ANSWERS:
        build(treadle, PROGRAMS / source, defines, where / "program")
        for model, code in zip(MODELS, want):
            got, result, _ = run(treadle, where / "program", where, "--search=graphs", f"--model={model}")
            failures.check(f"{source} {' '.join(defines)} {model}", (got, result["repeated_runs"]), (code, 0))


def same(treadle, where, failures):
    for source, defines in SAME:
        build(treadle, PEERS / source, defines, where / "program")
        _, traces, _ = run(treadle, where / "program", where, "--goal=traces", "-k")
        _, graphs, _ = run(treadle, where / "program", where, "--search=graphs", "--model=sc", "-k")
        failures.check(f"{source} {' '.join(defines)}", whole(graphs), whole(traces))


# Without --model: which weaker model comes after sequential consistency; None: no atomic is weaker.
WEAKER = [(PEERS / "fib.c", ["-DN=2"], None), (PROGRAMS / "fib.c", ["-DN=2"], "rc11"),
          (CASES / "asm_lock.c", [], "tso"), (CASES / "volatile_flag.c", ["--volatile=atomic"], "tso")]


def automatic(treadle, where, failures):
    """Sequential consistency, then what is weaker: a bug of either is found."""
    for source, defines, want in ANSWERS:
        build(treadle, PROGRAMS / source, defines, where / "program")
        code, result, _ = run(treadle, where / "program", where)
        failures.check(f"{source} {' '.join(defines)}", code, max(want))
        failures.check(f"{source} {' '.join(defines)} weaker", result.get("weaker", {}).get("stopped", ""), "")
        code, result, _ = run(treadle, where / "program", where, "--model=sc")
        failures.check(f"{source} {' '.join(defines)} only sc", (code, "weaker" in result), (want[0], False))
    for source, defines, model in WEAKER:
        build(treadle, source, defines, where / "program")
        code, result, _ = run(treadle, where / "program", where)
        failures.check(f"{source.name}", (code, result.get("weaker", {}).get("model")), (0, model))


def large(treadle, where, failures):
    for n, counts in FIB.items():
        build(treadle, PROGRAMS / "fib.c", [f"-DN={n}"], where / "program")
        for model, want in zip(["sc", "rc11"], counts):
            _, result, text = run(treadle, where / "program", where, "--search=graphs", f"--model={model}")
            print(text.splitlines()[0], flush=True)
            failures.check(f"fib {n} {model}", (whole(result), result["repeated_runs"]), (want, 0))


def replays(treadle, where, failures):
    """A recording names the stores that are read; a program that has changed does not show what no memory allows."""
    out = where / "kept"
    build(treadle, PROGRAMS / "litmus.c", ["-DTEST=0", "-DFORBIDDEN"], where / "changes")
    subprocess.run([treadle, "run", "-q", "--model=rc11", f"--out={out}", where / "changes"], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    recordings = list(out.glob("*.treadle"))
    failures.check("recordings", len(recordings), 1)
    text = recordings[0].read_text()
    failures.check("what is recorded", bool(re.search(r"^model rc11$", text, re.M)) and "reads=first" in text, True)
    code = subprocess.run([treadle, "replay", recordings[0]], capture_output=True).returncode
    failures.check("replay", code, 1)
    build(treadle, PROGRAMS / "litmus.c", ["-DTEST=2", "-DFORBIDDEN"], where / "changes")
    done = subprocess.run([treadle, "replay", recordings[0]], capture_output=True, text=True)
    failures.check("replay of what changed", "no longer allows this run" in done.stderr, True)
    failures.check("its exit status", done.returncode != 1, True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("treadle")
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    treadle = Path(options.treadle).resolve()
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        litmus(treadle, where, failures)
        answers(treadle, where, failures)
        same(treadle, where, failures)
        automatic(treadle, where, failures)
        replays(treadle, where, failures)
        if options.large:
            large(treadle, where, failures)
    n = len(LITMUS) * len(MODELS) * 2 + len(ANSWERS) * len(MODELS) + len(SAME) + 2 * len(ANSWERS) + len(WEAKER) + 1
    print(f"{n - len(failures)} passed, {len(failures)} failed")
    sys.exit(bool(failures))


main()
