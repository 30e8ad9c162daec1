#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""treadle svcomp: verdicts of small tasks, each with its reason; witnesses, written and followed; sources that are no C.

Usage: run.py TREADLE
"""
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = open(os.path.join(HERE, "threads32.h"), encoding="utf-8").read()
PROPERTIES = {
    "unreach-call": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    "old-unreach-call": "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n",
    "no-data-race": "CHECK( init(main()), LTL(G ! data-race) )\n",
    "valid-memsafety": "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
                       "CHECK( init(main()), LTL(G valid-memtrack) )\n",
    "termination": "CHECK( init(main()), LTL(F end) )\n",
}
ERROR = "void reach_error() {}\n"
TWO = """int main(void) { pthread_t a, b; INIT
    pthread_create(&a, 0, worker, 0); pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0); pthread_join(b, 0); END return 0; }
"""


def two(init="", end=""):
    return TWO.replace("INIT", init).replace("END", end)


COUNT = "int n; pthread_mutex_t m; int after = 7;\nvoid *worker(void *arg) { %s return 0; }\n"
LOCKED = COUNT % "pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m);"
RACY = COUNT % "n++;"
WRONG = "if (n != 2) { reach_error(); abort(); }"
# name, property, source, options, what the verdict starts with
CASES = [
    ("racy counter", "unreach-call", ERROR + RACY + two(end=WRONG), [], "false(unreach-call)"),
    ("its lock; the mutex of 24 bytes does not reach its neighbour", "unreach-call",
     ERROR + LOCKED + two("pthread_mutex_init(&m, 0);", WRONG + " if (after != 7) reach_error();"), [], "true"),
    ("the race itself", "no-data-race", RACY + two(), [], "false(no-data-race)"),
    ("no race", "no-data-race", LOCKED + two(), [], "true"),
    ("the error of older tasks", "old-unreach-call", RACY + two(end="if (n != 2) __VERIFIER_error();"), [],
     "false(unreach-call)"),
    ("a failed assertion is an end, not the error", "unreach-call",
     ERROR + RACY + two(end='if (n != 2) __assert_fail("n", "x", 1, "f");'), [], "true"),
    ("an error that asserts", "unreach-call",
     'void reach_error() { __assert_fail("0", "x", 1, "reach_error"); }\n' + RACY + two(end=WRONG), [], "false(unreach-call)"),
    ("a deadlock is no error", "unreach-call",
     ERROR + COUNT % "pthread_mutex_lock(&m); pthread_mutex_lock(&m);" + two(), [], "true"),
    ("threads without end", "unreach-call",
     ERROR + "void *worker(void *arg) { return 0; }\n"
     "int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, worker, 0); } }\n", ["--time=2s"], "unknown ("),
    ("an error after some of them", "unreach-call",
     ERROR + "int n; pthread_mutex_t m;\nvoid *worker(void *arg) { pthread_mutex_lock(&m); if (++n == 3) reach_error();"
     " pthread_mutex_unlock(&m); return 0; }\n"
     "int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, worker, 0); } }\n", [], "false(unreach-call)"),
    ("a thread of which the first run shows nothing", "unreach-call",
     ERROR + "int n; pthread_mutex_t m;\nvoid *worker(void *arg) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }\n"
     "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0);"
     " for (;;) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); } }\n", ["--time=20s"], "true"),
    ("inputs", "unreach-call",
     ERROR + "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 123456789) reach_error(); return 0; }\n", [],
     "false(unreach-call)"),
    ("long has 4 bytes", "unreach-call",
     ERROR + "unsigned long x = 4294967295UL;\nint main(void) { if (x + 1 == 0 && sizeof(long) == 4) reach_error(); return 0; }\n",
     [], "false(unreach-call)"),
    ("long in a type of the task", "unreach-call",
     ERROR + "typedef struct { unsigned long int v; long long w; } pair;\nint main(void) { pair p = {0}; p.v--; p.w--;"
     " if (p.v == 4294967295U && sizeof p.w == 8) reach_error(); return 0; }\n", [], "false(unreach-call)"),
    ("a mutex with a type", "unreach-call",
     ERROR + "pthread_mutex_t m = { { PTHREAD_MUTEX_RECURSIVE_NP } };\nint main(void) { return 0; }\n", [], "unknown (a mutex"),
    ("a function that nobody has", "unreach-call",
     ERROR + "int missing(int);\nint main(void) { return missing(1); }\n", [], "unknown ("),
    ("one that is not called", "unreach-call",
     ERROR + "int missing(int);\nint (*volatile p)(int) = missing;\nint main(void) { return 0; }\n", [], "true"),
    ("use after free", "valid-memsafety",
     "int *volatile p;\nvoid *worker(void *arg) { *p = 1; return 0; }\n"
     "int main(void) { pthread_t t; p = malloc(4); pthread_create(&t, 0, worker, 0); free(p); pthread_join(t, 0); return 0; }\n",
     [], "false(valid-deref)"),
    ("free twice", "valid-memsafety", "int main(void) { void *p = malloc(4); free(p); free(p); return 0; }\n", [],
     "false(valid-free)"),
    ("a null pointer", "valid-memsafety", "int *volatile p;\nint main(void) { return *p; }\n", [], "false(valid-deref)"),
    ("a leak", "valid-memsafety", "void *volatile p;\nint main(void) { p = malloc(4); p = 0; return 0; }\n", [],
     "false(valid-memtrack)"),
    ("nothing is wrong, but overflows of variables are not detected", "valid-memsafety", "int main(void) { return 0; }\n", [],
     "unknown (overflows"),
    ("no C", "unreach-call", "int main( {\n", [], "unknown (the task does not compile"),
]
LP64 = ERROR + "unsigned long x = 4294967295UL;\nint main(void) { if (x + 1 == 0) reach_error(); return 0; }\n"


class Bench:
    def __init__(self, treadle, folder):
        self.treadle, self.folder, self.failures, self.n = treadle, folder, 0, 0
        for name, text in PROPERTIES.items():
            self.write(name + ".prp", text)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="latin-1") as f:
            f.write(text)
        return path

    def run(self, source, prp, options):
        self.n += 1
        return subprocess.run([self.treadle, "svcomp", f"--property={self.folder}/{prp}.prp", f"--out={self.folder}/out.{self.n}",
                               *options, source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)

    def check(self, name, ok, got):
        if not ok:
            self.failures += 1
            print(f"FAILED: {name}: {got}")


def verdicts(b):
    codes = {"true": 0, "false": 1, "unknown": 3}
    for name, prp, source, options, expected in CASES:
        path = b.write("case.i", HEAD + source)
        done = b.run(path, prp, options or ["--time=20s"])
        word = re.match(r"\w+", expected)[0]
        b.check(name, f"VERDICT: {expected}" in done.stdout and done.returncode == codes[word],
                f"expected {expected}, got {done.stdout.strip()} (exit {done.returncode})")
    path = b.write("case.c", LP64)
    b.check("LP64", "VERDICT: true" in b.run(path, "unreach-call", ["--data-model=LP64"]).stdout, "not true")
    done = b.run(path, "termination", [])
    b.check("another property", done.returncode == 2 and "unsupported property" in done.stdout, done.stdout)


def witness(b):
    b.write("w.i", HEAD + ERROR + RACY + two(end=WRONG))
    task = b.write("w.yml", "format_version: '2.0'\ninput_files: 'w.i'\nproperties:\n  - property_file: unreach-call.prp\n"
                            "options:\n  language: C\n  data_model: ILP32\n")
    path = os.path.join(b.folder, "witness.yml")
    done = b.run(task, "unreach-call", [f"--witness={path}"])
    b.check("a task by its description", "VERDICT: false" in done.stdout, done.stdout)
    text = open(path, encoding="utf-8").read()
    for part in ('format_version: "2.2"', 'entry_type: "violation_sequence"', "call(reach_error())", 'data_model: "ILP32"',
                 "thread_id: 1", "thread_id: 2", 'type: "target"', "/w.i"):
        b.check("witness", part in text, f"'{part}' is not in it:\n{text}")
    lines = (HEAD + ERROR + RACY + two(end=WRONG)).split("\n")
    place = re.findall(r'type: "target".*?line: (\d+)', text, re.S)
    b.check("line of the target", place and "reach_error" in lines[int(place[0]) - 1], place)


# As others write it: other order of keys, other quotes, no thread, an input by \\result.
FOREIGN = """- entry_type: violation_sequence
  metadata: {format_version: '2.0', task: {specification: 'CHECK( init(main()), LTL(G ! call(reach_error())) )'}}
  content:
  - segment:
    - waypoint:
        action: follow
        type: function_return
        location: {line: %d, column: 40, file_name: input.i}
        constraint: {format: c_expression, value: "\\\\result == %s"}
  - segment:
    - waypoint: {action: follow, type: target, location: {file_name: "input.i", line: %d}}
