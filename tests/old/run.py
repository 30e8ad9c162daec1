#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sessions and recordings of earlier versions are read, continued, replayed, or refused by a sentence.

Usage: run.py TREADLE
"""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NEWEST = 6  # STO_VERSION


def make_session(folder, name):
    """A session directory from the text of its database."""
    path = os.path.join(folder, name)
    os.mkdir(path)
    db = sqlite3.connect(os.path.join(path, "session.db"))
    with open(f"{HERE}/{name}.sql", encoding="utf-8") as f:
        db.executescript(f.read())
    db.close()
    shutil.copy(f"{HERE}/recording-2.treadle", f"{path}/assert-79f8.treadle")
    return path


def version_of(path, new=None):
    db = sqlite3.connect(os.path.join(path, "session.db"))
    if new is not None:
        db.execute(f"PRAGMA user_version = {new}")
    number = db.execute("PRAGMA user_version").fetchone()[0]
    db.close()
    return number


def main():
    treadle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="old-") as folder:
        def expect(code, part, *words):
            done = subprocess.run([treadle, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  timeout=120, check=False)
            assert done.returncode == code and part in done.stdout, \
                f"{words}: exit {done.returncode}, not {code}, or no '{part}':\n{done.stdout[-3000:]}"
            return done.stdout

        shutil.copy(f"{HERE}/counter.c", folder)
        expect(0, "", "cc", "-g", "-O1", "-pthread", "counter.c", "-o", "counter")

        # An older session: every way to look at it, and not a byte of it changes.
        session = make_session(folder, "session-5")
        before = open(f"{session}/session.db", "rb").read()
        expect(0, "", "report", "--json=report.json", "session-5")
        with open(f"{folder}/report.json", encoding="utf-8") as f:
            report = json.load(f)
        assert (report["verdict"], report["runs"], report["events"]) == ("bug", 3, 15), report
        assert [f["id"] for f in report["findings"]] == ["assert-79f8"], report
        for kind in ("sarif", "junit", "lcov", "html"):
            expect(0, "", "report", f"--{kind}=report.{kind}", "session-5")
            assert os.path.getsize(f"{folder}/report.{kind}") > 100, kind
        expect(0, "assertion 'n == 2' failed", "show", "session-5/assert-79f8.treadle")
        assert open(f"{session}/session.db", "rb").read() == before, "a reader changed the file"

        # A session that was stopped: its file is brought up to date; what another version left of its search is not
        # continued, and treadle says so. Bugs that it had recorded are tried again first.
        stopped = make_session(folder, "stopped-5")
        text = expect(1, "starting over", "run", "--resume", "--out=stopped-5", "./counter")
        assert "known bug assert-79f8: still fails" in text, text
        assert version_of(stopped) == NEWEST, version_of(stopped)
        expect(0, "", "report", "--json=report.json", "stopped-5")

        # Recordings: the failure shows again with the program built anew, or treadle says that it does not.
        for number in (1, 2):
            expect(1, "SUMMARY: treadle: assertion failed counter.c:24", "replay", f"{HERE}/recording-{number}.treadle")
        with open(f"{folder}/counter.c", encoding="utf-8") as f:
            mended = f.read().replace("n == 2", "n >= 1")
        with open(f"{folder}/mended.c", "w", encoding="utf-8") as f:
            f.write(mended)
        expect(0, "", "cc", "-g", "-O1", "-pthread", "mended.c", "-o", "mended")
        expect(4, "NOT REPRODUCED", "replay", "--program=./mended", f"{HERE}/recording-1.treadle")

        # 1.0 made ids of lines in headers of the C++ library: its recordings replay, and are the known bugs they were.
        shutil.copy(f"{HERE}/locks.cpp", folder)
        expect(0, "", "c++", "-g", "-O1", "-pthread", "locks.cpp", "-o", "locks")
        expect(1, "SUMMARY: treadle: deadlock locks.cpp:15", "replay", f"{HERE}/deadlock-f007.treadle")
        expect(1, "", "run", "--quiet", "--out=first", "./locks")
        new = next(n for n in os.listdir(f"{folder}/first") if n.endswith(".treadle"))
        assert new != "deadlock-f007.treadle", "the id is still made of lines of the library"
        os.remove(f"{folder}/first/{new}")
        shutil.copy(f"{HERE}/deadlock-f007.treadle", f"{folder}/first")
        text = expect(1, "known bug deadlock-f007: still fails", "run", "-k", "--out=first", "./locks")
        assert "1 BUG" in text and "did not find it again" not in text, text
        with open(f"{folder}/inside.sup", "w", encoding="utf-8") as f:
            f.write("deadlock:gthr-default.h\n")
        with open(f"{folder}/users.sup", "w", encoding="utf-8") as f:
            f.write("deadlock:^two$\n")
        for name in ("inside.sup", "users.sup"):
            text = expect(0, "suppressed", "run", "--no-known", "-k", f"--suppressions={name}", "--out=kept", "./locks")

        # What is too old or too new is refused by a sentence.
        for number, word in ((4, "an older version"), (NEWEST + 1, "a newer version")):
            version_of(session, number)
            expect(2, word, "report", "--json=report.json", "session-5")
            expect(2, word, "run", "--resume", "--out=session-5", "./counter")
        with open(f"{HERE}/recording-1.treadle", encoding="utf-8") as f:
            future = f.read().replace("treadle-recording 1", "treadle-recording 9")
        with open(f"{folder}/future.treadle", "w", encoding="utf-8") as f:
            f.write(future)
        expect(2, "reads recordings of versions 1 to 6", "replay", "future.treadle")
    print("ok")


main()
