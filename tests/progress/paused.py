#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run that the system holds up for longer than the time limit of a run has not hung.

Usage: paused.py TREADLE

The process of a run is stopped for 3 s, where a run without an operation for 2 s is a hang. The session goes on
as if nothing had been. A run that sleeps for good is still a hang."""
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
import harness  # noqa: E402

PROGRAM = """
#include <pthread.h>
void other_code(void);
static void *work(void *arg)
{
    other_code();
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
"""
BUSY = """
void other_code(void)
{
    for (volatile unsigned i = 0; i < 200000000u; i++)
        ;
}
"""
ASLEEP = """
#include <unistd.h>
void other_code(void)
{
    pause();
}
"""


def descendants(pid):
    found = [pid]
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            children = f.read().split()
    except OSError:
        return found
    for child in children:
        found += descendants(int(child))
    return found


def state(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as f:
            return f.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "X"


def stop_a_run(pid):
    """The process that runs the program is the last of three: treadle, what it is forked from, and itself. True: one was stopped."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        family = descendants(pid)
        if len(family) < 3:
            continue
        time.sleep(0.1)
        try:
            os.kill(family[-1], signal.SIGSTOP)
            time.sleep(0.02)
            was_stopped = state(family[-1]) == "T"
            if was_stopped:
                time.sleep(3)
            os.kill(family[-1], signal.SIGCONT)
        except OSError:
            continue
        if was_stopped:
            return True
    return False


def build(t, name, other_code):
    """The program, with this in a file that is not instrumented."""
    paths = []
    for path, text in ((name, PROGRAM), (name + "_other", other_code)):
        paths.append(os.path.join(t.dir, path + ".c"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(text)
    made, problem = t.cc(paths[0], flags=t.foreign("object", paths[1]))
    assert not problem, problem
    return made


def main():
    t, checks = harness.Treadle(sys.argv[1]), harness.Checks()
    try:
        words = [t.path, "run", "-j1", build(t, "busy", BUSY)]
        with subprocess.Popen(words, cwd=t.dir, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as session:
            was_stopped = stop_a_run(session.pid)
            out = session.communicate(timeout=240)[0]
        checks.check("a run was stopped", was_stopped)
        checks.check("it is no hang", "hang" not in out and "differ" not in out, out)
        asleep = t.run(build(t, "asleep", ASLEEP), options=["-q", "--timeout=500ms"])
        checks.check("a run that sleeps for good is one", "hang" in str(asleep.report), str(asleep.report)[:600] + asleep.err)
    finally:
        t.close()
    checks.finish()


if __name__ == "__main__":
    main()
