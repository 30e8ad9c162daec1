#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every search must find what the brute-force search finds: on random small programs.

Usage: run.py TREADLE [FILE.c...] [--count=N] [--seed=S] [--for=DURATION] [--forever] [--first=K] [--found=K/N]
              [--jobs=N] [--keep=DIR] [--features=LIST] [--against=OPTIONS]
              [--reference=OPTIONS] [--ignore=LIST] [--only=LIST] [--races=pairs|variables]
              [--simulate] [--show] [--shrink=N] [--preemptions=N] [--depth=N] [--most=N] [--nodes=N] [--explained]
       run.py [TREADLE] --self-test

For each program `treadle run --search=all -k` and `treadle run --goal=states -k` must agree on
the digest, the verdict and the set of findings, and the second must not need more runs than the
first found traces. A program on which they disagree is reduced, printed, and written to DIR.
With FILE.c only these are compared; the programs in found/ are, before the random ones;
--found=K/N: every Nth of them, from the Kth, which is below N.
--seed=S --count=1 --first=K makes program K of seed S again; --show prints programs instead.
--features: see generate.py; "a,b" takes these only, "-a,+b" changes the usual ones; "inputs" is
  the usual ones and inputs; "all" is the usual ones and all primitives, and "all,-cond,+inputs"
  changes these; "borders": structures by value, callbacks, library calls, ... (README.md).
--simulate: what the first session tells is compared with a simulation as well, "model"; at the
  borders the variables that race are, too.
--shrink: reduce the first N only (10).
--most: programs of which the first session needs more than N runs are left out.
--nodes: of --against=--search=product, TREADLE being treadle-divided: what threads do by what they read is compared node
  by node with that of every interleaving, where these are at most N.
--preemptions: both searches with that bound; suspects are run whatever the bound, so the second
  may find more.
--depth: both searches with that bound on the operations of a run; likewise.
--races: races are compared by variable; by pairs of lines several of one variable may be one trace,
  of which `all` runs each order and states one.
--explained: findings are explained as in a session of a user; nothing is compared of that, and it must not change the rest.
--ignore: of digest, verdict, runs, gaps (the second session leaves something out), idle (deadlocks without
  a cycle) and kinds of findings. --only: nothing but these.
