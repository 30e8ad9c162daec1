#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The text report of a finding of every kind, at 80 and 120 columns, compared byte for byte.

Usage: run.py TREADLE [--update] [NAME...]

Each case is a program that has a bug. It is built in a folder of its own and explored on a terminal
of that width, with NO_COLOR; the page, from its title to SUMMARY, is compared with NAME.COLUMNS.txt.
--update writes these files instead. Whatever they say, no line may be wider than the terminal, a page
takes at most 45 lines and FIX, and every kind of finding must have a case."""
import argparse
import collections
import difflib
import fcntl
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
import harness  # noqa: E402

# Figures and counts are those of one worker.
os.environ.setdefault("TREADLE_JOBS", "1")

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
ROOT = os.path.dirname(TESTS)
MOST_LINES = 45
WIDTHS = (80, 120)
CFLAGS = ["-g", "-O1", "-pthread", "-I" + os.path.join(ROOT, "include")]
LONG = "a/folder/whose/name/is/so/long/that/no/terminal/has/room/for/it/and/a/line/number/as/well"

# kind: of the finding. folder: where the source stands when it is built, under the working folder.
Case = collections.namedtuple("Case", "name source kind options args folder")


def case(name, source, kind, options="", args="", folder=""):
    return Case(name, source, kind, options.split(), args.split(), folder)


# A change is searched for in vain, to the end of the time: the usual time is enough. The others have more, for busy machines.
NO_FIX = "--explain-time=10s"
CASES = [
    case("bank", "golden/bank.c", "assert", "--sym-arg=1:u8 --sym-arg=2:u8", "30 50"),
    case("abort", "programs/abort.c", "abort"),
    case("crash", "../examples/order/order.c", "crash"),
    case("hang", "golden/hang.c", "hang", "--timeout=300ms"),
    case("race", "../examples/counter/counter.c", "race"),
    case("deadlock", "../examples/dining/dining.c", "deadlock"),
    case("livelock", "programs/loop_nobody.c", "livelock"),
    case("mutex", "programs/init_twice.c", "mutex"),
    case("misuse", "programs/barrier_destroy_waited.c", "misuse"),
    case("thread", "programs/join_twice.c", "thread"),
    case("memory", "programs/mem_use_freed.c", "memory"),
    case("freed", "golden/freed.c", "memory"),
    case("free_race", "programs/mem_free_race.c", "race", NO_FIX),
    case("exit", "programs/exit_lost_update.c", "exit"),
    case("exit-always", "programs/exit_always.c", "exit"),
    case("nondet", "golden/nondet.c", "nondet", "--search=all"),
    case("linear", "../examples/linear-stack/linear-stack.c", "linear"),
    case("mark", "programs/mark_misuse.c", "mark", NO_FIX, "1"),
    case("leak", "programs/mem_leak.c", "leak", "--leaks"),
    case("threads", "golden/twelve.c", "assert", NO_FIX),
    case("macros", "golden/macros.c", "assert"),
    case("struct", "golden/struct.c", "assert"),
    case("cxx_race", "cxx/bug_deque.cpp", "race", "--first"),
    case("cxx_freed", "cxx/bug_shared_ptr_raw.cpp", "race"),
    case("cxx_future", "cxx/bug_future.cpp", "abort"),
    case("cxx_deadlock", "cxx/bug_deadlock.cpp", "deadlock"),
    case("cxx_latch", "cxx/bug_latch.cpp", "deadlock"),
    case("paths", "../examples/queue/queue.c", "assert", "--spurious=0", folder=LONG),
]

# What no two runs have in common: of nondeterministic values only where they stand is compared. Recordings of C++
# programs name headers, by a path that depends on the compiler: their size is not compared. An operation that a function
# calls last is seen in that function with LLVM 18 or newer: with older ones the number of steps of two cases is not compared.
VARIES = {"nondet": re.compile(r"\d{6,}")}
STEPS, STEPS_VARY = re.compile(r"(?<=\d of )\d+(?= steps)"), ("memory", "paths")
TRIED, TRIED_VARY = re.compile(r"\d+(?= changes? tried)"), ("bank",)
# With libstdc++ 16 and newer these pages are NAME.COLUMNS.newer.txt: there waiting at atomic objects is in the shared library,
# and treadle's own is shorter than the headers of older versions.
NEWER = ("cxx_latch",)
# How often the C++ library looks at memory depends on its version.
PLAIN = re.compile(r"\d+(?= plain accesses)")
FIX = re.compile(r"^FIX .*\n(?: {11}.*\n)*", re.M)
SIZE = re.compile(r"(?<=\(text, )\d+")


def terminal(columns):
    """Both ends of a terminal of that width."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
    attributes = termios.tcgetattr(theirs)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, attributes)
    return ours, theirs


def read_all(fd):
    text = b""
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:  # the other end is closed
            return text.decode()
        if not part:
            return text.decode()
        text += part


