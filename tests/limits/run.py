#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how fast treadle run obeys --time, SIGINT and SIGTERM, in every search and phase.

Usage: run.py TREADLE [--all] [--margin=S] [PROGRAM...]

Each case must end at most 2 s (or S) after its limit, times the load of the machine; with exit code 3, 1 or
0; with a result, and with the limit in the ledger if it was what ended the session. --all: every case
with every limit, for a quiet machine; else each has one of them by turns. Then streams that are closed and
files that must not grow: a sentence and an exit code, no end by a signal."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TESTS, "programs"))
import machine  # noqa: E402

MARGIN = 2.0

# Program, limit in seconds, options.
CASES = [
    ("limits/many.c", 1, "-j1"),
    ("limits/many.c", 2, "-j2"),
    ("limits/many.c", 1, "--goal=traces -j1"),
    ("limits/many.c", 1, "--goal=traces --preemptions=2 -j1"),
    ("limits/many.c", 1, "--preemptions=3 -j1"),
    ("limits/many.c", 1, "--iterate -j1"),
    ("limits/many.c", 1, "--search=dpor"),
    ("limits/many.c", 1, "--search=all"),
    ("limits/many.c", 1, "--search=manners"),
    ("limits/many.c", 1, "--search=random --census --runs=100000000"),
    ("limits/many.c", 2, "--goal=branches"),
    ("limits/many.c", 2, "--goal=races"),
    ("limits/buffer.c", 6, "-j1"),
    ("limits/buffer.c", 2, "--goal=branches"),
    ("limits/buffer.c", 2, "--goal=traces -j1"),
    ("limits/long_failure.c", 1, "-j1"),
    ("limits/long_failure.c", 3, "-j1 -k"),
    ("limits/long_failure.c", 2, "--goal=branches"),
    ("limits/values.c", 2, "-j1"),
    ("limits/values.c", 2, "--goal=branches"),
    ("limits/locks.c", 2, "-j1"),
    ("limits/locks.c", 2, "-k --goal=branches"),
    ("limits/slow.c", 1, "-j1"),
    ("borders/unbounded_create.c", 1, "-j1"),
    ("borders/unbounded_create.c", 4, "-j1"),
    ("borders/unbounded_create.c", 1, "--goal=branches"),
    ("borders/unbounded_create.c", 3, "--search=dpor"),
    ("correct/lock_ticket.c", 3, "--goal=branches"),
    ("borders/many_races.c", 2, "-k -j1"),
    ("limits/races600.c", 5, "-k -j1"),
]
HOW = ["--time", "SIGINT", "SIGTERM"]


def races(n):
    """A program with n races, one a line: confirming one takes as long as writing about all before it."""
    return "\n".join(["#include <pthread.h>", *("static int g%d;" % i for i in range(n)), "static void touch(void)", "{",
                      *("    g%d++;" % i for i in range(n)), "}", "static void *work(void *a) { touch(); return a; }",
                      "int main(void)", "{", "    pthread_t t;", "    pthread_create(&t, 0, work, 0);", "    touch();",
                      "    return pthread_join(t, 0);", "}", ""])


def build(treadle, source, folder):
    out = os.path.join(folder, source.replace("/", "_")[:-2])
    path = os.path.join(TESTS, source)
    if source == "limits/races600.c":
        path = out + ".c"
        with open(path, "w", encoding="ascii") as f:
            f.write(races(600))
    if not os.path.exists(out):
        subprocess.run([treadle, "cc", "-g", "-O1", "-pthread", path, "-o", out], check=True)
    return out


def run(treadle, program, limit, options, how, folder):
    """(seconds beyond the limit, exit code, result or None)"""
    result = os.path.join(folder, "result.json")
    if os.path.exists(result):
        os.remove(result)
    words = [treadle, "run", *options.split(), "--json=" + result, "--out=" + os.path.join(folder, "out")]
    if how == "--time":
        words.append("--time=%ds" % limit)
    shutil.rmtree(os.path.join(folder, "out"), ignore_errors=True)
    start = time.monotonic()
    child = subprocess.Popen([*words, program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             cwd=folder)
    try:
        if how != "--time":
            try:
                child.wait(limit)
            except subprocess.TimeoutExpired:
                # A signal before its handler is there ends it as any other program.
                machine.wait_until(lambda: os.path.exists(os.path.join(folder, "out", "session.db")))
                start = time.monotonic() - limit
                child.send_signal(getattr(signal, how))
        child.wait(limit + 60 * machine.slowness())
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    over = time.monotonic() - start - limit
    try:
        with open(result, encoding="utf-8") as f:
            return over, child.returncode, json.load(f)
    except (OSError, ValueError):
        return over, child.returncode, None


def wrong(over, code, result, how, allowed):
    if over > allowed:
        return "%.1f s beyond the limit" % over
    if code not in (0, 1, 3):
        return "exit code %s" % code
    if result is None:
        return "no result"
    kinds = [line["kind"] for line in result["ledger"]]
    if over > 0 and code == 3 and ("time" if how == "--time" else "interrupted") not in kinds:
        return "the ledger does not name the limit: %s" % kinds
    return None


def streams(treadle, folder):
    """What is wrong with how closed streams and limited files end, as texts."""
    clean = build(treadle, "borders/seqjoin3.c", folder)
    found = build(treadle, "borders/nine_races.c", folder)
    cases = [("closed stdout", "exec >&-; exec %s run %s", clean, 2, "cannot write to standard output"),
             ("closed stdout, a bug", "exec >&-; exec %s run %s", found, 1, "cannot write to standard output"),
             ("full stdout", "exec >/dev/full; exec %s run %s", clean, 2, "cannot write to standard output"),
             ("closed pipe", "(sleep 1; exec %s run %s) | true; exit ${PIPESTATUS[0]}", found, 1,
              "cannot write to standard output"),
             ("ulimit -f", "ulimit -f 4; exec %s run %s >/dev/null", clean, 2, "File too large"),
             ("ulimit -f, later", "ulimit -f 70000; exec %s run %s >/dev/null", clean, None, "")]
    for name, script, program, code, text in cases:
        done = subprocess.run(["bash", "-c", script % (treadle, program)], cwd=folder, stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode < 0 or done.returncode > 128 or (code is not None and done.returncode != code):
            yield "%s: exit code %s" % (name, done.returncode)
        elif text not in done.stderr:
            yield "%s: no sentence: %r" % (name, done.stderr[-200:])
        else:
            print("ok    %s" % name, flush=True)


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    margin = next((float(w[9:]) for w in sys.argv if w.startswith("--margin=")), MARGIN)
    treadle, names = os.path.abspath(words[0]), words[1:]
    n_failed = 0
    with tempfile.TemporaryDirectory(prefix="treadle-limits.") as folder:
        for i, (source, limit, options) in enumerate(CASES):
            if names and os.path.basename(source) not in [os.path.basename(n) for n in names]:
                continue
            program = build(treadle, source, folder)
            for how in HOW if "--all" in sys.argv else [HOW[i % len(HOW)]]:
                slow = machine.slowness()
                over, code, result = run(treadle, program, limit, options, how, folder)
                why = wrong(over, code, result, how, margin * max(slow, machine.slowness()))
                n_failed += why is not None
                print("%-5s %s %s, %s after %d s: %s" % ("FAIL" if why else "ok", source, options, how, limit,
                                                        why or "%+.1f s" % over), flush=True)
        for why in [] if names else streams(treadle, folder):
            n_failed += 1
            print("FAIL  " + why, flush=True)
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
