# SPDX-License-Identifier: Apache-2.0
"""What bench commands share: building programs, sessions of treadle, checks, results as data."""
import datetime
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess

# Figures and counts are those of one worker.
os.environ.setdefault("TREADLE_JOBS", "1")

HERE = os.path.dirname(os.path.abspath(__file__))
TREADLE = os.path.join(HERE, "..", "build", "treadle")
INCLUDE = "-I" + os.path.join(HERE, "..", "include")


def load(path):
    """A bench command, as a module: its rows, and what it builds."""
    loader = importlib.machinery.SourceFileLoader("command", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def clang_of(treadle, source):
    """The clang that treadle cc runs, so that both sides have the same code generator."""
    text = subprocess.run([treadle, "cc", "-###", "-c", source], check=True,
                          capture_output=True, text=True).stderr
    return re.search(r'^ "([^"]*clang[^"]*)"', text, re.M).group(1)


class Sessions:
    """Builds programs into a folder and runs treadle there."""

    def __init__(self, treadle, where, time_s):
        self.treadle, self.where, self.time_s = os.path.abspath(treadle), where, time_s

    def path(self, name):
        return os.path.join(self.where, name)

    def build(self, source, name, flags=(), compiler=None):
        """The program; compiler is a command, treadle cc unless it is given."""
        words = (compiler or [self.treadle, "cc"]) + ["-g", "-O1", "-pthread", INCLUDE]
        subprocess.run(words + list(flags) + [source, "-o", self.path(name)], check=True)
        return self.path(name)

    def run(self, command, options=(), time_s=None):
        """The JSON result, or {"failed": why}."""
        time_s = time_s or self.time_s
        report, out = self.path("report"), self.path("out")
        shutil.rmtree(out, ignore_errors=True)
        if os.path.exists(report):
            os.unlink(report)
        words = [self.treadle, "run", "--quiet", f"--time={time_s}s", f"--out={out}",
                 f"--json={report}"] + list(options) + ["--"] + command
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False,
                                  timeout=time_s + 120)
        except subprocess.TimeoutExpired:
            return {"failed": f"no end after {time_s + 120} s"}
        if done.returncode not in (0, 1, 3) or not os.path.exists(report):
            return {"failed": f"exit {done.returncode}: {done.stderr.strip()[-300:]}"}
        with open(report, encoding="utf-8") as f:
            return json.load(f)


class Checks:
    """One line each, and whether all of them hold."""

    def __init__(self):
        self.n_missed = 0

    def add(self, holds, text):
        print(f"{'OK    ' if holds else 'MISSED'} {text}", flush=True)
        self.n_missed += not holds


def end_of(r):
    if r.get("failed"):
        return "failed"
    if r["verdict"] == "bug":
        return "bug"
    return "complete" if r["verdict"] == "complete" else "stopped"


class Economy:
    """What the solver was asked, and who answered; adds up over sessions."""

    def __init__(self):
        self.queries, self.unknown, self.by_z3, self.by_engine = 0, 0, 0, 0
        self.calls, self.seconds = {}, {}

    def add(self, r):
        solver = r.get("solver", {})
        self.queries += solver.get("queries", 0)
        self.unknown += solver.get("unknown", 0)
        for stage in solver.get("stages", []):
            name = stage["name"]
            self.by_z3 += stage["answered"] if name == "z3" else 0
            self.by_engine += stage["answered"] if name in ("z3", "bit-blasting") else 0
            self.calls[name] = self.calls.get(name, 0) + stage["calls"]
            self.seconds[name] = self.seconds.get(name, 0) + stage["seconds"]
        return self

    def before_z3(self):
        """Share of the queries that needed no Z3."""
        return 1 - self.by_z3 / self.queries if self.queries else 1

    def mean_ms(self, engine):
        """Of a call, as text."""
        calls = self.calls.get(engine, 0)
        return f"{1000 * self.seconds[engine] / calls:.1f} ms" if calls else "-"

    HEAD = f"{'queries':>9}{'cheaply':>9}{'before Z3':>11}{'bit-blast':>11}{'Z3':>11}"

    def __str__(self):
        if not self.queries:
            return f"{0:>9}{'-':>9}{'-':>11}{'-':>11}{'-':>11}"
        cheap = 100 * (1 - self.by_engine / self.queries)
        return (f"{self.queries:>9}{cheap:>7.1f} %{100 * self.before_z3():>9.2f} %"
                f"{self.mean_ms('bit-blasting'):>11}{self.mean_ms('z3'):>11}")


def machine():
    """The key in results/machines.json of this machine, which is added if it is new."""
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        cpu = re.search(r"^model name\s*: (.*)$", f.read(), re.M)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    with open("/etc/os-release", encoding="utf-8") as f:
        system = re.search(r'^PRETTY_NAME="?([^"\n]*)', f.read(), re.M)
    cores = len(os.sched_getaffinity(0))
    this = {"short": f"{cores} cores", "cpu": cpu[1] if cpu else os.uname().machine, "memory": f"{memory:.0f} GiB",
            "system": f"{system[1] if system else 'Linux'}, Linux {os.uname().release}"}
    path = os.path.join(HERE, "results", "machines.json")
    with open(path, encoding="utf-8") as f:
        known = json.load(f)
    for key, other in known.items():
        if all(other.get(field) == this[field] for field in ("cpu", "memory", "system")):
            return key
    key = f"machine-{len(known) + 1}"
    known[key] = this
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps(known, indent=1, ensure_ascii=False) + "\n")
    return key


def save_results(name, columns, rows, command):
    """Writes results/NAME.json: texts in rows, with this machine, the commit and the date. tools/figures prints it."""
    git = ["git", "-C", HERE, "describe", "--always", "--dirty", "--exclude=*", "--abbrev=8"]
    commit = subprocess.run(git, check=True, capture_output=True, text=True).stdout.strip()
    head = {"machine": machine(), "command": command, "commit": commit, "load": f"{os.getloadavg()[0]:.1f}",
            "date": datetime.date.today().isoformat(), "columns": columns}
    lines = [f' {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}' for key, value in head.items()]
    lines.append(' "rows": [\n' + ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows) + "\n ]")
    with open(os.path.join(HERE, "results", name + ".json"), "w", encoding="utf-8") as f:
        f.write("{\n" + ",\n".join(lines) + "\n}\n")


def busy():
    """A remark for the head of a table, or nothing."""
    load = os.getloadavg()[0]
    return f"the machine is busy (load {load:.1f}): times are too long\n" if load > 0.5 else ""
