# SPDX-License-Identifier: Apache-2.0
"""What the test scripts share: calling treadle, reading expectations, counting checks."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

# Figures and counts are those of one worker.
os.environ.setdefault("TREADLE_JOBS", "1")

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EXAMPLES = os.path.join(ROOT, "examples")
INCLUDE = os.path.join(ROOT, "include")
CFLAGS = ["-g", "-O1", "-pthread", "-I" + INCLUDE]
EXIT_OF = {"complete": 0, "bug": 1, "suspected": 1, "incomplete": 3, "nothing-explored": 3}


class Checks:
    """Prints one line per check and the last line of every script."""

    def __init__(self):
        self.passed, self.failures = 0, []

    def check(self, name, ok, detail=""):
        if ok:
            self.passed += 1
            print(f"ok    {name}", flush=True)
        else:
            self.failures.append(f"FAIL  {name}" + (f": {detail}" if detail else ""))
            print(self.failures[-1], flush=True)
        return ok

    def finish(self):
        """Repeats the failures: of a long log, CI shows the end only."""
        if len(self.failures) < self.passed:
            print("\n".join(self.failures), end="\n" if self.failures else "")
        print(f"{self.passed} passed, {len(self.failures)} failed")
        sys.exit(1 if self.failures else 0)


# The shortest schedule, the cause and a change for a finding take ten times as long as finding it: a test that looks at none
# of them asks for none.
UNEXPLAINED = "--explain-time=1ms"


class Result:
    """One call of treadle."""

    def __init__(self, code, out, err, seconds, report, problem):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds
        self.report = report    # the JSON object, {} if there is none
        self.problem = problem  # why there is none, or ""

    def tail(self):
        lines = (self.err.strip() or self.out.strip()).splitlines()
        return lines[-1] if lines else ""


def alone(options):
    """The same, for the unfolding without searches that take turns with it, up to the first bug: its numbers are exact."""
    named = ("--goal", "--search", "--model", "-k", "--keep-going", "--leaks")
    more = [] if any(o.startswith(named) for o in options) else ["--goal=states"]
    if not any(o in ("-k", "--keep-going") for o in options):
        more.append("--first")
    return more + list(options)


class Treadle:
    """The tool under test, with a directory of its own that is removed at the end."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.dir = tempfile.mkdtemp(prefix="treadle-test.")
        self.n_sessions = 0

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)

    def cc(self, source, name=None, flags=(), base=None):
        """Compiles one source; returns (program, error text)."""
        name = name or os.path.splitext(os.path.basename(source))[0]
        program = os.path.join(self.dir, name)
        words = [self.path, "cc"] + (base or CFLAGS) + [source, "-o", program] + list(flags)
        done = subprocess.run(words, cwd=self.dir, capture_output=True, text=True,
                              errors="replace", timeout=300)
        if done.returncode != 0:
            return program, done.stderr.strip() or f"exit {done.returncode}"
        return program, ""

    def foreign(self, how, source):
        """Builds a source with gcc, as an object or a shared library; returns the words that
        link it. Programs that are tested side by side share it, so it appears as a whole."""
        made = os.path.join(self.dir, os.path.basename(source)[:-2])
        made += ".so" if how == "library" else ".o"
        with tempfile.TemporaryDirectory(dir=self.dir) as alone:
            part = os.path.join(alone, os.path.basename(made))
            words = ["gcc", "-g", "-O1", "-w", "-fPIC", source, "-o", part]
            words += ["-shared"] if how == "library" else ["-c"]
            subprocess.run(words, cwd=self.dir, check=True, capture_output=True, timeout=120)
            os.replace(part, made)
        return [made, "-Wl,-rpath," + self.dir] if how == "library" else [made]

    def run(self, program, args=(), options=(), limit=240, env=None, prefix=()):
        """treadle run with a JSON report. limit: seconds until it is killed."""
        self.n_sessions += 1
        out = os.path.join(self.dir, f"session.{os.path.basename(program)}.{self.n_sessions}")
        report = out + ".json"
        words = list(prefix) + [self.path, "run", f"--out={out}", f"--json={report}"]
        words += list(options) + ["--", program] + list(args)
        result = self.call(words, limit, env)
        try:
            with open(report, encoding="utf-8") as f:
                result.report = json.load(f)
        except (OSError, ValueError) as e:
            result.problem = str(e)
        result.session = out
        return result

    def call(self, words, limit=120, env=None):
        """Runs a command in a session of its own, so that it cannot signal the tests."""
        start = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen(words, cwd=self.dir, stdin=subprocess.DEVNULL,
                                     stdout=out, stderr=err, env=env,
                                     start_new_session=True)
            try:
                code = child.wait(limit)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                code = None
            except BaseException:
                child.kill()
                raise
            seconds = time.monotonic() - start
            texts = []
            for f in (out, err):
                f.seek(0)
                texts.append(f.read(1 << 24).decode(errors="replace"))
        return Result(code, texts[0], texts[1], seconds, {}, "")


