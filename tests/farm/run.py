#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Campaigns on a farm: a leader, workers as on other machines, a PostgreSQL server of our own on loopback.

Verdict, digest, events, traces and findings are those of a plain run, for states and traces, for 1 to 3 workers, while
workers and an agent's processes are killed. A wrong program, other arguments and options that are no options of a
campaign are refused. `treadle top` tells how it stands.

Usage: run.py TREADLE [--only=NAME,...]
Exit: 0 good, 1 not, 77 there is no PostgreSQL."""
import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "exchange"))
import cluster  # noqa: E402

# name, source, flags, goal, workers of the agent
CASES = [
    ("fib-states", "bench/peers/fib.c", ["-DN=5"], "states", 1),
    ("readers-traces", "bench/peers/readers.c", ["-DN=14"], "traces", 2),
    ("lastzero-traces", "bench/peers/lastzero.c", ["-DN=11"], "traces", 3),
    ("lastzero-states", "bench/peers/lastzero.c", [], "states", 2),
    ("fib-bug-states", "bench/peers/fib.c", ["-DN=5", "-DBUG"], "states", 2),
]
KILLED = ("fib-states", "readers-traces")  # with kill -9 of workers in between
SHORT = ("lastzero-states",)  # may be done before anybody joins


class Failed(Exception):
    pass


def require(holds, text):
    if not holds:
        raise Failed(text)


class Farm:
    def __init__(self, treadle):
        self.treadle = os.path.abspath(treadle)
        self.dir = tempfile.mkdtemp(prefix="treadle-farm.")
        os.chmod(self.dir, 0o755)
        self.n = 0
        self.cluster = cluster.Cluster(os.path.join(self.dir, "pg"))
        self.cluster.start()
        self.cluster.init_farm(self.treadle)

    def address(self, role):
        return self.cluster.farm_address(role)

    def call(self, *words, timeout=300):
        return subprocess.run([self.treadle, *words], capture_output=True, text=True, timeout=timeout, cwd=self.dir)

    def start(self, *words):
        return subprocess.Popen([self.treadle, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                cwd=self.dir)

    def out(self):
        self.n += 1
        return os.path.join(self.dir, f"out{self.n}")

    def build(self, name, source, flags):
        program = os.path.join(self.dir, name)
        done = self.call("cc", "-g", "-O1", "-pthread", *flags, os.path.join(ROOT, source), "-o", program)
        require(done.returncode == 0, f"{source}: {done.stderr}")
        return program

    def leader_words(self, program, goal, out, *words):
        return ["run", "-k", "--quiet", "--no-known", f"--goal={goal}", f"--out={out}", f"--json={out}.json", *words,
                program]

    def campaigns(self):
        return int(self.cluster.psql("SELECT count(*) FROM treadle.campaign", database="farm").stdout)

    def lead(self, program, goal, *words):
        """A leader whose campaign has begun, and where its result will be."""
        before, out = self.campaigns(), self.out()
        leader = self.start(*self.leader_words(program, goal, out, f"--farm={self.address('starter')}", "-j1", *words))
        for _ in range(600):
            if self.campaigns() > before:
                return leader, out
            if leader.poll() is not None:
                break
            time.sleep(0.05)
        raise Failed(f"the leader begins no campaign: {leader.stderr.read() if leader.poll() is not None else ''}")

    def agent(self, program, jobs, *words):
        return self.start("worker", f"--farm={self.address('worker')}", f"-j{jobs}", f"--out={self.out()}", *words,
                          program)

    def close(self):
        self.cluster.stop()
        shutil.rmtree(self.dir, ignore_errors=True)


def result(out):
    with open(f"{out}.json", encoding="utf-8") as f:
        r = json.load(f)
    kept = {k: r.get(k) for k in ("verdict", "events", "digest", "traces", "trace_digest")}
    kept["findings"] = sorted((f["kind"], f["file"], f["line"]) for f in r["findings"])
    return kept


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
        return [int(p) for p in f.read().split()]


def kill_some(agent, n):
    """kill -9 of workers of the agent, which replaces them."""
    killed = 0
    for _ in range(100):
        if killed == n or agent.poll() is not None:
            break
        time.sleep(0.3)
        try:
            below = children(agent.pid)
            if below:
                os.kill(below[killed % len(below)], signal.SIGKILL)
                killed += 1
        except (ProcessLookupError, FileNotFoundError):
            pass
    return killed


def end(process, what, code=None):
    try:
        process.wait(timeout=300)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Failed(f"{what} does not end") from None
    said = process.stderr.read()
    require(code is None or process.returncode == code, f"{what} ended with {process.returncode}: {said}")
    return said


# ---- the tests ----

def same_result(farm, name, source, flags, goal, jobs):
    program = farm.build(name, source, flags)
    alone = farm.out()
    farm.call(*farm.leader_words(program, goal, alone, "-j1", "--alone=1h"))
    expected = result(alone)
    leader, out = farm.lead(program, goal)
    agent = farm.agent(program, jobs)
    killed = kill_some(agent, 2) if name in KILLED else 0
    end(leader, f"{name}: the leader")
    end(agent, f"{name}: the agent", 0)
    got = result(out)
    require(got == expected, f"{name}: on the farm {got}, alone {expected}")
    parts = farm.cluster.psql("SELECT count(DISTINCT worker), sum(n) FROM treadle.part WHERE campaign ="
                              " (SELECT max(id) FROM treadle.campaign)", database="farm").stdout.strip()
    require(name in SHORT or int(parts.split("|")[0]) > 1, f"{name}: the leader did all of it")
    print(f"  {name}: {expected['events']} events, {len(expected['findings'])} findings, {jobs} workers, "
          f"{killed} killed; workers with parts, parts: {parts.replace('|', ', ')}")


def test_leader_dies(farm):
    """kill -9 of the leader: workers do the rest, and the leader that goes on reports what they found."""
    program = farm.build("orphan", "bench/peers/fib.c", ["-DN=5", "-DBUG"])
    alone = farm.out()
    farm.call(*farm.leader_words(program, "states", alone, "-j1", "--alone=1h"))
    leader, out = farm.lead(program, "states")
    leader.kill()
    end(leader, "the leader")
    farm.cluster.psql("SELECT treadle.worker_gone(campaign, id) FROM treadle.worker", database="farm")
    end(farm.agent(program, 2), "the agent", 0)
    done = farm.call(*farm.leader_words(program, "states", out, f"--farm={farm.address('starter')}", "-j1", "--resume"))
    require(done.returncode == 1, f"the leader that goes on: {done.returncode} {done.stderr}")
    got, expected = result(out), result(alone)
    require(got == expected, f"gone on with: {got}, alone {expected}")


def test_refused(farm):
    program = farm.build("right", "bench/peers/fib.c", ["-DN=6"])
    os.mkdir(os.path.join(farm.dir, "elsewhere"))
    other = farm.build("elsewhere/right", "bench/peers/lastzero.c", [])
    leader, _ = farm.lead(program, "states")
    try:
        said = end(farm.agent(other, 1), "an agent with another program", 2)
        require("the program has changed since" in said, f"another program: {said}")
        agent = farm.start("worker", f"--farm={farm.address('worker')}", "-j1", f"--out={farm.out()}", program, "7")
        said = end(agent, "an agent with other arguments", 2)
        require("another command" in said, f"other arguments: {said}")
        said = end(farm.agent(program, 1, "--campaign=999999"), "an agent without a campaign", 2)
        require("no campaign" in said, f"no campaign: {said}")
        done = farm.call("run", f"--farm={farm.address('worker')}", "--quiet", f"--out={farm.out()}", program)
        require(done.returncode == 2 and "may not" in done.stderr, f"a worker begins a campaign: {done.stderr}")
        for words in ("--out=/tmp/x", "--suppressions=/etc/passwd", "--json=x", "--farm=postgresql://x", "--seed=1",
                      "-k", "--keep-going\nprogram", "--no-such", "--help"):
            hexed = words.encode().hex()
            farm.cluster.psql("UPDATE treadle.campaign SET options = "
                              f"decode('{hexed}', 'hex') WHERE id = (SELECT max(id) FROM treadle.campaign)",
                              database="farm")
            said = end(farm.agent(program, 1), f"an agent told '{words}'", 2)
            require("are refused" in said, f"an agent told '{words}': {said}")
    finally:
        leader.terminate()
    end(leader, "the leader")
    done = farm.call("run", f"--farm={farm.address('starter')}", "--suppressions=x", program)
    require(done.returncode == 2 and "--suppressions" in done.stderr, f"suppressions: {done.stderr}")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def ask(port, request):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as s:
        s.sendall(request)
        got, more = b"", b"x"
        try:
            while more:
                more = s.recv(65536)
                got += more
        except ConnectionResetError:
            pass
        return got.decode()


def test_top(farm):
    program = farm.build("watched", "bench/peers/fib.c", ["-DN=6"])
    leader, _ = farm.lead(program, "states")
    agent = farm.agent(program, 2)
    port, figures = free_port(), os.path.join(farm.dir, "figures")
    where = farm.address("reader")
    top = farm.start("top", f"--prometheus={port}", where)
    try:
        for _ in range(200):
            done = farm.call("top", "--json", where)
            require(done.returncode == 3, f"top: {done.returncode} {done.stderr}")
            now = json.loads(done.stdout)
            if len(now["workers"]) == 3 and sum(w["runs"] > 0 for w in now["workers"]) == 3 and now["parts"] > 0:
                break
            time.sleep(0.1)
        else:
            raise Failed(f"top shows no three workers: {now}")
        require(not now["done"] and now["items"]["leased"] > 0 and now["runs_per_second"] > 0, f"top: {now}")
        require(now["rediscovery"] >= 1, f"top: rediscovery {now['rediscovery']}")
        text = farm.call("top", "--once", f"--prometheus={figures}", where).stdout
        require("WORKER" in text and "leader" in text, f"top --once: {text}")
        with open(figures, encoding="ascii") as f:
            require("treadle_runs_total{" in f.read(), "figures in a file")
        answer = ask(port, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        require(answer.startswith("HTTP/1.0 200 OK\r\n") and "treadle_worker_runs_total{" in answer, answer)
        require(ask(port, b"x" * 20000) == "", "a request without end is answered")
        with socket.create_connection(("127.0.0.1", port)):  # says nothing, and holds nobody up
            require("treadle_lag_seconds" in ask(port, b"GET / HTTP/1.0\r\n\r\n"), "the next client is not served")
        require(top.poll() is None, "top ended before the campaign")
    finally:
        leader.terminate()
        agent.terminate()
        top.terminate()
    end(leader, "the leader")
    end(agent, "the agent", 0)
    end(top, "top", 3)
    done = farm.call("top", "postgresql://127.0.0.1:1/none?sslmode=disable", timeout=60)
    require(done.returncode == 2 and "the farm" in done.stderr, f"no server: {done.stderr}")


def test_results(farm):
    for case in CASES:
        same_result(farm, *case)


TESTS = {"results": test_results, "leader-dies": test_leader_dies, "refused": test_refused, "top": test_top}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle")
    parser.add_argument("--only", default=",".join(TESTS))
    options = parser.parse_args()
    if cluster.binaries() is None:
        print("there is no PostgreSQL")
        return 77
    farm = Farm(options.treadle)
    bad = 0
    try:
        for name in options.only.split(","):
            try:
                TESTS[name](farm)
                print(f"ok: {name}", flush=True)
            except Failed as why:
                bad = 1
                print(f"FAILED: {name}: {why}", flush=True)
    finally:
        farm.close()
    return bad


if __name__ == "__main__":
    sys.exit(main())
