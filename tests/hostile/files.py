#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that are none, links that lead elsewhere, and a world without room: files.py TREADLE

A pipe or device never keeps treadle waiting where a file is expected; a link at the name of a file of ours
is not followed; a name without a slash is refused with what to type. A full disk, a directory that cannot be
written and too few descriptors or processes end with a sentence and an exit code."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = """
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *arg) { x++; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x++;
    pthread_join(t, 0);
    return 0;
}
"""
TIMEOUT = 60


class Failed(Exception):
    pass


def run(words, folder, code, said, **more):
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL, check=False, **more)
    except subprocess.TimeoutExpired:
        raise Failed("%s hangs" % words[1:])
    if done.returncode not in code:
        raise Failed("%s: exit %d: %s" % (words[1:], done.returncode, done.stderr[-300:]))
    if said not in done.stderr:
        raise Failed("%s: no sentence: %s" % (words[1:], done.stderr[-300:]))
    return done


def pipes(treadle, folder):
    """Every place that opens what a user names."""
    for name in ("pipe", "/dev/zero", "/dev/tty0"):
        if name == "/dev/tty0" and not os.path.exists(name):
            continue
        for words in (["run", "./" + name if name == "pipe" else name],
                      ["run", "--suppressions=" + name, "./program"],
                      ["replay", name], ["show", name], ["report", name], ["minimize", name],
                      ["weaken", "./" + name if name == "pipe" else name],
                      ["test", "--manifest=" + name]):
            run([treadle, *words], folder, (1, 2, 4), "treadle: ")
        run([treadle, "doctor", "./" + name if name == "pipe" else name], folder, (1, 2), "")
    run([treadle, "cc", "-x", "c", "-c", "pipe", "-o", "pipe.o"], folder, (2,), "it is not a file but a pipe")
    run([treadle, "cc", "pipe.c"], folder, (2,), "it is not a file but a pipe")
    run([treadle, "cc", "pipe.o", "program.c"], folder, (2,), "it is not a file but a pipe")
    run([treadle, "cc", "-x", "c", "-c", "/dev/zero", "-o", "zero.o"], folder, (2,), "it is not a file but a device")
    run([treadle, "cc", "-x", "c", "-c", "/dev/null", "-o", "null.o"], folder, (0,), "")
    run([treadle, "run", "-q", "--json=pipe", "--out=out.pipe", "./program"], folder, (1,), "no process reads from pipe")
    os.mkdir(os.path.join(folder, "fake"))
    os.mkfifo(os.path.join(folder, "fake/session.db"))
    run([treadle, "report", "fake"], folder, (2,), "is not a file")
    run([treadle, "run", "--resume", "--out=fake", "./program"], folder, (2,), "no session")
    run([treadle, "run", "--out=fake", "./program"], folder, (2,), "treadle: ")


def links(treadle, folder):
    """What a link at a name of ours leads to stays as it is."""
    precious = os.path.join(folder, "precious")
    first = os.path.join(folder, "first")
    run([treadle, "run", "-q", "--out=first", "./program"], folder, (1,), "")
    names = [n for n in os.listdir(first) if n.endswith(".treadle")]
    for name in [*names, "session.db"]:
        with open(precious, "w", encoding="ascii") as f:
            f.write("precious")
        out = os.path.join(folder, "linked." + name)
        os.mkdir(out)
        os.symlink(precious, os.path.join(out, name))
        run([treadle, "run", "-q", "--out=" + out, "./program"], folder, (1, 2), "")
        with open(precious, encoding="ascii") as f:
            if f.read() != "precious":
                raise Failed("the link %s was followed" % name)
    page = names[0].replace(".treadle", ".html")
    os.symlink(precious, os.path.join(first, page))
    run([treadle, "show", "--html", os.path.join("first", names[0])], folder, (0,), "")
    with open(precious, encoding="ascii") as f:
        if f.read() != "precious":
            raise Failed("the link %s was followed" % page)


def names(treadle, folder):
    run([treadle, "run", "program"], folder, (2,), "type ./program")
    run([treadle, "run", "true"], folder, (2,), "type ./true")
    other = os.path.join(folder, "bin")
    os.mkdir(other)
    shutil.copy(os.path.join(folder, "program"), os.path.join(other, "elsewhere"))
    run([treadle, "run", "elsewhere"], folder, (2,), "type ./elsewhere", env={**os.environ, "PATH": other})


def room(treadle, folder):
    """Limits of the world. A bug that was found counts; else the command cannot be done."""
    run([treadle, "run", "-q", "--out=/proc/nothing", "./program"], folder, (2,), "treadle: ")
    run([treadle, "run", "-q", "--out=program/below", "./program"], folder, (2,), "treadle: ")
    run([treadle, "run", "-q", "--json=/nowhere/x.json", "./program"], folder, (1,), "cannot create")
    for limit in (4, 6, 8, 12, 20):
        run(["bash", "-c", "ulimit -n %d; exec %s run -q --out=n.%d ./program" % (limit, treadle, limit)], folder,
            (1, 2), "")
    run(["bash", "-c", "ulimit -f 8; exec %s run -q --out=f ./program" % treadle], folder, (1, 2), "File too large")
    disk = os.path.join(folder, "disk")
    os.mkdir(disk)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True,
                      check=False).returncode != 0:
        print("skip  a full disk: nothing can be mounted here")
        return
    try:
        run([treadle, "run", "-q", "--out=disk/out", "./program"], folder, (1, 2), "treadle: ")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        run([treadle, "run", "-q", "--out=disk/other", "./program"], folder, (2,), "Read-only")
    finally:
        subprocess.run(["umount", disk], check=True)


def main():
    treadle = os.path.abspath(sys.argv[1])
    n_failed = 0
    with tempfile.TemporaryDirectory(prefix="treadle-files.") as folder:
        with open(os.path.join(folder, "program.c"), "w", encoding="ascii") as f:
            f.write(SOURCE)
        for name in ("pipe", "pipe.c", "pipe.o"):
            os.mkfifo(os.path.join(folder, name))
        subprocess.run([treadle, "cc", "-g", "-pthread", "program.c", "-o", "program"], cwd=folder, check=True)
        for test in (pipes, links, names, room):
            try:
                test(treadle, folder)
                print("ok    %s" % test.__name__, flush=True)
            except Failed as why:
                n_failed += 1
                print("FAIL  %s: %s" % (test.__name__, why), flush=True)
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
