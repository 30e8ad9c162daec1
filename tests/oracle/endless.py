#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs whose threads loop without end, against every state that they can reach.

No run of such a program ends, so there is nothing to compare runs with. But their data are finite: three
lines of Python for each instruction give all states, and with them what can happen: which assertions
fail, whether threads wait for each other, whether they loop without changing anything, and whether two
plain accesses that conflict are both next. treadle has to report one of these if there is any, and to say
COMPLETE only if there is none.

Usage: endless.py TREADLE [--search=learned] [--count=200] [--seed=1] [--first=0] [--keep=DIR] [--complete=PERCENT]"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

BATCH = 40
MOST_STATES = 6000
SHARED, PLAIN, LOCKS, REGISTERS = 3, 2, 2, 4
KEPT = REGISTERS - 2  # the last two keep their values from round to round: one in a register, one in memory
HEAD = """// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int g[%d];
static int p[%d];
static pthread_mutex_t m[%d];
static __attribute__((noinline, optnone)) int *same(int *p) { return p; }
#define r3 (*same(&kept))
""" % (SHARED, PLAIN, LOCKS)


class Thread:
    """A body, drawn as C text and as a list of instructions at the same time."""

    def __init__(self, rng, number):
        self.rng, self.text, self.code, self.held, self.depth = rng, [], [], [], 0
        self.number = number

    def put(self, line):
        self.text.append("    " * (self.depth + 1) + line)

    def emit(self, *instruction):
        self.code.append(list(instruction))
        return len(self.code) - 1

    def value(self):
        """(text, (register or None, constant))"""
        if self.rng.random() < 0.5:
            c = self.rng.randrange(4)
            return str(c), (None, c)
        r, c = self.rng.randrange(REGISTERS), self.rng.randrange(3)
        return f"((r{r} + {c}) & 3)", (r, c)

    def register(self):
        return self.rng.randrange(KEPT if self.rng.random() < 0.88 else REGISTERS)

    def access(self):
        """An operation on what is shared."""
        kind, r, g = self.rng.choice(["load", "load", "store", "add", "cas", "read", "write"]), self.register(), self.rng.randrange(SHARED)
        text, value = self.value()
        if kind == "load":
            self.put(f"r{r} = g[{g}];")
            self.emit("load", r, g)
        elif kind == "store":
            self.put(f"g[{g}] = {text};")
            self.emit("store", g, value)
        elif kind == "add":
            self.put(f"r{r} = atomic_fetch_xor(&g[{g}], 1);")
            self.emit("xor", r, g)
        elif kind == "cas":
            a, b = self.rng.randrange(3), self.rng.randrange(3)
            self.put(f"{{ int old = {a}; r{r} = atomic_compare_exchange_strong(&g[{g}], &old, {b}); }}")
            self.emit("cas", r, g, a, b)
        else:
            q = self.rng.randrange(PLAIN)
            is_safe = self.rng.random() < 0.93
            own = q % LOCKS  # the lock of the variable
            takes = is_safe and own not in self.held
            if takes and self.held:  # one lock at a time, so that locks alone are no deadlock
                return
            if takes:
                self.put(f"pthread_mutex_lock(&m[{own}]);")
                self.emit("lock", own)
            if kind == "read":
                self.put(f"r{r} = p[{q}];")
                self.emit("read", r, q)
            else:
                self.put(f"p[{q}] = {text};")
                self.emit("write", q, value)
            if takes:
                self.put(f"pthread_mutex_unlock(&m[{own}]);")
                self.emit("unlock", own)

    def decide(self):
        """(text, register, constant): r == c"""
        r, c = self.rng.randrange(REGISTERS), self.rng.randrange(3)
        return f"r{r} == {c}", r, c

    def block(self, most):
        for _ in range(self.rng.randint(1, most)):
            self.statement()

    def branch(self):
        text, r, c = self.decide()
        self.put(f"if ({text}) {{")
        at = self.emit("unless", r, c, None)
        self.depth += 1
        if not self.held and self.rng.random() < 0.2:
            self.put("goto again;" if self.rng.random() < 0.6 else "goto over;")
            self.emit("go", self.text[-1].strip()[5:-1])
        else:
            self.block(2)
        self.depth -= 1
        if self.rng.random() < 0.4:
            self.put("} else {")
            end = self.emit("go", None)
            self.code[at][3] = len(self.code)
            self.depth += 1
            self.block(2)
            self.depth -= 1
            self.code[end][1] = len(self.code)
        else:
            self.code[at][3] = len(self.code)
        self.put("}")

    def guarded(self):
        k = self.rng.randrange(LOCKS)
        if k in self.held or (self.held and self.rng.random() < 0.6):
            return self.access()
        self.put(f"pthread_mutex_lock(&m[{k}]);")
        self.emit("lock", k)
        self.held.append(k)
        self.block(3)
        self.held.pop()
        self.put(f"pthread_mutex_unlock(&m[{k}]);")
        self.emit("unlock", k)
        return None

    def wait(self):
        g, c = self.rng.randrange(SHARED), self.rng.randrange(2)
        sign = self.rng.choice(["==", "!="])
        self.put(f"while (g[{g}] {sign} {c})")
        self.put("    ;")
        self.emit("wait", g, sign, c)

    def check(self):
        r, c = self.rng.randrange(REGISTERS), self.rng.choice((2, 3, 3))
        self.put(f"assert(r{r} != {c});")
        self.emit("assert", r, c)

    def keep(self):
        r = self.rng.randrange(KEPT, REGISTERS)
        text, value = (f"!r{r}", "not") if self.rng.random() < 0.7 else self.value()
        self.put(f"r{r} = {text};")
        self.emit("set", r, value)

    def tally(self):
        """A count without a bound that nobody asks for."""
        self.put("*same(&tally) += 1;")

    def statement(self):
        draw = self.rng.random()
        if self.tallies and self.rng.random() < 0.3:
            self.tally()
        if self.depth > 3:
            self.access()
        elif draw < 0.5:
            self.access()
        elif draw < 0.68:
            self.branch()
        elif draw < 0.8:
            self.guarded()
        elif draw < 0.88:
            self.check()
        elif draw < 0.94:
            self.keep()
        elif not self.held:
            self.wait()

    def draw(self):
        self.is_endless = self.rng.random() < 0.85
        self.times = 0 if self.is_endless else self.rng.randint(1, 2)
        self.tallies = self.rng.random() < 0.25
        names = ", ".join(f"r{i} = 0" for i in range(KEPT))
        self.block(5)
        body, self.text = self.text, []
        self.put(f"int r{KEPT} = 0, kept = 0, tally = 0;")
        self.put("for (;;) {" if self.is_endless else f"for (int i = 0; i < {self.times}; i++) {{")
        self.put(f"    int {names};")
        self.text += ["    " + line for line in body]
        self.put("again:;")
        self.put("}")
        self.put("over:;")
        end = len(self.code)
        for i in self.code:
            if i[0] == "go" and isinstance(i[1], str):
                i[1] = end if i[1] == "again" else end + 1
        self.emit("round")
        self.emit("end")


