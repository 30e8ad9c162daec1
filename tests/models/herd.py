#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: herd.py TREADLE [--herd=HERD7] [--libdir=DIR] [--model=rc11|tso|sc] [--count=N] [--first=N] [--seed=TEXT]
               [--jobs=N] [--write=FILE] [--test=TEXT] [--variant=NAME] [--all] [--cycles]
       herd.py TREADLE --known[=FILE]

Random litmus tests: the final states (what was read, and the last value of each location) under --model of treadle
and those of herd7 must be equal. rc11: C tests under rc11.cat. tso: x86 tests under x86tso.cat, by the usual
mapping: loads and weaker stores are mov, seq_cst stores xchg, seq_cst fences mfence, weaker fences nothing,
read-modify-writes locked instructions. sc: C tests under sc.cat. --libdir: where herd7 has its models.
--cycles: tests in the shapes in which orders matter, instead of any.
--write appends tests and their states to a file; --known compares with such a file (tests/models/herd.txt), without
herd7. --all: herd7 also tries candidates without coherence, which all these models want; ten times as long.
--variant: of herd7, normw makes a read and a write of each read-modify-write. --test: these tests, with
commas between them, as tests/models/programs/states.c reads them."""
import argparse
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
BATCH = 100
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
LOCATIONS = "xyz"
ORDERS = {"r": "relaxed", "a": "acquire", "l": "release", "b": "acq_rel", "s": "seq_cst"}
ALLOWED = {"R": "ras", "W": "rls", "X": "ralbs", "A": "ralbs", "C": "ralbs", "F": "albs"}
# What a test draws its orders from; drawing from all of them hides what one order does.
PALETTES = ["r", "rs", "s", "ral", "ralb", "rals", "ralbs", "rsss", "rrs", "ralbs"]
KINDS = ["RRRRWWWWXACF", "RRRWWWF", "RWXACF", "RRWWFF", "RWRWRWXA", "RWC"]
CATS = {"rc11": "rc11.cat", "tso": "x86tso.cat", "sc": "sc.cat"}


# ---- tests ----

def order_of(rng, kind, palette):
    allowed = [o for o in palette if o in ALLOWED[kind]]
    return rng.choice(allowed or ALLOWED[kind])


def operation(rng, shape, values):
    kind = rng.choice(shape["kinds"])
    order = order_of(rng, kind, shape["palette"])
    if kind == "F":
        return f"F{order}"
    at = rng.choice(shape["locations"])
    if kind == "R":
        return f"R{at}{order}"
    value = rng.randint(1, 2) if shape["small"] or kind == "A" else next(values)
    if kind == "C":
        expected = rng.choice([0, 0, 1, rng.randint(1, 4)])
        return f"C{at}{expected}{value}{order}{order_of(rng, 'R', shape['palette'])}"
    return f"{kind}{at}{value}{order}"


def generate(rng):
    """Two to four threads of one to four operations, on two or three locations."""
    shape = {"kinds": rng.choice(KINDS), "palette": rng.choice(PALETTES),
             "locations": LOCATIONS[:rng.choice([2, 2, 3])], "small": rng.random() < 0.3, "most": rng.choice([6, 7, 7, 8, 8, 9])}
    n_threads = rng.choice([2, 2, 3, 3, 4])
    most = 4 if n_threads < 4 else 3
    while True:
        values = itertools.cycle(range(1, 10))
        threads = [[operation(rng, shape, values) for _ in range(rng.randint(1, most))]
                   for _ in range(n_threads)]
        ops = [op for thread in threads for op in thread]
        writes = [op[1] for op in ops if op[0] in "WXAC"]
        if len(ops) <= shape["most"] and writes and max(map(writes.count, LOCATIONS)) <= 4:
            return "/".join(".".join(thread) for thread in threads)


def access(rng, palette, at, kinds, values):
    kind = rng.choice(kinds)
    return operation(rng, {"kinds": kind, "palette": palette, "locations": at, "small": False}, values)


def cycle(rng):
    """Threads of which each starts with the location that the thread before it accessed last: SB, MP, IRIW, 2+2W, WRC,
    ISA2 and the like, with fences and with accesses to the same location again. Most orders matter in these."""
    palette, values = rng.choice(PALETTES), itertools.cycle(range(1, 10))
    n_locations = rng.choice([2, 2, 3])
    n_single = rng.choice([0, 0, 1, 1, 2]) if n_locations == 2 else rng.choice([0, 0, 1])
    kinds = rng.choice(["RW", "RRWW", "RRRWWWX", "RWXAC"])
    threads = []
    for i in range(n_locations):
        here, there = LOCATIONS[i], LOCATIONS[(i + 1) % n_locations]
        thread = [access(rng, palette, here, kinds, values)]
        if rng.random() < 0.25:
            thread.append(access(rng, palette, here, "WWRXA", values))
        if rng.random() < 0.35:
            thread.append(f"F{order_of(rng, 'F', palette)}")
        thread.append(access(rng, palette, there, kinds, values))
        threads.append(thread)
    for at in rng.sample(LOCATIONS[:n_locations], n_single):
        threads.append([access(rng, palette, at, "WWWXA", values)])
    if not any(op[0] in "WXAC" for thread in threads for op in thread):
        return cycle(rng)
    return "/".join(".".join(thread) for thread in threads)


def threads_of(test):
    return [thread.split(".") for thread in test.split("/")]


def shown(model, op):
    """Whether the operation has a value in the state: an addition of x86 does not give the old one."""
    return op[0] in ("RXC" if model == "tso" else "RXAC")


# ---- herd7 ----

def c_litmus(name, test):
    """A C test, and what of its final states is to be read, in order."""
    lines, inits, places = [], [], []
    for t, thread in enumerate(threads_of(test)):
        body, own = [], []
        for i, op in enumerate(thread):
            order = [f"memory_order_{ORDERS[o]}" for o in op if o in ORDERS]
            at, values = op[1], re.findall(r"\d", op)
            if op[0] == "F":
                body.append(f"atomic_thread_fence({order[0]});")
            elif op[0] == "R":
                body.append(f"int r{i} = atomic_load_explicit({at}, {order[0]});")
            elif op[0] == "W":
                body.append(f"atomic_store_explicit({at}, {values[0]}, {order[0]});")
            elif op[0] == "C":
                cell = f"c{t}{i}"
                own.append(cell)
                inits.append(f"{cell}={values[0]};")
                body.append(f"int r{i} = atomic_compare_exchange_strong_explicit({at}, {cell}, {values[1]}, "
                            f"{', '.join(order)});")
            else:
                what = "exchange" if op[0] == "X" else "fetch_add"
                body.append(f"int r{i} = atomic_{what}_explicit({at}, {values[0]}, {order[0]});")
            if op[0] == "C":
                places.append(f"c{t}{i}")
            elif op[0] in "RXA":
                places.append(f"{t}:r{i}")
        arguments = [f"atomic_int* {at}" for at in LOCATIONS] + [f"int* {cell}" for cell in own]
        lines += [f"P{t} ({', '.join(arguments)}) {{", *("  " + line for line in body), "}"]
    places += LOCATIONS
    inits += [f"{at}=0;" for at in LOCATIONS]
    head = [f"C {name}", f"{{ {' '.join(inits)} }}"]
    return "\n".join([*head, *lines, f"locations [{' '.join(p + ';' for p in places)}]", "exists (x=0)", ""]), places


def whole_register(name):
    return f"r{name[2:]}" if name[1] == "e" else name[1:-1]


def x86_thread(t, thread, places):
    """Its instructions. Each value that is read has a register of its own."""
    registers = iter(["%ecx", "%edx", "%esi", "%edi", "%r8d", "%r9d", "%r10d", "%r11d"])
    inside = []
    for op in thread:
        values = re.findall(r"\d", op)
        if op[0] == "F":
            inside += ["mfence"] if op[1] == "s" else []
            continue
        cell = f"({op[1]})"
        if op[0] == "A":
            inside.append(f"lock addl ${values[0]},{cell}")
            continue
        if op[0] == "W" and op[-1] != "s":
            inside.append(f"movl ${values[0]},{cell}")
            continue
        register = next(registers)
        if op[0] == "R":
            inside.append(f"movl {cell},{register}")
        elif op[0] in "WX":
            inside += [f"movl ${values[0]},{register}", f"xchgl {cell},{register}"]
        else:
            inside += [f"movl ${values[0]},%eax", f"movl ${values[1]},%ebx", f"lock cmpxchgl {cell},%ebx",
                       f"movl %eax,{register}"]
        if op[0] != "W":
            places.append(f"{t}:{whole_register(register)}")
    return inside


def x86_litmus(name, test):
    places = []
    columns = [x86_thread(t, thread, places) for t, thread in enumerate(threads_of(test))]
    places += LOCATIONS
    rows = max(map(len, columns)) or 1
    lines = [" | ".join(f"P{t}" for t in range(len(columns))) + " ;"]
    for i in range(rows):
        lines.append(" | ".join(column[i] if i < len(column) else "" for column in columns) + " ;")
    inits = " ".join(f"uint32_t {at}=0;" for at in LOCATIONS)
    where = " ".join(p + ";" for p in places)
    return "\n".join([f"X86_64 {name}", f"{{ {inits} }}", *lines, f"locations [{where}]", "exists (x=0)", ""]), places


def state_of(line, places):
    values = {}
    for part in line.split(";"):
        if "=" in part:
            where, value = part.strip().split("=")
            values[where.strip("[]").lower()] = value
    return "".join(DIGITS[int(values[place], 0)] for place in places)


def herd_states(options, tests, where):
    """The sets of final states by test; tests that herd7 did not end in its time are not there."""
    files, places = [], []
    for i, test in enumerate(tests):
        text, at = (x86_litmus if options.model == "tso" else c_litmus)(f"t{i}", test)
        path = where / f"t{i}.litmus"
        path.write_text(text)
        files.append(path)
        places.append(at)
    command = [options.herd, "-model", CATS[options.model], "-timeout", "1", "-archcheck", "false"]
    command += [] if options.all else ["-optace", "true"]
    command += ["-variant", options.variant] if options.variant else []
    command += ["-set-libdir", options.libdir] if options.libdir else []
    done = subprocess.run([*command, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = {}
    for block in re.findall(r"^Test t(\d+) .*\nStates (\d+)\n((?:.*\n)*?)(?:Ok|No)\n", done.stdout, re.M):
        number = int(block[0])
        lines = block[2].splitlines()
        assert len(lines) == int(block[1]), block
        found[tests[number]] = {state_of(line, places[number]) for line in lines}
    if len(found) < len(tests) and options.test:
        print(done.stdout, done.stderr)
    return found


# ---- treadle ----

def treadle_states(options, program, model, test, where):
    """Exit status, and the set of final states."""
    output = where / "output"
    output.unlink(missing_ok=True)
    done = subprocess.run([options.treadle, "run", "-q", "-j1", f"--model={model}", "--no-known", f"--output={output}",
                           f"--out={where / 'session'}", program, test], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    shutil.rmtree(where / "session", ignore_errors=True)
    lines = output.read_text().split() if output.exists() else []
    keep = [shown(model, op) for thread in threads_of(test) for op in thread if op[0] in "RXAC"]
    keep += [True] * len(LOCATIONS)
    states = {"".join(c for c, is_shown in zip(line, keep) if is_shown) for line in lines}
    return done.returncode, states


def compare(options, program, model, wanted):
    """Prints and counts the tests of wanted (states by test) that treadle answers differently."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        def one(item):
            where = Path(folder) / str(item[0])
            where.mkdir()
            return treadle_states(options, program, model, item[1], where)
        with ThreadPoolExecutor(options.jobs) as pool:
            for (test, states), (code, got) in zip(wanted.items(), pool.map(one, enumerate(wanted))):
                if code == 0 and got == states:
                    continue
                failed += 1
                print(f"FAILED  {model} {test}: exit status {code}, too many: {' '.join(sorted(got - states)) or '-'}, "
                      f"missing: {' '.join(sorted(states - got)) or '-'}", flush=True)
    return failed


