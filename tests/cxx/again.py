#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C++ programs once more: the same decisions give the same run, findings replay, gdb stops where they fail.

Usage: again.py TREADLE [--some] [PROGRAM...]

1. repetition and modes, as in tests/determinism, for every program that has no limit on its time;
2. programs with a bug: the report fits on a screen of 80 columns, its recording fails again in all of REPLAYS calls, with the
   same bytes each time, with real threads and with a process for each run;
3. the same recordings in gdb: the place of the report is among the frames, none of the runtime's is, and gdb goes to
   the first step;
4. what treadle doctor says of two of them; one of them with libc++, where that is installed.
--some: a few programs, with fewer repetitions; all of them take a quarter of an hour."""
import importlib.util
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TESTS, "programs"))
import harness  # noqa: E402

REPLAYS = 10
SOME_REPEATED = ["bug_map", "cond_at_exit", "future_throws", "iostream_included", "once_two"]
SOME_REPLAYED = ["bug_deadlock", "bug_deque", "bug_future", "bug_guard", "bug_hpp_linear", "bug_map"]


def load(folder):
    """The run.py of another folder."""
    spec = importlib.util.spec_from_file_location("run_" + folder, os.path.join(TESTS, folder, "run.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CXX, DETERMINISM, REPLAY = load("cxx"), load("determinism"), load("replay")


def base_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def check_repeats(checks, treadle, path, repeat, library):
    case = harness.cases(path)[0]
    subject = (base_of(path), path, case.cflags, case.args, case.options, case.seconds is None)
    results, _ = DETERMINISM.test(treadle, subject, repeat, library)
    for name, wrong in results:
        checks.check(name, not wrong, "; ".join(wrong))


def check_gdb(checks, name, treadle, recording, finding):
    if not REPLAY.shutil.which("gdb"):
        return
    text = REPLAY.call_gdb(treadle, recording, ["treadle-list", "treadle-step 1"])
    place = f"{os.path.basename(finding['file'])}:{finding['line']}"
    frames = [l for l in text.splitlines() if l.startswith("#")]
    checks.check(f"{name}: gdb shows {place}", place in text, text[-600:])
    checks.check(f"{name}: gdb shows no frame of the runtime",
                 frames and not any(re.search(r"\brt_|__treadle", f) for f in frames), str(frames))
    checks.check(f"{name}: gdb goes to a step", "step 1 of " in text, text[-600:])


def check_replays(checks, treadle, path):
    name, case = base_of(path), harness.cases(path)[0]
    program, error = treadle.cc(path, flags=case.cflags)
    if error:
        checks.check(f"{name}: builds", False, error.splitlines()[-1])
        return
    # After a data race the session would go on, and find what else it leads to.
    result = treadle.run(program, case.args, [*case.options, "--first"], env=REPLAY.environment())
    findings = result.report.get("findings", [])
    checks.check(f"{name}: found", len(findings) == 1, result.tail())
    if len(findings) != 1:
        return
    REPLAY.check_screen(checks, name, result.out)
    recording = os.path.join(treadle.dir, findings[0]["recording"])
    texts = set()
    for option in [()] * REPLAYS + [("--carrier=threads",), ("--restart=fork",)]:
        again = treadle.call([treadle.path, "replay", "--quiet", *option, recording], 120, REPLAY.environment())
        texts.add((again.code, again.out if not option else ""))
    checks.check(f"{name}: {REPLAYS} replays with the same bytes, and in every mode",
                 len(texts) == 2 and {t[0] for t in texts} == {1}, str([t[0] for t in texts]))
    check_gdb(checks, name, treadle, recording, findings[0])


PRINTS = """#include <iostream>
#include <thread>
int main()
{
    std::thread t([] { std::wcout << L'x'; });
    t.join();
}
"""


def check_doctor(checks, treadle):
    """What the doctor says of C++ programs: one that prints wide letters, and one that does not print."""
    source = os.path.join(treadle.dir, "prints.cpp")
    with open(source, "w", encoding="utf-8") as f:
        f.write(PRINTS)
    expected = {source: ["its calls               note: C++ library, not watched; each a ledger entry:",
                         "std::__ostream_insert<wchar_t> ostream:"],
                os.path.join(HERE, "iostream_included.cpp"): ["its calls               ok: all direct calls are modelled"]}
    for path, lines in expected.items():
        program, error = treadle.cc(path)
        result = treadle.call([treadle.path, "doctor", program], 60)
        lines = ["its language            ok: C++; headers are instrumented with the program"] + lines
        missing = [l for l in lines if l not in result.out]
        checks.check(f"{base_of(path)}: doctor", not error and not missing, f"{error} {missing} {result.out}")


def check_libcxx(checks, treadle):
    """A program with libc++ is explored as completely as one with libstdc++; run.py --libc++ runs all of them."""
    program, error = treadle.cc(os.path.join(HERE, "atomic_wait.cpp"), name="libcxx", flags=["-stdlib=libc++"])
    if "file not found" in error or "unable to find library" in error:
        print("skipped: libc++ is not installed (libc++-19-dev)")
        return
    result = treadle.run(program, options=["--goal=states"])
    checks.check("libc++: complete", not error and result.report.get("verdict") == "complete", error + result.out)


def main():
    some = "--some" in sys.argv
    only = [base_of(a) for a in sys.argv[2:] if not a.startswith("-")]
    repeated = lambda n: n in only or (not only and (n in SOME_REPEATED or not some))  # noqa: E731
    replayed = lambda n: n in only or (not only and (n in SOME_REPLAYED or not some))  # noqa: E731
    harness.Treadle.cc = CXX.cxx
    treadle = harness.Treadle(sys.argv[1])
    checks = harness.Checks()
    library = DETERMINISM.keep_randomised(treadle)
    try:
        if not only:
            check_doctor(checks, treadle)
            check_libcxx(checks, treadle)
        for path in CXX.sources():
            name = base_of(path)
            if repeated(name):
                check_repeats(checks, treadle, path, DETERMINISM.QUICK_REPEAT if some else DETERMINISM.REPEAT, library)
            if name.startswith("bug_") and replayed(name):
                check_replays(checks, treadle, path)
    finally:
        treadle.close()
    checks.finish()


if __name__ == "__main__":
    main()