class Program:
    def __init__(self, seed, number):
        rng = random.Random(f"{seed}/{number}")
        self.threads = [Thread(rng, i) for i in range(rng.choice((2, 2, 3)))]
        for t in self.threads:
            t.draw()

    def text(self, k):
        out = []
        for t in self.threads:
            used = [w for w in ("again", "over") if not any(f"goto {w};" in line for line in t.text)]
            lines = [line for line in t.text if line.strip() not in [f"{w}:;" for w in used]]
            regs = f"(void)r{KEPT}, (void)tally;"
            out += [f"static void *p{k}t{t.number}(void *arg)", "{"] + lines + [f"    {regs}", "    return arg;", "}"]
        out += [f"static void p{k}(void)", "{", f"    pthread_t t[{len(self.threads)}];"]
        for t in self.threads:
            out.append(f"    pthread_create(&t[{t.number}], NULL, p{k}t{t.number}, NULL);")
        for t in self.threads:
            out.append(f"    pthread_join(t[{t.number}], NULL);")
        return "\n".join(out + ["}", ""])


class TooMany(Exception):
    """There are more states than asked for."""


class States:
    """All that a program can do. A state: of each thread its next instruction, its registers and its rounds;
    memory; who has each lock."""

    def __init__(self, program):
        self.code = [t.code for t in program.threads]
        self.times = [t.times for t in program.threads]
        self.found, self.may = set(), set()  # what can happen; that, and what may be reported as well
        n = len(self.code)
        start = (tuple(self.local(i, 0, (0,) * REGISTERS, 0) for i in range(n)),
                 (0,) * (SHARED + PLAIN), (None,) * LOCKS)
        self.explore(start)

    def local(self, i, at, regs, rounds):
        """Up to the next instruction that others can notice; failed assertions end there."""
        for _ in range(200):
            op = self.code[i][at]
            if op[0] == "unless":
                at = at + 1 if regs[op[1]] == op[2] else op[3]
            elif op[0] == "go":
                at = op[1]
            elif op[0] == "set":
                new = int(regs[op[1]] == 0) if op[2] == "not" else value_of(op[2], regs)
                regs, at = replace(regs, op[1], new), at + 1
            elif op[0] == "round":
                rounds += self.times[i] > 0
                regs = (0,) * KEPT + regs[KEPT:]
                at = at + 1 if self.times[i] and rounds >= self.times[i] else 0
            elif op[0] == "assert" and regs[op[1]] != op[2]:
                at += 1
            else:
                return (at, regs, rounds)
        raise TooMany()  # a loop without an operation

    def step(self, state, i):
        """The state after the next instruction of the thread; None: it waits."""
        threads, memory, locks = state
        at, regs, rounds = threads[i]
        op = self.code[i][at]
        kind = op[0]
        if kind in ("end", "assert"):
            return None
        if kind == "load":
            regs = replace(regs, op[1], memory[op[2]])
        elif kind == "read":
            regs = replace(regs, op[1], memory[SHARED + op[2]])
        elif kind == "store":
            memory = replace(memory, op[1], value_of(op[2], regs))
        elif kind == "write":
            memory = replace(memory, SHARED + op[1], value_of(op[2], regs))
        elif kind == "xor":
            old = memory[op[2]]
            memory, regs = replace(memory, op[2], old ^ 1), replace(regs, op[1], old)
        elif kind == "cas":
            fits = memory[op[2]] == op[3]
            regs = replace(regs, op[1], int(fits))
            memory = replace(memory, op[2], op[4]) if fits else memory
        elif kind == "wait":
            if (memory[op[1]] == op[3]) == (op[2] == "=="):
                return None
        elif kind == "lock":
            if locks[op[1]] is not None:
                return None
            locks = replace(locks, op[1], i)
        elif kind == "unlock":
            locks = replace(locks, op[1], None)
        return (replace(threads, i, self.local(i, at + 1, regs, rounds)), memory, locks)

    def look(self, state):
        """What shows in the state itself. True: the run ends here."""
        ops = [self.code[i][t[0]] for i, t in enumerate(state[0])]
        plain = [(op[0], op[2] if op[0] == "read" else op[1]) for op in ops if op[0] in ("read", "write")]
        for a, x in enumerate(plain):
            for y in plain[a + 1:]:
                if x[1] == y[1] and "write" in (x[0], y[0]):
                    self.found.add("race")
        if any(op[0] == "assert" for op in ops):
            self.found.add("assert")
            return True
        return False

    def explore(self, start):
        before, alive, written, todo = {start: set()}, set(), set(), [start]
        while todo:
            state = todo.pop()
            if len(before) > MOST_STATES:
                raise TooMany()
            if self.look(state):
                alive.add(state)
                continue
            moves = [n for n in (self.step(state, i) for i in range(len(self.code))) if n]
            if not moves:
                is_over = all(self.code[i][t[0]][0] == "end" for i, t in enumerate(state[0]))
                if not is_over:
                    self.found.add("hang")
                alive.add(state)
            for after in moves:
                if after not in before:
                    before[after] = set()
                    todo.append(after)
                before[after].add(state)
                if after[1][:SHARED] != state[1][:SHARED] or self.n_over(after) != self.n_over(state):
                    alive.add(state)
                elif self.writes(state, after):
                    written.add(state)
        if has_dead(before, alive):
            self.may.add("hang")
        if has_dead(before, alive | written):
            self.found.add("hang")
        self.may |= self.found
        self.n = len(before)

    def writes(self, state, after):
        """The step writes, if only what is there."""
        moved = [i for i, t in enumerate(state[0]) if t != after[0][i]]
        for i in moved or range(len(state[0])):  # a round may leave its thread where it was
            op = self.code[i][state[0][i][0]]
            if op[0] in ("store", "write", "xor") or (op[0] == "cas" and state[1][op[2]] == op[3]):
                return True
        return False

    def n_over(self, state):
        return sum(self.code[i][t[0]][0] == "end" for i, t in enumerate(state[0]))