def build(options, where):
    program = where / "states"
    subprocess.run([options.treadle, "cc", "-g", "-O1", "-o", program, HERE / "programs" / "states.c"], check=True,
                   stderr=subprocess.DEVNULL)
    return program


# ---- commands ----

def against_herd(options, where):
    program = build(options, where)
    failed = compared = unfinished = n_states = 0
    kept = open(options.write, "a") if options.write else None
    for first in range(options.first, options.first + options.count, BATCH):
        numbers = range(first, min(first + BATCH, options.first + options.count))
        draw = cycle if options.cycles else generate
        tests = [draw(random.Random(f"{options.seed} {options.model} {n}")) for n in numbers]
        tests = options.test.split(",") if options.test else list(dict.fromkeys(tests))
        states = herd_states(options, tests, where)
        unfinished += len(tests) - len(states)
        compared += len(states)
        n_states += sum(map(len, states.values()))
        failed += compare(options, program, options.model, states)
        for test in states if kept else []:
            kept.write(f"{options.model} {test} {' '.join(sorted(states[test]))}\n")
        if options.test and not kept:
            print(*(f"{test}: {' '.join(sorted(states[test]))}" for test in states), sep="\n")
        print(f"{options.model}: {compared} compared, {n_states} states, {unfinished} that herd7 did not end, "
              f"{failed} differ", flush=True)
    return failed or not compared


def against_known(options, where):
    program = build(options, where)
    wanted = {}
    for line in Path(options.known).read_text().splitlines():
        if line and not line.startswith("#"):
            model, test, *states = line.split()
            wanted.setdefault(model, {})[test] = set(states)
    failed = sum(compare(options, program, model, tests) for model, tests in wanted.items())
    print(f"{sum(map(len, wanted.values())) - failed} passed, {failed} failed")
    return failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("treadle", type=lambda path: Path(path).resolve())
    parser.add_argument("--herd")
    parser.add_argument("--libdir")
    parser.add_argument("--variant")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--model", choices=CATS, default="rc11")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="herd")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--cycles", action="store_true")
    parser.add_argument("--write")
    parser.add_argument("--known", nargs="?", const=HERE / "herd.txt")
    parser.add_argument("--test")
    options = parser.parse_args()
    if not options.known and not options.herd:
        print("herd.py: --herd=PATH names a herd7 to compare with; --known=FILE needs none")
        sys.exit(SKIPPED)
    if options.test:
        options.count = 1
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        sys.exit(bool((against_known if options.known else against_herd)(options, where)))


if __name__ == "__main__":
    main()
