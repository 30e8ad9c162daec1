#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a session leaves of files: run.py TREADLE"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TIMEOUT = 120
BEFORE = {"one": "one\n", "two": "two\n", "three": "three\n"}


def build(treadle, name, folder):
    program = os.path.join(folder, name)
    subprocess.run([treadle, "cc", "-g", "-O1", os.path.join(HERE, name + ".c"), "-o", program], check=True,
                   timeout=TIMEOUT)
    return program


def session(treadle, program, *options):
    """A directory of its own, the report, and what was said."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(program)) as folder:
        here, out = os.path.join(folder, "here"), os.path.join(folder, "out")
        os.mkdir(here)
        for name, text in BEFORE.items():
            with open(os.path.join(here, name), "w", encoding="utf-8") as f:
                f.write(text)
        times = {name: os.stat(os.path.join(here, name)) for name in BEFORE}
        done = subprocess.run([treadle, "run", "--out=" + out, "--json=" + out + ".json", *options, program],
                              cwd=here, capture_output=True, text=True, timeout=TIMEOUT, check=False,
                              stdin=subprocess.DEVNULL)
        with open(out + ".json", encoding="utf-8") as f:
            report = json.load(f)
        left = {}
        for name in sorted(os.listdir(here)):
            with open(os.path.join(here, name), encoding="utf-8") as f:
                left[name] = f.read()
        same = all(os.path.exists(os.path.join(here, n)) and os.stat(os.path.join(here, n)).st_mtime_ns ==
                   times[n].st_mtime_ns and os.stat(os.path.join(here, n)).st_mode == times[n].st_mode
                   for n in BEFORE)
        return done, report, left, same


def check(what, holds, shown=""):
    if not holds:
        print(f"FAIL  {what}: {shown}")
        sys.exit(1)
    print(f"ok    {what}")


def main():
    treadle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="treadle-files.") as folder:
        change, share = build(treadle, "change", folder), build(treadle, "share", folder)
        done, report, left, same = session(treadle, change)
        check("no bug", done.returncode == 0 and report["runs"] >= 2, done.stdout[-600:])
        check("files are as before", left == BEFORE and same, left)
        check("nothing is in the ledger", not report["ledger"], report["ledger"])
        done, report, left, same = session(treadle, change, "--restart=fork")
        check("the same of a process per run", done.returncode == 0 and left == BEFORE and same, done.stdout[-600:])
        done, report, left, same = session(treadle, change, "--carrier=threads")
        check("the same of real threads", done.returncode == 0 and left == BEFORE and same, done.stdout[-600:])
        _, one, left, _ = session(treadle, share, "-j1")
        _, two, more, _ = session(treadle, share, "-j2")
        check("one worker and two agree", one["verdict"] == two["verdict"] == "complete" and
              one["digest"] == two["digest"], (one["verdict"], two["verdict"]))
        check("they leave nothing", left == more == BEFORE, (left, more))
        done, report, left, _ = session(treadle, share, "-j2", "--keep-files", "--runs=3")
        check("--keep-files leaves the file", "number" in left, left)
        check("and says what it costs", any(line["kind"] == "cannot be undone" for line in report["ledger"]),
              report["ledger"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
