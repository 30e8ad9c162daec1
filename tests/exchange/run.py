#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What workers share, under kill -9 and power failures: sessions (SQLite) and farms (PostgreSQL).

Workers count a tree through the exchange (driver.c). They are killed, all of them are killed, the server is killed;
at the end everything was counted once. Then who may do what in a farm, and what a power failure leaves.

Usage: run.py TREADLE [--kills=N] [--seed=S] [--step=BYTES] [--only=NAME,...]
Exit: 0 good, 1 not, 77 nothing was run."""
import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cluster  # noqa: E402

TREE = ("3", "1000")  # seed and size: 129,600 nodes
WORKERS = 3
SLICE = ("60", "4", "1500", "5")  # nodes, milliseconds, lease, reports sent twice of 100


class Failed(Exception):
    pass


def require(holds, text):
    if not holds:
        raise Failed(text)


class Bench:
    def __init__(self, treadle, options):
        tests = os.path.join(os.path.dirname(os.path.abspath(treadle)), "tests")
        self.driver = os.path.join(tests, "exchange-driver")
        self.powercut = os.path.join(tests, "exchange-powercut")
        self.options = options
        self.random = random.Random(options.seed)
        self.dir = tempfile.mkdtemp(prefix="treadle-exchange.")
        os.chmod(self.dir, 0o755)

    def run(self, *words, env=None, stdin=None):
        """A command of the driver: its code and its line."""
        done = subprocess.run([self.driver, *words], capture_output=True, text=True, timeout=300, input=stdin,
                              env={**os.environ, **(env or {})})
        return done.returncode, done.stdout.strip()

    def ask(self, *words, **more):
        code, line = self.run(*words, **more)
        require(code == 0, f"driver {words[0]}: {line or code}")
        return json.loads(line)

    def start(self, where):
        return subprocess.Popen([self.driver, "work", where, *SLICE], stdout=subprocess.PIPE, text=True)


# ---- kills ----

class Campaign:
    """A tree, its workers, and who is killed when."""

    def __init__(self, bench, where, payloads):
        self.bench = bench
        self.where = where
        self.payloads = payloads  # of all items that are left or parked, as hexadecimal digits
        self.workers = []
        self.kills = 0
        bench.ask("begin", where, *TREE)

    def finished(self):
        """Takes workers that ended by themselves off the list; true: one says that all is done."""
        done = [w for w in self.workers if w.poll() is not None]
        self.workers = [w for w in self.workers if w.poll() is None]
        for w in done:
            text = w.stdout.read()
            w.stdout.close()
            require(w.returncode == 0, f"a worker failed: {text.strip() or w.returncode}")
        return bool(done)

    def fill(self):
        while len(self.workers) < WORKERS:
            self.workers.append(self.bench.start(self.where))

    def kill(self, workers):
        for w in workers:
            w.send_signal(signal.SIGKILL)
        for w in workers:
            w.wait()
            w.stdout.close()
            self.workers.remove(w)
            self.kills += 1

    def end(self):
        deadline = time.time() + 120
        while self.workers and time.time() < deadline:
            self.finished()
            time.sleep(0.05)
        require(not self.workers, "workers do not end")

    def check(self):
        """Parts and what is left or parked are the whole tree, each node once."""
        total = self.bench.ask("total", self.where)
        left = self.bench.ask("below", stdin="".join(p + "\n" for p in self.payloads()))
        truth = self.bench.ask("truth", *TREE)
        for count in ("nodes", "leaves"):
            require(total[count] + left[count] == truth[count],
                    f"{count}: {total[count]} and {left[count]} left, of {truth[count]}")
        for digest in ("digest", "leaf_digest"):
            found = (int(total[digest], 16) + int(left[digest], 16)) % 2**128
            require(found == int(truth[digest], 16), f"another {digest}")
        if total["items"] == 0 and total["parked"] == 0:
            require(total["complete"], "not complete")
            for count in ("findings", "finding_digest"):
                require(total[count] == truth[count], f"{count}: {total[count]}, not {truth[count]}")
        return total

    def chaos(self, n_kills, also):
        """Kills until that many were and the tree is done; also(self) may do more between two kills. A tree that is
        done before that is followed by the next."""
        n_trees, parked = 0, 0
        while True:
            self.fill()
            time.sleep(self.bench.random.uniform(0.02, 0.25))
            if self.finished():
                self.end()
                total = self.check()
                n_trees, parked = n_trees + 1, parked + total["parked"]
                if self.kills >= n_kills:
                    return n_trees, parked
                self.bench.ask("begin", self.where, *TREE)
            elif self.kills < n_kills:
                self.kill([self.bench.random.choice(self.workers)])
                also(self)


def sqlite_payloads(path):
    def read():
        db = sqlite3.connect(path)
        rows = db.execute("SELECT hex(payload) FROM item WHERE campaign = (SELECT max(id) FROM campaign)")
        found = [row[0] for row in rows]
        require(db.execute("PRAGMA integrity_check").fetchone()[0] == "ok", "the file is damaged")
        db.close()
        return found
    return read


def test_session(bench):
    """A session's workers are killed one by one and all at once."""
    directory = os.path.join(bench.dir, "session")
    bench.ask("make", directory)
    path = os.path.join(directory, "session.db")
    campaign = Campaign(bench, path, sqlite_payloads(path))
    all_at_once = 0

    def also(c):
        nonlocal all_at_once
        if bench.random.random() < 0.2:
            c.kill(list(c.workers))
            c.check()
            bench.ask("clear", path)
            all_at_once += 1

    trees, parked = campaign.chaos(bench.options.kills, also)
    return f"{campaign.kills} kills, {all_at_once} of them all workers at once, {trees} trees exact, {parked} parked"


