#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Symbolic data flow against the program itself: run.py TREADLE [--expressions=N] [--seed=N]

Generates programs that compute random integer expressions of inputs, through all widths,
memory, structures, calls, pointers, loops and atomics, and branch on them. Each is built
plainly and with treadle cc; both must print the same. Then flowcheck runs the latter with
random inputs and evaluates the nodes of every decision and of every value that the program
checks: they must give what the program computed, bit for bit.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

TYPES = ["int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",
         "uint64_t"]
WIDE = ["__int128", "unsigned __int128"]
BITS = {"int8_t": 8, "uint8_t": 8, "int16_t": 16, "uint16_t": 16, "int32_t": 32,
        "uint32_t": 32, "int64_t": 64, "uint64_t": 64, "__int128": 128,
        "unsigned __int128": 128}
INPUT = {"int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16",
         "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64"}
EXPRESSIONS_PER_FUNCTION = 24
FUNCTIONS = 12
RUNS = 40

HEAD = """
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <treadle.h>
#ifdef __TREADLE__
extern void treadle_check(uint64_t value);
#else
#define treadle_check(value) ((void)(value))
#endif
static uint64_t sum;
#define CHECK(v) (treadle_check((uint64_t)(v)), sum = sum * 31 + (uint64_t)(v))
#define CHECK128(v) (CHECK(v), CHECK((unsigned __int128)(v) >> 64))
#define BRANCH(c) do { if (c) sum += 7; else sum ^= 5; } while (0)
struct pack { uint8_t a; int16_t b; uint32_t c; int64_t d; uint8_t e[8]; unsigned f : 5, g : 11; };
struct two { uint64_t x, y; };
struct big { uint32_t v[9]; };
static struct pack shared;
static uint8_t bytes[32];
static _Atomic uint32_t atom;
static _Atomic uint64_t atom8;
"""