--against=--goal=races --only=race,runs,gaps,nondet --races=pairs compares what the goal races is about.
Exit: 0 only if all agree."""
import argparse
import concurrent.futures
import os
import re
import shlex
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402
import generate  # noqa: E402
import program as prog  # noqa: E402
import shrink  # noqa: E402
import statistics_of as stats  # noqa: E402

COUNT = 500
BATCH = 40
INPUT_RUNS = 20000  # a program with inputs that needs more is left out


def parse_part(text):
    m = re.fullmatch(r"(\d+)/(\d+)", text)
    if not m or int(m.group(1)) >= int(m.group(2)):
        raise argparse.ArgumentTypeError(f"'{text}' is not K/N with K below N")
    return int(m.group(1)), int(m.group(2))


def parse_duration(text):
    m = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h)?", text)
    if not m:
        raise argparse.ArgumentTypeError(f"'{text}' is no duration")
    return float(m.group(1)) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600, None: 1}[m.group(2)]


def parse(argv):
    p = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=True)
    p.add_argument("treadle", nargs="?")
    p.add_argument("files", nargs="*")
    p.add_argument("--count", type=int)
    p.add_argument("--seed", default="1")
    p.add_argument("--first", type=int, default=0)
    p.add_argument("--found", type=parse_part, default=(0, 1))
    p.add_argument("--for", dest="seconds", type=parse_duration)
    p.add_argument("--forever", action="store_true")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--keep")
    p.add_argument("--features", type=generate.parse_features, default=generate.FEATURES)
    p.add_argument("--reference", type=shlex.split, default=["--search=all"])
    p.add_argument("--against", type=shlex.split, default=["--goal=states"])
    p.add_argument("--ignore", type=lambda t: t.split(","), default=[])
    p.add_argument("--only", type=lambda t: t.split(","), default=[])
    p.add_argument("--races", choices=("pairs", "variables"), default="variables")
    p.add_argument("--preemptions", type=int)
    p.add_argument("--depth", type=int)
    p.add_argument("--simulate", action="store_true")
    p.add_argument("--show", action="store_true")
    p.add_argument("--shrink", type=int, default=10)
    p.add_argument("--most", type=int)
    p.add_argument("--nodes", type=int, default=0)
    p.add_argument("--explained", action="store_true")
    p.add_argument("--self-test", action="store_true")
    o = p.parse_args(argv)
    if not o.treadle and not o.self_test and not o.show:
        p.error("which treadle?")
    if o.preemptions is not None:
        o.reference = o.reference + [f"--preemptions={o.preemptions}"]
        o.against = o.against + [f"--preemptions={o.preemptions}"]
    if o.depth is not None:
        o.reference = o.reference + [f"--depth={o.depth}"]
        o.against = o.against + [f"--depth={o.depth}"]
    if o.count is None:
        o.count = 1 if o.show else None if o.seconds or o.forever else COUNT
    return o


# ---- what to do with a disagreement ----


class Case:
    """A program on which the searches disagree."""

    def __init__(self, options, tester, number, program, verdict):
        self.o, self.tester, self.number = options, tester, number
        self.program, self.verdict = program, verdict

    def first_failing(self, programs):
        """For the shrinker: the first that shows one of the differences of the original."""
        kinds = self.verdict.kinds()
        for i, v in enumerate(self.tester.batch(programs)):
            if v.kinds() & kinds:
                return i
        return None

    def source(self, program, verdict, name, title):
        commands = [f"treadle run -k {' '.join(options)} -- ./{name}"
                    for options in (self.tester.reference, self.tester.other)]
        comment = [f"{title} {self.number} of seed {self.o.seed}:"]
        comment += [f"  {what}: {text}" for what, text in verdict.differences]
        comment += ["treadle: " + " ".join(program.options())] if program.options() else []
        comment += [f"treadle cc -g -pthread {name}.c -o {name}"] + commands
        return prog.put_alone(program, comment)

    def write(self, name, text):
        if not self.o.keep:
            return
        os.makedirs(self.o.keep, exist_ok=True)
        with open(os.path.join(self.o.keep, name + ".c"), "w", encoding="utf-8") as f:
            f.write(text)

    def handle(self, is_shrunk):
        """Prints, shrinks and writes it."""
        name = f"p{self.o.seed}_{self.number}"
        print(f"\nDISAGREEMENT on program {self.number} (--seed={self.o.seed} "
              f"--first={self.number} --count=1)")
        for what, text in self.verdict.differences:
            print(f"  {what}: {text}")
        sys.stdout.flush()
        self.write(name, self.source(self.program, self.verdict, name, "Program"))
        if is_shrunk:
            self.reduce(name + "_small")

    def reduce(self, name):
        small = shrink.shrink(self.program, self.first_failing, self.tell)
        verdict = self.tester.alone(self.source(small, self.verdict, name, ""), name)
        if not verdict.differences:
            print("  it does not show in every session, or not in a file of its own")
            verdict = self.verdict
        text = self.source(small, verdict, name, "Reduced from program")
        self.write(name, text)
        print(text, flush=True)

    def tell(self, program):
        if sys.stderr.isatty():
            n = sum(1 for _ in program.statements())
            print(f"\r  shrinking: {n} statements ", end="", file=sys.stderr, flush=True)


# ---- many programs ----


class Work:
    """Hands out batches of numbers until the count or the time is used up."""

    def __init__(self, options):
        self.o, self.next = options, options.first
        self.start = time.monotonic()

    def elapsed(self):
        return time.monotonic() - self.start

    def take(self):
        """Numbers of a batch; an empty range: it is over."""
        if self.o.seconds and self.elapsed() > self.o.seconds:
            return range(0)
        first, end = self.next, self.next + BATCH
        if self.o.count is not None:
            end = min(end, self.o.first + self.o.count)
        self.next = end
        return range(first, end)


def do_batch(options, tester, numbers):
    """[(number, program, features, verdict)]"""
    drawn = [generate.draw(options.seed, k, options.features) for k in numbers]
    verdicts = tester.batch([p for p, _ in drawn])
    return [(k, p, has, v) for k, (p, has), v in zip(numbers, drawn, verdicts)]


def compare_files(options, tester, paths):
    """Compares programs that are files; how many disagree."""
    n = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, verdict in zip(paths, pool.map(tester.file, paths)):
            n += bool(verdict.differences)
            name = os.path.basename(path)
            for what, text in verdict.differences:
                print(f"FAIL  {name}: {what}: {text}")
            if verdict.skipped:
                print(f"skip  {name}: {verdict.skipped}")
            elif not verdict.differences:
                print(f"ok    {name}: {verdict.other['runs']} runs, "
                      f"{verdict.reference.get('traces', '?')} traces")
    sys.stdout.flush()
    return n


def known_files(options):
    """Reduced programs of earlier disagreements; none if a certain program is wanted."""
    found = os.path.join(os.path.dirname(os.path.abspath(__file__)), "found")
    if options.first or not os.path.isdir(found):
        return []
    which, each = options.found
    return [os.path.join(found, n) for n in sorted(os.listdir(found)) if n.endswith(".c")][which::each]


def explore(options):
    has_choices = {"inputs", "timed", "spurious"} & set(options.features)
    tester = compare.Tester(options.treadle, options.reference, options.against, options.ignore,
                            options.races == "variables",
                            options.most or (INPUT_RUNS if has_choices else compare.MOST_RUNS),
                            options.simulate,
                            options.preemptions is not None or options.depth is not None,
                            options.only,
                            "borders" in options.features, options.nodes, options.explained)
    if options.files:
        return 1 if compare_files(options, tester, options.files) else 0
    n_known = compare_files(options, tester, known_files(options))
    total = explore_random(options, tester)
    return 1 if n_known or total.n_different or not total.n_compared else 0


def explore_random(options, tester):
    work, total = Work(options), stats.Total()
    told = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pending = []
        while True:
            while len(pending) <= options.jobs and (numbers := work.take()):
                pending.append(pool.submit(do_batch, options, tester, numbers))
            if not pending:
                break
            for number, program, has, verdict in pending.pop(0).result():
                total.add(program, has, verdict)
                if verdict.differences:
                    case = Case(options, tester, number, program, verdict)
                    case.handle(total.n_different <= options.shrink)
            if time.monotonic() - told > 30:
                told = time.monotonic()
                print(total.line(), flush=True)
    total.print(work.elapsed())
    return total


def show(options):
    for k in range(options.first, options.first + (options.count or 1)):
        program, has = generate.draw(options.seed, k, options.features)
        print(prog.put_alone(program, [f"Program {k} of seed {options.seed}.",
                                       "Features: " + ", ".join(sorted(has))]))
    return 0


def main():
    options = parse(sys.argv[1:])
    if os.path.isdir("/dev/shm") and "TMPDIR" not in os.environ:
        tempfile.tempdir = "/dev/shm"  # a session costs more on a disk than in itself
    if options.self_test:
        import selftest
        return selftest.run(options.treadle)
    if options.show:
        return show(options)
    return explore(options)


if __name__ == "__main__":
    sys.exit(main())