def start_farm(bench, name, settings=()):
    server = cluster.Cluster(os.path.join(bench.dir, name), settings)
    server.start()
    server.psql("CREATE DATABASE farm")
    bench.ask("init", server.address("farm"))
    bench.ask("init", server.address("farm"))  # again is fine
    return server


def farm_payloads(server):
    def read():
        sql = ("SELECT encode(payload, 'hex') FROM treadle.item i JOIN treadle.campaign c ON c.id = i.campaign"
               " AND c.generation = i.generation WHERE c.id = (SELECT max(id) FROM treadle.campaign)")
        return server.psql(sql, database="farm").stdout.split()
    return read


def wait_for_silence(server):
    """The server goes on with what a worker asked for before it was killed."""
    sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'treadle'"
    for _ in range(600):
        if server.psql(sql).stdout.strip() == "0":
            return
        time.sleep(0.1)
    raise Failed("the server does not notice that workers are gone")


def farm_chaos(bench, name, settings):
    server = start_farm(bench, name, settings)
    server_kills = 0

    def also(c):
        nonlocal server_kills
        if bench.random.random() < 0.1:
            server.kill()
            server.start()
            server_kills += 1
            if bench.random.random() < 0.5:  # the others go on when it is back
                c.kill(list(c.workers))
                wait_for_silence(server)
                c.check()

    try:
        campaign = Campaign(bench, server.address("farm"), farm_payloads(server))
        trees, parked = campaign.chaos(bench.options.kills, also)
    finally:
        server.stop()
    return f"{campaign.kills} kills of workers, {server_kills} of the server, {trees} trees exact, {parked} parked"


def test_farm(bench):
    """Workers of a farm and its server are killed."""
    return farm_chaos(bench, "farm", ())


def test_farm_forgets(bench):
    """The same with a server that loses what it has just done."""
    return farm_chaos(bench, "forgets", ("synchronous_commit=off", "wal_writer_delay=2s"))


# ---- who may do what ----

def test_roles(bench):
    """Workers may call the commands and read no table; refused logins give a sentence."""
    server = start_farm(bench, "roles")
    try:
        server.psql("CREATE ROLE w LOGIN PASSWORD 'right' IN ROLE treadle_worker;"
                    "CREATE ROLE s LOGIN PASSWORD 'right' IN ROLE treadle_starter;"
                    "CREATE ROLE r LOGIN PASSWORD 'right' IN ROLE treadle_reader;"
                    "CREATE ROLE nobody LOGIN PASSWORD 'right'")
        server.write_hba(f"local all {cluster.OWNER} trust\nlocal all all scram-sha-256\n")
        server.psql("SELECT pg_reload_conf()")
        time.sleep(0.5)

        def farm(user, password="right"):
            return server.address("farm", user, password)

        def refused(words, *says):
            code, line = bench.run(*words)
            require(code == 1, f"{words[0]} was not refused: {line}")
            for text in says:
                require(text in line, f"'{text}' is not in: {line}")
            require("right" not in line, f"a password in: {line}")

        refused(["begin", farm("s", "wrong"), *TREE], "the farm 'farm'", "password authentication failed")
        refused(["begin", farm("w"), *TREE], "the role 'w' may not", "permission denied")
        refused(["begin", farm("nobody"), *TREE], "the role 'nobody' may not", "permission denied")
        refused(["init", farm("w")], "permission denied")
        refused(["work", server.address("postgres", "s", "right")], "is not a farm")
        bench.ask("begin", farm("s"), "3", "100")
        bench.ask("work", farm("w"), "100000", "0")
        require(bench.ask("total", farm("w"))["complete"], "a worker's campaign")

        tables = server.psql("SELECT tablename FROM pg_tables WHERE schemaname = 'treadle'",
                             database="farm").stdout.split()
        require(len(tables) >= 6, "no tables")
        for user in ("w", "s"):
            for table in tables:
                for sql in (f"SELECT * FROM treadle.{table}", f"DELETE FROM treadle.{table}",
                            f"TRUNCATE treadle.{table}"):
                    done = server.psql(sql, user, "farm", check=False, env={"PGPASSWORD": "right"})
                    require("permission denied" in done.stderr, f"{user}: {sql}: {done.stderr}")
        hidden = server.psql("SELECT proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
                             " WHERE nspname = 'treadle' AND has_function_privilege('w', p.oid, 'EXECUTE')"
                             " AND NOT prosecdef", database="farm").stdout.split()
        require(hidden == [], f"w may call {hidden}")
        for view in ("campaigns", "progress", "workers", "findings", "rediscovery"):
            server.psql(f"SELECT * FROM treadle.{view}", "r", "farm", env={"PGPASSWORD": "right"})
        done = server.psql("SELECT * FROM treadle.news", "r", "farm", check=False, env={"PGPASSWORD": "right"})
        require("permission denied" in done.stderr, "a reader sees a table")

        server.psql("REVOKE treadle_worker FROM w")
        refused(["total", farm("w")], "the role 'w' may not", "permission denied")
        server.psql("ALTER ROLE w NOLOGIN")
        refused(["total", farm("w")], "not permitted to log in")
    finally:
        server.stop()
    return f"{len(tables)} tables are out of reach"


