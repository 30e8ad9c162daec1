#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""However a session ends, every format says the same about it: ends.py TREADLE

One table: sessions that are complete, incomplete, with a bug, suspected, without a thread, killed, out of memory, resumed; for each of them
the exit code of treadle run, those of treadle report, and the verdict of each format."""
import contextlib
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "programs"))
import machine  # noqa: E402

DIED = "the session has not ended"

# --time=Ns is doubled until something was found: what is suspected needs some time on the processor, and is certain after
# three times as much.
# name, program, commands one after the other: (options, arguments, how it ends), then what is expected:
# exit code of the last run, word of the text, verdict of JSON, exit code in SARIF, failures, errors in JUnit
ENDS = [
    ("complete", "few", [("", [], None)], 0, "COMPLETE", "complete", 0, 0, 0),
    ("incomplete", "many", [("--time=2000ms", [], None)], 3, "INCOMPLETE", "incomplete", 3, 0, 1),
    ("bug", "few", [("", ["x"], None)], 1, "1 BUG", "bug", 1, 1, 0),
    ("bug, all", "few", [("-k", ["x"], None)], 1, "1 BUG", "bug", 1, 1, 0),
    ("bug, incomplete", "many", [("-k --time=2000ms", ["x"], None)], 1, "1 BUG", "bug", 1, 1, 0),
    ("exit", "few", [("", ["x", "y"], None)], 1, "ALWAYS EXITS WITH 1", "bug", 1, 1, 0),
    ("nothing", "alone", [("", [], None)], 3, "NOTHING EXPLORED", "nothing-explored", 3, 0, 1),
    ("suspected", "hangs", [("--timeout=2s --time=4s", [], None)], 1, "SUSPECTED", "suspected", 1, 0, 1),
    ("suspected, tried again", "hangs", [("--timeout=1s --time=3s", [], None)], 1, "SUSPECTED", "suspected", 1, 0, 1),
    ("killed", "many", [("", [], "kill")], -9, DIED, None, None, 0, 1),
    ("killed, a bug", "many", [("-k", ["x"], "kill")], -9, DIED, None, None, 1, 1),
    ("memory", "many", [("--own-memory=16M", [], None)], 3, "INCOMPLETE", "incomplete", 3, 0, 1),
    ("memory, a bug", "many", [("-k --own-memory=40M", ["x"], None)], 1, "1 BUG", "bug", 1, 1, 0),
    ("no memory at all", "many", [("", [], "starve")], 3, "INCOMPLETE", "incomplete", 3, 0, 1),
    ("resumed, complete", "few", [("--alone=1ms --runs=1", [], None), ("--resume", [], None)], 0, "COMPLETE", "complete",
     0, 0, 0),
    ("resumed, killed", "many", [("--own-memory=16M", [], None), ("--resume", [], "kill")], -9, DIED, None, None, 0, 1),
]
OTHERS = ["dot", "perfetto", "witness", "html"]


class Failed(Exception):
    pass


def check(holds, text):
    if not holds:
        raise Failed(text)


def reached(out):
    """How many runs the samples of a session tell of, and how many findings it has kept."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{out}/session.db?mode=ro", uri=True)) as db:
            runs, found = db.execute("SELECT (SELECT max(runs) FROM sample), (SELECT count(*) FROM finding)").fetchone()
    except sqlite3.Error:
        return 0, 0
    return runs or 0, found


def explore(treadle, folder, out, program, options, args, how):
    path = os.path.join(folder, out)
    before, wanted = reached(path)[0], 1 if args else 0
    child = subprocess.Popen([treadle, "run", "-q", "-j1", "--out=" + out, *options.split(), "--",
                              os.path.join(folder, program), *args],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)

    def explores():
        runs, found = reached(path)
        return child.poll() is not None or (runs >= before + 2 and found >= wanted)
    if how and not machine.wait_until(explores):
        child.kill()
        raise Failed("no second run in two minutes")
    if how == "kill":
        child.send_signal(signal.SIGKILL)
    elif how == "starve":
        resource.prlimit(child.pid, resource.RLIMIT_AS, (64 << 20, resource.RLIM_INFINITY))
    try:
        return child.wait(600)
    except subprocess.TimeoutExpired:
        child.kill()
        raise Failed("it does not end") from None


