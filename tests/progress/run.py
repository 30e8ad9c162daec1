#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people see while a session runs, on a terminal of their size.

Usage: tests/progress/run.py TREADLE

Sessions run on a pseudo terminal of 80 columns and 24 rows, whose screen is simulated from the bytes
that were written: the live line and the screen of --status are redrawn in place, no line is wider
than the terminal, also when it becomes narrower meanwhile, and Ctrl-C ends with the summary.
Notes of the summary hold for the runs of all workers."""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "programs"))
import harness  # noqa: E402
import machine  # noqa: E402

# Figures and counts are those of one worker.
os.environ.setdefault("TREADLE_JOBS", "1")

PROGRAMS = os.path.join(HERE, "..", "..", "bench", "programs")
SEQUENCE = re.compile(r"\x1b\[(\??[0-9;]*)([A-Za-z])")


class Screen:
    """As much of a terminal as treadle uses. Lines that were ever wider than it are noted."""

    def __init__(self, columns, rows):
        self.columns, self.rows, self.too_wide = columns, rows, []
        self.unknown, self.alternate, self.switches = [], False, 0
        self.lines, self.at, self.column, self.drawn = [""], 0, 0, 0
        self.kept = None

    def put(self, char):
        line = self.lines[self.at].ljust(self.column)
        self.lines[self.at] = line[:self.column] + char + line[self.column + 1:]
        self.column += 1
        if self.column > self.columns:
            self.too_wide.append(self.lines[self.at])

    def feed_line(self):
        self.at += 1
        self.column = 0
        if self.at == len(self.lines):
            self.lines.append("")

    def control(self, argument, letter):
        if letter == "K":
            self.lines[self.at] = self.lines[self.at][:self.column]
        elif letter == "J":
            self.lines = self.lines[:self.at + 1]
        elif letter == "H":
            self.at = self.column = 0
            self.drawn += 1
        elif argument == "?1049":
            self.alternate = letter == "h"
            self.switches += 1
            if self.alternate:
                self.kept = self.lines, self.at, self.column
                self.lines, self.at, self.column = [""], 0, 0
            else:
                self.lines, self.at, self.column = self.kept
        elif letter not in "m" and argument != "?25":
            self.unknown.append(argument + letter)

    def write(self, text):
        at = 0
        while at < len(text):
            found = SEQUENCE.match(text, at)
            if found:
                self.control(found.group(1), found.group(2))
                at = found.end()
                continue
            char = text[at]
            at += 1
            if char == "\n":
                self.feed_line()
            elif char == "\r":
                self.column = 0
                self.drawn += 1
            else:
                self.put(char)


class Session:
    """One that runs on a terminal of its own."""

    def __init__(self, words, columns=80, rows=24, env=None):
        self.screen, self.text, self.states = Screen(columns, rows), "", []
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.pop("NO_COLOR", None)
            os.environ.update({"TERM": "xterm", **(env or {})})
            os.execv(words[0], words)
        self.resize(columns, rows)
        self.code = None

    def resize(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """What comes in that time; False at the end."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], left)[0]:
                return True
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b""
            if not data:
                return False
            text = data.decode("utf-8", "replace")
            self.text += text
            self.screen.write(text.replace("\r\n", "\n"))
            self.states.append("\n".join(self.screen.lines))
        return True

    def until(self, pattern, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not re.search(pattern, self.text):
            if not self.read(0.1):
                break
        return re.search(pattern, self.text)

    def drawn(self, times):
        """Reads so many seconds; whether it was redrawn as often by then, or within three times that on a machine that is busy."""
        before, end = self.screen.drawn, time.monotonic() + 3 * times * machine.slowness()
        self.read(times)
        while self.screen.drawn < before + times and time.monotonic() < end and self.read(0.5):
            pass
        return self.screen.drawn >= before + times

    def interrupt(self):
        os.write(self.fd, b"\x03")  # as the keyboard does it: to all in the foreground

    def finish(self, seconds=120):
        """How long it took to end."""
        start = time.monotonic()
        while time.monotonic() - start < seconds and self.read(0.1):
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        self.code = os.waitstatus_to_exitcode(status)
        return time.monotonic() - start


class Tests:
    def __init__(self, treadle, where):
        self.treadle, self.where = treadle, where
        self.checks = harness.Checks()

    def check(self, name, holds, what=""):
        self.checks.check(name, bool(holds), what)

    def build(self, name, source=None):
        path = os.path.join(self.where, name)
        if source:
            with open(path + ".c", "w", encoding="utf-8") as f:
                f.write(source)
        subprocess.run([self.treadle, "cc", "-g", "-O2", "-pthread", "-I" + PROGRAMS,
                        path + ".c" if source else os.path.join(PROGRAMS, name + ".c"), "-o", path],
                       check=True)
        return path

    def words(self, *options):
        out = os.path.join(self.where, "out")
        shutil.rmtree(out, ignore_errors=True)
        return [self.treadle, "run", f"--out={out}"] + harness.alone(options)

    def line(self, fib):
        s = Session(self.words("--", fib, "6"), columns=120)
        shown = s.until(r"runs, .*/s; .*events; .*targets; 0 found; .*\d:\d\d")
        self.check("line: runs, pace, events, targets, findings, time", shown, s.text)
        drawn = s.drawn(3)
        self.check("line: redrawn in place", drawn and len(s.screen.lines) <= 3, s.screen.lines)
        s.resize(40, 24)
        s.drawn(2)
        last = s.screen.lines[s.screen.at]
        self.check("line: has the estimate, or not yet", "done" in s.text or "%" not in s.text, s.text)
        self.check("line: follows a narrower window", 0 < len(last) < 40 and "found" in last, last)
        s.interrupt()
        slow = machine.slowness()
        took = s.finish()
        self.check("line: Ctrl-C ends soon", took < 10 * slow, took)
        self.check("line: Ctrl-C exits as incomplete", s.code == 3, s.code)
        self.check("line: Ctrl-C gives the summary", "NO BUG - INCOMPLETE" in s.text and
                   "INCOMPLETE: interrupted" in s.text and "to continue" in s.text, s.text[-900:])
        self.check("line: nothing is left of it", "/s;" not in "\n".join(s.screen.lines),
                   s.screen.lines)
        self.check("line: never too wide", not s.screen.too_wide, s.screen.too_wide[:3])
        self.samples()

    def samples(self):
        db = sqlite3.connect(os.path.join(self.where, "out", "session.db"))
        rows = db.execute("SELECT ms, runs, events, targets, findings, sides_taken, queries, left_ms "
                          "FROM sample").fetchall()
        facts = dict(db.execute("SELECT name, value FROM session").fetchall())
        db.close()
        times = [r[0] for r in rows]
        self.check("samples: some, not many", 5 <= len(rows) <= 500, len(rows))
        self.check("samples: time and runs grow", times == sorted(times) and
                   [r[1] for r in rows] == sorted(r[1] for r in rows), rows[:5])
        self.check("samples: the last is the end", rows[-1][1] == int(facts["runs"]) and
                   rows[-1][3] > 0, (rows[-1], facts))
        self.check("samples: what --json has", all(name in facts for name in (
            "seconds", "stopped", "queries", "peak_rss_kb", "targets_left", "interleavings_log2")),
            sorted(facts))

    def screen(self, dining):
        s = Session(self.words("-k", "--status", "--", dining, "7"))
        s.until(r"MACHINE")
        s.read(2.5)
        page = next((p for p in reversed(s.states) if "MACHINE" in p and "TIME" in p), "")
        for word in ("treadle", "TIME", "PROGRESS", "FINDINGS", "SOLVER", "STRATEGY", "MACHINE",
                     "memory", "load", "runs/s", "Ctrl-C"):
            self.check(f"status: has {word}", word in page, page)
        # The last line of a report is for machines, and never cut.
        wide = [x for x in s.screen.too_wide if not x.startswith("SUMMARY: ")]
        self.check("status: fits 80x24", len(page.rstrip("\n").split("\n")) <= 24 and
                   not wide, wide[:3])
        self.check("status: redrawn again and again", s.drawn(3), s.screen.drawn)
        s.interrupt()
        slow = machine.slowness()
        took = s.finish()
        rest = "\n".join(s.screen.lines)
        self.check("status: Ctrl-C ends soon", took < 10 * slow, took)
        self.check("status: the screen of before comes back, with the finding and the summary",
                   not s.screen.alternate and "BUG deadlock-" in rest and "1 BUG " in rest and
                   "STRATEGY" not in rest, rest[-1500:])
        self.check("status: nothing else is asked of the terminal", not s.screen.unknown,
                   s.screen.unknown)

    def short(self, dining):
        s = Session(self.words("-k", "--status", "--", dining, "3"))
        s.finish()
        self.check("status: a short session needs no screen", s.screen.switches == 0 and
                   "COMPLETE" in s.text and s.code == 1, s.text[-500:])

    def dumb(self, fib):
        s = Session(self.words("--status", "--time=3s", "--", fib, "6"), env={"TERM": "dumb"})
        s.finish()
        self.check("dumb: no control sequences", "\x1b" not in s.text and "\r\x1b" not in s.text and
                   "INCOMPLETE" in s.text, s.text[-500:])

    def piped(self, fib):
        done = subprocess.run(self.words("--status", "--time=14s", "--", fib, "6"), check=False,
                              capture_output=True, text=True, timeout=300)
        lines = [x for x in done.stderr.split("\n") if re.match(r"treadle: [0-9,.]+ M? ?runs, ", x)]
        self.check("pipe: a line after 10 s, and no screen", len(lines) == 1 and
                   "\x1b" not in done.stderr and "\r" not in done.stderr, done.stderr)
        self.check("pipe: at most 80 columns", all(len(x) <= 80 for x in lines), lines)
        self.check("pipe: the limit is told", re.search(r"limit in [1-4] s", done.stderr), lines)

    def shared(self, same, differ):
        """Notes about all runs are there when workers share the search, if they hold for the runs of all."""
        for name, program in (("same", same), ("differ", differ)):
            for seconds in (3, 12, 40):
                done = subprocess.run(self.words("-j2", "--exit-code=ignore", "--alone=500ms", f"--time={seconds}s", "--", program),
                                      check=False, capture_output=True, text=True, timeout=300)
                if "with 2 workers" in done.stderr:
                    break
            says = "every run ends with exit status 3" in " ".join(done.stdout.split())
            self.check(f"-j2: {name} exit statuses, {'a' if name == 'same' else 'no'} note",
                       "with 2 workers" in done.stderr and says == (name == "same"), (done.stderr, done.stdout))

    def terminated(self, slow):
        """A run that takes long: the signal is obeyed before its end."""
        words = self.words("--timeout=60s", "--", slow)
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        start, busy = time.monotonic(), machine.slowness()
        child.send_signal(signal.SIGTERM)
        try:
            out, err = child.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
        took = time.monotonic() - start
        self.check("SIGTERM in a long run: ends soon", took < 10 * busy, took)
        self.check("SIGTERM in a long run: the summary", child.returncode == 3 and
                   "INCOMPLETE: interrupted" in out, (child.returncode, out, err))
        start, busy = time.monotonic(), machine.slowness()
        done = subprocess.run(self.words("--timeout=60s", "--time=2s", "--", slow), check=False,
                              capture_output=True, text=True, timeout=120)
        took = time.monotonic() - start
        self.check("--time in a long run: ends soon", took < 2 + 10 * busy and "time limit 2 s" in done.stdout,
                   (took, done.stdout))


# Four threads that take turns; the exit status is RESULT of who was the last.
TURNS = """
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long last;
static void *work(void *arg)
{
    for (int i = 0; i < 6; i++) { pthread_mutex_lock(&m); last = (long)arg; pthread_mutex_unlock(&m); }
    return arg;
}
int main(void)
{
    pthread_t t[4];
    for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    return RESULT;
}
"""

SLOW = """
#include <pthread.h>
static volatile unsigned long n;
static void *work(void *arg) { while (n < 40000000000ul) n++; return arg; }
int main(void) { pthread_t t; pthread_create(&t, NULL, work, NULL); pthread_join(t, NULL); return 0; }
"""


def main():
    treadle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as where:
        t = Tests(treadle, where)
        fib, dining = t.build("fib"), t.build("dining")
        t.line(fib)
        t.screen(dining)
        t.short(dining)
        t.dumb(fib)
        t.piped(fib)
        t.shared(t.build("same", TURNS.replace("RESULT", "3")),
                 t.build("differ", TURNS.replace("RESULT", "3 + (int)last")))
        t.terminated(t.build("slow", SLOW))
    t.checks.finish()


if __name__ == "__main__":
    main()
