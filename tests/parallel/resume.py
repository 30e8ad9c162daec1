#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A session that ended with work left: what `treadle top` says of it, and `treadle run --resume` alone.

Usage: resume.py TREADLE

The session takes up its program and options again without being told them; what was covered before still counts.
A session that was killed before its file had tables begins anew."""
import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

PROGRAM = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int a[4];
static void once(void)
{
    FILE *f = fopen("MARK", "r");
    if (f)
        atomic_store(&a[3], 100);
}
static void *work(void *arg)
{
    for (int i = 0; i < 5; i++)
        atomic_fetch_add(&a[i % 4], i);
    return arg;
}
int main(void)
{
    pthread_t t[4];
    once();
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
"""


def main():
    treadle, failures = os.path.abspath(sys.argv[1]), []
    with tempfile.TemporaryDirectory() as folder:
        def call(*words):
            done = subprocess.run([treadle, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=120, env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80"})
            return done.returncode, done.stdout

        def hold(truth, what, seen):
            print(("ok    " if truth else "FAIL  ") + what)
            if not truth:
                failures.append(what)
                print(seen)

        def lines():
            _, text = call("report", "--lcov=cover.info")
            with open(os.path.join(folder, "cover.info"), encoding="utf-8") as f:
                return {m.group(1): m.group(2) != "0" for m in re.finditer(r"^DA:(\d+),(\d+)", f.read(), re.M)}

        mark = os.path.join(folder, "mark")
        with open(os.path.join(folder, "many.c"), "w", encoding="utf-8") as f:
            f.write(PROGRAM.replace("MARK", mark))
        with open(mark, "w", encoding="utf-8"):
            pass
        call("cc", "-g", "-pthread", "many.c", "-o", "many")
        code, text = call("run", "-j1", "--alone=500ms", "--goal=traces", "--coverage", "--time=3s", "./many")
        hold(code == 3 and "--resume" in text, "the session ends with work left", text)
        code, text = call("top", "--json")
        hold(json.loads(text)["ended"] is True, "top knows that it has ended", text)
        code, text = call("top", "--once")
        hold("ended, can be resumed" in text, "top says so", text)
        before = lines()
        os.remove(mark)  # runs of the second part do not execute what the first ones did
        code, text = call("run", "--resume", "--time=2s")
        hold("resuming the previous session" in text and "many" in text, "--resume alone resumes it", text)
        code, text = call("report", "--json=result.json")
        with open(os.path.join(folder, "result.json"), encoding="utf-8") as f:
            result = json.load(f)
        hold(result["goal"] == "traces", "with its options", result["goal"])
        after = lines()
        only = [n for n, line in enumerate(PROGRAM.split("\n"), 1) if "&a[3], 100" in line]
        hold(before.get(str(only[0])) is True, "the first part executed a line", before)
        hold(after.get(str(only[0])) is True, "the line is covered after the second part", after)
        for kind, statements in (("empty", ""), ("without tables", "CREATE TABLE t(x); DROP TABLE t")):
            path = os.path.join(folder, kind, "session.db")
            os.mkdir(os.path.dirname(path))
            with contextlib.closing(sqlite3.connect(path)) as db:
                db.executescript(statements)
            size = os.path.getsize(path)
            hold(bool(size) == bool(statements), f"a file that is {kind}", size)
            code, text = call("report", kind)
            hold(code == 2 and "ended before its first run" in text, f"{kind}: the report says so", f"{code} {text}")
            code, text = call("run", "--resume", f"--out={kind}")
            hold(code == 2 and "no session to resume" in text, f"{kind}: --resume alone has no program", f"{code} {text}")
            code, text = call("run", "--resume", f"--out={kind}", "--goal=traces", "--runs=20", "-j1", "./many")
            hold(code == 3 and "it left nothing to continue; starting over" in text, f"{kind}: --resume begins anew", f"{code} {text}")
            code, text = call("run", "--resume", f"--out={kind}", "--runs=20")
            hold(code == 3 and "many" in text, f"{kind}: it is a session now", f"{code} {text}")
        with contextlib.closing(sqlite3.connect(os.path.join(folder, "empty", "session.db"))) as db:
            facts = dict(db.execute("SELECT name, value FROM session"))
        hold(facts.get("program") == "./many", "it has its program", facts)
        path = os.path.join(folder, "other.db", "session.db")
        os.mkdir(os.path.dirname(path))
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.executescript("CREATE TABLE t(x)")
        code, text = call("run", "--resume", "--out=other.db", "./many")
        hold(code == 2 and "is not a treadle session" in text, "a file of another program is refused", f"{code} {text}")
        os.rename(os.path.join(folder, "treadle-out"), os.path.join(folder, "gone"))
        code, text = call("run", "--resume")
        hold(code == 2 and "no session to resume" in text, "without a session it says so", text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
