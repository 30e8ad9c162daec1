#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""treadle test on directories and manifests, and known bugs: what is printed, how it ends, and that nothing is left
behind.

Usage: run.py TREADLE"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "programs"))
import harness  # noqa: E402

# Figures and counts are those of one worker.
os.environ.setdefault("TREADLE_JOBS", "1")

COLUMNS = 80


def environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith("TREADLE_")}
    env.update(NO_COLOR="1", TERM="dumb", TREADLE_TEST_KILLS="1")
    return env


class Bench:
    """The tool, its directory, and the checks."""

    def __init__(self, path):
        self.treadle = harness.Treadle(path)
        self.dir = self.treadle.dir
        self.checks = harness.Checks()
        self.n = 0

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def build(self, source, program, *flags):
        os.makedirs(os.path.dirname(self.path(program)), exist_ok=True)
        words = [self.treadle.path, "cc", "-g", "-O1", "-pthread", *flags,
                 os.path.join(HERE, source), "-o", self.path(program)]
        subprocess.run(words, check=True, timeout=300)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def test(self, *words):
        """treadle test, with its sessions in a directory of their own."""
        self.n += 1
        out = f"out.{self.n}"
        result = self.treadle.call([self.treadle.path, "test", f"--out={out}", *words], 120,
                                   environment())
        result.dir = out
        result.lines = [re.sub(r" +\d+\.\d s", " T s", line).replace(out + "/", "OUT/")
                        for line in result.out.splitlines()]
        return result

    def check(self, name, result, code, lines):
        """The exit code, and each of the lines in this order."""
        at = iter(result.lines)
        missing = [line for line in lines if line not in at]
        self.checks.check(name, result.code == code and not missing,
                          f"exit {result.code}, not {code}; missing {missing[:1]} in\n" +
                          "\n".join(result.lines) + "\n" + result.err)
        wide = [line for line in result.out.splitlines()
                if len(line) > COLUMNS and "treadle replay" not in line]
        self.checks.check(f"{name}: no line over {COLUMNS} columns, no 'fixed'",
                          not wide and "fixed" not in result.out.lower(), repr(wide[:1]))


def row(name, outcome, runs, known="", width=7):
    return f"{name:{width}}  {outcome:14} {runs:>10} T s  {known}".rstrip()


def directory(b):
    """A directory: what was built with treadle cc is run, the rest is counted."""
    b.build("fine.c", "dir/fine")
    b.build("lost.c", "dir/lost")
    shutil.copy("/bin/true", b.path("dir/other"))
    b.write("dir/notes.txt", "no program\n")
    result = b.test("--junit=j.xml", "-j2", "dir")
    bug = os.listdir(b.path(result.dir, "lost"))
    bug = next(name[:-8] for name in bug if name.endswith(".treadle"))
    b.check("directory", result, 1, [
        "SUMMARY: treadle test: 2 harnesses, 1 not as expected: lost"])
    b.check("directory: the line of one that is fine", result, 1,
            ["ok    fine     complete, 2 runs, T s"])
    b.check("directory: the lines of a bug", result, 1, [
        "FAIL  lost     BUG, 3 runs, T s",
        f"      {bug}: lost.c:32: assertion 'sum == 2 * step' failed",
        f"      treadle replay OUT/lost/{bug}.treadle"])
    b.check("directory: table in the order of names", result, 1, [
        "HARNESS  RESULT               RUNS       TIME  KNOWN",
        row("fine", "complete", 2), row("lost", "BUG", 3)])
    b.checks.check("directory: what is left out is said",
                   "skipped: 1 file that is executable and not built" in result.err, result.err)
    return bug


def junit(b):
    suites = xml.parse(b.path("j.xml")).getroot()
    found = {s.get("name"): s for s in suites}
    failed = [c.get("name") for c in found["lost"] if c.find("failure") is not None]
    b.checks.check("junit: a suite for each harness", sorted(found) == ["fine", "lost"])
    b.checks.check("junit: the kind that was found fails", failed == ["assertion failed"],
                   str(failed))
    b.checks.check("junit: counts", suites.get("failures") == "1" and suites.get("errors") == "0"
                   and found["fine"].get("failures") == "0")


