#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an INCOMPLETE session says about its size, against a program of which it is known: large.py TREADLE

large.c has THREADS threads that take a lock N times each: THREADS * (THREADS - 1) / 2 * N * N pairs of operations on
lock that can come in either order, and THREADS * (THREADS - 1) / 2 on done. No session may count more."""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LOCK_LINE, BRANCH_LINE = 14, 35


class Failed(Exception):
    pass


def check(holds, text):
    if not holds:
        raise Failed(text)


class Session:
    def __init__(self, treadle, folder, name, options, args=()):
        out, result = os.path.join(folder, "out." + name), os.path.join(folder, name + ".json")
        done = subprocess.run([treadle, "run", "-q", "--out=" + out, "--json=" + result, *options, "--",
                               os.path.join(folder, name.split("-")[0]), *args], capture_output=True, text=True,
                              check=False, timeout=120, env=dict(os.environ, COLUMNS="80"))
        self.code, self.text = done.returncode, done.stdout
        with open(result, encoding="utf-8") as f:
            self.json = json.load(f)
        with sqlite3.connect(os.path.join(out, "session.db")) as db:
            self.facts = dict(db.execute("SELECT name, value FROM session"))
        page = subprocess.run([treadle, "report", "--html=-", out], capture_output=True, text=True, check=True)
        self.page = page.stdout
        self.large = self.json.get("large")

    def lines(self):
        """Those about the size."""
        inside, found = False, []
        for line in self.text.splitlines():
            label = line[11:22].strip()
            inside = label in ("large by", "to shrink") if label or not line.startswith("treadle:   ") else inside
            if inside:
                found.append(line)
        return found

    def says(self, text):
        return text in " ".join(x[24:] for x in self.lines())


def check_counts(s, threads, n):
    pairs = threads * (threads - 1) // 2
    by_name = {o["name"]: o for o in s.large["objects"]}
    check(set(by_name) <= {"lock", "done"}, by_name)
    lock, done = by_name["lock"], by_name.get("done", {"pairs": 0})
    check(0 < lock["pairs"] <= pairs * n * n, lock)
    check(done["pairs"] <= pairs, done)
    check(s.large["pairs"] == lock["pairs"] + done["pairs"], s.large)
    check(lock["threads"] == threads and lock["most_uses"] == n, lock)
    check([(os.path.basename(x["file"]), x["line"], x["pairs"]) for x in lock["lines"]] ==
          [("large.c", LOCK_LINE, lock["pairs"])], lock)
    check(0 < s.large["sampled_runs"] <= s.json["runs"], s.large)


def is_sanitized(treadle):
    """What sanitizers take is more than the limit of the test."""
    with open(treadle, "rb") as f:
        return b"__asan_init" in f.read()


def limits(treadle, folder):
    for name, options, args in (("many-runs", ["--goal=states", "--runs=500"], ()), ("many-time", ["--goal=states", "--time=2s", "-j2", "--alone=1s"], ()),
                                ("many-preemptions", ["--preemptions=1"], ()),
                                ("many-memory", ["--goal=states", "--own-memory=40M", "-j1"], ()),
                                ("many-dpor", ["--search=dpor", "--runs=500"], ()),
                                ("many-depth", ["--goal=states", "--runs=3000", "--depth=300"], ("x",))):
        if name == "many-memory" and is_sanitized(treadle):
            continue
        s = Session(treadle, folder, name, options, args)
        check(s.code == 3 and s.large, "%s: exit %d: %s" % (name, s.code, s.text))
        if not args:
            check_counts(s, 3, 6)
        lines = s.lines()
        check(2 <= len(lines) <= 5 and all(len(x) <= 80 for x in lines), lines)
        check(s.says("%% on 'lock' (large.c:%d)" % LOCK_LINE) and s.says("counted in"), lines)
        check(s.says("fewer threads (3 use 'lock')"), lines)
        check(s.says("fewer iterations (one of them up to 6 times)"), lines)
        for fact in ("large_by", "to_shrink", "to_continue"):
            check(s.facts[fact] in s.page, "%s: not on the page: %s" % (name, s.facts[fact]))
        check(s.says(s.facts["large_by"]) and s.says(s.facts["to_shrink"]), s.facts)
        check(("PREEMPTIONS" in s.facts.get("bounds_completed", "")) == (name == "many-preemptions"), s.facts)


def all_pairs(treadle, folder):
    """Enough runs show all pairs, and each counts once."""
    s = Session(treadle, folder, "few-5", ["--runs=5"])
    check_counts(s, 2, 2)
    check(s.large["pairs"] == 5 and s.large["sampled_runs"] == 5, s.large)
    check(s.says("5 pairs of operations can come in either order: 80 % on 'lock'"), s.text)
    check("to_shrink" not in s.facts and "to shrink" not in s.text, s.text)


def inputs(treadle, folder):
    s = Session(treadle, folder, "inputs-runs", ["--runs=20"])
    check(s.code == 3 and s.large["decisions"] == 5 * s.large["sampled_runs"], s.large)
    check([(x["line"], x["decisions"]) for x in s.large["decided"]] == [(BRANCH_LINE, s.large["decisions"])], s.large)
    check(s.says("5 input-dependent decisions per run (large.c:%d)" % BRANCH_LINE), s.text)
    check(s.says("fewer or smaller symbolic inputs"), s.text)


def nothing(treadle, folder):
    """A session that is complete, or a search that counts nothing, says nothing."""
    for name, options, code in (("few-all", [], 0), ("many-random", ["--search=random", "--runs=50"], 3)):
        s = Session(treadle, folder, name, options)
        check(s.large is None and not s.lines() and "large_by" not in s.facts, "%s: %s" % (name, s.text))
        check(s.code == code, "%s: exit %d" % (name, s.code))


def main():
    treadle = os.path.abspath(sys.argv[1])
    n_failed = 0
    with tempfile.TemporaryDirectory(prefix="treadle-large.") as folder:
        for name, flags in (("many", ["-DTHREADS=3", "-DN=6"]), ("few", ["-DTHREADS=2", "-DN=2"]),
                            ("inputs", ["-DTHREADS=2", "-DN=2", "-DINPUTS=5"])):
            subprocess.run([treadle, "cc", "-g", "-O1", "-pthread", *flags, os.path.join(HERE, "large.c"), "-o",
                            os.path.join(folder, name)], check=True)
        for part in (limits, all_pairs, inputs, nothing):
            try:
                part(treadle, folder)
                print("ok    %s" % part.__name__, flush=True)
            except Failed as why:
                n_failed += 1
                print("FAIL  %s: %s" % (part.__name__, why), flush=True)
    return n_failed > 0


if __name__ == "__main__":
    sys.exit(main())