def libstdcxx_version(treadle):
    """The first number of the version of libstdc++ whose headers treadle c++ finds."""
    words = [treadle, "c++", "-E", "-P", "-x", "c++", "-"]
    done = subprocess.run(words, input="#include <version>\n_GLIBCXX_RELEASE\n", capture_output=True, text=True, timeout=300, check=True)
    return int(done.stdout.split()[-1])


def example_args(name):
    """Arguments with which an example is run."""
    return ["30", "71"] if name in ("bank", "bank_fixed") else []


def examples():
    """[(name, source of the faulty program, source of the fixed one or None)]"""
    found = []
    for name in sorted(os.listdir(EXAMPLES)):
        bad = os.path.join(EXAMPLES, name, name + ".c")
        good = os.path.join(EXAMPLES, name, name + "_fixed.c")
        if os.path.exists(bad):
            found.append((name, bad, good if os.path.exists(good) else None))
    return found


class Case:
    """One block of expectations in the head comment of a program."""

    def __init__(self, options):
        self.options = options
        self.args, self.cflags, self.arch = [], [], ""
        self.counts = {}     # runs, events, traces -> number
        self.verdict = None
        self.coverage = {}   # sides: "taken/all", degrees: "taken without interferences/with 1/..."
        self.never = []      # "FILE:LINE SIDE"
        self.seconds = None
        self.findings = []   # (kind, [(file, line)...])
        self.ledger = []     # (kind, (file, line) or None, text or None)
        self.says = []       # parts of messages
        self.model, self.recursive = [], []
        self.hand, self.output = None, None
        self.libcxx = None   # verdict with libc++, without a finding (tests/cxx)
        self.newer = {}      # what differs with libstdc++ 16 and newer: verdict, traces, without (tests/cxx)
        self.agree = None    # options of a second search
        self.suppress = []   # lines of a file for --suppressions
        self.foreign = []    # (how, source): objects that gcc builds, shared libraries


def _place(text):
    name, _, line = text.rpartition(":")
    return name, int(line)


def _expect(case, text):
    word, _, rest = text.partition(" ")
    if word in ("runs", "events", "traces"):
        case.counts[word] = int(rest)
    elif word == "depth":
        case.counts["depth_completed"] = int(rest)
    elif word in ("sides", "degrees"):
        case.coverage[word] = rest
    elif word == "never":
        case.never.append(rest)
    elif word == "verdict":
        case.verdict = rest
    elif word == "seconds":
        case.seconds = float(rest)
    elif word == "finding":
        words = rest.split()
        case.findings.append((words[0], [_place(w) for w in words[1:]]))
    elif word == "ledger":
        m = re.match(r"(.*?)(?:\s+(\S+:\d+)(?:\s+(.*))?)?$", rest)
        case.ledger.append((m.group(1), _place(m.group(2)) if m.group(2) else None, m.group(3)))
    elif text.startswith("says "):
        case.says.append(text[5:].strip())
    else:
        raise ValueError(f"unknown expectation '{text}'")


def cases(path):
    """The cases of a program, from its head comment."""
    found = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("#") or line.startswith("int ") or line.startswith("void "):
                break
            m = re.match(r"\s*\*\s*(\w+):\s*(.*?)\s*(\*/)?\s*$", line)
            if not m:
                continue
            key, value = m.group(1), m.group(2)
            if key == "treadle":
                found.append(Case(shlex.split(value)))
            elif not found:
                continue
            elif key == "args":
                found[-1].args = shlex.split(value)
            elif key == "cflags":
                found[-1].cflags = shlex.split(value)
            elif key in ("arch", "output", "libcxx"):
                setattr(found[-1], key, value)
            elif key == "newer":
                what, answer = value.split()
                found[-1].newer[what] = answer
            elif key == "agree":
                found[-1].agree = shlex.split(value)
            elif key == "hand":
                found[-1].hand = int(value)
            elif key in ("gcc", "library"):
                source = os.path.join(os.path.dirname(path), "foreign", value)
                found[-1].foreign.append((key, source))
            elif key == "suppress":
                found[-1].suppress.append(value)
            elif key == "model":
                found[-1].model.append(value)
            elif key == "recursive":
                found[-1].recursive += value.split()
            elif key == "expect":
                _expect(found[-1], value)
    return found


def programs(here=HERE):
    """Paths of the programs in a folder; under tests/programs if none is named."""
    return [os.path.join(here, n) for n in sorted(os.listdir(here)) if n.endswith(".c")]
