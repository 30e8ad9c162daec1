#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: genmc.py TREADLE --genmc=GENMC [--model=rc11|tso|sc] [--count=N] [--first=N] [--seed=TEXT] [--most=N] [--jobs=N]
                [--write=FILE] [--cycles] [--programs] [--test=TEXT] [-- [FLAG... FILE.c]...]
       genmc.py TREADLE --known[=FILE] [--most=N] [--jobs=N]

How many execution graphs a program has: `treadle run --search=graphs --model=MODEL` and GenMC must count as many
complete executions. The programs are random litmus tests, with branches on what was read, stores of it, and a mutex
(tests/models/programs/states.c has their letters); --cycles: in the shapes in which orders matter; --programs: the C programs
named below instead; --test: these tests, with commas between them; after --: C programs, each behind its macros.
--most: programs with more executions than this are left out (100,000 unless it is given).
--write appends programs and their counts to a file; --known compares with such a file (tests/models/genmc.txt), without
GenMC. A line for each difference, then the sum; exit status 1 if there is one that tests/models/axioms.py does not
explain: it counts a third time, as RC11 is defined and as GenMC 0.10.3 reads it."""
import argparse
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import axioms
import herd

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BATCH = 100
KINDS = ["RRRWWW", "RRRRWWWWXACF", "RWXACF", "RRWWFV", "RVRWJ", "RCJWV", "RWJA", "RWM", "RWAVM", "RWXACFVJM"]
# GenMC's own reductions merge executions; we compare what they are without them.
OPTIONS = ["--disable-estimation", "--disable-sr", "--disable-ipr", "--disable-bam",
           "--disable-code-condenser", "--disable-load-annotation", "--disable-confirmation-annotation",
           "--disable-mm-detector", "--disable-race-detection"]
PROGRAMS = """
-DN=5 bench/peers/pairs.c
-DN=10 bench/peers/pairs.c
-DN=3 -DK=1 -DORDERED bench/peers/philo.c
-DN=3 -DK=2 -DORDERED bench/peers/philo.c
-DN=4 -DK=2 -DORDERED bench/peers/philo.c
-DN=16 bench/peers/filesystem.c
-DN=18 bench/peers/filesystem.c
-DN=12 bench/peers/indexer.c
-DN=14 bench/peers/indexer.c
-DN=12 -DLOCKS bench/peers/indexer.c
-DN=3 bench/peers/fib.c
-DN=4 bench/peers/fib.c
-DN=5 bench/peers/fib.c
-DK=1 -DSPIN=2 bench/peers/szymanski.c
-DN=5 bench/peers/lastzero.c
-DN=8 bench/peers/lastzero.c
-DN=8 bench/peers/readers.c
-DN=11 bench/peers/readers.c
-DN=3 -DK=2 bench/peers/singlelock.c
-DN=4 -DK=2 bench/peers/singlelock.c
-DN=3 -DK=3 bench/peers/singlelock.c
-DN=5 bench/peers/fetchadd.c
-DN=6 bench/peers/fetchadd.c
-DN=6 -DUNUSED bench/peers/fetchadd.c
-DN=8 bench/peers/casrot.c
-DN=4 bench/peers/casw.c
-DN=5 bench/peers/casw.c
-DN=6 bench/peers/nwriters.c
-DN=8 bench/peers/nwriters.c
-DN=10 bench/peers/sbring.c
-DS=2 -DA=3 -DB=3 bench/peers/chaselev.c
-DW=2 -DR=1 bench/peers/seqlock.c
-DW=2 -DR=2 bench/peers/seqlock.c
-DN=2 -DSIZE=12 bench/peers/erat.c
-DW=2 -DR=2 bench/peers/rwlock.c
-DW=2 -DR=2 bench/peers/treiber.c
-DW=2 -DR=2 bench/peers/msqueue.c
-DN=1 tests/models/programs/fib.c
-DN=2 tests/models/programs/fib.c
-DN=3 tests/models/programs/fib.c
-DN=4 tests/models/programs/fib.c
-DDEKKER -DFENCE tests/models/programs/exclusion.c
-DFENCE tests/models/programs/exclusion.c
-DDOOR -DFENCE tests/models/programs/exclusion.c
-DRING tests/models/programs/structures.c
-DSEQLOCK tests/models/programs/structures.c
-DTICKET tests/models/programs/structures.c
-DSTACK tests/models/programs/structures.c
"""
LITMUS = range(15)  # tests of tests/models/programs/litmus.c
# Shapes of tests/models/programs/shapes.c, and sizes.
SHAPES = {1: range(2, 9), 2: range(2, 6), 3: range(2, 6), 4: range(2, 5), 5: range(2, 6), 6: range(2, 6), 7: range(2, 5),
          8: range(2, 6), 9: range(2, 5), 10: [2], 11: range(2, 6), 12: range(2, 4)}
# What GenMC 0.10.3 has instead of the definition of RC11 (tests/models/axioms.py).
GENMC_RULES = ("sequence", "success", "anywhere")


# ---- programs ----

def thread(rng, shape, values):
    ops = []
    while len(ops) < shape["length"]:
        kind = rng.choice(shape["kinds"])
        at = rng.choice(shape["locations"])
        if kind == "J":
            ops += [herd.operation(rng, {**shape, "kinds": "RC"}, values), "J"]
        elif kind == "V":
            ops.append(f"V{at}{herd.order_of(rng, 'W', shape['palette'])}")
        elif kind == "M":
            inner = {**shape, "kinds": "RW"}
            ops += ["M", *(herd.operation(rng, inner, values) for _ in range(rng.randint(1, 2))), "U"]
        else:
            ops.append(herd.operation(rng, {**shape, "kinds": kind}, values))
    return ops


def is_read_otherwise(ops):
    """Whether GenMC takes a thread for something else. A later relaxed store of the same thread continues a release
    sequence in RC11 and rc11.cat, but not in C++20 and GenMC. A compare_exchange that fails has its second order, in
    GenMC the first one."""
    released = set()
    for op in ops:
        if op[0] in "WV" and op[-1] == "r" and op[1] in released:
            return True
        if op[0] in "WVXAC" and op[4 if op[0] == "C" else -1] in "lbs":
            released.add(op[1])
        if op[0] == "C" and op[5] != {"r": "r", "l": "r", "a": "a", "b": "a", "s": "s"}[op[4]]:
            return True
    return False


def generate(rng):
    """Two to four threads of up to six operations, on one to three locations; none that GenMC reads otherwise where
    tests/models/axioms.py could not tell."""
    shape = {"kinds": rng.choice(KINDS), "palette": rng.choice(herd.PALETTES), "small": rng.random() < 0.3,
             "locations": herd.LOCATIONS[:rng.choice([1, 2, 2, 3])]}
    n_threads = rng.choice([2, 2, 3, 3, 4])
    most = {2: 6, 3: 4, 4: 3}[n_threads]
    while True:
        values = itertools.cycle(range(1, 10))
        threads = [thread(rng, {**shape, "length": rng.randint(1, most)}, values) for _ in range(n_threads)]
        if any(op[0] in "WXACV" for ops in threads for op in ops) and not any(map(is_read_otherwise, threads)):
            return "/".join(".".join(ops) for ops in threads)


def statements(ops, is_x86):
    """A thread of a test in C; last is what it read last. For x86: a seq_cst store is an exchange, and a
    compare_exchange drains the store buffer even if it fails, as a locked instruction does; GenMC takes neither for
    granted, since it is written for other mappings as well."""
    fence = "atomic_thread_fence(memory_order_seq_cst); " if is_x86 else ""
    for op in ops:
        order = ", ".join(f"memory_order_{herd.ORDERS[o]}" for o in op if o in herd.ORDERS)
        at, values = f"&{op[1:2]}", re.findall(r"\d", op)
        store = "exchange" if is_x86 and op[-1] == "s" else "store"
        yield {"R": f"last = atomic_load_explicit({at}, {order});",
               "W": f"atomic_{store}_explicit({at}, {''.join(values)}, {order});",
               "V": f"atomic_{store}_explicit({at}, last + 1, {order});",
               "X": f"last = atomic_exchange_explicit({at}, {''.join(values)}, {order});",
               "A": f"last = atomic_fetch_add_explicit({at}, {''.join(values)}, {order});",
               "C": f"last = {''.join(values[:1])}; {fence}atomic_compare_exchange_strong_explicit({at}, &last, "
                    f"{''.join(values[1:])}, {order}); {fence}",
               "F": f"atomic_thread_fence({order});",
               "J": "if (!last) return 0;",
               "M": "pthread_mutex_lock(&mutex);",
               "U": "pthread_mutex_unlock(&mutex);"}[op[0]]


def in_c(test, is_x86):
    lines = ["#include <pthread.h>", "#include <stdatomic.h>", f"atomic_int {', '.join(herd.LOCATIONS)};",
             "pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;"]
    threads = herd.threads_of(test)
    for t, ops in enumerate(threads):
        lines += [f"void *t{t}(void *p)", "{", "    int last = 0;", *("    " + s for s in statements(ops, is_x86)),
                  "    return (void *)(long)last;", "}"]
    numbers = range(len(threads))
    lines += ["int main(void)", "{", f"    pthread_t t[{len(threads)}];",
              *(f"    pthread_create(&t[{t}], 0, t{t}, 0);" for t in numbers),
              *(f"    pthread_join(t[{t}], 0);" for t in numbers), "    return 0;", "}", ""]
    return "\n".join(lines)


def is_test(program):
    return "/" in program and not program.endswith(".c")


def source_of(program):
    """The file and the macros of a C program."""
    *flags, name = program.split()
    return ROOT / name, flags


# ---- GenMC ----

def genmc_count(options, program, where):
    """(complete executions, None), or (None, why there is no number)."""
    path, flags = where / "test.c", []
    if is_test(program):
        path.write_text(in_c(program, options.model == "tso"))
    else:
        path, flags = source_of(program)
    try:
        done = subprocess.run([options.genmc, f"--{options.model}", *OPTIONS, "--", *flags, path],
                              capture_output=True, text=True, timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return None, "no end"
    number = re.search(r"complete executions explored: (\d+)", done.stdout)
    if done.returncode or not number:
        return None, f"exit status {done.returncode} {(done.stdout + done.stderr).strip()[-300:]}"
    return int(number.group(1)), None


# ---- treadle ----

def treadle_count(options, states, model, program, where):
    """(exit status, graphs, runs that repeat one)"""
    if is_test(program):
        command = [states, program]
    else:
        command = [where / "program"]
        path, flags = source_of(program)
        if subprocess.run([options.treadle, "cc", "-g", "-O1", *flags, "-o", command[0], path], capture_output=True).returncode:
            return "of treadle cc", 0, 0
    result = where / "result.json"
    done = subprocess.run([options.treadle, "run", "-q", "-j1", "-k", "--search=graphs", f"--model={model}", "--no-known",
                           f"--time={60 + 3 * options.seconds}", f"--out={where / 'session'}", f"--json={result}",
                           *command], capture_output=True, text=True)
    shutil.rmtree(where / "session", ignore_errors=True)
    got = json.loads(result.read_text())
    return done.returncode, got["whole_traces"], got["repeated_runs"]


def side_by_side(options, work, programs):
    """work(program, folder) by program, several at a time."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        def one(item):
            where = Path(folder) / str(item[0])
            where.mkdir()
            return work(item[1], where)
        return dict(zip(programs, pool.map(one, enumerate(programs))))