class Writer:
    def __init__(self, seed):
        self.rnd = random.Random(seed)
        self.lines = []
        self.names = []      # (name, type) of variables in reach

    def type(self, wide=True):
        if wide and self.rnd.random() < 0.06:
            return self.rnd.choice(WIDE)
        return self.rnd.choice(TYPES)

    def constant(self):
        kind = self.rnd.randrange(4)
        if kind == 0:
            return str(self.rnd.randrange(8))
        if kind == 1:
            return "%dll" % self.rnd.randrange(-200, 200)
        if kind == 2:
            return "0x%xull" % self.rnd.getrandbits(self.rnd.choice([8, 16, 31, 32, 63, 64]))
        return "%uu" % self.rnd.getrandbits(31)

    def leaf(self):
        if self.rnd.random() < 0.75:
            return self.rnd.choice(self.names)[0]
        return self.constant()

    def expression(self, depth):
        rnd = self.rnd
        if depth == 0:
            return self.leaf()
        a = self.expression(depth - 1 if rnd.random() < 0.7 else 0)
        b = self.expression(depth - 1 if rnd.random() < 0.5 else 0)
        kind = rnd.randrange(17)
        if kind < 6:
            # Unsigned, so that nothing overflows in a way C does not define.
            u = self.unsigned()
            return "((%s)%s %s (%s)%s)" % (u, a, rnd.choice("+-*&|^"), u, b)
        if kind < 8:
            t = self.type()
            u = t if t.startswith("u") else self.unsigned_of(t)
            if rnd.random() < 0.5 or t == u:
                return "((%s)%s %s ((%s)%s | 1))" % (u, a, rnd.choice("/%"), u, b)
            # A divisor that is neither 0 nor -1.
            return "((%s)%s %s (%s)(((%s)%s & 0x3f) + 2))" % (t, a, rnd.choice("/%"), t, u, b)
        if kind < 10:
            t = self.type()
            u = t if t.startswith("u") else self.unsigned_of(t)
            by = "((unsigned)%s & %d)" % (b, BITS[t] - 1)
            if rnd.random() < 0.5:
                return "(%s)((%s)%s << %s)" % (u, self.promoted(u), a, by)
            return "(%s)((%s)%s >> %s)" % (t, t, a, by)
        if kind < 12:
            t = self.type()
            return "((%s)%s %s (%s)%s)" % (t, a, rnd.choice(["<", "<=", ">", ">=", "==", "!="]),
                                           t, b)
        if kind == 12:
            return "(%s ? %s : %s)" % (self.truth(a), b, self.leaf())
        if kind == 13:
            return "(%s)%s" % (self.type(), a)
        if kind == 14:
            return "(%s%s)" % (rnd.choice(["~(uint64_t)", "-(uint64_t)", "!", "~(uint32_t)"]), a)
        if kind == 15:
            return rnd.choice(["__builtin_bswap32((uint32_t)%s)",
                               "__builtin_bswap64((uint64_t)%s)",
                               "__builtin_bswap16((uint16_t)%s)",
                               "__builtin_popcountll((uint64_t)%s)",
                               "__builtin_clz((uint32_t)%s | 1)",
                               "__builtin_ctzll((uint64_t)%s | 1ull << 63)",
                               "__builtin_rotateleft32((uint32_t)%s, 7)",
                               "__builtin_bitreverse32((uint32_t)%s)"]) % a
        f = rnd.choice(["call1", "call2", "callp", "rec"])
        return {"call1": "plus((int32_t)%s, (uint8_t)%s)",
                "call2": "mix((uint64_t)%s, (int16_t)%s)",
                "callp": "pointers[1](%s, (int16_t)%s)",
                "rec": "again((uint32_t)%s, (uint32_t)%s, 3)"}[f] % (a, b)

    def truth(self, a):
        return "(%s & %d)" % (a, self.rnd.choice([1, 2, 8, 0xff])) if self.rnd.random() < 0.5 \
            else a

    def unsigned(self):
        return self.rnd.choice(["uint32_t", "uint64_t", "uint64_t", "unsigned __int128"]
                               if self.rnd.random() < 0.1 else ["uint32_t", "uint64_t"])

    def unsigned_of(self, t):
        return "unsigned __int128" if t == "__int128" else "u" + t if t[0] == "i" else t

    def promoted(self, u):
        return u if BITS[u] >= 32 else "uint32_t"

    def check(self, name, t):
        self.lines.append("    %s(%s);" % ("CHECK128" if BITS[t] == 128 else "CHECK", name))

    def through_memory(self, name, t, n):
        rnd = self.rnd
        kind = rnd.randrange(13)
        put = self.lines.append
        if kind == 0:
            put("    shared.a = (uint8_t)%s; shared.b = (int16_t)%s; shared.d = (int64_t)%s;"
                % (name, self.leaf(), self.leaf()))
            put("    %s = (%s)(shared.a + shared.b + (uint64_t)shared.d);" % (name, t))
        elif kind == 1:
            put("    memcpy(bytes + %d, &%s, sizeof %s);" % (rnd.randrange(8), name, name))
            put("    { uint64_t w; memcpy(&w, bytes + %d, 8); %s ^= (%s)w; }"
                % (rnd.randrange(8), name, t))
        elif kind == 2:
            put("    { struct pack local = shared; local.e[%d] = (uint8_t)%s; shared = local; }"
                % (rnd.randrange(8), name))
            put("    %s += shared.e[%d];" % (name, rnd.randrange(8)))
        elif kind == 3:
            put("    { uint32_t row[4] = {1, (uint32_t)%s, 3, (uint32_t)%s};" % (name, self.leaf()))
            put("      uint32_t s = 0; for (int i = 0; i < 4; i++) s = s * 3 + row[i];")
            put("      %s ^= (%s)s; }" % (name, t))
        elif kind == 4:
            put("    shared.f = (unsigned)%s; shared.g = (unsigned)%s;" % (name, self.leaf()))
            put("    %s += (%s)(shared.f * 3 + shared.g);" % (name, t))
        elif kind == 5:
            put("    { struct two p = both((uint64_t)%s, (uint64_t)%s); %s ^= (%s)(p.x + p.y); }"
                % (name, self.leaf(), name, t))
        elif kind == 6:
            put("    { struct big g = {{1, (uint32_t)%s, 3}}; %s += (%s)sum_of(g); }"
                % (name, name, t))
        elif kind == 7:
            put("    atom = (uint32_t)%s; atom %s (uint32_t)%s; %s ^= (%s)atom;"
                % (name, rnd.choice(["+=", "-=", "^=", "|=", "&="]), self.leaf(), name, t))
        elif kind == 8:
            put("    { uint64_t was = atom8; bool done ="
                " __atomic_compare_exchange_n((uint64_t *)&atom8, &was, (uint64_t)%s, 0, 5, 5);"
                % name)
            put("      %s += (%s)(was + done + atom8); }" % (name, t))
        elif kind == 9:
            put("    memset(bytes + 8, (int)(uint8_t)%s, 5); %s ^= (%s)(bytes[9] + bytes[13]);"
                % (name, name, t))
        elif kind == 10:
            put("    switch ((uint8_t)%s %% 7) { case 0: sum += 1; break; case 3: sum *= 3; break;"
                " case 4: case 5: sum ^= 9; break; default: sum--; }" % name)
        elif kind == 11:
            put("    { uint32_t r; bool o = __builtin_%s_overflow((%s)%s, (%s)%s, &r);"
                % ((rnd.choice(["add", "sub", "mul"]),)
                   + ("uint32_t", name, "uint32_t", self.leaf())))
            put("      %s += (%s)(r + o); }" % (name, t))
        else:
            put("    { int32_t r; bool o = __builtin_%s_overflow((int32_t)%s, (int32_t)%s, &r);"
                % (rnd.choice(["add", "sub", "mul"]), name, self.leaf()))
            put("      %s += (%s)((uint32_t)r + o); }" % (name, t))

    def function(self, index):
        self.names = []
        params = []
        for i in range(4):
            t = self.type(wide=False)
            params.append("%s p%d" % (t, i))
            self.names.append(("p%d" % i, t))
        self.lines.append("static uint64_t f%d(%s)\n{" % (index, ", ".join(params)))
        for i in range(EXPRESSIONS_PER_FUNCTION):
            t = self.type()
            name = "v%d" % i
            self.lines.append("    %s %s = (%s)%s;" % (t, name, t,
                                                       self.expression(self.rnd.randrange(1, 5))))
            if self.rnd.random() < 0.4:
                u = self.unsigned_of(t) if not t.startswith("u") else t
                self.lines.append("    %s m%d = (%s)%s;" % (u, i, u, name))
                self.through_memory("m%d" % i, u, i)
                self.lines.append("    %s = (%s)m%d;" % (name, t, i))
            self.names.append((name, t))
            self.check(name, t)
            if self.rnd.random() < 0.5:
                self.lines.append("    BRANCH(%s %s %s);" % (name, self.rnd.choice(
                    ["<", ">", "==", "!=", "<=", ">="]), self.leaf()))
        self.lines.append("    return (uint64_t)%s;\n}\n" % self.leaf())
        return [n[1] for n in self.names[:4]]

    def program(self):
        self.lines = [HEAD,
                      "static int64_t plus(int32_t a, uint8_t b) { return (int64_t)a + b; }",
                      "int16_t mix(uint64_t a, int16_t b) { return (int16_t)(a >> 5 ^ (uint16_t)b); }",
                      "static uint64_t shifted(uint64_t a, int16_t b) { return a * 5 + (uint16_t)b; }",
                      "static uint64_t (*const pointers[])(uint64_t, int16_t) = {NULL, shifted};",
                      "static uint32_t again(uint32_t a, uint32_t b, int n)"
                      " { return n ? again(b, a * 3 + b, n - 1) : a ^ b; }",
                      "static struct two both(uint64_t a, uint64_t b)"
                      " { struct two t = {a + b, a ^ b}; return t; }",
                      "static uint32_t sum_of(struct big g)"
                      " { uint32_t s = 0; for (int i = 0; i < 9; i++) s += g.v[i]; return s; }", ""]
        signatures = [self.function(i) for i in range(FUNCTIONS)]
        self.lines.append("int main(void)\n{")
        inputs = []
        for i in range(6):
            t = self.type(wide=False)
            inputs.append("in%d" % i)
            self.lines.append('    %s in%d = treadle_%s("in%d");' % (t, i, INPUT[t], i))
        self.lines.append("    uint8_t text[12]; treadle_symbolic(text, sizeof text, \"text\");")
        inputs += ["text[3]", "*(uint32_t *)(text + 4)", "*(uint64_t *)(text + 1)"]
        for i, types in enumerate(signatures):
            args = ", ".join("(%s)%s" % (t, self.rnd.choice(inputs)) for t in types)
            self.lines.append("    CHECK(f%d(%s));" % (i, args))
        self.lines.append('    printf("%016llx\\n", (unsigned long long)sum);\n    return 0;\n}')
        return "\n".join(self.lines) + "\n"


