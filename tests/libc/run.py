#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of the C library, inputs given from outside, and marked programs: run.py TREADLE

Compares runtime/libc with the C library; runs programs with symbolic bytes and evaluates what
they recorded (tests/flow/flowcheck.c); compares what the ledger says with what a program says
of itself.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

# Figures and counts are those of one worker.
os.environ.setdefault("TREADLE_JOBS", "1")

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
SRC = os.path.join(ROOT, "src")
SEED = "1"


class Bench:
    def __init__(self, treadle, folder):
        self.treadle = os.path.abspath(treadle)
        self.flowcheck = os.path.join(os.path.dirname(self.treadle), "tests", "flowcheck")
        self.folder = folder
        self.failed = self.passed = 0

    def verdict(self, name, problem):
        print("%-7s %s" % ("FAILED" if problem else "ok", name))
        if problem:
            print("        " + problem.strip().replace("\n", "\n        "))
        self.failed += bool(problem)
        self.passed += not problem

    def run(self, command, code=0, **more):
        """(output, problem)"""
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=120, **more)
        if code is not None and done.returncode != code:
            return done.stdout, "exit %d\n%s" % (done.returncode, done.stdout[-2000:])
        return done.stdout, ""

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, name, flags=("-O1",)):
        source = os.path.join(HERE, name + ".c")
        command = [self.treadle, "cc", "-g", *flags, source, "-o", self.path(name), "-pthread",
                   "-lm"]
        return self.run(command)[1]

    def check(self, name, program, least, options=(), runs="60", gaps=None):
        """Runs flowcheck; gaps: how many ledger lines there may be in all."""
        out, problem = self.run([self.flowcheck, *options, self.path(program), runs, SEED,
                                 str(least)])
        if not problem and gaps is not None and " %d gaps" % gaps not in out:
            problem = out
        self.verdict(name, problem)

    def result(self, program, options):
        """(JSON of a session, problem)"""
        to = self.path("result.json")
        problem = self.run([self.treadle, "run", "--quiet", "--json=" + to,
                            "--out=" + self.path("out-" + program), *options, "--",
                            self.path(program)], code=None)[1]
        with open(to) as f:
            return json.load(f), problem


def differential(b):
    sources = [os.path.join(SRC, "runtime", "libc", name + ".c")
               for name in ["format", "letters", "bytes", "number", "sort", "string"]]
    sources += [os.path.join(SRC, "runtime", "symbolic", "scan.c"), os.path.join(HERE, "differential.c")]
    program = b.path("differential")
    problem = b.run(["cc", "-std=gnu17", "-O1", "-g", "-fsanitize=address,undefined",
                     "-fno-sanitize-recover=all", "-fno-builtin", "-D_GNU_SOURCE",
                     "-DLIBC_PLAIN", "-I" + SRC, *sources, "-o", program])[1]
    if not problem:
        problem = b.run([program, SEED, "5000"])[1]
    b.verdict("differential", problem)


def symbolic(b):
    plain = b.path("plain")
    b.run(["cc", "-O1", "-I" + os.path.join(ROOT, "include"),
           os.path.join(HERE, "symbolic.c"), "-o", plain])
    expected = b.run([plain])[0]
    for level in ["-O0", "-O2"]:
        problem = b.build("symbolic", [level])
        if not problem and b.run([b.path("symbolic")])[0] != expected:
            problem = "prints something else than the plain build"
        b.verdict("symbolic by hand " + level, problem)
        b.check("symbolic " + level, "symbolic", 5000, gaps=0)