def known(b, bug):
    """A bug that is kept, still there, and not there any more."""
    result = b.test("--save", "dir", "lost")
    b.check("known: saved", result, 1, ["FAIL  lost     BUG, 3 runs, T s"])
    kept = b.path("dir/treadle-known/lost", bug + ".treadle")
    b.checks.check("known: the recording is there", os.path.exists(kept))
    result = b.test("dir", "lost")
    b.check("known: still fails", result, 1, [
        "FAIL  lost     BUG, 3 runs, T s", f"      known bug {bug}: still fails",
        row("lost", "BUG", 3, "1 still fails")])
    result = b.test("--replay-only", "dir")
    b.check("known: replayed only", result, 1, [
        row("fine", "replayed", "-"), row("lost", "BUG", "-", "1 still fails")])
    result = b.test("--expect=bug", "dir", "lost")
    b.check("known: expected", result, 0, ["ok    lost     BUG as expected, 3 runs, T s",
                                           "SUMMARY: treadle test: 1 harness, all as expected"])
    b.build("lost.c", "dir/lost", "-DREPAIRED")
    result = b.test("dir", "lost")
    b.check("known: no longer fails", result, 0, [
        "ok    lost     complete, 2 runs, T s",
        f"      known bug {bug}: no longer fails (NOT REPRODUCED)",
        row("lost", "complete", 2, "1 NOT REPRODUCED")])
    result = b.test("--expect=bug", "dir", "lost")
    b.check("known: a bug that is expected does not show", result, 4, [
        "FAIL  lost     NOT REPRODUCED, 2 runs, T s",
        "      a bug was expected, but none was found (complete)"])
    b.write("dir/treadle-known/lost/odd.treadle", "no recording\n")
    result = b.test("dir", "lost")
    b.check("known: one that cannot be read", result, 2, [
        "FAIL  lost     bad recording, 2 runs, T s",
        "      known run odd: cannot be used: not a recording: line 1 is not 'treadle-..."])
    shutil.rmtree(b.path("dir/treadle-known"))


def manifest(b):
    """Options and arguments of each line; paths from the manifest's directory."""
    b.build("lost.c", "suite/bin/lost")
    b.build("large.c", "suite/bin/large")
    b.build("fine.c", "suite/bin/fine")
    b.write("suite/treadle.suite", """treadle-suite 1
# comments and empty lines are fine

add-0 bin/lost 0
add-5 --expect=bug --search=all bin/lost 5
few   --expect=no-bug --runs=3 --time=50s bin/large
fine  "bin/fine" "an argument"
""")
    for path in ("suite", "suite/treadle.suite"):
        result = b.test(path)
        b.check(f"manifest: {path}", result, 0, [
            row("add-0", "complete", 6), row("add-5", "BUG", 6), row("few", "incomplete", 3),
            row("fine", "complete", 2),
            "SUMMARY: treadle test: 4 harnesses, all as expected"])
    b.write("suite/limit.suite", "treadle-suite 1\nfew --runs=3 bin/large\n")
    b.check("manifest: incomplete", b.test("suite/limit.suite"), 3, [
        "FAIL  few      incomplete, 3 runs, T s", "      run limit 3"])


def wrong(b):
    """What cannot be done is said in a sentence."""
    for text, said in (
            ("treadle-suite 2\n", "line 1: this treadle reads suites of version 1 only"),
            ("hello\n", "not a suite: line 1 is not 'treadle-suite 1'"),
            ("treadle-suite 1\nx\n", "line 2: 'x' has no program"),
            ("treadle-suite 1\nx a\nx b\n", "line 3: the name 'x' is already in line 2"),
            ("treadle-suite 1\n../x a\n", "line 2: a name has 1 to 64 letters"),
            ("treadle-suite 1\nx --expect=fun a\n", "line 2: --expect requires complete, no-bug"),
            ("treadle-suite 1\nx --time=soon a\n", "line 2: --time requires a duration"),
            ("treadle-suite 1\nx --out=y a\n", "line 2: --out=y is an option of treadle test"),
            ("treadle-suite 1\nx \"a\n", "line 2: the closing quote is missing"),
            ("treadle-suite 1\n", "there is no harness in wrong.suite")):
        b.write("./wrong.suite", text)
        result = b.test("wrong.suite")
        b.checks.check(f"wrong: {said}", result.code == 2 and said in result.err, result.err)
    for words, said in (([], "test requires a directory or a manifest"),
                        (["nowhere"], "cannot open nowhere"),
                        (["dir", "nobody"], "not all requested harnesses are in dir"),
                        (["--expect=x", "dir"], "--expect requires complete|no-bug|bug")):
        result = b.test(*words)
        b.checks.check(f"wrong: {said}", result.code == 2 and said in result.err, result.err)


