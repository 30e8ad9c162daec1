# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of our own: a cluster in a directory, on loopback and a local socket, not as root."""
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

OWNER = "owner"


def binaries():
    """Where initdb and postgres are, or None."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"),
                   key=lambda p: int(p.split("/")[-2].split(".")[0]))
    if found:
        return found[-1]
    initdb = shutil.which("initdb")
    return os.path.dirname(initdb) if initdb else None


def other_user():
    """Arguments of subprocess for a user that is not root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise RuntimeError("no user to run PostgreSQL as")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self, directory, settings=()):
        self.bin = binaries()
        self.dir = directory
        self.data = os.path.join(directory, "data")
        self.port = free_port()
        self.settings = list(settings)
        self.user = other_user()
        os.makedirs(directory, exist_ok=True)
        os.chmod(directory, 0o755)
        if self.user:
            os.chown(directory, self.user["user"], self.user["group"])
        self.call("initdb", "-D", self.data, "-U", OWNER, "--auth=trust", "-E", "UTF8",
                  "--locale=C", "--no-sync")
        self.write_hba("local all all trust\nhost all all 127.0.0.1/32 trust\n")
        self.server = None

    def call(self, program, *words):
        done = subprocess.run([os.path.join(self.bin, program), *words], capture_output=True,
                              text=True, cwd=self.dir, timeout=120, **self.user)
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")
        return done.stdout

    def write_hba(self, text):
        with open(os.path.join(self.data, "pg_hba.conf"), "w", encoding="ascii") as f:
            f.write(text)

    def start(self):
        words = [os.path.join(self.bin, "postgres"), "-D", self.data, "-p", str(self.port),
                 "-k", self.dir, "-c", "listen_addresses=127.0.0.1", "-c", "autovacuum_naptime=1s"]
        for setting in self.settings:
            words += ["-c", setting]
        with open(os.path.join(self.dir, "log"), "ab") as log:
            self.server = subprocess.Popen(words, stdout=log, stderr=log, cwd=self.dir, **self.user)
        for _ in range(600):
            if self.server.poll() is not None:
                raise RuntimeError("the server ended: " + self.log_end())
            if self.psql("SELECT 1", check=False).returncode == 0:
                return
            time.sleep(0.1)
        raise RuntimeError("the server does not start: " + self.log_end())

    def log_end(self):
        with open(os.path.join(self.dir, "log"), encoding="utf-8", errors="replace") as f:
            return f.read()[-2000:]

    def processes(self):
        """All whose current directory is the cluster: the server and what it started."""
        found = []
        for pid in os.listdir("/proc"):
            try:
                if pid.isdigit() and os.readlink(f"/proc/{pid}/cwd") == os.path.realpath(self.data):
                    found.append(int(pid))
            except OSError:
                pass
        return found

    def kill(self):
        """kill -9 of the server and all its processes, as a power switch would."""
        self.server.kill()
        self.server.wait()
        for _ in range(200):
            left = self.processes()
            if not left:
                return
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.02)
        raise RuntimeError("processes of the server do not end")

    def stop(self):
        if self.server is None or self.server.poll() is not None:
            return
        self.server.send_signal(signal.SIGINT)
        try:
            self.server.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()

    def psql(self, sql, user=OWNER, database="postgres", check=True, env=None, host=None):
        words = [os.path.join(self.bin, "psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", host or self.dir,
                 "-p", str(self.port), "-U", user, "-d", database, "-c", sql]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120,
                              env={**os.environ, **(env or {})})
        if check and done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done

    def address(self, database, user=OWNER, password=None, host=None, **options):
        """Of a farm; by the local socket unless a host is given."""
        options = {**options, "port": self.port}
        if host is None:
            options["host"] = self.dir
        words = "&".join(f"{k}={v}" for k, v in options.items())
        login = user if password is None else f"{user}:{password}"
        return f"postgresql://{login}@{host or ''}/{database}?{words}"

    def init_farm(self, treadle, database="farm"):
        """A farm, with a user for each role."""
        self.psql(f"CREATE ROLE {database}_owner LOGIN CREATEROLE")
        self.psql(f"CREATE DATABASE {database} OWNER {database}_owner")
        done = subprocess.run([treadle, "farm", "init", self.address(database, user=f"{database}_owner")],
                              capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"farm init: {done.stderr}")
        for role in ("starter", "worker", "reader"):
            self.psql(f"CREATE ROLE {database}_{role} LOGIN; GRANT treadle_{role} TO {database}_{role}")

    def farm_address(self, role, database="farm"):
        return self.address(database, user=f"{database}_{role}", host="127.0.0.1", sslmode="disable")
