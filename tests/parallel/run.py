#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A search shared by workers gives what it gives alone, whoever is killed meanwhile.

Usage: run.py TREADLE [--kills=N] [--jobs=2,4] [--long] [--farm] [NAME...]

Each program of bench/ below is explored alone (-j1, not shared at all) and then with several numbers of
workers that share it from the start: verdict, events, digest, traces and findings must be the same. Then
it is explored while workers, their runners and the session itself are killed with SIGKILL, the session
going on with --resume, until N were killed in all; the sum must be the same again. A part whose workers were
killed three times is parked: then it is resumed as well.
--long: more and larger programs, the figures of docs/measurements.md.
--farm: shared on a PostgreSQL server of our own, which is killed as well.
"""
import argparse
import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/exchange"))
import cluster  # noqa: E402

# name, source, flags, goal or memory model, in the short form
CASES = [
    ("fib-states", "bench/peers/fib.c", ["-DN=5"], "states", True),
    ("fib-traces", "bench/peers/fib.c", ["-DN=4"], "traces", True),
    ("philo-states", "bench/peers/philo.c", [], "states", True),
    ("indexer-states", "bench/peers/indexer.c", [], "states", False),
    ("readers-traces", "bench/peers/readers.c", [], "traces", True),
    ("lastzero-states", "bench/peers/lastzero.c", [], "states", True),
    ("lastzero-traces", "bench/peers/lastzero.c", [], "traces", False),
    ("szymanski-states", "bench/peers/szymanski.c", [], "states", False),
    ("filesystem-states", "bench/peers/filesystem.c", [], "states", False),
    ("pairs-states", "bench/peers/pairs.c", [], "states", True),
    ("fib-bug-states", "bench/peers/fib.c", ["-DN=5", "-DBUG"], "states", True),
    ("fib-rc11", "tests/models/programs/fib.c", ["-DN=4"], "rc11", True),
    ("fib5-rc11", "tests/models/programs/fib.c", ["-DN=5"], "rc11", False),
    ("fib6-states", "bench/peers/fib.c", ["-DN=6"], "states", False),
]
MODELS = ["sc", "tso", "rc11"]  # not on a farm


def build(treadle, work, name, source, flags):
    program = work / name
    subprocess.run([treadle, "cc", "-g", "-O1", "-pthread", *flags, str(ROOT / source), "-o", str(program)],
                   check=True)
    return program


def command(treadle, program, goal, out, *words):
    what = f"--model={goal}" if goal in MODELS else f"--goal={goal}"
    return [treadle, "run", "-k", "--quiet", "--no-known", what, f"--out={out}", f"--json={out}.json",
            *words, str(program)]


def result(out):
    with open(f"{out}.json") as f:
        r = json.load(f)
    kept = {k: r.get(k) for k in ("verdict", "events", "digest", "traces", "trace_digest")}
    kept["findings"] = sorted((f["kind"], f["file"], f["line"]) for f in r["findings"])
    return kept, r


def explore(treadle, program, goal, out, *words):
    subprocess.run(command(treadle, program, goal, out, *words), stdout=subprocess.DEVNULL, timeout=1200)
    return result(out)


def children(pid):
    """All processes below pid, by generation: workers, their zygotes, runners."""
    below = {}
    for p in Path("/proc").iterdir():
        if p.name.isdigit():
            try:
                below.setdefault(int((p / "stat").read_text().rsplit(")", 1)[1].split()[1]), []).append(int(p.name))
            except OSError:
                pass
    found, level = [], [pid]
    while level:
        level = [c for q in level for c in below.get(q, [])]
        found += level
    return found


def kill_one(session, server, rng):
    """A process of the session, itself, or the server; whether that was done."""
    victims = children(session.pid) + [session.pid]
    if server and rng.randrange(8) == 0:
        server.kill()
        server.start()
        return True
    try:
        os.kill(rng.choice(victims), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def explore_with_kills(treadle, program, goal, out, words, most, server, rng):
    """Until it ends by itself; (its result, kills)."""
    n, resume = 0, []
    deadline = time.monotonic() + 1200
    while True:
        session = subprocess.Popen(command(treadle, program, goal, out, *words, *resume), stdout=subprocess.DEVNULL)
        while session.poll() is None:
            if time.monotonic() > deadline:
                session.kill()
                raise RuntimeError("it does not come to an end")
            try:
                session.wait(rng.uniform(0.05, 0.5))
            except subprocess.TimeoutExpired:
                n += n < most and kill_one(session, server, rng)
        # 2 and 70: it cannot go on, as with the process dead that it starts the program from.
        if session.returncode in (0, 1, 3) and not any(g["kind"] == "parked" for g in result(out)[1]["ledger"]):
            return result(out), n
        resume = ["--resume"] if (Path(out) / "session.db").exists() else []


def compare(what, expected, got, ledger):
    if expected == got:
        return True
    print(f"      ledger of {what}: {ledger}")
    for key, value in expected.items():
        if got[key] != value:
            print(f"FAIL  {what}: {key} is {got[key]}, not {value}")
    return False


def check(treadle, work, case, args, server, most, rng):
    """One program in all ways; (whether all is the same, kills)."""
    name, source, flags, goal, _ = case
    program = build(treadle, work, name, source, flags)
    alone, whole = explore(treadle, program, goal, work / f"{name}.alone", "-j1", "--alone=1h")
    row = [f"{whole['seconds']:.1f} s, {whole['runs']} runs alone"]
    shares = [f"--farm={server.farm_address('starter')}"] if server else ["--alone=1ms"]
    ok, kills = True, 0
    for jobs in args.jobs.split(","):
        shared, r = explore(treadle, program, goal, work / f"{name}.j{jobs}", f"-j{jobs}", *shares)
        ok &= compare(f"{name} -j{jobs}", alone, shared, r.get("ledger"))
        row.append(f"{r['runs']} with {jobs}")
    if most:
        (shared, r), kills = explore_with_kills(treadle, program, goal, work / f"{name}.kill", ["-j2", *shares], most,
                                                server, rng)
        ok &= compare(f"{name} with {kills} kills", alone, shared, r.get("ledger"))
        row.append(f"{r['runs']} with {kills} kills")
    print(f"{'ok  ' if ok else 'FAIL'}  {name}: {alone['verdict']}, {alone['events']} events; {', '.join(row)}",
          flush=True)
    return ok, kills


def promoted_at_first(path):
    """The bytes of the promoted accesses, as the second worker found them when it joined; None: it has not yet."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            row = db.execute("SELECT length(promoted), (SELECT count(*) FROM worker) FROM campaign").fetchone()
    except sqlite3.Error:
        return None
    return row[0] if row and row[1] > 1 else None