def failing(b):
    """Harnesses that hang, do not start, or end treadle itself: the others go on."""
    b.build("hangs.c", "suite/bin/hangs")
    b.build("early.c", "suite/bin/early")
    b.build("kills.c", "suite/bin/kills")
    shutil.copy("/bin/true", b.path("suite/bin/plain"))
    b.write("suite/hangs.suite", "treadle-suite 1\nhangs --timeout=300ms bin/hangs\n"
                                 "fine bin/fine\n")
    b.check("failing: a hang is a bug", b.test("suite/hangs.suite"), 1, [
        row("hangs", "BUG", 1), row("fine", "complete", 2)])
    b.write("suite/early.suite", "treadle-suite 1\nearly bin/early\nnone bin/none\n"
                                 "plain bin/plain\nodd --tmie=3 bin/fine\nfine bin/fine\n")
    result = b.test("-j1", "suite/early.suite")
    b.check("failing: cannot start", result, 2, [
        "FAIL  early    cannot start, T s", "      suite/bin/early ended or hung before main",
        "FAIL  none     cannot start, T s",
        "      cannot open suite/bin/none: No such file or directory",
        "FAIL  plain    cannot start, T s",
        "      suite/bin/plain was not built with treadle cc",
        "FAIL  odd      cannot start, T s",
        "      run: unknown option '--tmie'; did you mean '--time'?",
        row("fine", "complete", 2)])
    b.write("suite/kills.suite", "treadle-suite 1\nkills bin/kills\nfine bin/fine\n")
    b.check("failing: treadle is killed", b.test("-j1", "suite/kills.suite"), 70, [
        "FAIL  kills    treadle failed, T s", "      it was killed by signal 9",
        row("kills", "treadle failed", "-"), row("fine", "complete", 2)])


def run_here(b, *words):
    """treadle run with its session in treadle-out, where the next one finds it."""
    report = b.path("report.json")
    if os.path.exists(report):
        os.remove(report)
    result = b.treadle.call([b.treadle.path, "run", f"--json={report}", *words], 120,
                            environment())
    with open(report, encoding="utf-8") as f:
        result.report = json.load(f)
    result.known = re.findall(r"^treadle: known bug (.*)$", result.err, re.M)
    return result


def before(b):
    """treadle run looks at the bugs of the session before; exploring does not depend on it."""
    check = b.checks.check
    b.build("lost.c", "lost")
    first = run_here(b, "./lost")
    bug = first.report["findings"][0]["id"]
    again = run_here(b, "./lost")
    check("before: the first says nothing", first.known == [] and first.code == 1, first.err)
    check("before: still fails", again.known == [f"{bug}: still fails"] and again.code == 1,
          again.err)
    check("before: the same runs", [first.report[k] for k in ("runs", "events", "digest")] ==
          [again.report[k] for k in ("runs", "events", "digest")])
    other = run_here(b, "./lost", "7")
    check("before: other arguments are another matter", other.known == [], other.err)
    few = run_here(b, "--runs=1", "./lost")
    check("before: not found again, but still there",
          few.known == [f"{bug}: still fails", f"{bug} still fails, but the search did not find it again"] and
          few.code == 1 and few.report["verdict"] == "bug" and
          [f["id"] for f in few.report["findings"]] == [bug], few.err)
    b.build("rare.c", "rare")
    rare = run_here(b, "./rare").report["findings"][0]["id"]
    late = run_here(b, "--search=random", "--runs=1000000", "--time=1", "./rare")
    check("before: the time is over while runs are under way",
          late.known == [f"{rare}: still fails", f"{rare} still fails, but the search did not find it again"] and
          late.code == 1, late.err)
    off = run_here(b, "--no-known", "--runs=1", "./lost")
    check("before: --no-known", off.known == [] and off.code == 3, off.err)
    run_here(b, "./lost")
    b.build("lost.c", "lost", "-DREPAIRED")
    gone = run_here(b, "./lost")
    check("before: no longer fails", gone.known == [f"{bug}: no longer fails"] and
          gone.code == 0, gone.err)
    check("before: nothing is left to say", run_here(b, "./lost").known == [])


