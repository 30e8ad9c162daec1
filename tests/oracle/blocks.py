#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs that hand memory from thread to thread and free it: the search learned against every interleaving.

    tests/oracle/blocks.py TREADLE-DIVIDED [--count=100] [--seed=1]

A block is published in a place that is shared, taken out of it by an exchange or under a lock, peeked at, counted by
references, waited for, freed. Where one search reports a use of freed memory, a double free or a data race, so must the other; where
all interleavings are right, what the search learned leaves open is counted.
Exit: 0 if they agree.
"""
import argparse
import collections
import os
import random
import subprocess
import sys
import tempfile

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
typedef struct block { int value; atomic_int refs; } block;
static block *_Atomic place[2], *kept;
static atomic_int flag, done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int count, sum;
static block *make(int value)
{
    block *b = malloc(sizeof *b);
    b->value = value;
    atomic_init(&b->refs, 2);
    return b;
}
"""


class Program:
    def __init__(self, rng):
        self.rng, self.n = rng, 0

    def name(self):
        self.n += 1
        return f"b{self.n}"

    def statement(self):
        b, i = self.name(), self.rng.randrange(2)
        return self.rng.choice((
            f"block *{b} = make({self.n}); {b} = atomic_exchange(&place[{i}], {b}); free({b});",
            f"block *{b} = atomic_exchange(&place[{i}], NULL); if ({b}) {{ atomic_fetch_add(&done, {b}->value); free({b}); }}",
            f"block *{b} = atomic_load(&place[{i}]); if ({b}) atomic_fetch_add(&done, {b}->value);",
            f"pthread_mutex_lock(&m); block *{b} = kept; kept = NULL; pthread_mutex_unlock(&m); free({b});",
            f"pthread_mutex_lock(&m); block *{b} = kept; if ({b}) sum += {b}->value; pthread_mutex_unlock(&m);",
            f"pthread_mutex_lock(&m); block *{b} = kept; if ({b}) sum++; pthread_mutex_unlock(&m); if ({b}) atomic_fetch_add(&done, {b}->value);",
            f"pthread_mutex_lock(&m); block *{b} = kept; int {b}s = sum; pthread_mutex_unlock(&m); int {b}v = {b} ? {b}->value : 0; "
            f"if ({b}s > 99) {b}v++; atomic_fetch_add(&done, {b}v);",
            f"block *{b} = atomic_load(&place[{i}]); int {b}v = {b} ? {b}->value : 0; if (atomic_load(&done) > 99) {b}v += {b} ? {b}->value : 0; atomic_store(&done, {b}v);",
            f"block *{b} = make({self.n}); pthread_mutex_lock(&m); block *{b}o = kept; kept = {b}; pthread_mutex_unlock(&m); free({b}o);",
            f"block *{b} = make({self.n}); pthread_mutex_lock(&m); block *{b}o = kept; kept = {b}; {b}->value++; free({b}o); pthread_mutex_unlock(&m);",
            f"block *{b} = atomic_load(&place[{i}]); if ({b}) {{ int last = atomic_fetch_sub(&{b}->refs, 1) == 1; if (last) free({b}); }}",
            "atomic_store(&flag, 1);",
            f"if (atomic_load(&flag)) {{ block *{b} = atomic_exchange(&place[{i}], NULL); free({b}); }}",
            "pthread_mutex_lock(&m); count++; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
            f"pthread_mutex_lock(&m); while (!count) pthread_cond_wait(&c, &m); count--; block *{b} = kept; kept = NULL; pthread_mutex_unlock(&m); free({b});",
        ))

    def text(self):
        lines = [HEAD]
        n = self.rng.choice((2, 2, 3))
        same = self.rng.random() < 0.3
        for k in range(1 if same else n):
            body = [self.statement() for _ in range(self.rng.randint(1, 3 if n == 2 else 2))]
            lines.append(f"static void *work{k}(void *arg)\n{{\n    " + "\n    ".join(body) + "\n    return arg;\n}\n")
        lines.append("int main(void)\n{\n    pthread_t t[3];\n    atomic_store(&place[0], make(100));\n    atomic_store(&place[1], make(101));\n"
                     "    kept = make(102);\n    count = 3;")
        lines += [f"    pthread_create(&t[{k}], NULL, work{0 if same else k}, NULL);" for k in range(n)]
        lines += [f"    pthread_join(t[{k}], NULL);" for k in range(n)]
        lines.append("    return 0;\n}\n")
        return "\n".join(lines)


def run(treadle, program, search, folder):
    words = [treadle, "run", "-q", "-j1", "--no-known", "--time=30s", "--explain-time=1ms", f"--search={search}", f"--out={folder}/{search}", program]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=120, cwd=folder)
    what = next((line for line in done.stdout.splitlines() if line.startswith("SUMMARY: ")), "")
    return done.returncode, what


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    opts = parser.parse_args()
    counts = collections.Counter()
    for k in range(opts.count):
        text = Program(random.Random(f"{opts.seed}/{k}")).text()
        with tempfile.TemporaryDirectory(prefix="treadle-blocks.") as folder:
            source = os.path.join(folder, "p.c")
            with open(source, "w", encoding="utf-8") as f:
                f.write(text)
            subprocess.run([opts.treadle, "cc", "-w", "-g", "-O1", "-pthread", source, "-o", os.path.join(folder, "p")], check=True)
            reference, what = run(opts.treadle, "./p", "all", folder)
            learned, told = run(opts.treadle, "./p", "learned", folder)
        if reference == 3:
            counts["open by the reference"] += 1
        elif reference == 1 and learned == 0 or reference == 0 and learned == 1 or not {reference, learned} <= {0, 1, 3}:
            counts["wrong"] += 1
            print(f"FAIL  {k}: all {reference} {what}, learned {learned} {told}\n{text}", flush=True)
        else:
            counts[f"{'wrong programs' if reference else 'right programs'}, {('COMPLETE', 'found', '', 'left open')[learned]}"] += 1
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
