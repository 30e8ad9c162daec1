#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: seqcst.py TREADLE [--part=K/N] [--time=SECONDS] [PROGRAM...]

A program without weak orders has the same execution graphs under sc and rc11: as many runs, the same verdict, the same
findings. By default the programs of tests/programs that name no weaker order, every N-th from the K-th on (--part)."""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
WEAK = re.compile(r"memory_order_(?!seq_cst)|__ATOMIC_(?!SEQ_CST)|_explicit|spin_?loop|asm|volatile|__sync_lock_release|mo_")


def is_strong(path):
    """No weak order, and built by treadle cc from this one file, without options of its own."""
    text = path.read_text()
    return not WEAK.search(text) and not re.search(r"^ \* (cflags|args|gcc|library|arch|suppress):", text, re.MULTILINE)


def explore(treadle, program, where, model, seconds):
    result = where / "result.json"
    command = [treadle, "run", "-q", "-k", "-j1", "--no-known", f"--time={seconds}s", "--spurious=0", f"--json={result}",
               f"--out={where / 'session'}", "--search=graphs", f"--model={model}", program]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=where)
    subprocess.run(["rm", "-rf", where / "session"], check=True)
    found = json.loads(result.read_text())
    return found, (found["verdict"], found["whole_traces"], sorted(f["id"] for f in found["findings"]))


def compare(treadle, path, where, seconds):
    """None: not comparable, or a gap is in the ledger; "": the same; else what differs."""
    program = where / "program"
    built = subprocess.run([treadle, "cc", "-w", "-g", "-O1", "-o", program, path, "-pthread", "-lm"], capture_output=True)
    if built.returncode != 0:
        return None
    first, sc = explore(treadle, program, where, "sc", seconds)
    if first.get("stopped_by") or "time" in json.dumps(first.get("ledger", "")):
        return None
    _, rc11 = explore(treadle, program, where, "rc11", 3 * seconds)
    if "incomplete" in (sc[0], rc11[0]):
        return None
    return "" if sc == rc11 else f"sc {sc}, rc11 {rc11}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("treadle", type=Path)
    parser.add_argument("programs", nargs="*", type=Path)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--time", type=int, default=3)
    args = parser.parse_args()
    k, n = map(int, args.part.split("/"))
    chosen = args.programs or [p for p in sorted(PROGRAMS.glob("*.c")) if is_strong(p)][k::n]
    n_same = n_bad = 0
    with tempfile.TemporaryDirectory() as place:
        for path in chosen:
            differs = compare(args.treadle.resolve(), path.resolve(), Path(place), args.time)
            n_same += differs == ""
            if differs:
                n_bad += 1
                print(f"FAILED  {path.name}: {differs}", flush=True)
    print(f"{n_same} the same, {n_bad} differ, {len(chosen) - n_same - n_bad} not compared")
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