def is_explained(model, program, graphs, n):
    """Whether both counts are right, each by its own definition: tests/models/axioms.py counts a third time."""
    return (model == "rc11" and is_test(program) and not set("VJM") & set(program) and
            axioms.count(program) == graphs and axioms.count(program, GENMC_RULES) == n)


def compare(options, states, model, wanted):
    """Prints the programs of wanted (counts by program) that have another number of graphs here: how many of them are a
    mistake, and how many are explained."""
    got = side_by_side(options, lambda program, where: treadle_count(options, states, model, program, where), list(wanted))
    differ, explained = 0, {}
    for program, count in wanted.items():
        code, graphs, repeated = got[program]
        if (code, graphs, repeated) == (0, count, 0):
            continue
        if (code, repeated) == (0, 0) and is_explained(model, program, graphs, count):
            explained[program] = graphs
            print(f"explained  {model} {program}: {graphs} graphs, GenMC has {count}", flush=True)
            continue
        differ += 1
        print(f"DIFFERS  {model} {program}: {graphs} graphs, not {count}; exit status {code}, {repeated} repeated", flush=True)
    return differ, explained


# ---- commands ----

def split(words):
    """Each program ends with its file."""
    part = []
    for word in words:
        part.append(word)
        if word.endswith(".c"):
            yield part
            part = []


