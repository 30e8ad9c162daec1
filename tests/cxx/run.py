#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C++: programs of the thread support library, built with treadle c++. What their head comments expect is as in
tests/programs; traces are exact, and `agree` has another search count them.

Usage: run.py TREADLE [--libc++] [--first|--some|--part=K/N] [PROGRAM...]
--first, --part: as in tests/programs. --some: a few programs, one of each kind. --libc++: with -stdlib=libc++,
whose headers do the same by other operations: verdicts and findings are compared, numbers are not. A head comment can have

    libcxx: VERDICT          with libc++ it is this, without a finding
    newer: traces N          the number with libstdc++ 16 and newer: waiting at atomic objects is in the shared library there, and
                             the library's own counts of waiting threads are not modelled
    newer: verdict VERDICT   the verdict there
    newer: without KIND      a finding of the headers of older versions that is not there"""
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
    return [os.path.join(here, n) for n in sorted(os.listdir(here)) if n.endswith(".cpp")
            and not (LIBRARY and n.startswith("bug_library_"))]


def installed_libcxx(treadle):
    """Whether treadle c++ finds the headers of libc++ and links with it."""
    words = [treadle, "c++", "-stdlib=libc++", "-x", "c++", "-", "-o", os.devnull]
    done = subprocess.run(words, input="#include <version>\nint main() {}\n", capture_output=True, text=True, timeout=300, check=False)
    return done.returncode == 0


def for_libcxx():
    """Cases without the numbers of libstdc++, and with the verdict of `libcxx:` where libc++ has another one. libc++.so has
    destructors without names, which the end of the program calls: a note, or a line of the ledger if another thread is left."""
    cases, compare = harness.cases, programs.compare
    notes = [("not watched, alone", None, None), ("not watched", ("", 0), "a function without a name (libc++.so.1)")]

    def read(path):
        found = cases(path)
        for case in found:
            case.counts = {}
            case.ledger += notes
            if case.libcxx:
                case.verdict, case.findings = case.libcxx, []
        return found

    def compare_most(case, result):
        return [w for w in compare(case, result) if w not in [f"ledger {n} missing" for n in notes]]

    harness.cases, programs.compare = read, compare_most


def for_newer_libstdcxx():
    """Cases with the answers that libstdc++ 16 and newer have."""
    cases = harness.cases

    def read(path):
        found = cases(path)
        for case in found:
            if "traces" in case.newer:
                case.counts["traces"] = int(case.newer["traces"])
            case.verdict = case.newer.get("verdict", case.verdict)
            case.findings = [f for f in case.findings if f[0] != case.newer.get("without")]
        return found

    harness.cases = read


def rules(cases):
    """What is wrong with the expectations of a program, as texts."""
    return [] if cases else ["no case"]


if __name__ == "__main__":
    harness.Treadle.cc = cxx
    harness.programs = sources
    if "--libc++" in sys.argv:
        sys.argv.remove("--libc++")
        if not installed_libcxx(sys.argv[1]):
            print("skipped: libc++ is not installed (libc++-19-dev, libc++abi-19-dev)")
            sys.exit(77)
        LIBRARY.append("-stdlib=libc++")
        for_libcxx()
    elif harness.libstdcxx_version(sys.argv[1]) >= 16:
        for_newer_libstdcxx()
    if "--some" in sys.argv:
        sys.argv.remove("--some")
        sys.argv += [os.path.join(HERE, name + ".cpp") for name in SOME
                     if not (LIBRARY and name.startswith("bug_library_"))]
    programs.main(HERE, rules)
