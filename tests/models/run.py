#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: run.py TREADLE [--large]

Programs with known numbers of execution graphs, and known answers, under each memory model; what --search=graphs covers
against --goal=traces. --large: more of them, minutes.

run.py TREADLE --parts=DIVIDED [--each=N]: the search graphs of all these programs, shared by workers, interrupted and resumed, and (by
DIVIDED, treadle-divided) divided after every few runs, gives what it gives alone. --each: every Nth program, and those that workers share."""
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
    ("library.c", ["-DONCE"], [0, 0, 0]),
    ("library.c", ["-DONCE", "-DPLAIN"], [0, 0, 0]),
    ("library.c", ["-DPOLL"], [0, 0, 0]),
    ("library.c", ["-DPOLL", "-DPLAIN"], [0, 0, 0]),
    ("library.c", ["-DSEM"], [0, 0, 0]),
    ("library.c", ["-DSEM", "-DPLAIN"], [0, 0, 0]),
    ("library.c", ["-DBARRIER"], [0, 0, 0]),
    ("library.c", ["-DBARRIER", "-DPLAIN"], [0, 0, 0]),
    ("library.c", ["-DTRYWR"], [0, 0, 1]),
    ("library.c", ["-DTRYWR", "-DPLAIN"], [1, 1, 1]),
    ("library.c", ["-DTRYWR_READ"], [0, 0, 1]),
    ("library.c", ["-DTRYWR_READ", "-DPLAIN"], [1, 1, 1]),
    ("library.c", ["-DREADERS"], [0, 0, 1]),
    ("library.c", ["-DREADERS", "-DPLAIN"], [1, 1, 1]),
    ("library.c", ["-DWRITER"], [0, 0, 0]),
    ("library.c", ["-DWRITER", "-DPLAIN"], [0, 0, 0]),
    ("library.c", ["-DSPIN"], [0, 1, 1]),
    ("library.c", ["-DMUTEX"], [0, 0, 1]),
    ("library.c", ["-DNESTED"], [0, 1, 1]),
    ("library.c", ["-DSIGNAL"], [0, 1, 1]),
]

# Whole traces of --goal=traces and graphs of --search=graphs must be as many.
SAME = [("fetchadd.c", ["-DN=4"]), ("fib.c", ["-DN=3"]), ("lastzero.c", ["-DN=5"]), ("readers.c", ["-DN=6"]),
        ("singlelock.c", ["-DN=3"]), ("philo.c", ["-DN=3", "-DK=2"]), ("pairs.c", []),
        ("indexer.c", ["-DN=12"]), ("szymanski.c", [])]

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


# Of sessions whose report nobody reads: the shortest schedule, the cause and a change are not looked for.
UNEXPLAINED = "--explain-time=1ms"


def run(treadle, program, where, *options, keeps=False):
    """Exit status, and the result as JSON."""
    result = where / "result.json"
    done = subprocess.run([treadle, "run", "-q", "-j1", "--no-known", f"--out={where / 'session'}", f"--json={result}",
                           *options, program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not keeps:
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
            code, result, _ = run(treadle, where / "count", where, "--search=graphs", f"--model={model}", "--census")
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
            got, result, _ = run(treadle, where / "program", where, "--search=graphs", f"--model={model}", "--census", UNEXPLAINED)
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
        code, result, _ = run(treadle, where / "program", where, UNEXPLAINED)
        failures.check(f"{source} {' '.join(defines)}", code, max(want))
        failures.check(f"{source} {' '.join(defines)} weaker", result.get("weaker", {}).get("stopped", ""), "")
        code, result, _ = run(treadle, where / "program", where, "--model=sc", UNEXPLAINED)
        failures.check(f"{source} {' '.join(defines)} only sc", (code, "weaker" in result), (want[0], False))
    for source, defines, model in WEAKER:
        build(treadle, source, defines, where / "program")
        code, result, _ = run(treadle, where / "program", where)
        failures.check(f"{source.name}", (code, result.get("weaker", {}).get("model")), (0, model))


def large(treadle, where, failures):
    for n, counts in FIB.items():
        build(treadle, PROGRAMS / "fib.c", [f"-DN={n}"], where / "program")
        for model, want in zip(["sc", "rc11"], counts):
            _, result, text = run(treadle, where / "program", where, "--search=graphs", f"--model={model}", "--census")
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


# Source, flags; whether workers get to share it.
DIVIDED = ([(PROGRAMS / "litmus.c", [f"-DTEST={n}"], False) for n in range(len(TESTS))] +
           [(PROGRAMS / source, defines, False) for source, defines, _ in ANSWERS] +
           [(PEERS / source, defines, False) for source, defines in SAME] +
           [(PROGRAMS / "fib.c", ["-DN=3"], True), (PROGRAMS / "fib.c", ["-DN=4"], True),
            (PEERS / "readers.c", ["-DN=8"], True), (PEERS / "lastzero.c", ["-DN=7"], True)])
SUMS = ["verdict", "runs", "blocked_runs", "traces", "whole_traces", "digest", "trace_digest"]


def sums(result):
    return [result.get(name) for name in SUMS] + sorted((f["kind"], f["file"], f["line"]) for f in result["findings"])


def interrupted(treadle, program, where, options, limit, most=1000):
    """The result of a search that ends after so many runs, or so much time, and is resumed until it comes to its end; how
    often that was."""
    _, result, _ = run(treadle, program, where, *options, limit, keeps=True)
    n = 0
    while any(g["kind"] in ("runs", "time") for g in result["ledger"]) and n < most:
        _, result, _ = run(treadle, program, where, *options, limit, "--resume", keeps=True)
        n += 1
    subprocess.run(["rm", "-rf", where / "session"], check=True)
    return result, n


def parts(treadle, divided, each, where, failures):
    n_resumed, n_shared, n_done = 0, 0, 0
    chosen = [case for i, case in enumerate(DIVIDED) if i % each == 0 or case[2]]
    for source, defines, is_shared in chosen:
        build(treadle, source, defines, where / "program")
        for model in MODELS:
            options = ["--search=graphs", f"--model={model}", "-k", UNEXPLAINED]
            name = f"{source.name} {' '.join(defines)} {model}"
            _, alone, _ = run(treadle, where / "program", where, *options)
            _, result, _ = run(divided, where / "program", where, "--search=parts-graphs", f"--model={model}", "-k", UNEXPLAINED)
            failures.check(f"{name} divided", sums(result), sums(alone))
            # A race begins the search again, and then it was interrupted at another place.
            if not alone["promoted"]:
                result, n = interrupted(treadle, where / "program", where, options, f"--runs={alone['runs'] // 4 + 1}")
                failures.check(f"{name} resumed", sums(result), sums(alone))
                n_resumed += n
            n_done += 2
            for jobs in [2, 4] if is_shared else []:
                _, result, _ = run(treadle, where / "program", where, *options, f"-j{jobs}", "--alone=1ms", keeps=True)
                failures.check(f"{name} -j{jobs}", sums(result), sums(alone))
                n_shared += len(list((where / "session" / "workers").glob("*.log")))
                subprocess.run(["rm", "-rf", where / "session"], check=True)
                n_done += 1
    failures.check("sessions that were resumed", n_resumed > len(chosen), True)
    failures.check("workers that were started", n_shared > 0, True)
    return n_done + 2


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("treadle")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--parts", metavar="DIVIDED")
    parser.add_argument("--each", type=int, default=1)
    options = parser.parse_args()
    treadle = Path(options.treadle).resolve()
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        if options.parts:
            n = parts(treadle, Path(options.parts).resolve(), options.each, where, failures)
            print(f"{n - len(failures)} passed, {len(failures)} failed")
            sys.exit(bool(failures))
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