def kinds(b):
    """Recordings of every kind are followed in a session as treadle replay does."""
    examples = {name: bad for name, bad, _ in harness.examples()}
    for name in ("counter", "dining", "order", "linear-stack"):
        b.build(examples[name], name, "-I" + harness.INCLUDE)
        bugs = sorted(f["id"] for f in run_here(b, "-k", "--runs=300", f"./{name}")
                      .report["findings"])
        again = run_here(b, "-k", "--runs=300", f"./{name}")
        b.checks.check(f"kinds: {name}: {len(bugs)} still fail",
                       bugs and again.known == [f"{bug}: still fails" for bug in bugs[:10]],
                       f"{bugs} {again.known}")


def minimize(b, *words):
    result = b.treadle.call([b.treadle.path, "minimize", *words], 120, environment())
    result.lines = result.out.splitlines()
    return result


def suites(b):
    """Runs that are kept, the suite made of them, and what becomes of it when the program changes."""
    check = b.checks.check
    b.build("sides.c", "sides")
    kept = run_here(b, "--keep-runs", "--out=sides.1", "./sides")
    check("suites: two runs are kept", "treadle: kept 2 runs in sides.1/corpus" in kept.err and
          len(os.listdir(b.path("sides.1/corpus"))) == 2, kept.err)
    plain = run_here(b, "--out=sides.2", "./sides")
    check("suites: keeping changes nothing else",
          all(kept.report[k] == plain.report[k] for k in ("runs", "events", "digest")) and
          not os.path.exists(b.path("sides.2/corpus")))
    made = minimize(b, "--out=small/suite", "sides.1")
    check("suites: made", made.code == 0 and made.lines[0].startswith(
        "treadle: 2 of 2 runs kept, for ") and made.lines[1:] == [
        "treadle: suite small/suite/treadle.suite",
        "treadle: replay it with: treadle test small/suite"], made.out + made.err)
    with open(b.path("small/suite/treadle.suite"), encoding="utf-8") as f:
        check("suites: the manifest", f.read() == "treadle-suite 1\n"
              "sides --replay-only ../../sides\n")
    again = minimize(b, "--out=small/suite", "sides.1")
    check("suites: not written over", again.code == 2 and "--force replaces it" in again.err,
          again.err)
    again = minimize(b, "--out=small/suite", "--force", "small/suite/treadle-known/sides")
    check("suites: a suite of a suite is the same", again.code == 0 and again.out == made.out,
          again.out + again.err)
    b.check("suites: replayed", b.test("small/suite"), 0, [
        "ok    sides    replayed, 2 recordings, T s", row("sides", "replayed", "-", "2 pass")])
    b.build("sides.c", "sides", "-DBROKEN")
    b.check("suites: a run fails", b.test("small/suite"), 1, [
        "FAIL  sides    BUG, T s", row("sides", "BUG", "-", "1 fails, 1 pass")])
    b.build("sides.c", "sides", "-DSHORT")
    b.check("suites: a run cannot be followed", b.test("--junit=s.xml", "small/suite"), 4, [
        "FAIL  sides    NOT REPRODUCED, T s", row("sides", "NOT REPRODUCED", "-",
                                                  "2 NOT REPRODUCED")])
    failed = xml.parse(b.path("s.xml")).getroot().findall(".//failure")
    check("suites: both are failures for JUnit", [f.get("type") for f in failed] ==
          ["not-reproduced"] * 2)
    shutil.rmtree(b.path("small/suite/treadle-known"))
    b.check("suites: nothing to replay", b.test("small/suite"), 2, [
        "FAIL  sides    cannot start, T s", "      it has no recording to replay"])
    none = minimize(b, "--out=none", "sides.1")
    check("suites: nothing can be used", none.code == 4 and not os.path.exists(b.path("none")) and
          none.err.count("it diverged from the recording (NOT REPRODUCED)") == 2, none.err)


def larger(b):
    """More runs than are needed; bugs stay; two programs."""
    check = b.checks.check
    b.build(os.path.join(harness.EXAMPLES, "stack", "stack_fixed.c"), "stack")
    b.build("lost.c", "lost")
    kept = run_here(b, "--keep-runs", "--out=larger.1", "./stack")
    run_here(b, "-k", "--keep-runs", "--out=larger.2", "./lost")
    n = len(os.listdir(b.path("larger.1/corpus")))
    made = minimize(b, "--out=larger", "larger.1", "larger.2")
    words = made.lines[0].split()
    check(f"larger: {' '.join(words[1:])}", made.code == 0 and int(words[1]) < int(words[3]) and
          n < kept.report["runs"], made.out + made.err)
    check("larger: the bug is kept", made.lines[1] == "treadle: 1 bug that still fails")
    known = [b.path("larger/treadle-known", name) for name in ("stack", "lost")]
    fewer = minimize(b, "--out=larger.again", *known)
    check("larger: the same is covered", fewer.lines[0].split(",", 1)[1] ==
          made.lines[0].split(",", 1)[1], fewer.out)
    b.check("larger: replayed", b.test("larger"), 1, [
        row("stack", "replayed", "-", f"{len(os.listdir(known[0]))} pass")])


