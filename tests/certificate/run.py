#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""treadle-check certifies what is complete, and nothing else: on random small programs and some of its own.

    tests/certificate/run.py TREADLE TREADLE-CHECK [--count=N] [--seed=S] [--first=K] [--features=LIST]

Programs are those of tests/oracle. Of each session that is complete, with the searches unfold, optimal and dpor,
the certificate must be certified, or refused with a sentence as beyond the theorem. Then runs are left out: a
certificate of the traces without one of them must not be certified; one of the local states only if its other
runs have all events. Files in this folder are programs with a search that must be certified.
Exit: 0 fine, 1 not.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "oracle"))
import compare  # noqa: E402
import generate  # noqa: E402
import program as prog  # noqa: E402

BATCH = 40
SEARCHES = {"unfold": ["--goal=states"], "optimal": ["--goal=traces"], "dpor": ["--search=dpor"]}
MOST_LEFT_OUT = 6  # of the runs of a certificate
MOST_RUNS = 3000
NO_CERTIFICATE = "treadle: no certificate is written"
CERTIFIED, NOT_CERTIFIED, CANNOT = 0, 1, 2
# What a search must be certified for, and every trace be needed.
OWN = ["readers_meet.c", "one_lock.c", "signal.c", "two_pairs.c", "readers.c"]


