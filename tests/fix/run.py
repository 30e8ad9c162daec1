#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: run.py TREADLE [NAME...]

Programs with a bug; a comment says what treadle fix is to print: "fix: KIND", the kind of the change, or none.

drops: ANSWER       some candidate is dropped for this reason
traces              with -DFIXED the program is changed as the repair is, by hand: everything is explored, and has as many
                    traces as the program with the virtual repair
idea:               what a maintainer would do; for people

A recording of a run with a repair has to replay."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"


class Failures(list):
    def check(self, what, got, want):
        if got != want:
            print(f"FAILED {what}: {got}, not {want}", flush=True)
            self.append(what)


def header(source, word):
    match = re.search(rf"^(?:/\*| \*) {word}:? ?(.*?)(?: \*/)?$", source.read_text(), re.M)
    return match.group(1).strip() if match else None


def build(treadle, source, out, *flags):
    cc = "c++" if source.suffix == ".cpp" else "cc"
    subprocess.run([treadle, cc, "-g", "-O1", "-pthread", *flags, source, "-o", out], check=True)


def recordings(folder):
    return sorted(folder.glob("*.treadle"))


def fixed_traces(treadle, source, work):
    build(treadle, source, work / "fixed", "-DFIXED")
    subprocess.run([treadle, "run", "-q", "--goal=traces", f"--json={work}/fixed.json", f"--out={work}/fixed.s",
                    work / "fixed"], capture_output=True)
    result = json.loads((work / "fixed.json").read_text())
    return result["verdict"], result["traces"]


def check_replay(treadle, name, tried, work, failures):
    """A candidate with a schedule that fails left a recording."""
    for number, candidate in enumerate(tried):
        found = recordings(work / "fix" / str(number + 2))
        if candidate["answer"] != "a schedule fails" or candidate["kind"] == "memory-order" or not found:
            continue
        if "\nrepair " not in found[0].read_text():
            failures.check(f"{name}: {found[0]}", "no repair", "a line repair")
        done = subprocess.run([treadle, "replay", "-q", found[0]], capture_output=True, text=True)
        failures.check(f"{name}: replay of {candidate['text']}", done.returncode, 1)
        return


def check_program(treadle, source, work, failures):
    name = source.stem
    build(treadle, source, work / "p")
    subprocess.run([treadle, "run", "-q", "--first", f"--out={work}/s", work / "p"], capture_output=True)
    found = recordings(work / "s")
    failures.check(f"{name}: is there a finding", len(found) > 0, True)
    if not found:
        return
    done = subprocess.run([treadle, "fix", "--time=2m", f"--out={work}/fix", f"--json={work}/fix.json", found[0]],
                          capture_output=True, text=True)
    failures.check(f"{name}: stderr", done.stderr, "")
    result = json.loads((work / "fix.json").read_text())
    held = [t for t in result["tried"] if t["answer"] == "holds"]
    kind = held[0]["kind"] if held else "none"
    print(f"{name}: {done.stdout.split('Explored')[0].strip()}", flush=True)
    failures.check(f"{name}: kind", kind, header(source, "fix"))
    failures.check(f"{name}: exit status", done.returncode, 0 if held else 3)
    failures.check(f"{name}: words", re.findall(r"\b(?:fixed|correct)\b", done.stdout), [])
    failures.check(f"{name}: columns", [x for x in done.stdout.splitlines() if len(x) > 80], [])
    drops = header(source, "drops")
    if drops:
        failures.check(f"{name}: is a candidate dropped ({drops})", drops in {t["answer"] for t in result["tried"]}, True)
    if header(source, "traces") is not None and held:
        failures.check(f"{name}: traces", ("complete", held[0]["traces"]), fixed_traces(treadle, source, work))
    check_replay(treadle, name, result["tried"], work, failures)


JUMP = """#include <stdatomic.h>
static atomic_int a;
__attribute__((noinline)) void inner(void) { atomic_fetch_add(&a, 1); }
__attribute__((noinline)) void outer(void) { atomic_load(&a); inner(); }
int main(void) { outer(); return 0; }
"""
RECORDING = """treadle-recording 6
program {program}
repair section new 0000000000000000 once jump.c:{line}:{line} outer
schedule main:1
"""


def check_not_made(treadle, work, failures):
    """The runtime refuses lines without code, and a call that leaves no frame, as it has become a jump."""
    (work / "jump.c").write_text(JUMP)
    build(treadle, work / "jump.c", work / "jump.o", "-O2", "-c")
    subprocess.run([treadle, "cc", "-pthread", work / "jump.o", "-o", work / "jump"], check=True)
    for line, message in (4, "is compiled as a jump"), (90, "no code at"), (3, None):
        (work / "r.treadle").write_text(RECORDING.format(program=work / "jump", line=line))
        done = subprocess.run([treadle, "replay", "-q", work / "r.treadle"], capture_output=True, text=True)
        failures.check(f"line {line}: exit status", done.returncode, 2 if message else 0)
        failures.check(f"line {line}: message", (message or "") in done.stderr, True)


def main():
    treadle, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
    failures = Failures()
    for source in sorted(PROGRAMS.glob("*.c*")):
        if names and source.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            check_program(treadle, source, Path(folder), failures)
    if not names:
        with tempfile.TemporaryDirectory() as folder:
            check_not_made(treadle, Path(folder), failures)
    print(f"{len(failures)} failed")
    return len(failures) > 0


sys.exit(main())