def explore(treadle, where, c, columns):
    """What a session prints on a terminal."""
    shutil.rmtree(os.path.join(where, "treadle-out"), ignore_errors=True)
    ours, theirs = terminal(columns)
    words = [treadle, "run", "--quiet", "--explain-time=2m", *c.options, "--", "./program", *c.args]
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "xterm"}
    with subprocess.Popen(words, cwd=where, stdout=theirs, stderr=subprocess.DEVNULL,
                          stdin=subprocess.DEVNULL, env=environment) as process:
        os.close(theirs)
        text = read_all(ours)
        process.wait(timeout=120)
    os.close(ours)
    return text


def page_of(text, name):
    """From the title to SUMMARY."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if line.startswith(("==treadle== BUG ", "==treadle== FAILS "))]
    ends = [i for i, line in enumerate(lines) if line.startswith("SUMMARY: ")]
    if not starts or not ends:
        return None
    page = "\n".join(lines[starts[0]:ends[0] + 1]) + "\n"
    if name.startswith("cxx_"):
        page = SIZE.sub("N", page)
    return VARIES[name].sub("N", page) if name in VARIES else page


def build(treadle, where, c):
    source = os.path.join(c.folder, os.path.basename(c.source))
    os.makedirs(os.path.join(where, c.folder), exist_ok=True)
    shutil.copy(os.path.join(TESTS, c.source), os.path.join(where, source))
    compiler = ["c++", "-std=c++20"] if source.endswith(".cpp") else ["cc"]
    subprocess.run([treadle, *compiler, *CFLAGS, source, "-o", "program"], cwd=where, check=True)


def problems_of(page, c, columns):
    """What is wrong whatever the file says."""
    if page is None:
        return ["there is no finding"]
    lines = page.rstrip("\n").split("\n")
    wrong = [f"{len(line)} columns: {line}" for line in lines if len(line) > columns and not line.startswith("SUMMARY: ")]
    if len(FIX.sub("", page).rstrip("\n").split("\n")) > MOST_LINES:
        wrong.append(f"{len(lines)} lines")
    if not lines[0].startswith((f"==treadle== BUG {c.kind}-", f"==treadle== FAILS {c.kind}-")):
        wrong.append(f"no {c.kind}: {lines[0]}")
    if "\033" in page:
        wrong.append("colour in spite of NO_COLOR")
    return wrong


def llvm_of(treadle):
    text = subprocess.run([treadle, "cc", "--version"], check=True, capture_output=True, text=True).stdout
    return int(re.search(r"version (\d+)", text).group(1))


def compare(page, c, columns, update, llvm, is_newer):
    path = os.path.join(HERE, f"{c.name}.{columns}{'.newer' if is_newer and c.name in NEWER else ''}.txt")
    if update:
        with open(path, "w", encoding="utf-8") as f:
            f.write(page)
        return []
    with open(path, encoding="utf-8") as f:
        expected = f.read()
    if llvm < 18 and c.name in STEPS_VARY:
        expected, page = STEPS.sub("N", expected), STEPS.sub("N", page)
    if llvm < 18 and c.name in TRIED_VARY:
        expected, page = TRIED.sub("N", expected), TRIED.sub("N", page)
    if c.name.startswith("cxx_"):
        expected, page = PLAIN.sub("N", expected), PLAIN.sub("N", page)
    return list(difflib.unified_diff(expected.split("\n"), page.split("\n"), path, "now",
                                     lineterm=""))


def kinds():
    """Ids of all kinds of findings."""
    with open(os.path.join(ROOT, "src", "detect", "detect.h"), encoding="utf-8") as f:
        table = re.search(r"#define DET_KINDS\(X\)(.*?)\n\n", f.read(), re.S).group(1)
    return set(re.findall(r'X\(\w+, "(\w+)"', table))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("treadle")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    opts = parser.parse_intermixed_args()
    treadle, n_failed = os.path.abspath(opts.treadle), 0
    llvm, is_newer = llvm_of(treadle), harness.libstdcxx_version(treadle) >= 16
    for c in CASES:
        if opts.names and c.name not in opts.names:
            continue
        with tempfile.TemporaryDirectory() as where:
            build(treadle, where, c)
            for columns in WIDTHS:
                page = page_of(explore(treadle, where, c, columns), c.name)
                wrong = problems_of(page, c, columns)
                wrong += compare(page, c, columns, opts.update, llvm, is_newer) if page else []
                print(f"{'FAIL ' if wrong else 'ok   '} {c.name} at {columns} columns", flush=True)
                print("\n".join(wrong) + "\n" if wrong else "", end="")
                n_failed += bool(wrong)
    missing = kinds() - {c.kind for c in CASES}
    if missing:
        print("FAIL  no case for " + ", ".join(sorted(missing)))
    sys.exit(1 if n_failed or missing else 0)


if __name__ == "__main__":
    main()
