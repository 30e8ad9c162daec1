#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: run.py TREADLE [--count=N] [--first=N]

Structures with what treadle weaken says about each of their memory orders, in a comment before the line: /* weaken:
OPERATION ORDER passes|fails, ORDER ... */. Every order that is needed has a recording that replays. Then N generated
programs: each weaker order is compiled into the program, and treadle run --model=rc11 must find the same."""
import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
EXPECTED = re.compile(r"/\* weaken: ([^*]*) \*/")
ANSWERS = {"fails": "needed", "passes": "not needed"}
# Orders that are not needed alone, of which some are needed once the others are gone.
DEPENDENT = {"msqueue", "strong"}


class Failures(list):
    def check(self, what, got, want):
        if got != want:
            print(f"FAILED {what}: {got}, not {want}", flush=True)
            self.append(what)


def build(treadle, source, out, *options):
    subprocess.run([treadle, "cc", "-g", "-pthread", *options, source, "-o", out], check=True)


def weaken(treadle, program, out, *options):
    """Exit status, result, text."""
    done = subprocess.run([treadle, "weaken", "-q", f"--out={out}", f"--json={out}.json", *options, program],
                          capture_output=True, text=True)
    found = json.loads(Path(f"{out}.json").read_text()) if done.returncode in (0, 1, 3) else None
    return done.returncode, found, done.stdout + done.stderr


# ---- structures ----


def expected(source):
    """{(line, operation): {order: answer}}; a comment is about the next line."""
    wanted = {}
    for number, text in enumerate(source.read_text().splitlines(), 1):
        match = EXPECTED.search(text)
        for part in match.group(1).split("; ") if match else []:
            operation, _, orders = part.partition(" ")
            pairs = [words.split() for words in orders.split(", ")]
            wanted[number + 1, operation] = {order: ANSWERS[word] for order, word in pairs}
    return wanted


def told(result):
    return {(o["line"], o["operation"]): {t["order"]: t["answer"] for t in o["weaker"]} for o in result["operations"]}


def replays(treadle, name, result, failures):
    for operation in result["operations"]:
        for t in operation["weaker"]:
            if t["answer"] != "needed":
                continue
            path = t["finding"]["recording"]
            failures.check(f"{name}: {path} has the order", f" {t['order']} " in
                           re.search(r"^weaken .*$", Path(path).read_text(), re.M).group(), True)
            done = subprocess.run([treadle, "replay", path], capture_output=True, text=True)
            failures.check(f"{name}: replay of {path}", (done.returncode, "WEAKENED" in done.stdout), (1, True))


def structures(treadle, where, failures):
    sources = sorted(PROGRAMS.glob("*.c"))
    for source in sources:
        name = source.stem
        build(treadle, source, where / name)
        code, result, text = weaken(treadle, where / name, where / f"{name}-out", f"--sarif={where / 'sarif'}")
        failures.check(f"{name}: exit status", code, 0)
        failures.check(name, told(result), expected(source))
        failures.check(f"{name}: lines of 80", [line for line in text.splitlines()
                                                if len(line) > 80 and "treadle replay" not in line], [])
        weaker = any(t["answer"] == "not needed" for o in result["operations"] for t in o["weaker"])
        failures.check(f"{name}: together", result["together"],
                       "some" if name in DEPENDENT else "all" if weaker else "none")
        replays(treadle, name, result, failures)
        rules = [r["ruleId"] for r in json.loads((where / "sarif").read_text())["runs"][0]["results"]]
        answers = [t["answer"] for o in result["operations"] for t in o["weaker"]]
        failures.check(f"{name}: SARIF", rules, ["order-" + a.replace(" ", "-") for a in answers])
    return len(sources)


# ---- other ends ----


def ends(treadle, where, failures):
    """A program that fails as it is, one that is not explored completely, and a limit."""
    text = (PROGRAMS / "spsc.c").read_text()
    (where / "orders.h").write_text((PROGRAMS / "orders.h").read_text())
    (where / "weak.c").write_text(text.replace("&written, ACQ", "&written, RLX"))
    build(treadle, where / "weak.c", where / "weak")
    code, result, out = weaken(treadle, where / "weak", where / "weak-out")
    failures.check("fails as it is", (code, result["as_it_is"]["verdict"], result["operations"]), (1, "bug", []))
    failures.check("and says so", "fails with its own memory orders" in out, True)
    build(treadle, PROGRAMS / "spsc.c", where / "spsc")
    code, result, out = weaken(treadle, where / "spsc", where / "few-out", "--runs=2")
    failures.check("few runs", (code, result["as_it_is"]["verdict"], result["operations"]), (3, "incomplete", []))
    failures.check("and says so too", "run limit 2" in out, True)
    failures.check("no program", subprocess.run([treadle, "weaken"], capture_output=True).returncode, 2)


# ---- generated programs ----

ORDERS = {"load": ["acquire", "seq_cst"], "store": ["release", "seq_cst"],
          "rmw": ["acquire", "release", "acq_rel", "seq_cst"], "fence": ["acquire", "release", "acq_rel", "seq_cst"]}


class Program:
    """A shape of which all models forbid an outcome if its orders are strong, with orders that are macros."""

    def __init__(self, rng):
        self.rng = rng
        self.orders = []  # of macros: what the program has
        self.threads = []
        self.forbidden = "0"
        getattr(self, rng.choice(["buffering", "message", "plain", "causes", "writes", "sequence"]))()

    def order(self, kind):
        choice = self.rng.choice(ORDERS[kind] + ["seq_cst"] * 2)
        self.orders.append(choice)
        return f"O{len(self.orders) - 1}"

    def store(self, x, value):
        if self.rng.random() < 0.2:
            return (f"atomic_compare_exchange_strong_explicit(&{x}, &(int){{0}}, {value}, {self.order('rmw')}, "
                    f"{self.order('load')});")
        if self.rng.random() < 0.25:
            return f"atomic_exchange_explicit(&{x}, {value}, {self.order('rmw')});"
        return f"atomic_store_explicit(&{x}, {value}, {self.order('store')});"

    def load(self, to, x):
        if self.rng.random() < 0.2:
            return f"{to} = atomic_fetch_add_explicit(&{x}, 0, {self.order('rmw')});"
        return f"{to} = atomic_load_explicit(&{x}, {self.order('load')});"

    def fence(self):
        return [f"atomic_thread_fence({self.order('fence')});"] if self.rng.random() < 0.5 else []

    def buffering(self):
        self.threads = [[self.store("x", 1), *self.fence(), self.load("a", "y")],
                        [self.store("y", 1), *self.fence(), self.load("b", "x")]]
        self.forbidden = "a == 0 && b == 0"

    def message(self):
        self.threads = [[self.store("x", 1), *self.fence(), self.store("y", 1)],
                        [self.load("a", "y"), *self.fence(), self.load("b", "x")]]
        self.forbidden = "a == 1 && b == 0"

    def plain(self):
        self.threads = [["data = 1;", *self.fence(), self.store("x", 1)],
                        [self.load("a", "x"), *self.fence(), "if (a) b = data;"]]
        self.forbidden = "a == 1 && b == 0"

    def causes(self):
        self.threads = [[self.store("x", 1)],
                        [self.load("a", "x"), *self.fence(), self.store("y", 1)],
                        [self.load("b", "y"), *self.fence(), self.load("c", "x")]]
        self.forbidden = "a == 1 && b == 1 && c == 0"

    def writes(self):
        self.threads = [[self.store("x", 1), *self.fence(), self.store("y", 2)],
                        [self.store("y", 1), *self.fence(), self.store("x", 2)]]
        self.forbidden = "END(x) == 1 && END(y) == 1"

    def sequence(self):
        self.threads = [["data = 1;", *self.fence(), self.store("x", 1)],
                        [f"atomic_fetch_add_explicit(&x, 1, {self.order('rmw')});"],
                        [self.load("a", "x"), *self.fence(), "if (a == 2) b = data;"]]
        self.forbidden = "a == 2 && b == 0 && data == 0"

    def text(self):
        out = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "#include <stddef.h>"]
        for i, order in enumerate(self.orders):
            out += [f"#ifndef O{i}", f"#define O{i} memory_order_{order}", "#endif"]
        out += ["#define END(x) atomic_load_explicit(&x, memory_order_relaxed)", "static atomic_int x, y;", "static int data, a, b, c;"]
        for i, ops in enumerate(self.threads):
            out += [f"static void *t{i}(void *p)", "{", *ops, "return p;", "}"]
        n = len(self.threads)
        out += ["int main(void)", "{", f"pthread_t t[{n}];"]
        out += [f"pthread_create(&t[{i}], NULL, t{i}, NULL);" for i in range(n)]
        out += [f"pthread_join(t[{i}], NULL);" for i in range(n)]
        return "\n".join([*out, "(void)c;", f"assert(!({self.forbidden}));", "return 0;", "}", ""])


def macro_of(lines, operation):
    """A compare-exchange that fails has the last one of its line."""
    macros = re.findall(r"\bO\d+\b", lines[operation["line"] - 1])
    return macros[-1 if operation["operation"] == "cas-failed" else 0]


def compiled(treadle, where, source, orders):
    """needed, not needed: what the program says that is compiled with these orders."""
    words = [f"-D{macro}=memory_order_{'relaxed' if order == 'none' else order}" for macro, order in orders.items()]
    build(treadle, source, where / "other", *words)
    code = subprocess.run([treadle, "run", "-q", "--model=rc11", f"--out={where / 'other-out'}", "--no-known",
                           where / "other"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    return {0: "not needed", 1: "needed"}.get(code, f"exit status {code}")


def weakest(operation):
    return next((t["order"] for t in reversed(operation["weaker"]) if t["answer"] == "not needed"), None)


def compare(treadle, where, number, failures):
    source = where / "generated.c"
    source.write_text(Program(random.Random(f"weaken-{number}")).text())
    build(treadle, source, where / "generated")
    code, result, _ = weaken(treadle, where / "generated", where / f"generated-{number}")
    failures.check(f"generated {number}: exit status", code in (0, 1), True)
    lines = source.read_text().splitlines()
    failures.check(f"generated {number}", code == 1, compiled(treadle, where, source, {}) == "needed")
    n = 1
    for operation in result["operations"]:
        for t in operation["weaker"]:
            macro = macro_of(lines, operation)
            failures.check(f"generated {number}: {macro} {t['order']}", t["answer"],
                           compiled(treadle, where, source, {macro: t["order"]}))
            n += 1
    if result["together"] in ("all", "some"):
        failures.check(f"generated {number}: together",
                       compiled(treadle, where, source,
                                {macro_of(lines, o): o["together"] for o in result["operations"]}), "not needed")
        all_weak = {macro_of(lines, o): weakest(o) for o in result["operations"] if weakest(o)}
        failures.check(f"generated {number}: all", compiled(treadle, where, source, all_weak),
                       "not needed" if result["together"] == "all" else "needed")
        n += 2
    return n


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("treadle")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    treadle = Path(options.treadle).resolve()
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        if options.first == 1:
            print(f"{structures(treadle, where, failures)} structures", flush=True)
            ends(treadle, where, failures)
        n = sum(compare(treadle, where, i, failures) for i in range(options.first, options.first + options.count))
    if options.count:
        print(f"{options.count} generated programs, {n} comparisons")
    print(f"{len(failures)} failed")
    sys.exit(bool(failures))


main()