def build(command, source, output):
    done = subprocess.run(command + ["-w", "-I" + INCLUDE, source, "-o", output],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("cannot build %s:\n%s" % (source, done.stderr))


HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")


def one(treadle, seed, level, folder):
    """Checks one program; how many expressions it evaluated."""
    source = os.path.join(folder, "p%d.c" % seed)
    with open(source, "w") as f:
        f.write(Writer(seed).program())
    plain, followed = os.path.join(folder, "plain"), os.path.join(folder, "followed")
    build([CLANG, "-O1"], source, plain)
    build([treadle, "cc", level], source, followed)
    said = [subprocess.run([p], capture_output=True, text=True).stdout
            for p in (plain, followed)]
    if said[0] != said[1]:
        print("%s %s: plain says %r, by hand %r" % (source, level, said[0], said[1]))
        return None
    least = FUNCTIONS * EXPRESSIONS_PER_FUNCTION * RUNS // 4
    tool = os.path.join(os.path.dirname(treadle), "tests", "flowcheck")
    done = subprocess.run([tool, followed, str(RUNS), str(seed), str(least)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        print("%s %s:\n%s%s" % (source, level, done.stdout, done.stderr))
        return None
    words = done.stdout.split()
    return int(words[4]) + int(words[6])


def by_hand(treadle, name, folder):
    """A program of this folder, with random schedules; its gaps are as it says."""
    source = os.path.join(HERE, name)
    program = os.path.join(folder, "program")
    build([treadle, "cc", "-O2", "-g", "-pthread"], source, program)
    tool = os.path.join(os.path.dirname(treadle), "tests", "flowcheck")
    done = subprocess.run([tool, program, "300", "1", "300"], capture_output=True, text=True)
    with open(source) as f:
        expected = re.search(r"expect: gaps (\d+)", f.read())
    gaps = re.search(r"(\d+) gaps", done.stdout)
    if done.returncode != 0 or not gaps:
        sys.exit("%s:\n%s%s" % (name, done.stdout, done.stderr))
    if expected and int(gaps.group(1)) != 300 * int(expected.group(1)):
        sys.exit("%s: %s in 300 runs" % (name, gaps.group(0)))
    print("flow: %s: %s" % (name, done.stdout.strip()))


def main():
    global CLANG
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle")
    parser.add_argument("--expressions", type=int, default=30000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    treadle = os.path.abspath(args.treadle)
    CLANG = "clang"
    for name in [f"clang-{v}" for v in (19, 22, 21, 20, 18, 17, 16)]:
        if subprocess.run(["which", name], capture_output=True).returncode == 0:
            CLANG = name
            break
    n, programs = 0, 0
    folder = tempfile.mkdtemp(prefix="treadle-flow")
    for name in ("threads.c", "concrete.c"):
        by_hand(treadle, name, folder)
    while n < args.expressions:
        level = ["-O2", "-O0", "-O1", "-O2"][programs % 4]
        got = one(treadle, args.seed + programs, level, folder)
        if got is None:
            sys.exit(1)
        n += got
        programs += 1
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    os.rmdir(folder)
    print("flow: %d programs, %d expressions evaluated, seed %d" % (programs, n, args.seed))


if __name__ == "__main__":
    main()