def report(treadle, folder, out, option=None):
    words = [treadle, "report"] + (["--%s=-" % option] if option else []) + [out]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def check_formats(treadle, folder, out, expected):
    _, word, verdict, sarif_code, n_failures, n_errors = expected
    code, text, _ = report(treadle, folder, out)
    check(code == 0 and word in text, "text: exit %d: %s" % (code, text[-300:]))
    check(verdict == "complete" or "NO BUG - COMPLETE" not in text, "text says that it is complete")

    code, text, said = report(treadle, folder, out, "json")
    if verdict is None:
        check(code == 2 and DIED in said, "JSON: exit %d: %s" % (code, said))
    else:
        check(code == 0 and json.loads(text)["verdict"] == verdict, "JSON: exit %d: %s" % (code, text[:300]))

    code, text, _ = report(treadle, folder, out, "sarif")
    end = json.loads(text)["runs"][0]["invocations"][0]
    check(code == 0 and end.get("exitCode") == sarif_code, "SARIF: %s" % end)
    check(end["executionSuccessful"] == (verdict is not None), "SARIF: %s" % end)

    code, text, _ = report(treadle, folder, out, "junit")
    suite = next(xml.etree.ElementTree.fromstring(text).iter("testsuite"))
    counts = int(suite.get("failures")), int(suite.get("errors"))
    check(code == 0 and counts == (n_failures, n_errors), "JUnit: failures, errors %s" % (counts,))

    done = subprocess.run([treadle, "report", "--github", out], cwd=folder, capture_output=True, text=True, check=False)
    wanted = {0: "::notice", 1: "::error", 3: "::warning", None: "::warning"}[sarif_code]
    check(done.returncode == 0 and (sarif_code == 0 or wanted in done.stdout), "GitHub: %s" % done.stdout[:300])
    check(sarif_code != 0 or "::warning" not in done.stdout, "GitHub: %s" % done.stdout[:300])

    code, text, said = report(treadle, folder, out, "lcov")
    check(code == 0 or (code == 2 and "no coverage" in said), "lcov: exit %d: %s" % (code, said))
    for option in OTHERS:
        code, text, said = report(treadle, folder, out, option)
        check(code == 0 and text, "%s: exit %d: %s" % (option, code, said))


def main():
    treadle = os.path.abspath(sys.argv[1])
    os.environ.pop("MALLOC_PERTURB_", None)  # meson sets it; with it nothing that is allocated stays untouched
    n_failed = 0
    with tempfile.TemporaryDirectory(prefix="treadle-ends.") as folder:
        shutil.copy(os.path.join(HERE, "ends.c"), folder)
        for name, n in (("few", 2), ("many", 400), ("alone", 0), ("hangs", 1)):
            subprocess.run([treadle, "cc", "-g", "-O1", "-pthread", "-DN=%d" % n, "ends.c", "-o", name],
                           cwd=folder, check=True)
        for i, (name, program, commands, *expected) in enumerate(ENDS):
            out = "out.%d" % i
            try:
                for options, args, how in commands:
                    code = explore(treadle, folder, out, program, options, args, how)
                    while code == 3 and (found := re.search(r"--time=(\d+)s", options)) and int(found[1]) < 100:
                        options = options.replace(found[0], f"--time={2 * int(found[1])}s")
                        shutil.rmtree(os.path.join(folder, out))
                        code = explore(treadle, folder, out, program, options, args, how)
                check(code == expected[0], "treadle run: exit %d" % code)
                check_formats(treadle, folder, out, expected)
                print("ok    %s" % name, flush=True)
            except Failed as why:
                n_failed += 1
                print("FAIL  %s: %s" % (name, why), flush=True)
        code, text, _ = report(treadle, folder, "nothing")
        n_failed += code != 2
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
