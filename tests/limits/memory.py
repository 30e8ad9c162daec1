#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Out of memory never loses a verdict: --own-memory, RLIMIT_AS, a control group, and none at all.

Usage: memory.py TREADLE

A session that comes near its limit ends INCOMPLETE, with a result and the limit in the ledger; --resume, as often
as it takes, ends with the digest of a session without a limit. A session whose addresses are taken
away while it runs has a result as well."""
import contextlib
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "programs"))
import machine  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
MIB = 1 << 20
MOST_RESUMED = 150
GROUPS = [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")]

# Program, limit, options of sessions that are resumed.
RESUMED = [("fib", "10M", "-j1"), ("fib", "20M", "-j2"), ("fib", "13M", "-j1 --goal=traces")]
# Options of sessions that end, whatever their search.
ENDED = ["-j1", "-j2", "--goal=traces -j1", "--search=dpor", "--search=manners", "--search=random --census --runs=100000000",
         "--goal=branches", "--goal=races", "--preemptions=3", "--iterate"]


def build(treadle, source, folder, name, *flags):
    out = os.path.join(folder, name)
    subprocess.run([treadle, "cc", "-g", "-O1", "-pthread", *flags, os.path.join(ROOT, source), "-o", out], check=True)
    return out


class Session:
    def __init__(self, treadle, program, folder, options, before=None):
        self.path = os.path.join(folder, "result.json")
        if os.path.exists(self.path):
            os.remove(self.path)
        self.child = subprocess.Popen([treadle, "run", "-k", "--json=" + self.path, *options.split(), program],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder,
                                      stdin=subprocess.DEVNULL, preexec_fn=before)

    def wait(self):
        self.said = self.child.communicate(timeout=300)[1]
        self.code = self.child.returncode
        try:
            with open(self.path, encoding="utf-8") as f:
                self.result = json.load(f)
        except (OSError, ValueError):
            self.result = None
        return self

    def why_not_full(self):
        """What is wrong with a session that memory should have ended; None: nothing."""
        if self.code != 3:
            return "exit code %s: %s" % (self.code, self.said[-300:])
        if not self.result or self.result["verdict"] != "incomplete":
            return "result %s" % self.result
        if "memory" not in [line["kind"] for line in self.result["ledger"]]:
            return "ledger %s" % self.result["ledger"]
        return None


def resumed(treadle, program, folder, limit, options):
    whole = Session(treadle, program, folder, options + " --out=whole -q").wait().result
    options += " --own-memory=%s --out=o.%s" % (limit, limit + "".join(options.split()))
    s = Session(treadle, program, folder, options + " -q").wait()
    why = s.why_not_full()
    for n in range(MOST_RESUMED):
        if why or s.code != 3:
            break
        s = Session(treadle, program, folder, options + " --resume -q").wait()
        why = s.why_not_full() if s.code == 3 else None
    if why:
        return why
    if s.code != 0:
        return "exit code %s after %d times" % (s.code, MOST_RESUMED)
    for key in ("verdict", "events", "digest", "traces"):
        if s.result.get(key) != whole.get(key):
            return "%s is %s, not %s" % (key, s.result.get(key), whole.get(key))
    return None


def too_little(treadle, program, folder):
    for more in ("", " --resume"):
        s = Session(treadle, program, folder, "-j1 --own-memory=1M --out=little" + more).wait()
        if s.why_not_full():
            return s.why_not_full()
        if "continue with a higher --own-memory" not in s.said:
            return "it does not say what it needs: %r" % s.said
    return None


def addresses(treadle, program, folder):
    def before():
        resource.setrlimit(resource.RLIMIT_AS, (450 * MIB, resource.RLIM_INFINITY))
    return Session(treadle, program, folder, "-q -j1 --out=as", before).wait().why_not_full()


def explores(folder):
    """Whether a session has come to its second run."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{folder}/session.db?mode=ro", uri=True)) as db:
            return (db.execute("SELECT max(runs) FROM sample").fetchone()[0] or 0) >= 2
    except sqlite3.Error:
        return False


def taken_away(treadle, program, folder, options):
    out = os.path.join(folder, "away" + options)
    s = Session(treadle, program, folder, f"-q --out={out} {options}")
    machine.wait_until(lambda: s.child.poll() is not None or explores(out))
    resource.prlimit(s.child.pid, resource.RLIMIT_AS, (64 * MIB, resource.RLIM_INFINITY))
    return s.wait().why_not_full()


def group(treadle, program, folder):
    """In a control group of our own, where we may make one."""
    for root, name in GROUPS:
        path = os.path.join(root, "treadle-limits.%d" % os.getpid())
        if not os.path.exists(os.path.join(root, "cgroup.procs")):
            continue
        try:
            os.mkdir(path)
        except OSError:
            continue
        try:
            with open(os.path.join(path, name), "w", encoding="ascii") as f:
                f.write(str(160 * MIB))

            def before():
                with open(os.path.join(path, "cgroup.procs"), "w", encoding="ascii") as f:
                    f.write(str(os.getpid()))
            return Session(treadle, program, folder, "-q -j1 --out=group", before).wait().why_not_full()
        except OSError:
            continue
        finally:
            try:
                os.rmdir(path)
            except OSError:
                pass
    print("skip  a control group: none can be made here")
    return None


def main():
    treadle = os.path.abspath(sys.argv[1])
    os.environ.pop("MALLOC_PERTURB_", None)  # meson sets it; with it nothing that is allocated stays untouched
    n_failed = 0

    def tell(name, why):
        nonlocal n_failed
        n_failed += why is not None
        print("%-5s %s%s" % ("FAIL" if why else "ok", name, ": %s" % why if why else ""), flush=True)

    with tempfile.TemporaryDirectory(prefix="treadle-memory.") as folder:
        fib = build(treadle, "bench/peers/fib.c", folder, "fib", "-DN=5")
        many = build(treadle, "tests/limits/many.c", folder, "many")
        values = build(treadle, "tests/limits/values.c", folder, "values")
        for _, limit, options in RESUMED:
            tell("%s --own-memory=%s, resumed" % (options, limit), resumed(treadle, fib, folder, limit, options))
        tell("--own-memory=1M", too_little(treadle, many, folder))
        for options in ENDED:
            s = Session(treadle, many, folder, "-q --own-memory=12M --out=ended " + options).wait()
            tell("%s --own-memory=12M" % options, s.why_not_full())
        s = Session(treadle, values, folder, "-q --own-memory=30M --out=ended --goal=branches").wait()
        tell("a solver, --own-memory=30M", s.why_not_full())
        tell("RLIMIT_AS", addresses(treadle, many, folder))
        for options in ("-j1", "-j2"):
            tell("addresses taken away, %s" % options, taken_away(treadle, many, folder, options))
        tell("a control group", group(treadle, many, folder))
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