def has_dead(before, alive):
    """From some state nothing in alive can be reached."""
    alive, todo = set(alive), list(alive)
    while todo:
        for state in before[todo.pop()]:
            if state not in alive:
                alive.add(state)
                todo.append(state)
    return len(alive) < len(before)


def replace(items, i, value):
    return items[:i] + (value,) + items[i + 1:]


def value_of(value, regs):
    return value[1] if value[0] is None else (regs[value[0]] + value[1]) & 3


def build(treadle, folder, batch, name):
    source = os.path.join(folder, name + ".c")
    with open(source, "w", encoding="ascii") as f:
        f.write(HEAD)
        for k, (_, program, _) in enumerate(batch):
            f.write(program.text(k))
        cases = "\n".join(f"    case {k}: p{k}(); break;" for k in range(len(batch)))
        f.write(f"int main(int argc, char **argv)\n{{\n    switch (atoi(argv[1])) {{\n{cases}\n    }}\n    return argc == 0;\n}}\n")
    subprocess.run([treadle, "cc", "-w", "-g", "-O1", "-pthread", source, "-o", source[:-2]], check=True)
    return source[:-2]


def explore(treadle, search, built, k, folder, seconds):
    """(verdict, kinds of findings, why it is incomplete, runs)"""
    result = os.path.join(folder, "result.json")
    words = [treadle, "run", "-q", "-j1", "--no-known", f"--time={seconds}s", "--explain-time=1ms", f"--json={result}", f"--out={folder}/out"]
    words += [f"--search={search}"] if search else []
    subprocess.run(words + [built, str(k)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20 * seconds, check=False)
    with open(result, encoding="utf-8") as f:
        told = json.load(f)
    os.unlink(result)
    kinds = {"hang" if f["kind"] in ("deadlock", "livelock") else f["kind"] for f in told["findings"]}
    why = [f"{g['kind']}: {g['text']}" for g in told["ledger"]] or ["?"]
    return told["verdict"], kinds, why[0], told["runs"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle")
    parser.add_argument("--search", default="learned")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--keep", help="folder for the programs")
    parser.add_argument("--complete", type=int, default=0, help="least share of COMPLETE, in per cent, among those without a bug")
    options = parser.parse_args()
    treadle = os.path.abspath(options.treadle)
    n = {"complete": 0, "incomplete": 0, "suspected": 0, "bug": 0, "skipped": 0, "wrong": 0}
    runs, reasons, correct = [], {}, 0
    number, end = options.first, options.first + options.count
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.abspath(options.keep or folder)
        os.makedirs(folder, exist_ok=True)
        while number < end:
            batch = []
            while number < end and len(batch) < BATCH:
                program = Program(options.seed, number)
                try:
                    batch.append((number, program, States(program)))
                except TooMany:
                    n["skipped"] += 1
                number += 1
            built = build(treadle, folder, batch, f"b{number}")
            for k, (which, _, states) in enumerate(batch):
                verdict, kinds, why, n_runs = explore(treadle, options.search, built, k, folder, options.seconds)
                correct += not states.found
                wrong = not kinds <= states.may or (verdict == "complete" and states.found)
                n["wrong" if wrong else verdict] += 1
                if wrong:
                    print(f"WRONG {which}: {verdict} {sorted(kinds)}, states {sorted(states.found)}: {built} {k}", flush=True)
                if verdict == "complete":
                    runs.append(n_runs)
                if verdict in ("incomplete", "suspected"):
                    reasons[why] = reasons.get(why, 0) + 1
    runs.sort()
    print(", ".join(f"{count} {name}" for name, count in n.items()))
    print(f"runs of those that are COMPLETE: median {runs[len(runs) // 2] if runs else 0}, most {runs[-1] if runs else 0}")
    for why, count in sorted(reasons.items(), key=lambda x: -x[1])[:5]:
        print(f"  {count} incomplete: {why}")
    share = 100 * n["complete"] // max(1, correct)
    print(f"{correct} programs without a bug, {share} % of them COMPLETE")
    return int(n["wrong"] > 0 or share < options.complete)


if __name__ == "__main__":
    sys.exit(main())
