#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails each system call and each allocation of five kinds of sessions in turn: once, and from there on.

Whatever fails, a session ends by itself, with a sentence; a finding that was confirmed is printed; nothing that was
complete without the fault is a bug with it, nothing that has a bug is without. inject.c fails system calls of
treadle's first process; allocation.c allocations, one for each stack of callers that there is.

Usage: run.py TREADLE [--count=N] [--only=KIND,...] [--fault=KIND:CLASS:MODE:N] [--jobs=N]
--count: that many faults, drawn at random from all; without it every fault, which takes hours
Exit: 0 good, 1 not, 77 this machine does not allow it"""
import argparse
import concurrent.futures
import glob
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LOADER = 12  # system calls before main, fewer than `treadle --version` makes
TIMEOUT = 150  # a lock that is refused is waited for, by SQLite up to 20 s at a time

# name: source, flags, options, arguments, exit status, text on standard output
KINDS = {
    "bug": ("examples/bank/bank.c", [], [], ["100", "100"], 1, "SUMMARY: treadle: assertion failed bank.c:41"),
    "complete": ("examples/bank/bank_fixed.c", [], [], ["100", "100"], 0, "NO BUG"),
    "inputs": ("examples/bank-inputs/bank-inputs.c", [], ["--goal=branches"], None, 1, "SUMMARY: treadle:"),
    "shared": ("bench/peers/fib.c", ["-DN=3"], ["--goal=states", "-j2", "--alone=1ms"], [], 0, "NO BUG"),
    "replay": ("examples/bank/bank.c", [], None, [], 1, "SUMMARY: treadle: assertion failed bank.c:41"),
}
MODES = ("once", "on")
MARK = "cannot store the recording of"
N_FULL = 60  # moments from which on the disk is full


class Kind:
    def __init__(self, lab, name):
        source, flags, options, arguments, self.code, self.text = KINDS[name]
        self.name, self.lab = name, lab
        program = os.path.join(lab.folder, name)
        done = lab.call([lab.treadle, "cc", "-g", "-O1", "-pthread", *flags, os.path.join(ROOT, source), "-o", program])
        assert done.returncode == 0, done.stderr
        self.words = ["run", "--no-known", *(options or []), program, *(arguments or [])]
        if options is None:
            done = lab.call([lab.treadle, "run", "--out=recorded", program, "100", "100"])
            recording = glob.glob(os.path.join(lab.folder, "recorded", "*.treadle"))
            assert len(recording) == 1, done.stderr
            self.words = ["replay", recording[0]]

    def command(self, out):
        words = list(self.words)
        if words[0] == "run":
            words.insert(1, f"--out={out}")
        return [self.lab.treadle, *words]

    def faults(self):
        """(class, mode, number) of all faults, as a session without any tells."""
        done, n = self.lab.inject(self.command(self.lab.out()), [])
        assert done.returncode == self.code and self.text in done.stdout, (self.name, done.returncode, done.stdout, done.stderr)
        stacks = os.path.join(self.lab.folder, f"{self.name}.stacks")
        self.lab.call(self.command(self.lab.out()), env={"LD_PRELOAD": self.lab.allocation, "FAULT_STACKS": stacks})
        with open(stacks, encoding="ascii") as f:
            allocations = [int(line) for line in f]
        return ([("call", m, i) for m in MODES for i in range(1, n + 1)]
                + [("allocation", m, i) for m in MODES for i in allocations])

    def wrong(self, sort, mode, n):
        """What is wrong with how a session ends whose n-th system call or allocation fails, or None."""
        out, failed = self.lab.out(), -1
        try:
            if sort == "call":
                done, failed = self.lab.inject(self.command(out), [str(n)] + ([mode] if mode != "once" else []))
            else:
                env = {"LD_PRELOAD": self.lab.allocation, "FAULT_ALLOCATION": str(n), **({"FAULT_ON": "1"} if mode == "on" else {})}
                done = self.lab.call(self.command(out), env=env)
        except subprocess.TimeoutExpired:
            return "it does not end"
        finally:
            kept = glob.glob(os.path.join(out, "*-????.treadle"))
            shutil.rmtree(out, ignore_errors=True)
        why = self.judge(done, failed, kept)
        if MARK in done.stderr:
            why = why or self.lab.replay_printed(done.stderr)
        return why and f"{why} (system call {failed}): {done.returncode}\n{done.stdout[-300:]}\n{done.stderr[-4000:]}"

    def judge(self, done, failed, kept):
        said = done.stdout + done.stderr
        is_write = failed == 1  # what it says may be lost
        if done.returncode >= 128 or done.returncode < 0 or done.returncode == 125:
            return "it was killed"
        if "internal error" in said or "assertion" in done.stderr and "treadle:" not in done.stderr:
            return "it is wrong about itself"
        if done.returncode not in (0, 1, 2, 3, 70, 127):
            return "another exit status"
        if done.returncode in (0, 1) and done.returncode != self.code:
            return "another verdict"
        is_suspected = self.code == 1 and "SUSPECTED" in done.stdout  # seen, and not replayed before the end
        if done.returncode == self.code and self.text not in done.stdout and not is_write and not is_suspected:
            return "the verdict is not printed"
        if self.code == 1 and done.returncode != 1 and ("BUG in run" in said or kept):
            return "a finding is lost"
        if done.returncode not in (0, 1) and not said and not is_write:
            return "no sentence"
        return None


class Lab:
    n_printed = 0  # recordings on standard error that were replayed

    def replay_printed(self, said):
        """The recording that a session with a full disk printed is one."""
        lines = said[said.index("----- "):said.index("----- end -----")].split("\n")[1:]
        path = self.out() + ".treadle"
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
        done = self.call([self.treadle, "replay", path])
        os.remove(path)
        self.n_printed += done.returncode == 1
        return None if done.returncode == 1 else f"the printed recording does not fail: {done.stderr}"

    def __init__(self, treadle, folder):
        self.treadle, self.folder, self.n = os.path.abspath(treadle), folder, 0
        self.injector, self.allocation = os.path.join(folder, "inject"), os.path.join(folder, "allocation.so")
        for source, target, more in (("inject.c", self.injector, []), ("allocation.c", self.allocation, ["-shared", "-fPIC"])):
            subprocess.run(["cc", "-O1", *more, os.path.join(HERE, source), "-o", target], check=True)

    def out(self):
        self.n += 1
        return os.path.join(self.folder, f"out{self.n}")

    def call(self, words, env=None):
        return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})}, check=False)

    def inject(self, command, more):
        """The number of system calls, or of the kind of the one that failed."""
        report = self.out()
        done = self.call([self.injector, report, str(self.first()), *more, "--", *command])
        with open(report, encoding="ascii") as f:
            n, failed = map(int, f.read().split())
        os.remove(report)
        return done, failed if more else n

    def first(self):
        if not hasattr(self, "loader"):
            self.loader = 0
            _, n = self.inject([self.treadle, "--version"], [])
            self.loader = max(0, n - LOADER)
        return self.loader


def full_disk(kind):
    """Moments all over a session with a bug from which on the disk is full."""
    n = sum(1 for sort, mode, _ in kind.faults() if (sort, mode) == ("call", "once"))
    return [(kind, "call", "disk", 1 + i * n // N_FULL) for i in range(N_FULL)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle")
    parser.add_argument("--count", type=int)
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("--fault")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="treadle-faults.") as folder:
        lab = Lab(options.treadle, folder)
        if lab.call([lab.injector, os.path.join(folder, "x"), "0", "--", "/bin/true"]).returncode != 0:
            print("ptrace is not allowed here")
            return 77
        if options.fault:
            name, sort, mode, n = options.fault.split(":")
            why = Kind(lab, name).wrong(sort, mode, int(n))
            print(why or "ok")
            return 1 if why else 0
        todo, kinds = [], {name: Kind(lab, name) for name in options.only.split(",")}
        for kind in kinds.values():
            todo += [(kind, *f) for f in kind.faults()]
        n_all = len(todo)
        if options.count:
            todo = random.Random(options.seed).sample(todo, min(options.count, n_all))
        if "bug" in kinds:
            todo += full_disk(kinds["bug"])
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            bad = 0
            for fault, why in zip(todo, pool.map(lambda f: f[0].wrong(*f[1:]), todo)):
                if why:
                    bad += 1
                    print(f"FAIL  {fault[0].name}:{fault[1]}:{fault[2]}:{fault[3]}: {why}", flush=True)
        print(f"{len(todo)} of {n_all} faults, {bad} bad; {lab.n_printed} recordings on standard error, replayed")
        if "bug" in kinds and lab.n_printed == 0:
            bad = 1
            print("FAIL  no full disk had a recording printed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