def doctor(b):
    """The machine is well, and what limits a program is named with its first place."""
    b.build("limited.c", "limited")
    b.build("fine.c", "fine")
    result = b.treadle.call([b.treadle.path, "doctor", "./limited"], 60, environment())
    lines = re.sub(r" \S*/limited.c", " limited.c", result.out).splitlines()
    where = next((i for i, line in enumerate(lines) if "its calls" in line), 0)
    b.checks.check("doctor: what limits a program", result.code == 0 and lines[where:] == [
        "  its calls               note: unsupported; a run ends at such a call:",
        "    fork                        limited.c:12",
        "    system                      limited.c:13 and 1 more",
        "  its calls               note: irreversible; one process per run (slow):",
        "    nice                        limited.c:9"], result.out + result.err)
    wide = [line for line in lines if len(line) > COLUMNS]
    b.checks.check(f"doctor: no line over {COLUMNS} columns", not wide, repr(wide))
    kernel = os.uname()
    b.checks.check("doctor: the kernel", f", Linux {kernel.release} {kernel.machine}, " in lines[0],
                   lines[0])
    for what in ("compiler (treadle cc)", "fast restart", "tracing for gdb"):
        b.checks.check(f"doctor: {what}", f"  {what:24}ok" in lines or
                       any(line.startswith(f"  {what:24}note: ") for line in lines), result.out)
    result = b.treadle.call([b.treadle.path, "doctor", "./fine"], 60, environment())
    b.checks.check("doctor: nothing limits it", result.code == 0 and result.out.endswith(
        "  its calls               ok: all direct calls are modelled or instrumented\n"), result.out)
    result = b.treadle.call([b.treadle.path, "doctor", "./nowhere"], 60, environment())
    b.checks.check("doctor: no program", result.code == 2 and
                   "./nowhere               FAILS: cannot open ./nowhere" in result.out, result.out)


def processes(marker):
    """Processes that have the marker in their command line."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                words = f.read()
        except OSError:
            continue
        if marker.encode() in words and int(pid) != os.getpid():
            found.append(int(pid))
    return found


def wait_for(what, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.05)
    return False


def stopped(b, name, send, code):
    """An interrupt ends all of them, with the table; nothing is left even if treadle is killed."""
    b.build("large.c", f"{name}/marked-{name}-1")
    shutil.copy(b.path(f"{name}/marked-{name}-1"), b.path(f"{name}/marked-{name}-2"))
    child = subprocess.Popen([b.treadle.path, "test", "-j2", f"--out=out.{name}", name],
                             cwd=b.dir, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True, env=environment(), start_new_session=True)
    marker = f"marked-{name}"
    started = wait_for(lambda: len(processes(marker)) >= 4, 120)
    time.sleep(0.5)
    os.kill(child.pid, send)
    out = child.communicate(timeout=180)[0]
    b.checks.check(f"{name}: both were running", started)
    b.checks.check(f"{name}: exit {code}", child.returncode == code, str(child.returncode))
    b.checks.check(f"{name}: no process is left", wait_for(lambda: not processes(marker), 60),
                   str(processes(marker)))
    if send != signal.SIGKILL:
        b.checks.check(f"{name}: the table is printed", out.count("interrupted") == 4 and
                       "SUMMARY: treadle test: 2 harnesses, 2 not" in out, out)


def main():
    b = Bench(sys.argv[1])
    try:
        bug = directory(b)
        junit(b)
        known(b, bug)
        manifest(b)
        wrong(b)
        failing(b)
        before(b)
        kinds(b)
        suites(b)
        larger(b)
        doctor(b)
        stopped(b, "interrupt", signal.SIGINT, 3)
        stopped(b, "terminate", signal.SIGTERM, 3)
        stopped(b, "kill", signal.SIGKILL, -signal.SIGKILL)
    finally:
        b.treadle.close()
    b.checks.finish()


if __name__ == "__main__":
    main()