"""
INPUT = ERROR + """int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (x == -123456789)
        reach_error();
    return y; }
"""


def validate(b):
    def followed(name, source, witness, expected, prp="unreach-call"):
        done = b.run(b.write("w.i", source), prp, [f"--validate={b.write('v.yml', witness)}"])
        ok = f"witness: {expected}" in done.stdout and done.returncode == (1 if expected == "confirmed" else 3)
        b.check("validate: " + name, ok, f"expected {expected}, got {done.stdout.strip()} (exit {done.returncode})")

    own = os.path.join(b.folder, "own.yml")
    racy, locked = HEAD + ERROR + RACY + two(end=WRONG), HEAD + ERROR + LOCKED + two(end=WRONG)
    b.run(b.write("w.i", racy), "unreach-call", [f"--witness={own}"])
    text = open(own, encoding="utf-8").read()
    followed("our own", racy, text, "confirmed")
    followed("of a program that was mended", locked, text, "not confirmed")
    b.run(b.write("w.i", HEAD + RACY + two()), "no-data-race", [f"--witness={own}"])
    race = open(own, encoding="utf-8").read()
    followed("our own, of a race", HEAD + RACY + two(), race, "confirmed", "no-data-race")
    followed("of a race that was mended", HEAD + LOCKED + two(), race, "not confirmed", "no-data-race")
    lines = (HEAD + INPUT).split("\n")
    at = [1 + next(i for i, l in enumerate(lines) if part in l) for part in ("int x", "    reach_error")]
    foreign = FOREIGN.replace("input.i", "w.i")
    followed("an input", HEAD + INPUT, foreign % (at[0], "-123456789", at[1]), "confirmed")
    followed("another value", HEAD + INPUT, foreign % (at[0], "7", at[1]), "not confirmed")
    followed("another input", HEAD + INPUT, foreign % (at[0] + 1, "-123456789", at[1]), "not confirmed")
    followed("another target", HEAD + INPUT, foreign % (at[0], "-123456789", at[1] + 1), "not confirmed")
    draw = random.Random(5)
    path = b.write("w.i", locked)
    for text in ["", "\0", "- entry_type: violation_sequence\n", "waypoint:", text[:600]]:
        done = b.run(path, "unreach-call", [f"--validate={b.write('v.yml', text)}"])
        b.check("damaged witness", done.returncode == 3 and "VERDICT: unknown (" in done.stdout, done.stdout)
    for _ in range(4):
        chars = list(race)
        for _ in range(draw.randrange(1, 30)):
            chars[draw.randrange(len(chars))] = draw.choice("{}[]:,'\"\\-# \n\0\xff9")
        done = b.run(path, "unreach-call", [f"--validate={b.write('v.yml', ''.join(chars))}"])
        b.check("damaged witness", done.returncode == 3, f"exit {done.returncode}: {done.stdout}")


def broken(b):
    """Sources, properties and descriptions that were damaged: a sentence or a verdict, never a crash."""
    draw = random.Random(27)
    whole = HEAD + ERROR + LOCKED + "/* x */ // y\nchar *s = \"a\\\"b\"; long v = 10L;\n"  # no main: never runs
    for _ in range(12):
        text = list(whole)
        for _ in range(draw.randrange(1, 8)):
            at = draw.randrange(len(text))
            text[at:at + draw.choice((0, 1, 200))] = draw.choice(list("{}()[];\"'/*\\#\0\xff") + ["long", ""])
        done = b.run(b.write("broken.i", "".join(text[:draw.randrange(1, len(text) + 1)])), "unreach-call", ["--time=1s"])
        b.check("damaged source", done.returncode in (0, 2, 3), f"exit {done.returncode}: {done.stdout}")
    for text in ("", "input_files:", "input_files: ''\n", "input_files: [\n", "\0"):
        done = b.run(b.write("broken.yml", text), "unreach-call", [])
        b.check("damaged description", done.returncode == 2, f"exit {done.returncode}: {done.stdout}")


def main():
    with tempfile.TemporaryDirectory(prefix="svcomp-") as folder:
        b = Bench(os.path.abspath(sys.argv[1]), folder)
        verdicts(b)
        witness(b)
        validate(b)
        broken(b)
        print(f"{b.n} calls, {b.failures} failures")
        return 1 if b.failures else 0


sys.exit(main())