def check_late(treadle, work):
    """Accesses that were promoted before the search was shared are promoted for whoever joins: else its runs do not
    follow the schedules of the others."""
    program = build(treadle, work, "late", "tests/parallel/late.c", [])
    for seconds in (6, 30, 120):  # until a second worker joins, on a machine that is busy
        out, promoted = work / f"late.{seconds}", None
        session = subprocess.Popen(command(treadle, program, "states", out, "-j2", f"--alone={seconds // 3}s", f"--time={seconds}s"),
                                   stdout=subprocess.DEVNULL)
        while promoted is None and session.poll() is None:
            promoted = promoted_at_first(out / "session.db")
            time.sleep(0.01)
        session.wait(300)
        if promoted is not None:
            break
    _, r = result(out)
    kinds = {entry["kind"] for entry in r["ledger"]}
    ok = promoted is not None and promoted > 0 and kinds <= {"time", "races"}
    print(f"{'ok  ' if ok else 'FAIL'}  late: {r['runs']} runs, ledger {sorted(kinds)}, promoted {promoted}")
    return ok


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--jobs", default="2,4")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--farm", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_intermixed_args()
    treadle, rng = os.path.abspath(args.treadle), random.Random(1)
    failed = kills = 0
    server = None
    with tempfile.TemporaryDirectory(prefix="treadle-parallel.") as dir:
        work = Path(dir)
        os.chmod(work, 0o755)
        os.chdir(work)
        cases = [c for c in CASES if (c[0] in args.names if args.names else c[4] or args.long)]
        cases = [c for c in cases if not (args.farm and c[3] in MODELS)]
        try:
            if args.farm:
                server = cluster.Cluster(str(work / "pg"))
                server.start()
                server.init_farm(treadle)
            for i, case in enumerate(cases):
                # Small programs end before they are killed: the larger ones are killed more often.
                most = -(-(args.kills - kills) // (len(cases) - i))
                ok, n = check(treadle, work, case, args, server, most, rng)
                failed += not ok
                kills += n
            if not args.farm and not args.names:
                failed += not check_late(treadle, work)
        finally:
            if server:
                server.stop()
    print(f"{len(cases)} programs, {kills} kills, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
