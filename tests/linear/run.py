#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Structures made by chance, with marks around their operations. The search that covers local
states must find the same violations as the one that runs every interleaving: every operation has
a line of its own, so that each that can fail to be explained is a finding of its own.

Usage: run.py TREADLE [--count=N] [--seed=N]"""
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "programs"))
import harness  # noqa: E402

HEAD = """/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <treadle.h>

static atomic_int x, y;

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    int *v = state;
    switch (call->op[0]) {
    case 'w':
        *v = (int)call->arg[0];
        break;
    case 'r':
        *result = (uint64_t)*v;
        break;
    case 'i':
        *result = (uint64_t)(*v)++;
        break;
    default: /* swap */
        *result = (uint64_t)*v;
        *v = (int)call->arg[0];
        break;
    }
    return 1;
}

static const struct treadle_spec spec = {sizeof(int), NULL, step};
"""

# Ways to do an operation on the number in x; those behind the first one are wrong, some only
# together with others.
WAYS = {
    "write": ["atomic_store(&x, A);", "atomic_store(&y, A); atomic_store(&x, A);",
              "if (atomic_load(&x) == 0) atomic_store(&x, A);"],
    "read": ["R = atomic_load(&x);", "R = atomic_load(&y);",
             "R = atomic_load(&x); R = R ? R : atomic_load(&x);"],
    "inc": ["R = atomic_fetch_add(&x, 1);", "R = atomic_load(&x); atomic_store(&x, R + 1);",
            "R = atomic_load(&x); if (!atomic_compare_exchange_strong(&x, &R, R + 1)) "
            "atomic_fetch_add(&x, 1);"],
    "swap": ["R = atomic_exchange(&x, A);", "R = atomic_load(&x); atomic_store(&x, A);"],
}


def operation(rng, ways, n):
    """The source of one operation, on lines of its own."""
    name = rng.choice(sorted(ways))
    arg = str(rng.randint(1, 2))
    takes = name in ("write", "swap")
    returns = name != "write"
    body = ways[name].replace("A", arg).replace("R", f"r{n}")
    lines = [f"    int r{n} = 0;",
             f"    treadle_op_begin(&x, \"{name}\"" + (f", {arg});" if takes else ");"),
             f"    {body}",
             f"    treadle_op_end(&x" + (f", r{n});" if returns else ");"),
             f"    (void)r{n};"]
    return "\n".join(lines)


def program(rng):
    """One with few enough interleavings to run them all."""
    correct = rng.random() < 0.4
    ways = {name: w[0] if correct else rng.choice(w) for name, w in WAYS.items()}
    counts = rng.choice([[1, 1], [2, 1], [1, 1, 1], [2, 2]])
    parts, n = [HEAD], 0
    for i, count in enumerate(counts):
        body = []
        for _ in range(count):
            body.append(operation(rng, ways, n))
            n += 1
        parts.append(f"static void *thread{i}(void *arg)\n{{\n" + "\n".join(body) +
                     "\n    return arg;\n}\n")
    creates = "".join(f"    pthread_create(&t[{i}], NULL, thread{i}, NULL);\n"
                      for i in range(len(counts)))
    parts.append(f"int main(void)\n{{\n    pthread_t t[{len(counts)}];\n"
                 f"    treadle_specify(&x, &spec);\n{creates}    pthread_exit(NULL);\n}}\n")
    return "\n".join(parts), correct


def findings(result):
    return sorted((f["kind"], f["line"]) for f in result.report.get("findings", []))


def compare(treadle, source):
    """(what differs, findings)"""
    built, error = treadle.cc(source)
    if error:
        return "does not build: " + error, []
    by_states = treadle.run(built, options=["-k"])
    by_all = treadle.run(built, options=["-k", "--search=all"], limit=300)
    for name, r in (("states", by_states), ("all", by_all)):
        if r.problem or r.report["ledger"]:
            return f"{name}: {r.problem or r.report['ledger']} {r.tail()}", []
    if findings(by_states) != findings(by_all):
        return f"states {findings(by_states)}, all {findings(by_all)}", []
    if by_states.report["digest"] != by_all.report["digest"]:
        return "the digests differ", []
    return "", findings(by_all)


CPP = """#include <treadle.h>
static int x;
int main()
{
    treadle_op_begin(&x, "a");
    treadle_op_begin(&x, "b", 1, -2, &x, 4u);
    treadle_op_end(&x);
    treadle_op_end(&x, &x);
    return 0;
}
"""


def by_other_compilers(checks, directory):
    """Marked programs build anywhere, without a warning, and run."""
    source = os.path.join(directory, "marks.cpp")
    with open(source, "w", encoding="utf-8") as f:
        f.write(CPP)
    strict = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-pthread", "-I" + harness.INCLUDE]
    example = os.path.join(harness.EXAMPLES, "linear-stack", "linear-stack.c")
    program = os.path.join(directory, "plain")
    for words in (["cc", "-std=c11", example], ["c++", "-std=c++11", source]):
        done = subprocess.run(words + strict + ["-o", program], capture_output=True, text=True,
                              timeout=120)
        ok = done.returncode == 0 and subprocess.run([program], timeout=60).returncode == 0
        checks.check(f"{words[0]} builds marks", ok, done.stderr)


def option(name, otherwise):
    for word in sys.argv[2:]:
        if word.startswith(f"--{name}="):
            return int(word.split("=")[1])
    return otherwise


def main():
    treadle = harness.Treadle(sys.argv[1])
    checks = harness.Checks()
    seed, count = option("seed", 1), option("count", 24)
    n_wrong, n_right = 0, 0
    try:
        by_other_compilers(checks, treadle.dir)
        for i in range(seed, seed + count):
            text, correct = program(random.Random(i))
            source = os.path.join(treadle.dir, f"linear{i}.c")
            with open(source, "w", encoding="utf-8") as f:
                f.write(text)
            differs, found = compare(treadle, source)
            if not differs and correct and found:
                differs = f"a correct structure has {found}"
            ok = checks.check(f"seed {i}, {len(found)} operations fail", not differs, differs)
            if not ok:
                print(text)
            n_wrong, n_right = n_wrong + bool(found), n_right + (not found)
    finally:
        treadle.close()
    checks.check("some are linearizable, some are not",
                 count < 20 or (n_wrong > count // 10 and n_right > count // 10),
                 f"{n_wrong} are not, {n_right} are")
    checks.finish()


if __name__ == "__main__":
    main()