def openssl(directory, *words):
    subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=directory, timeout=60)


def make_certificates(directory):
    """Two authorities, good and bad, and a certificate of good for localhost."""
    os.makedirs(directory)
    for name in ("good", "bad"):
        openssl(directory, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                "-keyout", f"{name}.key", "-out", f"{name}.crt")
    openssl(directory, "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "server.key",
            "-out", "server.csr")
    openssl(directory, "x509", "-req", "-in", "server.csr", "-CA", "good.crt", "-CAkey", "good.key",
            "-CAcreateserial", "-days", "2", "-out", "server.crt")


def test_tls(bench):
    """The server must show a certificate of the right authority for its name; so by default."""
    directory = os.path.join(bench.dir, "certificates")
    make_certificates(directory)
    server = start_farm(bench, "tls")
    try:
        for name in ("server.key", "server.crt"):
            copy = shutil.copy(os.path.join(directory, name), server.data)
            os.chmod(copy, 0o600)
            if server.user:
                os.chown(copy, server.user["user"], server.user["group"])
        server.psql("CREATE ROLE s LOGIN PASSWORD 'right' IN ROLE treadle_starter")
        server.write_hba(f"local all {cluster.OWNER} trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n")
        server.settings = ["ssl=on"]
        server.stop()
        server.start()
        good, bad = (os.path.join(directory, name) for name in ("good.crt", "bad.crt"))
        cases = [
            ("localhost", {"sslrootcert": good}, None),
            ("localhost", {"sslrootcert": good, "sslmode": "verify-full"}, None),
            ("localhost", {"sslrootcert": bad}, "certificate verify failed"),
            ("127.0.0.1", {"sslrootcert": good}, "does not match host name"),
            ("localhost", {"sslrootcert": os.path.join(directory, "none.crt")}, "does not exist"),
            ("localhost", {"sslmode": "disable"}, "no encryption"),
        ]
        for host, options, says in cases:
            address = server.address("farm", "s", "right", host, hostaddr="127.0.0.1", **options)
            code, line = bench.run("begin", address, "3", "100")
            require((code == 0) == (says is None), f"{host} {options}: {line}")
            require(says is None or says in line, f"{host} {options}: '{says}' is not in: {line}")
    finally:
        server.stop()
    return f"{len(cases)} connections"


# ---- power ----

def test_power(bench):
    """A session file after a power failure at every moment of its last write."""
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else bench.dir
    directory = tempfile.mkdtemp(prefix="treadle-power.", dir=base)
    try:
        done = subprocess.run([bench.powercut, directory, "40", str(bench.options.step)], capture_output=True,
                              text=True, timeout=3000)
    finally:
        shutil.rmtree(directory)
    require(done.returncode == 0, done.stdout + done.stderr)
    return done.stdout.strip()


TESTS = {"power": test_power, "session": test_session, "farm": test_farm, "farm-forgets": test_farm_forgets,
         "roles": test_roles, "tls": test_tls}
FARMS = {"farm", "farm-forgets", "roles", "tls"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle")
    parser.add_argument("--kills", type=int, default=15, help="of workers, per test")
    parser.add_argument("--step", type=int, default=211, help="bytes of the last write between two power failures")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", default=",".join(TESTS))
    options = parser.parse_args()
    wanted = options.only.split(",")
    has_farm = cluster.binaries() is not None
    bench = Bench(options.treadle, options)
    print(f"seed {options.seed}")
    failed, ran = 0, 0
    try:
        for name in wanted:
            if name in FARMS and not has_farm:
                print(f"skip {name}: PostgreSQL is not installed")
                continue
            start = time.time()
            try:
                print(f"ok   {name}: {TESTS[name](bench)} ({time.time() - start:.0f} s)", flush=True)
                ran += 1
            except (Failed, RuntimeError) as problem:
                print(f"FAIL {name}: {problem}", flush=True)
                failed += 1
    finally:
        shutil.rmtree(bench.dir, ignore_errors=True)
    return 1 if failed else 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main())
