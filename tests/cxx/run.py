#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C++: programs of the thread support library, built with treadle c++. What their head comments expect is as in
tests/programs; traces are exact, and `agree` has another search count them.

Usage: run.py TREADLE [--libc++] [--first|--some|--part=K/N] [PROGRAM...]
--first, --part: as in tests/programs. --some: a few programs, one of each kind. --libc++: with -stdlib=libc++,
whose headers do the same by other operations: numbers are not compared, and a second search counts them for all programs."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "programs"))
import harness  # noqa: E402
import run as programs  # noqa: E402

FLAGS = ["-std=c++20", "-g", "-O1", "-pthread", "-Wall"]
LIBRARY = []
SOME = ["static_local", "once_throws", "tls_destructor", "future_throws", "shared_ptr_two", "exception_nested",
        "containers", "coroutine_thread", "bug_uncaught", "bug_not_joined", "bug_map", "bug_library_semaphore", "bug_deque"]


def cxx(self, source, name=None, flags=(), base=None):
    """Compiles one source as C++; returns (program, error text)."""
    program = os.path.join(self.dir, name or os.path.splitext(os.path.basename(source))[0])
    words = [self.path, "c++"] + (base or FLAGS) + LIBRARY + [source, "-o", program] + list(flags)
    done = subprocess.run(words, cwd=self.dir, capture_output=True, text=True, errors="replace", timeout=300)
    return program, "" if done.returncode == 0 else done.stderr.strip() or f"exit {done.returncode}"


def sources(here=HERE):
    return [os.path.join(here, n) for n in sorted(os.listdir(here)) if n.endswith(".cpp")]


def without_counts(cases):
    """The cases without the numbers of libstdc++."""
    def read(path):
        found = cases(path)
        for case in found:
            case.counts = {}
        return found
    return read


def rules(cases):
    """What is wrong with the expectations of a program, as texts."""
    return [] if cases else ["no case"]


if __name__ == "__main__":
    harness.Treadle.cc = cxx
    harness.programs = sources
    if "--libc++" in sys.argv:
        sys.argv.remove("--libc++")
        LIBRARY.append("-stdlib=libc++")
        harness.cases = without_counts(harness.cases)
    if "--some" in sys.argv:
        sys.argv.remove("--some")
        sys.argv += [os.path.join(HERE, name + ".cpp") for name in SOME]
    programs.main(HERE, rules)
