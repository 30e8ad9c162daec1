#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""treadle check on projects with tests of common frameworks.

Usage: run.py TREADLE [PROJECT...]"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECTS = {  # package of pkg-config, words after check, its rows: case and verdict
    "googletest": ("gtest", [], {"counter.Counter.Passes": "complete", "counter.Counter.Fails": "BUG",
                                "counter.Counter.Sequential": "NOTHING", "counter.Counter.Races": "BUG",
                                "counter.Counter.Beside": "complete", "counter.Counter.ExpectRaces": "BUG"}),
    "check": ("check", [], {"passes": "complete", "fails": "BUG", "races": "BUG"}),
    "cmocka": ("cmocka", [], {"passes": "complete", "fails": "BUG", "races": "BUG"}),
    "glib": ("glib-2.0", ["--", "./tests.sh"], {"counter.counter-passes": "complete", "counter.counter-fails": "BUG",
                                                   "counter.counter-races": "BUG"}),
}


MESSAGES = {  # what a failing case is told as
    "googletest": r"counter\.cpp:\d+: exit code 1: Failure Expected equality",
    "glib": r"counter\.c:\d+: the program called abort: fails: assertion fa",
    "check": r"counter\.c:\d+: exit code 1: .*Assertion",
}


def has(package):
    return subprocess.run(["pkg-config", "--exists", package], check=False).returncode == 0


def judge(treadle, name, folder):
    package, words, rows = PROJECTS[name]
    if not has(package):
        return "skipped"
    project = os.path.join(folder, name)
    shutil.copytree(os.path.join(HERE, name), project)
    for where in (project, folder):
        shutil.copy(os.path.join(HERE, "body.h"), where)
    env = {k: v for k, v in os.environ.items() if not k.startswith("TREADLE_")}
    done = subprocess.run([treadle, "check", "--time=60s", *words], cwd=project, env=env, capture_output=True, text=True,
                          errors="replace", timeout=400, check=False)
    seen = dict(re.findall(r"^(\S+) +(complete|incomplete|BUG|NOTHING) ", done.stdout.partition("VERDICT")[2], re.M))
    wrong = [f"{case}: {seen.get(case)}, not {verdict}" for case, verdict in rows.items() if seen.get(case) != verdict]
    wrong += [f"a line of {len(line)} columns" for line in done.stdout.partition("CASE")[2].split("\n") if len(line) > 80]
    wrong += [f"exit {done.returncode}, not 1"] if done.returncode != 1 else []
    for file in ("index.html", "junit.xml", "findings.sarif", "treadle.suite"):
        if not os.path.exists(os.path.join(project, "treadle-out", "check", file)):
            wrong.append(f"no {file}")
    said = MESSAGES.get(name)
    if said and not re.search(said, done.stdout):
        wrong.append(f"no finding as {said}")
    beside = set(os.listdir(project)) - set(os.listdir(os.path.join(HERE, name))) - {"body.h", "treadle-out", "counter"}
    wrong += [f"written beside the source: {sorted(beside)}"] if beside else []
    return "; ".join(wrong) + "\n" + done.stdout + done.stderr if wrong else "ok"


def main():
    treadle, names = os.path.realpath(sys.argv[1]), sys.argv[2:] or list(PROJECTS)
    failed = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            result = judge(treadle, name, folder)
        failed += result not in ("ok", "skipped")
        print(f"{'FAIL' if result not in ('ok', 'skipped') else result:8}{name}{': ' + result if result not in ('ok', 'skipped') else ''}", flush=True)
    return 1 if failed else 0


sys.exit(main())
