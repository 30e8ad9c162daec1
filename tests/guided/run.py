#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The search guided: bugs that random schedules miss, and the same runs for the same seed.

Usage: run.py TREADLE

1. Programs of bench/sctbench whose bug random does not find within a budget: guided does, with every seed.
   tests/suite/rare.c likewise.
2. Sessions of a corrected program with the same seed have the same events, traces and pairs, whatever
   -j says; with other seeds they differ. So do random, pct, pos and surw. With -j2 there are two processes that
   run the program, and the bug of tests/suite/rare.c is found after as many runs as with -j1.
3. A session that resumes another goes on with its pairs and makes other runs; with the same seed the same ones. Where the
   program's arguments or options differ, or what was stored is damaged, it says so and starts over.
4. A bug behind branches that no drawn input opens (shut.c) is found, with every seed and whatever -j says: inputs of leads are
   changed, and the solver finds others. random misses it.
5. A session of --goal=auto that changed to guided is resumed; one that did not starts over. Racing accesses that become operations do not
   make it forget pairs. On a farm it is refused, as the other searches that sample are: exit status 2, and no run.
6. It never ends complete, and says so; random counts pairs with --census only."""
import os
import sqlite3
import subprocess
import sys
import time

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


def opened(checks, treadle):
    program, error = treadle.cc(os.path.join(HERE, "shut.c"), "shut")
    checks.check("shut.c is built", not error, error)
    for seed in SEEDS:
        random = session(treadle, program, [], "random", 3000, seed)
        guided = [session(treadle, program, [], "guided", 1000, seed, "--alone=1ms", jobs) for jobs in ("-j1", "-j2")]
        checks.check(f"shut, seed {seed}: random misses it", not random["findings"])
        checks.check(f"shut, seed {seed}: guided finds it", all(len(g["findings"]) == 1 for g in guided))
        checks.check(f"shut, seed {seed}: two make the same runs", guided[0]["runs"] == guided[1]["runs"],
                     str([g["runs"] for g in guided]))


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


def shared(checks, treadle):
    program, _ = treadle.cc(os.path.join(PATTERNS, "wronglock.c"), "fixed", ["-DFIXED"])
    for search in ("random", "pct", "pos", "surw", "guided"):
        one, three = (session(treadle, program, ["4"], search, 1000, 1, "--census", "--alone=1ms", jobs)
                      for jobs in ("-j1", "-j3"))
        checks.check(f"{search}: the same with three", what(one) == what(three), f"{what(one)} {what(three)}")
    rare, _ = treadle.cc(MISSED[2][0], "rare")
    found = [session(treadle, rare, [], "guided", 1000, 1, "--alone=1ms", jobs) for jobs in ("-j1", "-j2")]
    checks.check("two find the bug", len(found[1]["findings"]) == 1)
    checks.check("in as many runs as one", found[0]["runs"] == found[1]["runs"], str([f["runs"] for f in found]))
    for jobs in (1, 2):
        words = [treadle.path, "run", "-q", "--search=guided", "--runs=100000000", "--time=120s", "--alone=1ms", f"-j{jobs}",
                 f"--out={os.path.join(treadle.dir, 'long')}", "--", program, "4"]
        with subprocess.Popen(words, cwd=treadle.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            most, end = 0, time.monotonic() + 100
            while most < jobs and time.monotonic() < end:
                time.sleep(0.1)
                most = max(most, n_children(child.pid))
            if jobs == 1:
                time.sleep(0.5)
                most = n_children(child.pid)
            child.terminate()
        checks.check(f"-j{jobs}: so many run the program", most == jobs, str(most))


def n_children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
        return len(f.read().split())


def resumed(checks, treadle):
    program, _ = treadle.cc(os.path.join(PATTERNS, "twostage.c"), "two", ["-DFIXED"])
    dirs = [os.path.join(treadle.dir, f"resumed.{i}") for i in range(3)]

    def again(i, runs, *more, args=("12",)):
        return session(treadle, program, list(args), "guided", runs, 1, f"--out={dirs[i]}", *more)

    first = [again(i, 60, "--census") for i in range(3)]
    after = [again(i, 1, "--census", "--resume") for i in range(2)]
    checks.check("pairs are there after one more run",
                 all(r["pairs"] >= first[0]["pairs"] > 1 and r["earlier_runs"] == 60 for r in after), str(after))
    more = [again(i, 100, "--census", "--resume") for i in range(2)]
    checks.check("same seed, same runs again", what(more[0]) == what(more[1]), f"{what(more[0])} {what(more[1])}")
    checks.check("the runs are others", more[0]["trace_digest"] != again(2, 100, "--census")["trace_digest"])
    checks.check("all runs are counted", more[0]["earlier_runs"] == 61)
    checks.check("other options: it starts over", "earlier_runs" not in again(0, 10, "--resume"))
    checks.check("other arguments: it starts over", "earlier_runs" not in again(1, 10, "--census", "--resume", args=("3",)))
    with sqlite3.connect(os.path.join(dirs[2], "session.db")) as db:
        state = bytearray(db.execute("SELECT state FROM saved").fetchone()[0])
        state[len(state) // 2:] = []
        db.execute("UPDATE saved SET state = ?", (bytes(state),))
    db.close()
    cut = again(2, 10, "--census", "--resume")
    checks.check("half of what was stored: it starts over", "earlier_runs" not in cut and cut["runs"] == 10)


# Far too many traces: auto changes to guided after some 2,100 runs.
FAR = """#include <pthread.h>
#include <stdatomic.h>
static _Atomic int v;
static void *add(void *arg)
{
    for (int i = 0; i < 9; i++)
        v++;
    return arg;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
"""


def written(treadle, name, text):
    source = os.path.join(treadle.dir, name + ".c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    return treadle.cc(source, name)[0]


def changed(checks, treadle):
    program = written(treadle, "far", FAR)

    def again(out, runs, *more):  # with the goal states, which observations do not take over
        options = ["--goal=states", "--search=auto", f"--runs={runs}", "--no-known", f"--out={os.path.join(treadle.dir, out)}", *more]
        return treadle.run(program, [], options).report

    first = again("auto.1", 2400)
    checks.check("auto changes to guided", first["chosen"].endswith("switched to guided") and first["pairs"] > 0, str(first))
    after = [again("auto.1", 100, "--resume") for _ in range(2)]
    checks.check("auto goes on with guided", [r["runs"] for r in after] == [100, 100] and after[0]["chosen"] == first["chosen"]
                 and after[0]["pairs"] >= first["pairs"] and after[0]["earlier_runs"] > 0, str(after[0]))
    checks.check("and goes on again", after[1]["earlier_runs"] == after[0]["earlier_runs"] + 100)
    with sqlite3.connect(os.path.join(treadle.dir, "auto.1", "session.db")) as db:
        db.execute("UPDATE saved SET state = x'010109'")
    db.close()
    cut = again("auto.1", 20, "--resume")
    checks.check("auto, what was stored is damaged: it starts over", "earlier_runs" not in cut and cut["runs"] == 20)
    again("auto.2", 100)
    early = again("auto.2", 20, "--resume")
    checks.check("auto before the change starts over", "earlier_runs" not in early and ": unfold" in early["chosen"])


def promoted(checks, treadle):
    racy = FAR.replace("static _Atomic int v;", "static _Atomic int v;\nint plain;").replace("v++;", "v++, plain++;")
    program, out = written(treadle, "racy", racy), f"--out={os.path.join(treadle.dir, 'promoted')}"
    first = session(treadle, program, [], "guided", 60, 1, "-k", out)
    after = session(treadle, program, [], "guided", 60, 1, "-k", out, "--resume")
    checks.check("a race is found", first["findings"][0]["kind"] == "race", str(first["findings"]))
    checks.check("the restart keeps what was covered", after["earlier_runs"] == 60, str(after.get("earlier_runs")))


def refused(checks, treadle):
    program = written(treadle, "far", FAR)
    for search in ("guided", "random", "pct", "pos", "surw"):
        done = subprocess.run([treadle.path, "run", f"--search={search}", "--farm=postgresql://nobody@127.0.0.1/none",
                               f"--out={os.path.join(treadle.dir, 'farm')}", program], capture_output=True, text=True, check=False)
        checks.check(f"{search} is refused on a farm", done.returncode == 2 and
                     f"the search {search} cannot be shared on a farm" in done.stderr, done.stderr)


def main():
    checks = harness.Checks()
    treadle = harness.Treadle(sys.argv[1])
    try:
        missed(checks, treadle)
        opened(checks, treadle)
        determined(checks, treadle)
        shared(checks, treadle)
        resumed(checks, treadle)
        changed(checks, treadle)
        promoted(checks, treadle)
        refused(checks, treadle)
    finally:
        treadle.close()
    sys.exit(checks.finish())


if __name__ == "__main__":
    main()