def given(b):
    b.verdict("given builds", b.build("given"))
    out, _ = b.run([b.path("given"), "12", "key"], input="abc\n")
    b.verdict("given by hand", "" if out == "12 key 0 1\n" else out)
    for number in ["int", "i8", "u16", "i64", "u64"]:
        options = ["--sym-arg=1:" + number, "--sym-arg=2:str:3", "--sym-stdin=9"]
        b.check("given " + number, "given", 300, options, gaps=0)
    for wrong in ["--sym-arg=0:int", "--sym-arg=1:float", "--sym-arg=1:str:0", "--sym-arg=2",
                  "--sym-arg=x", "--sym-stdin=0", "--sym-stdin=5000"]:
        problem = b.run([b.treadle, "run", wrong, "--", b.path("given"), "1"], code=2)[1]
        b.verdict("refuses " + wrong, problem)


def key(b):
    """Inputs that the solver finds; what it found is replayed, and tried by hand."""
    problem = b.build("key")
    if not problem:
        result, problem = b.result("key", ["--sym-arg=1:int", "--sym-arg=2:str:5",
                                           "--sym-stdin=8"])
        if result["verdict"] != "bug":
            problem = "verdict %s" % result["verdict"]
    b.verdict("key is found", problem)
    if problem:
        return
    recording = os.path.join(b.path("out-key"), result["findings"][0]["id"] + ".treadle")
    b.verdict("key is replayed", b.run([b.treadle, "replay", recording], code=1)[1])
    with open(recording) as f:
        text = f.read()
    expected = ["sym-arg 1:i32\n", "sym-arg 2:str:5\n", "sym-stdin 8\n"]
    missing = [line for line in expected if line not in text]
    b.verdict("key is written down", text if missing else "")
    by_hand = b.run([b.path("key"), "1235", "open"], code=-6, input="427q\n")[1]
    b.verdict("key by hand", by_hand)


def digits(b):
    b.verdict("digits builds", b.build("digits"))
    for number in ["i8", "u16", "int", "i64", "u64"]:
        b.check("digits " + number, "digits", 100, ["--sym-arg=1:" + number], gaps=0)
    result, problem = b.result("digits", ["--sym-arg=1:i8", "-k"])
    found = [f["kind"] for f in result["findings"]]
    if found != ["assert"]:
        problem = "found %s" % found
    b.verdict("digits are found", problem)


def marks(name, word):
    """{line: text} of the comments that say word."""
    with open(os.path.join(HERE, name + ".c")) as f:
        found = {i: re.search(r"/\* %s: (.*?) \*/" % word, line)
                 for i, line in enumerate(f, 1)}
    return {line: match.group(1) for line, match in found.items() if match}


def lost(b):
    problem = b.build("lost")
    if not problem:
        result, _ = b.result("lost", ["--search=random", "--runs=2"])
        got = {row["line"]: row["kind"] for row in result["ledger"] if row["file"]}
        want = marks("lost", "lost")
        if got != want:
            problem = "ledger %s\nexpected %s" % (got, want)
    b.verdict("ledger", problem)


def wanted(name, word, preset):
    with open(os.path.join(HERE, name + ".c")) as f:
        match = re.search(r"^ \* %s: (.*?)(?: \*/)?$" % word, f.read(), re.M)
    return match.group(1) if match else preset


def compatible(b):
    for source in sorted(glob.glob(os.path.join(HERE, "klee_*.c")) +
                         glob.glob(os.path.join(HERE, "sv_*.c"))):
        name = os.path.splitext(os.path.basename(source))[0]
        problem = b.build(name)
        b.verdict(name + " builds", problem)
        if problem:
            continue
        b.check(name, name, int(wanted(name, "decisions", "0")))
        verdict = wanted(name, "verdict", "")
        if verdict:
            result, problem = b.result(name, wanted(name, "run", "").split())
            if result["verdict"] != verdict:
                problem = "verdict %s, not %s" % (result["verdict"], verdict)
            b.verdict(name + " verdict", problem)


def main():
    with tempfile.TemporaryDirectory() as folder:
        b = Bench(sys.argv[1], folder)
        for part in [differential, symbolic, given, key, digits, lost, compatible]:
            part(b)
    print("%d passed, %d failed" % (b.passed, b.failed))
    return b.failed > 0


if __name__ == "__main__":
    sys.exit(main())