def batches(options):
    if options.program:
        yield [" ".join(part) for part in split(options.program)]
    elif options.test:
        yield options.test.split(",")
    elif options.programs:
        yield [line for line in PROGRAMS.splitlines() if line]
        yield [f"-DTEST={n} tests/models/programs/litmus.c" for n in LITMUS]
        yield [f"-DSHAPE={shape} -DN={n}{more} tests/models/programs/shapes.c" for more in ("", " -DSTRONG")
               for shape, sizes in SHAPES.items() for n in sizes]
    else:
        for first in range(options.first, options.first + options.count, BATCH):
            numbers = range(first, min(first + BATCH, options.first + options.count))
            draw = herd.cycle if options.cycles else generate
            yield list(dict.fromkeys(draw(random.Random(f"{options.seed} {options.model} {n}")) for n in numbers))


def against_genmc(options, states):
    differ = compared = left_out = executions = n_explained = 0
    kept = open(options.write, "a") if options.write else None
    for programs in batches(options):
        counts = side_by_side(options, lambda program, where: genmc_count(options, program, where), programs)
        for program, (_, why) in counts.items():
            if why and not (why == "no end" and is_test(program)):
                print(f"no number of GenMC: {program}: {why}", flush=True)
        wanted = {program: n for program, (n, _) in counts.items() if n is not None and n <= options.most}
        left_out += len(counts) - len(wanted)
        compared += len(wanted)
        executions += sum(wanted.values())
        n_differ, explained = compare(options, states, options.model, wanted)
        differ += n_differ
        n_explained += len(explained)
        for program, n in wanted.items() if kept and not n_differ else []:
            kept.write(f"{options.model} {explained.get(program, n)} {n} {program}\n")
        if options.test or options.program:
            print(*(f"{program}: {n}" for program, n in wanted.items()), sep="\n")
        print(f"{options.model}: {compared} compared, {executions} executions, {left_out} left out, {n_explained} explained, "
              f"{differ} differ", flush=True)
    return differ or not compared