class Certificate:
    """The lines of one, and the same without some of its runs."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        self.head = [line for line in lines if not line.startswith(("run ", "end "))]
        self.runs = [line for line in lines if line.startswith("run ")]

    def write(self, path, runs):
        path.write_text("\n".join(self.head + runs + [f"end {len(runs)}"]) + "\n")


class Checked:
    """What treadle-check said."""

    def __init__(self, done):
        self.code, self.text = done.returncode, done.stdout + done.stderr
        counts = re.search(r"(\d+) traces, (\d+) events$", done.stdout, re.M)
        self.traces, self.events = (int(n) for n in counts.groups()) if counts else (None, None)

    def why(self):
        return self.text.strip().rsplit(": ", 1)[-1]


class Tester:
    def __init__(self, treadle, checker, folder):
        self.treadle, self.checker, self.folder = treadle, checker, pathlib.Path(folder)
        self.path, self.part = self.folder / "certificate", self.folder / "part"
        self.problems, self.count, self.reasons = [], collections.Counter(), collections.Counter()
        self.said = ""

    def compile(self, text, name):
        source, out = self.folder / f"{name}.c", self.folder / name
        source.write_text(text)
        subprocess.run([self.treadle, "cc", *compare.CFLAGS, source, "-lm", "-o", out], check=True)
        return out

    def session(self, binary, args, options, keeps_going=("-k",)):
        """True if it wrote a certificate. It does so if it covered everything, and otherwise says why not."""
        self.path.unlink(missing_ok=True)
        done = subprocess.run([self.treadle, "run", *keeps_going, "-q", f"--time={compare.TIME_S}s", "--explain-time=1ms", compare.HANG,
                               f"--certificate={self.path}", f"--out={self.folder / 'out'}",
                               f"--runs={MOST_RUNS}", "--no-known", *options, "--", binary, *args],
                              capture_output=True, text=True, errors="replace", timeout=compare.LIMIT_S)
        if done.returncode not in (0, 1, 3):
            raise RuntimeError(f"treadle run: exit {done.returncode}: {done.stderr[-300:]}")
        self.said = done.stderr
        is_there = self.path.exists()
        if is_there == (NO_CERTIFICATE in done.stderr) or (is_there and "INCOMPLETE" in done.stdout + done.stderr):
            self.problem(f"{binary.name} {' '.join(map(str, args))}", "certificate or reason", done.stdout + done.stderr)
        return is_there

    def check(self, binary, path, reorder=20):
        done = subprocess.run([self.checker, f"--reorder={reorder}", f"--missing={self.folder / 'missing'}", binary,
                               path], capture_output=True, text=True, errors="replace", timeout=compare.LIMIT_S)
        if done.returncode not in (CERTIFIED, NOT_CERTIFIED, CANNOT):
            raise RuntimeError(f"treadle-check: exit {done.returncode}: {done.stderr[-300:]}")
        return Checked(done)

    def problem(self, name, what, text):
        self.problems.append(f"{name}: {what}: {text.strip()}")
        print(f"FAIL  {self.problems[-1]}", flush=True)

    def leave_out(self, name, binary, search, whole):
        """Certificates without one of the runs."""
        certificate = Certificate(self.path)
        n = len(certificate.runs)
        rng = random.Random(n)
        kept = [[k for k in range(n) if k != i] for i in sorted(rng.sample(range(n), min(n, MOST_LEFT_OUT)))]
        kept += [sorted(rng.sample(range(n), rng.randrange(n))) for _ in range(MOST_LEFT_OUT // 2)]
        for runs in kept:
            certificate.write(self.part, [certificate.runs[k] for k in runs])
            checked = self.check(binary, self.part, reorder=0)
            is_harmless = search != "optimal" and checked.code == CERTIFIED and (
                checked.traces == whole.traces or (search == "unfold" and checked.events == whole.events))
            self.count["left out, harmless" if is_harmless else "left out, not certified"] += 1
            if checked.code != NOT_CERTIFIED and not is_harmless:
                left_out = sorted(set(range(n)) - set(runs))
                self.problem(name, f"{search} without runs {left_out} of {n}", checked.text)

    def one(self, name, binary, args, more=(), must=False):
        for search, options in SEARCHES.items():
            is_complete = self.session(binary, args, [*options, *more])
            if not is_complete:
                self.count["no certificate"] += 1
                why = re.search(f"{NO_CERTIFICATE}: (.*)", self.said)
                self.reasons[why.group(1) if why else "?"] += 1
                if must:
                    self.problem(name, search, self.said)
                continue
            checked = self.check(binary, self.path)
            self.count[f"complete, {('certified', 'NOT CERTIFIED', 'beyond the theorem')[checked.code]}"] += 1
            if checked.code == CANNOT:
                self.reasons[checked.why()] += 1
            if checked.code == NOT_CERTIFIED or (must and checked.code != CERTIFIED):
                self.problem(name, search, checked.text)
            if checked.code == CERTIFIED:
                self.leave_out(name, binary, search, checked)

    def replay_missing(self, binary):
        """The schedule that is missing is one that the program follows."""
        certificate = Certificate(self.path)
        certificate.write(self.part, certificate.runs[:-1])
        missing = self.folder / "missing"
        missing.unlink(missing_ok=True)
        if self.check(binary, self.part, reorder=0).code != NOT_CERTIFIED:
            return self.problem(binary.name, "without its last run", "it is certified")
        done = subprocess.run([self.treadle, "replay", missing], capture_output=True, text=True, cwd=self.folder)
        if done.returncode not in (0, 1) or "diverged" in done.stdout + done.stderr:
            self.problem(binary.name, "the missing run", done.stdout + done.stderr)
        return None


def own(tester):
    for file in OWN:
        binary = tester.compile((HERE / file).read_text(), file.removesuffix(".c"))
        tester.one(file, binary, [], must=True)
        tester.session(binary, [], SEARCHES["optimal"])
        tester.replay_missing(binary)


def refused(tester):
    """Damaged files, and programs that the theorem does not cover: a sentence, and exit 2."""
    binary = tester.compile((HERE / OWN[0]).read_text(), "damaged")
    tester.session(binary, [], SEARCHES["optimal"])
    text = tester.path.read_text()
    bad = ["", "treadle-certificate 2\n", text[:-1], text.replace("end", "and"), text + "x", text.replace("goal", "gaol"),
           text.replace(":", ":x", 1), text.replace("run 0:", "run 99999999999:", 1), text.replace("run 0:", "run 7:", 1),
           re.sub(r"^goal .*\n", "", text, flags=re.M), re.sub(r"build-id ..", "build-id 00", text),
           text.replace("goal", "promote 4294967295\ngoal", 1), text.replace("goal", "promote 99999999\ngoal", 1),
           text.replace(":", ":4294967294", 1)]
    for i, damaged in enumerate(bad):
        tester.part.write_text(damaged)
        checked = tester.check(binary, tester.part)
        if checked.code != CANNOT or "cannot certify: " not in checked.text:
            tester.problem("damaged", str(i), checked.text)
    for file in ("spin.c", "input.c"):
        binary = tester.compile((HERE / file).read_text(), file.removesuffix(".c"))
        if tester.session(binary, [], SEARCHES["optimal"]):
            tester.problem(file, "beyond the theorem", "there is a certificate")
        build_id = re.search(r"Build ID: (\w+)", subprocess.run(
            ["readelf", "-n", binary], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout)
        tester.part.write_text(f"treadle-certificate 1\ngoal traces\nbuild-id {build_id.group(1)}\nrun 0:1\nend 1\n")
        checked = tester.check(binary, tester.part)
        if checked.code != CANNOT:
            tester.problem(file, "forged, beyond the theorem", checked.text)


def not_written(tester):
    """Sessions that did not cover everything leave no file, and say why; by default all traces are run."""
    for file, options, keeps_going, why in [
            ("readers_meet.c", [], [], "stopped at a bug"),
            ("readers_meet.c", ["--goal=traces", "--runs=1"], ["-k"], "run limit 1"),
            ("one_lock.c", ["--goal=traces", "--preemptions=0"], ["-k"], "at most 0 preemptions")]:
        binary = tester.compile((HERE / file).read_text(), file.removesuffix(".c"))
        if tester.session(binary, [], options, keeps_going) or why not in tester.said:
            tester.problem(file, " ".join(options), tester.said)
    binary = tester.compile((HERE / "readers_meet.c").read_text(), "readers_meet")
    if not tester.session(binary, [], []) or "\ngoal traces\n" not in tester.path.read_text():
        tester.problem("readers_meet.c", "default goal", tester.said)


def shares_nothing(tester):
    """The checker calls nothing that computes dependence or order for the searches, nor any search."""
    library = tester.checker.parent / "src/certify/libcertify.a"
    if not library.exists():
        return  # treadle-check is installed
    done = subprocess.run(["nm", "-u", library], capture_output=True, text=True, check=True)
    called = set(re.findall(r"U (\w+)", done.stdout))
    foreign = sorted(n for n in called if not re.match(r"(td_|crt_|_|memc|memm|mems|memchr|bcmp|qsort|str)", n))
    if foreign or "td_id_hash" not in called:
        tester.problem("libcertify.a", "calls", " ".join(foreign))


def random_programs(tester, o):
    for first in range(o.first, o.first + o.count, BATCH):
        numbers = range(first, min(first + BATCH, o.first + o.count))
        programs = [generate.draw(o.seed, k, o.features)[0] for k in numbers]
        text, _ = prog.put_batch(programs)
        binary = tester.compile(text, "batch")
        for i, k in enumerate(numbers):
            tester.one(f"program {k} of seed {o.seed}", binary, [str(i)], programs[i].options())


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("treadle", type=lambda text: pathlib.Path(text).resolve())
    p.add_argument("checker", type=lambda text: pathlib.Path(text).resolve())
    p.add_argument("--count", type=int, default=40)
    p.add_argument("--seed", default="1")
    p.add_argument("--first", type=int, default=0)
    p.add_argument("--features", type=generate.parse_features, default=generate.FEATURES)
    return p.parse_args()


def main():
    o = parse()
    if os.path.isdir("/dev/shm") and "TMPDIR" not in os.environ:
        tempfile.tempdir = "/dev/shm"
    with tempfile.TemporaryDirectory() as folder:
        tester = Tester(o.treadle, o.checker, folder)
        shares_nothing(tester)
        own(tester)
        refused(tester)
        not_written(tester)
        random_programs(tester, o)
    for what, n in sorted(tester.count.items()) + [("  " + why, n) for why, n in tester.reasons.most_common(8)]:
        print(f"{n:7} {what}")
    is_fine = not tester.problems and tester.count["complete, certified"] > o.count
    print("ok" if is_fine else f"FAIL  {len(tester.problems)} problems")
    sys.exit(0 if is_fine else 1)


if __name__ == "__main__":
    main()
