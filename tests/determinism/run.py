#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same decisions give the same run, byte for byte.

Usage: run.py TREADLE [--quick] [NAME...]

For every example and every program under tests/programs:

1. repetition: a schedule is run REPEAT times (treadle run --repeat) and the hashes of its records
   are compared by treadle; with both carriers and both restart modes. The same with the random
   search, so that schedules with many switches are among them.
2. modes: a whole session gives the same digest, counts, findings and ledger in all four
   combinations, and under other conditions: another size of the environment, with and without
   address randomisation, on a loaded machine.

A program with a limit on its time takes part in 1 only. Every combination makes 1,000 repetitions
of a schedule (--quick: 50); the default one of ten schedules, the others, where a run costs a
process or many switches of threads, of one. treadle switches address randomisation off for the
program; with "randomised" it is kept from doing so."""
import concurrent.futures
import json
import multiprocessing
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
import harness  # noqa: E402

REPEAT = 1000
MODES = [(restart, carrier) for restart in ("snapshot", "fork") for carrier in ("fibers", "threads")]
# Schedules that are repeated: by --search=all from the first on, and by --search=random.
SCHEDULES = {("snapshot", "fibers"): (5, 5), ("snapshot", "threads"): (0, 1),
             ("fork", "fibers"): (0, 1), ("fork", "threads"): (0, 1)}
QUICK_REPEAT = 50
LIMIT_S = 300
DOUBTS = ("not repeatable", "not reproduced", "diverged", "lost run")
# A hang is found by the clock: every repetition would take two seconds. nondet is what it says.
LEFT_OUT = {"hang", "nondet"}


def subjects():
    """[(name, source, cflags, args, options, whether a session can be compared)]"""
    found = []
    for name, bad, good in harness.examples():
        for source in filter(None, (bad, good)):
            base = os.path.basename(source)[:-2]
            found.append((base, source, [], harness.example_args(base), [], True))
    for path in harness.programs():
        base = os.path.basename(path)[:-2]
        case = harness.cases(path)[0]
        if base in LEFT_OUT or (case.arch and case.arch != os.uname().machine):
            continue
        found.append((base, path, case.cflags, case.args, case.options, case.seconds is None))
    return found


def summary(result):
    """What must not depend on the circumstances."""
    r = result.report
    keep = {k: r.get(k) for k in ("verdict", "runs", "events", "traces", "digest")}
    keep["findings"] = sorted(
        json.dumps({k: f.get(k) for k in ("id", "kind", "line", "function", "message")})
        for f in r.get("findings", []))
    keep["ledger"] = sorted(
        json.dumps({k: g.get(k) for k in ("kind", "line", "text")}) for g in r.get("ledger", []))
    return keep


def differences(a, b):
    return "; ".join(f"{k} {a[k]} / {b[k]}" for k in a if a[k] != b[k])


def is_nondet(result):
    """Findings and lines of the ledger that say that two runs of one schedule differed."""
    findings = [f["id"] for f in result.report.get("findings", []) if f["kind"] == "nondet"]
    return findings + [g["kind"] for g in result.report.get("ledger", []) if g["kind"] in DOUBTS]


def repetition(treadle, subject, program, mode, repeat):
    """What is wrong with the runs of one program in one mode, as texts."""
    wrong = []
    restart, carrier = mode
    for search, n in zip(("all", "random"), SCHEDULES[mode]):
        if n == 0:
            continue
        options = [f"--search={search}", f"--runs={n}", f"--repeat={repeat}", "-k",
                   f"--restart={restart}", f"--carrier={carrier}"]
        result = treadle.run(program, subject[3], options, LIMIT_S)
        if result.problem or result.code not in (0, 1, 3):
            wrong.append(f"{search}: exit {result.code} {result.problem} {result.tail()}")
        elif is_nondet(result):
            wrong.append(f"{search}: {is_nondet(result)}")
    return wrong


def session(treadle, subject, program, options=(), env=None, prefix=()):
    return treadle.run(program, subject[3], harness.alone(subject[4] + list(options)), LIMIT_S, env, prefix)


def keep_randomised(treadle):
    """A library that refuses personality(), as some containers do; None if it does not fit."""
    with open(treadle.path, "rb") as f:
        if b"__asan_init" in f.read():
            return None
    source = os.path.join(treadle.dir, "personality.c")
    library = os.path.join(treadle.dir, "personality.so")
    with open(source, "w", encoding="utf-8") as f:
        f.write("#include <errno.h>\nint personality(unsigned long p);\n"
                "int personality(unsigned long p) { errno = EPERM; return p ? -1 : -1; }\n")
    done = subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=False)
    return library if done.returncode == 0 else None


def conditions(library):
    """[(name, options, environment, words before treadle)]"""
    found = [(f"{r}+{c}", [f"--restart={r}", f"--carrier={c}"], None, []) for r, c in MODES[1:]]
    for size in (1, 4097, 100000):
        env = dict(os.environ, TREADLE_TEST_PADDING="x" * size)
        found.append((f"environment+{size}", [], env, []))
    if library:
        found.append(("randomised", [], dict(os.environ, LD_PRELOAD=library), []))
    machine = os.uname().machine
    found.append(("without randomisation", [], None, ["setarch", machine, "-R"]))
    return found


def modes(treadle, subject, program, library):
    first = session(treadle, subject, program)
    if first.problem:
        return [f"no JSON, exit {first.code}: {first.tail()}"]
    wrong = []
    for name, options, env, prefix in conditions(library):
        again = session(treadle, subject, program, options, env, prefix)
        if again.problem:
            wrong.append(f"{name}: no JSON, exit {again.code}: {again.tail()}")
        elif summary(first) != summary(again):
            wrong.append(f"{name}: {differences(summary(first), summary(again))}")
    return wrong


def spin(stop):
    while not stop.is_set():
        sum(range(10000))


def under_load(treadle, built):
    """Sessions while other processes use every core; compared with those of an idle machine."""
    idle = {s[0]: summary(session(treadle, s, p)) for s, p in built}
    stop = multiprocessing.Event()
    others = [multiprocessing.Process(target=spin, args=(stop,), daemon=True)
              for _ in range(2 * os.cpu_count())]
    for p in others:
        p.start()
    try:
        busy = {s[0]: summary(session(treadle, s, p)) for s, p in built}
    finally:
        stop.set()
        for p in others:
            p.join()
    return {name: differences(idle[name], busy[name]) for name in idle}


def test(treadle, subject, repeat, library):
    """[(name of the check, what is wrong)] of one program; and the program."""
    name, source, cflags = subject[:3]
    program, error = treadle.cc(source, flags=cflags)
    if error:
        return [(name, ["does not build: " + error.splitlines()[-1]])], None
    results = []
    for mode in MODES:
        wrong = repetition(treadle, subject, program, mode, repeat)
        results.append((f"{name}: {repeat} times, {mode[0]}+{mode[1]}", wrong))
    if subject[5]:
        wrong = modes(treadle, subject, program, library)
        results.append((f"{name}: the same session everywhere", wrong))
    return results, program


def main():
    treadle = harness.Treadle(sys.argv[1])
    repeat = QUICK_REPEAT if "--quick" in sys.argv[2:] else REPEAT
    only = [a for a in sys.argv[2:] if not a.startswith("-")]
    wanted = [s for s in subjects() if not only or s[0] in only]
    checks = harness.Checks()
    built = []
    library = keep_randomised(treadle)
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = pool.map(lambda s: test(treadle, s, repeat, library), wanted)
            for subject, (results, program) in zip(wanted, done):
                for name, wrong in results:
                    checks.check(name, not wrong, "; ".join(wrong))
                if program and subject[5] and os.path.dirname(subject[1]) != harness.HERE:
                    built.append((subject, program))
        for name, difference in under_load(treadle, built).items():
            checks.check(f"{name}: the same session under load", not difference, difference)
    finally:
        treadle.close()
    checks.finish()


if __name__ == "__main__":
    main()