def against_known(options, states):
    wanted = {}
    for line in Path(options.known).read_text().splitlines():
        if line and not line.startswith("#"):
            model, n, of_genmc, program = line.split(maxsplit=3)
            if int(n) <= options.most:
                wanted.setdefault(model, {})[program] = int(n)
            if n != of_genmc and not is_explained(model, program, int(n), int(of_genmc)):
                raise SystemExit(f"genmc.py: nothing explains {line}")
    differ = sum(compare(options, states, model, programs)[0] for model, programs in wanted.items())
    print(f"{sum(map(len, wanted.values())) - differ} equal, {differ} differ")
    return differ


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("treadle", type=lambda path: Path(path).resolve())
    parser.add_argument("--genmc")
    parser.add_argument("--model", choices=herd.CATS, default="rc11")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="genmc")
    parser.add_argument("--most", type=int, default=100000)
    parser.add_argument("--seconds", type=int, default=20, help="for each run of GenMC")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("--cycles", action="store_true")
    parser.add_argument("--write")
    parser.add_argument("--known", nargs="?", const=HERE / "genmc.txt")
    parser.add_argument("--test")
    words = sys.argv[1:]
    here = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:here])
    options.program = words[here + 1:]
    if not options.known and not options.genmc:
        parser.error("--genmc=PATH names a GenMC to compare with; --known=FILE needs none")
    with tempfile.TemporaryDirectory() as folder:
        states = herd.build(options, Path(folder))
        sys.exit(bool((against_known if options.known else against_genmc)(options, states)))


if __name__ == "__main__":
    main()
