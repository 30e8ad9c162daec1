#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Campaigns on a farm: a leader, workers as on other machines, a PostgreSQL server of our own on loopback.

Verdict, digest, events, traces and findings are those of a plain run, for states and traces, for 1 to 3 workers, while
workers and an agent's processes are killed. A wrong program, other arguments and options that are no options of a
campaign are refused. `treadle top` tells how it stands.

Usage: run.py TREADLE [--only=NAME,...]; rogue-many and settings-all are only run by their names, and take minutes
Exit: 0 good, 1 not, 77 there is no PostgreSQL."""
import argparse
import itertools
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
import rogue  # noqa: E402
from rogue import EIGHT, Failed, exchange_of, require  # noqa: E402

# name, source, flags, goal, workers of the agent
CASES = [
    ("fib-states", "bench/peers/fib.c", ["-DN=6"], "states", 1),
    ("readers-traces", "bench/peers/readers.c", ["-DN=14"], "traces", 2),
    ("lastzero-traces", "bench/peers/lastzero.c", ["-DN=11"], "traces", 3),
    ("lastzero-states", "bench/peers/lastzero.c", [], "states", 2),
    ("fib-bug-states", "bench/peers/fib.c", ["-DN=6", "-DBUG"], "states", 2),
]
KILLED = ("fib-states", "readers-traces")  # with kill -9 of workers in between
SHORT = ("lastzero-states",)  # may be done before anybody joins


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
    leader, out = farm.lead(program, goal, "--trust-members")
    agent = farm.agent(program, jobs)
    killed = kill_some(agent, 2) if name in KILLED else 0
    end(leader, f"{name}: the leader")
    end(agent, f"{name}: the agent", 0)
    got = result(out)
    require(got == expected, f"{name}: on the farm {got}, alone {expected}")
    parts = farm.cluster.psql("SELECT count(DISTINCT worker), sum(n) FROM treadle.part WHERE campaign ="
                              " (SELECT max(id) FROM treadle.campaign)", database="farm").stdout.strip()
    require(name in SHORT or int(parts.split("|")[0]) > 1, f"{name}: the leader did all of it")
    with open(f"{out}.json", encoding="utf-8") as f:
        said = json.load(f)["farm"]
    require(said["checked"] == said["agreed"], f"{name}: parts done again are others: {said}")
    require(said["parts"] == int(parts.split("|")[1]) and (name in SHORT or said["others_parts"] > 0), f"{name}: {said}")
    require(said["others_parts"] == 0 or said["checked"] + said["given_up"] > 0, f"{name}: nothing was done again: {said}")
    print(f"  {name}: {expected['events']} events, {len(expected['findings'])} findings, {jobs} workers, "
          f"{killed} killed; workers with parts, parts: {parts.replace('|', ', ')}; done again, agreed: {said['checked']}, {said['agreed']}")


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
            require("invalid options" in said, f"an agent told '{words}': {said}")
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
    program = farm.build("watched", "bench/peers/fib.c", ["-DN=9"])  # more than the test has time for
    leader, _ = farm.lead(program, "states")
    agent = farm.agent(program, 2)
    port, figures = free_port(), os.path.join(farm.dir, "figures")
    where = farm.address("reader")
    top = farm.start("top", f"--prometheus={port}", where)
    try:
        # A part is there once an item is completed or divided and its worker submits: on a busy machine that takes minutes.
        end_s = time.monotonic() + 240
        while True:
            done = farm.call("top", "--json", where)
            require(done.returncode == 3, f"top: {done.returncode} {done.stderr}")
            now = json.loads(done.stdout)
            if len(now["workers"]) == 3 and sum(w["runs"] > 0 for w in now["workers"]) == 3 and now["parts"] > 0:
                break
            require(time.monotonic() < end_s, f"top shows no three workers, or no part of them: {now}")
            time.sleep(0.1)
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
            answer = ""
            for _ in range(3):  # a busy machine may be late, and is then not waited for
                answer = answer or ask(port, b"GET / HTTP/1.0\r\n\r\n")
            require("treadle_lag_seconds" in answer, f"the next client is not served: {answer[:300]!r}")
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


# ---- members that attack ----

def deceive(type_name, command):
    """SQL of a member: a type of its own that calls a function of its own."""
    return (f"CREATE FUNCTION pg_temp.evil(v pg_catalog.{type_name}) RETURNS pg_catalog.bool LANGUAGE plpgsql AS $f$"
            " BEGIN IF current_user <> session_user THEN EXECUTE 'GRANT ALL ON ALL TABLES IN SCHEMA treadle TO PUBLIC';"
            " END IF; RETURN true; END $f$;"
            f"CREATE DOMAIN pg_temp.{type_name} AS pg_catalog.{type_name} CHECK (pg_temp.evil(value)); {command}")


def new_campaign(server, database):
    """A campaign of one item and a worker of the role worker."""
    campaign = server.psql("SELECT treadle.campaign_begin(ARRAY['1','2','3','4','5']::bytea[], 'x'::bytea)",
                           user=f"{database}_starter", database=database).stdout.strip()
    worker = server.psql(f"SELECT treadle.worker_join({campaign}, 'rogue')", user=f"{database}_worker",
                         database=database).stdout.strip()
    return campaign, worker


def tables_open(server, database):
    return server.psql("SELECT count(*) FROM pg_class c, LATERAL aclexplode(c.relacl) a WHERE a.grantee = 0 AND"
                       " c.relnamespace = 'treadle'::regnamespace", database=database).stdout.strip()


def attack(server, database, is_old=False):
    """Both ways by which a member became the owner; is_old: of a farm that has only the first migration."""
    campaign, worker = new_campaign(server, database)
    report = exchange_of(campaign, worker, news=EIGHT, lines="'{1}'")
    server.psql(f"GRANT TEMPORARY ON DATABASE {database} TO {database}_worker, {database}_reader")
    for role, type_name, command in (("worker", "bytea", report),
                                     ("reader", "text", f"SELECT * FROM treadle.campaign_total({campaign})")):
        server.psql(deceive(type_name, command), user=f"{database}_{role}", database=database, check=False)
        opened = tables_open(server, database)
        require(is_old or opened == "0", f"{database}: a {role} with a type {type_name} became the owner")
    if is_old:
        require(tables_open(server, database) != "0", "the attack does not work on a farm of version 1: it tests nothing")
        server.psql("REVOKE ALL ON ALL TABLES IN SCHEMA treadle FROM PUBLIC", user=f"{database}_owner", database=database)


def check_catalogue(server, database):
    wrong = server.psql("SELECT string_agg(p.oid::regprocedure::text, ', ') FROM pg_proc p WHERE"
                        " p.pronamespace = 'treadle'::regnamespace AND NOT"
                        " coalesce('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false)",
                        database=database).stdout.strip()
    require(wrong == "", f"{database}: functions without pg_temp last in their search path: {wrong}")
    loose = server.psql("SELECT string_agg(DISTINCT p.proname || ' ' || s.name, ', ') FROM pg_proc p,"
                        " aclexplode(p.proacl) a, pg_settings s WHERE p.pronamespace = 'treadle'::regnamespace AND"
                        f" a.grantee <> p.proowner AND s.context = 'user' AND {ABOUT_TEXT} AND NOT EXISTS (SELECT 1 FROM"
                        " unnest(p.proconfig) c WHERE starts_with(c, s.name || '='))", database=database).stdout.strip()
    require(loose == "", f"{database}: functions that take settings of their caller: {loose}")
    public = server.psql("SELECT count(*) FROM pg_proc p, LATERAL aclexplode(coalesce(p.proacl, acldefault('f',"
                         " p.proowner))) a WHERE a.grantee = 0 AND p.pronamespace = 'treadle'::regnamespace",
                         database=database).stdout.strip()
    require(public == "0", f"{database}: {public} functions are open to everybody")
    require(tables_open(server, database) == "0", f"{database}: tables are open to everybody")
    temporary = server.psql("SELECT has_database_privilege('pg_monitor', current_database(), 'TEMPORARY')",
                            database=database).stdout.strip()
    require(temporary == "f", f"{database}: every login can make temporary objects")


def old_farm(farm):
    """A farm as version 1 made it, that a newer treadle then brings up to date."""
    server = farm.cluster
    is_first = server.psql("SELECT count(*) FROM pg_roles WHERE rolname = 'aged_owner'").stdout.strip() == "0"
    if is_first:
        server.psql("CREATE ROLE aged_owner LOGIN CREATEROLE")
    server.psql("DROP DATABASE IF EXISTS aged")
    server.psql("CREATE DATABASE aged OWNER aged_owner")
    with open(os.path.join(HERE, "version-1.sql"), encoding="ascii") as f:
        first = f.read()
    server.psql("CREATE SCHEMA treadle; CREATE TABLE treadle.migration(number integer PRIMARY KEY, at timestamptz NOT NULL"
                " DEFAULT now()); " + first + "; INSERT INTO treadle.migration(number) VALUES(1)", user="aged_owner",
                database="aged")
    for role in ("starter", "worker", "reader") if is_first else ():
        server.psql(f"CREATE ROLE aged_{role} LOGIN; GRANT treadle_{role} TO aged_{role}")


def bring_up_to_date(farm):
    """The database aged: a farm of version 1, after farm init of this treadle."""
    if farm.cluster.psql("SELECT count(*) FROM pg_database WHERE datname = 'aged'").stdout.strip() == "0":
        old_farm(farm)
    done = farm.call("farm", "init", farm.cluster.address("aged", user="aged_owner"))
    require(done.returncode == 0, f"farm init of an old farm: {done.stderr}")


def test_attacks(farm):
    server = farm.cluster
    attack(server, "farm")
    server.psql("REVOKE TEMPORARY ON DATABASE farm FROM farm_worker, farm_reader")
    check_catalogue(server, "farm")
    old_farm(farm)
    attack(server, "aged", is_old=True)
    bring_up_to_date(farm)
    attack(server, "aged")
    server.psql("REVOKE TEMPORARY ON DATABASE aged FROM aged_worker, aged_reader")
    check_catalogue(server, "aged")
    done = farm.call("farm", "init", server.address("aged"))
    require(done.returncode == 2 and "superuser" in done.stderr, f"farm init as a superuser: {done.stderr}")
    done = farm.call("farm", "init", "--superuser", server.address("aged"))
    require(done.returncode == 0, f"farm init --superuser: {done.stderr}")


# ---- settings of a connection ----

ABOUT_TEXT = ("(category LIKE 'Version and Platform%' OR name IN ('bytea_output', 'IntervalStyle', 'DateStyle',"
              " 'extra_float_digits', 'xmloption', 'row_security', 'TimeZone'))")
JOINED = "-- joined"  # functions that were called before this line have been parsed with the settings of before


def calls_of_a_member():
    """A script of psql that calls every function that a member may call, and shows what they answer without
    what differs from campaign to campaign. Lines that begin with "refused" are of commands that must fail."""
    literals = [bytes([1]) + bytes([i + 1]) * 16 + b"\0\0" for i in range(4)]
    whole = rogue.item_of(0, b"")
    halves = rogue.halves(whole, literals[0])

    def hexed(b):
        return f"decode('{b.hex()}', 'hex')"

    def array(items):
        return "ARRAY[" + ",".join(hexed(b) for b in items) + "]::bytea[]"

    def texts(*words):
        return array(w.encode() for w in words)

    numbers = itertools.count(1)

    def exchange(what, tail, **fields):
        n = next(numbers)
        sql = exchange_of(":c", ":w", **{"lease": 600000, "call": n, "seen": n - 1, **fields})
        return sql.replace("*", what, 1) + tail

    def take(**fields):
        return exchange("item, token", " LIMIT 1 \\gset", **fields)

    def divisions():
        """At four events, one half kept each time; then five items are done."""
        item = whole
        for literal in literals:
            parts = rogue.halves(item, literal)
            yield take(**held, children=array(parts), keeps="true")
            item = parts[0]
        for _ in range(5):
            yield take(**held, done="true", counts="'{3,2,1,4}'", digests="'{7,8}'", want=1)

    held = {"item": ":item", "token": ":token"}
    shown = "encode(payload, 'hex'), attempts, is_stale, generation, is_stopped, n_findings"
    return "\n".join((
        f"SELECT treadle.campaign_begin({texts('a', 'b', 'c', 'd', 'e')}, {hexed(whole)}) AS c \\gset",
        f"SELECT treadle.worker_join(:c, {hexed(b'm')}) AS w \\gset",
        JOINED,
        take(want=1),
        "\\echo refused", exchange("1", ";", **held, children=array([halves[0]])),
        "\\echo refused", exchange("1", ";", **held, children=array([halves[0], halves[0]])),
        "\\echo refused", exchange("1", ";", **held, children="'{}'", done="true", counts="'{-1,0,0,0}'"),
        "\\echo refused", exchange("1", ";", news=texts(*"abcdefg", "h\0"), lines="'{1}'"),
        "\\echo divided", *divisions(),
        "\\echo found", exchange(shown, ";", news=texts(*"abcdefgh"), lines="'{7}'", state="'{1,2,3,4,5,6,7}'",
                                texts=array([b"\xffA", b"", b""])),
        "\\echo total",
        "SELECT n, events, traces, whole_traces, digest, trace_digest, known, n_incomplete, n_items, n_parked"
        " FROM treadle.campaign_total(:c);",
        "SELECT encode(id, 'hex'), line, encode(text, 'hex') FROM treadle.news_after(:c, 0);",
        "SELECT encode(name, 'hex'), runs, is_gone, n_items, n_parts FROM treadle.workers_after(:c, 0);",
        "SELECT encode(command, 'hex'), encode(options, 'hex') FROM treadle.campaign_find(:c);",
        "SELECT encode(treadle.campaign_promoted(:c), 'hex'), treadle.version();",
        "SELECT count(*), sum(events), sum(digest::numeric) FROM treadle.samples(:c, ARRAY[]::bigint[]);",
        "SELECT n_done, encode(literal, 'hex') FROM treadle.divisions_after(:c, 0, 0);",
        "SELECT command, version, options, generation, is_stopped, is_done FROM treadle.campaigns WHERE id = :c;",
        "SELECT ready, leased, parked, parts, events, traces, runs, findings FROM treadle.progress WHERE campaign = :c;",
        "SELECT name, is_gone, items, runs, blocked_runs FROM treadle.workers WHERE campaign = :c;",
        "SELECT n, id, kind, place, function, message, worker FROM treadle.findings WHERE campaign = :c;",
        "SELECT events, known, ratio FROM treadle.rediscovery WHERE campaign = :c;",
        f"SELECT treadle.campaign_again(:c, 0, {hexed(whole)}, {hexed(b'p')});",
        "SELECT generation, is_stopped FROM treadle.peek(:c);",
        "SELECT treadle.worker_gone(:c, :w);",
        "SELECT treadle.leases_clear(:c);",
        "SELECT treadle.campaign_stop(:c);",
        "SELECT generation, is_stopped FROM treadle.peek(:c);", ""))


def answers(server, database, script):
    """What the commands of the script answer from the line "begin" on, a line each."""
    words = [os.path.join(server.bin, "psql"), "-XAtq", "-v", "VERBOSITY=terse", "-h", server.dir, "-p", str(server.port),
             "-U", f"{database}_starter", "-d", database]
    done = subprocess.run(words, input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    chat = ("DEBUG:", "LOG:", "NOTICE:", "INFO:", "WARNING:", "DETAIL:", "\t")
    lines = [line for line in done.stdout.splitlines() if not line.startswith(chat)]
    return lines[lines.index("begin") + 1:] if "begin" in lines else []


def other_values(kind, now, least, most, choices):
    if kind == "bool":
        return ["off" if now == "on" else "on"]
    if kind == "enum":
        return [c for c in choices.strip("{}").replace('"', "").split(",") if c != now]
    if kind in ("integer", "real"):
        return [least, most]
    return ["C", "German, DMY", "pg_temp, public", "UTC"]


def is_error(line):
    return "ERROR" in line or "FATAL" in line


def check_called(server, database):
    """The script calls every function of the schema, itself or by others; only the owner forgets campaigns."""
    answers(server, database, calls_of_a_member())
    left = server.psql("SELECT string_agg(p.proname, ', ') FROM pg_proc p WHERE p.pronamespace = 'treadle'::regnamespace AND"
                       " p.proname <> 'campaign_forget' AND coalesce(pg_stat_get_function_calls(p.oid), 0) = 0",
                       database=database).stdout.strip()
    require(left == "", f"{database}: functions that no setting is tried on: {left}")


def vary_settings(server, database, where):
    """Settings that a role may change, set at first or once the member has joined, on every function: the same
    answers, or a member that can do nothing."""
    server.psql(f"ALTER DATABASE {database} SET track_functions = 'all'; GRANT treadle_reader TO {database}_starter")
    check_called(server, database)
    script = calls_of_a_member()
    expected = answers(server, database, script.replace(JOINED, "\\echo begin"))
    require(expected.count("refused") == 4 and sum(map(is_error, expected)) == 4, f"without other settings: {expected}")
    require("5|15|10|5|35|40|20|0|0|0" in expected, f"five parts were done: {expected}")
    require("0|" in expected and "1|01" + "04" * 16 + "0000" in expected, f"how it was divided: {expected}")
    rows = server.psql("SELECT name, vartype, setting, min_val, max_val, enumvals FROM pg_settings WHERE"
                       f" context = 'user' AND {where}", user=f"{database}_starter", database=database).stdout.splitlines()
    n_same = n_idle = 0
    for row in rows:
        name, *values = row.split("|")
        for value in other_values(*values):
            command = f"SET \"{name}\" = '{value}';\n"
            for changed in (command + script.replace(JOINED, "\\echo begin"),
                            script.replace(JOINED, command + "\\echo begin")):
                got = answers(server, database, changed)
                for i, line in enumerate(got):
                    require(line != "refused" or is_error(got[i + 1]), f"{database}, {command}: taken: {got[i:i + 2]}")
                if sum(map(is_error, got)) == 4:
                    n_same += 1
                    require([g for g in got if not is_error(g)] == [e for e in expected if not is_error(e)],
                            f"{database}, {command}: {got}, not {expected}")
                else:
                    n_idle += 1
    server.psql(f"ALTER DATABASE {database} RESET track_functions; REVOKE treadle_reader FROM {database}_starter")
    require(n_same > 10 * n_idle, f"{database}: a member could do nothing in {n_idle} of {n_same + n_idle} connections")
    print(f"  {database}: {len(rows)} settings; the same answers in {n_same} connections, none in {n_idle}", flush=True)


def test_settings(farm):
    """Those about text, on a new farm and, those that changed what was checked, on a migrated one; settings-all has
    every one, and takes minutes."""
    vary_settings(farm.cluster, "farm", ABOUT_TEXT)
    bring_up_to_date(farm)
    vary_settings(farm.cluster, "aged", "name IN ('standard_conforming_strings', 'transform_null_equals', 'bytea_output')")


def test_settings_all(farm):
    bring_up_to_date(farm)
    for database in ("farm", "aged"):
        vary_settings(farm.cluster, database, "true")


def check_divisions(server):
    """The number of literals has one byte or two."""
    literal = bytes(range(1, 18)) + b"\0\0"
    for n in (0, 1, 126, 127, 128, 129, 254, 255, 256):
        item = rogue.item_of(n, literal * n)
        first, second = rogue.halves(item, literal)
        for children, is_good in (([first, second], n < 256), ([second, first], n < 256), ([first, first], False),
                                  ([first, item], False), ([first, second[:-1]], False), ([first], False)):
            done = server.psql(f"SELECT treadle.check_division('\\x{item.hex()}'::bytea, {rogue.array_of(children)})",
                               database="farm", check=False)
            require((done.returncode == 0) == is_good, f"{n} literals, into {len(children)}: {done.stderr[:200]}")


def test_hand_ins(farm):
    """Reports out of range are refused where they are handed in."""
    server = farm.cluster
    campaign, worker = new_campaign(server, "farm")
    largest = 2 ** 63 - 1
    item, token = server.psql(exchange_of(campaign, worker, want=1, lease=600000), user="farm_worker",
                              database="farm").stdout.split("\n")[0].split("|")[:2]
    own = {"item": item, "token": token, "done": "true", "seen": 1, "call": 2}
    bad = [{"news": EIGHT, "lines": "'{-1}'"}, {"news": EIGHT, "lines": "'{4294967296}'"}, {"news": EIGHT, "lines": "'{}'"},
           {"news": EIGHT, "lines": "ARRAY[NULL]::bigint[]"}, {"lease": 600001}, {"lease": 0}, {"lease": -1},
           {"texts": f"ARRAY['a', pg_catalog.convert_to(repeat('x', {17 << 20}), 'UTF8'), 'c']::bytea[]",
            "state": "'{1,1,1,1,1,1,1}'"}]
    for number in (-1, largest, 2 ** 41):
        for i in range(7):
            numbers = [0] * 7
            numbers[i] = number
            bad.append({"state": f"'{{{','.join(map(str, numbers))}}}'"})
        for i in range(4):
            numbers = [0] * 4
            numbers[i] = number
            bad.append({**own, "counts": f"'{{{','.join(map(str, numbers))}}}'"})
    for digest in ("NaN", "-1", "0.5", str(2 ** 128), "Infinity"):
        bad += [{**own, "digests": f"'{{{digest},0}}'"}, {**own, "digests": f"'{{0,{digest}}}'"}]
    bad += [{**own, "digests": "'{0}'"}, {**own, "counts": "'{0,0,0}'"}]
    for fields in bad:
        done = server.psql(exchange_of(campaign, worker, **fields), user="farm_worker", database="farm", check=False)
        require(done.returncode != 0, f"taken: {str(fields)[:200]}")
    check_divisions(server)
    server.psql("CREATE ROLE stranger LOGIN; GRANT treadle_worker TO stranger")
    for sql in (exchange_of(campaign, worker), f"SELECT treadle.worker_gone({campaign}, {worker})"):
        done = server.psql(sql, user="stranger", database="farm", check=False)
        require(done.returncode != 0, f"a worker of another role: {sql}")
    done = server.psql("SELECT treadle.worker_join(99999, 'x')", user="farm_worker", database="farm", check=False)
    require(done.returncode != 0, "a worker without a campaign")
    done = server.psql(exchange_of(campaign, worker, **own), user="farm_worker", database="farm", check=False)
    parts = server.psql(f"SELECT sum(n) FROM treadle.part WHERE campaign = {campaign}", database="farm").stdout.strip()
    require(done.returncode == 0 and parts == "1", f"a good report: {parts} parts {done.stderr}")


def test_rogue(farm):
    rogue.test(farm, seeds=[1], n=100, kinds=[rogue.Rogue.lie])


def test_invented(farm):
    rogue.invent(farm)


def test_divisions(farm):
    rogue.divide_wrongly(farm)


def test_rogue_many(farm):
    """Not among what runs by default."""
    rogue.test(farm, seeds=range(1, 6), n=200, kinds=rogue.Rogue.SHOWN)


def test_addresses(farm):
    """No sentence has a part of a password."""
    for address in ("postgresql://u:sec%ZZret@127.0.0.1:1/x", "postgresql://u:sec/ret@127.0.0.1:1/x",
                    "postgresql://u:sec?ret@127.0.0.1:1/x", "postgresql://u:sec:ret@127.0.0.1:1/x",
                    "postgresql://u:sec@ret@127.0.0.1:1/x", "postgresql://127.0.0.1:1/x?password=sec%ZZret",
                    "postgresql://u:sec%41ret@127.0.0.1:1/x?sslmode=disable"):
        done = farm.call("top", address, timeout=60)
        said = done.stdout + done.stderr
        require(done.returncode == 2 and "sec" not in said and "ret" not in said, f"{address}: {said}")
    wrong = "postgresqll://u:sec'r et@127.0.0.1/x"
    for words in (("top", wrong), ("run", f"--farm={wrong}", "x"), ("run", wrong), ("run", f"--seed={wrong}", "x"),
                  ("run", f"--farmm={wrong}", "x"), ("worker", f"--farm={wrong}", "x"), ("farm", "init", wrong),
                  ("replay", wrong), ("report", wrong), (wrong,), ("top", f"--campaign={wrong}")):
        done = farm.call(*words)
        require(done.returncode == 2 and "sec" not in done.stdout + done.stderr, f"{words}: {done.returncode} {done.stderr}")


def test_terminal(farm):
    """What the server says has no control characters when it comes to a terminal."""
    server = farm.cluster
    program = farm.build("shown", "bench/peers/lastzero.c", [])
    evil = b"\x1b[2J\xe2\x80\xaex\xc2\x9b31m"
    texts = ", ".join(f"'\\x{evil.hex()}'::bytea" for _ in range(4))
    for options in (b"--" + evil, b"--goal=" + evil, b"--seed=" + evil, evil):
        server.psql(f"SELECT treadle.campaign_begin(ARRAY[{texts}, '\\x{options.hex()}'::bytea], 'x'::bytea)",
                    user="farm_starter", database="farm")
        said = end(farm.agent(program, 1), "an agent told control characters", 2)
        require("invalid options" in said and is_plain(said), f"an agent told control characters: {said!r}")
    for words in (["--once"], ["--json"]):
        done = farm.call("top", *words, farm.address("reader"))
        require(done.returncode == 3 and is_plain(done.stdout + done.stderr), f"top {words}: {done.stdout!r}")


def is_plain(text):
    return all(c == "\n" or " " <= c <= "~" for c in text)


def test_results(farm):
    for case in CASES:
        same_result(farm, *case)


TESTS = {"attacks": test_attacks, "settings": test_settings, "hand-ins": test_hand_ins, "rogue": test_rogue,
         "invented": test_invented, "divisions": test_divisions,
         "addresses": test_addresses, "terminal": test_terminal, "results": test_results, "leader-dies": test_leader_dies, "refused": test_refused, "top": test_top}


MORE = {"rogue-many": test_rogue_many, "settings-all": test_settings_all}


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
                {**TESTS, **MORE}[name](farm)
                print(f"ok: {name}", flush=True)
            except Failed as why:
                bad = 1
                print(f"FAILED: {name}: {why}", flush=True)
    finally:
        farm.close()
    return bad


if __name__ == "__main__":
    sys.exit(main())
