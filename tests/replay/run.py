#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every faulty example is found, fits on a screen and replays; every fixed one is COMPLETE.

Usage: run.py TREADLE [OTHER]

OTHER is a treadle built with another LLVM: the program is built again with it, and the recording
made before must fail again.

An example: the report has at most 45 lines of at most 80 columns, without FIX, but for that of the error, which is whole, and ends with a SUMMARY, which is whole, too; treadle
replay fails the same way in 30 of 30 calls and prints the same bytes each time; from the fixed
program, the recording does not reproduce (exit 4). The report of a replay is that of the session, WHY and
the point of no return with it; of another build of the program it has no cause that experiments found. Of a run with several deadlocks, each recording
shows its own. Recordings with promoted accesses replay in every mode, and those of races end with the
two accesses. A free that races with an access comes first, if such a run is found.
gdb stops in a frame of the program, hides those of the runtime, and goes to each step of the report."""
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
import harness  # noqa: E402

REPLAYS = 30
COLUMNS, LINES = 80, 45
# example -> kind of its finding, line where there is only one that is right
EXPECTED = {"bank": ("assert", 41), "counter": ("race", None), "dining": ("deadlock", None),
            "lazy": ("assert", 27), "order": ("crash", 18), "spinlock": ("assert", 29),
            "stack": ("assert", 58), "linear-stack": ("linear", 36)}


def environment():
    """A terminal of 80 columns without colour, whatever the tests run in."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("TREADLE_")}
    env.update(COLUMNS=str(COLUMNS), NO_COLOR="1", TERM="dumb")
    return env


FIX = re.compile(r"^FIX .*\n(?: {11}.*\n)*", re.M)


def finding_text(out):
    """The lines of the report from its title to the SUMMARY."""
    lines = out.splitlines()
    start = next((i for i, l in enumerate(lines) if l.startswith("==treadle==")), None)
    end = next((i for i, l in enumerate(lines) if l.startswith("SUMMARY:")), None)
    if start is None or end is None:
        return []
    return lines[start:end + 1]


def check_found(checks, name, result):
    findings = result.report.get("findings", [])
    kind, line = EXPECTED.get(name, (None, None))
    ok = result.code == 1 and len(findings) == 1
    detail = f"exit {result.code} {result.problem} {result.tail()}"
    if ok and kind:
        ok = findings[0]["kind"] == kind and line in (None, findings[0]["line"])
        detail = f"{findings[0]['kind']} at line {findings[0]['line']}"
    checks.check(f"{name}: found", ok, detail)
    return findings[0]["recording"] if len(findings) == 1 else None


def check_screen(checks, name, out):
    lines = finding_text(out)
    n_lines = len(FIX.sub("", "".join(line + "\n" for line in lines)).splitlines())
    checks.check(f"{name}: report of {n_lines} lines and FIX", 0 < n_lines <= LINES,
                 f"not 1 to {LINES}")
    # Editors and logs want the line of the error whole, like the summary.
    wide = [l for l in out.splitlines() if len(l) > COLUMNS and not l.startswith("SUMMARY:") and ": error: " not in l]
    checks.check(f"{name}: no line over {COLUMNS} columns", not wide, repr(wide[:1]))


def check_replays(checks, name, treadle, recording, times=REPLAYS):
    texts, codes = set(), {}
    for _ in range(times):
        result = treadle.call([treadle.path, "replay", "--quiet", recording], 60, environment())
        codes[result.code] = codes.get(result.code, 0) + 1
        texts.add(result.out)
    checks.check(f"{name}: replayed {codes.get(1, 0)} of {times}", codes == {1: times}, str(codes))
    checks.check(f"{name}: the same report each time", len(texts) == 1, f"{len(texts)} reports")


def check_same_report(checks, name, treadle, out, recording):
    """As the session printed it, but for the path."""
    result = treadle.call([treadle.path, "replay", "--quiet", recording], 60, environment())
    first, again = ([l for l in finding_text(text) if not l.startswith("Share")] for text in (out, result.out))
    differ = [pair for pair in zip(first, again) if pair[0] != pair[1]]
    checks.check(f"{name}: the replay prints the report of the session",
                 len(first) == len(again) > 0 and not differ, str(differ[:1] or (len(first), len(again))))


def check_other_build(checks, name, treadle, out, recording):
    """The recorded build id is another one: no experiment speaks of this program."""
    with open(recording, encoding="utf-8") as f:
        text = f.read()
    if "\ncause order" not in text:
        return
    other = os.path.join(os.path.dirname(recording), "other.treadle")
    with open(other, "w", encoding="utf-8") as f:
        f.write("".join("build-id 00\n" if line.startswith("build-id") else line
                        for line in text.splitlines(keepends=True)))
    result = treadle.call([treadle.path, "replay", "--quiet", other], 60, environment())
    said = "In the other order" in " ".join(out.split())
    checks.check(f"{name}: another build has no recorded cause",
                 said and result.code == 1 and "In the other order" not in " ".join(result.out.split()),
                 result.tail())


def check_modes(checks, name, treadle, recording):
    for option in ("--carrier=threads", "--restart=fork"):
        result = treadle.call([treadle.path, "replay", "--quiet", option, recording], 60)
        checks.check(f"{name}: replayed with {option}", result.code == 1,
                     f"exit {result.code} {result.tail()}")


def call_gdb(treadle, recording, commands=()):
    """gdb on the recording, with these commands after its own. Returns what it prints."""
    done = subprocess.run([treadle.path, "replay", "--gdb", recording], input="".join(c + "\n" for c in commands),
                          cwd=treadle.dir, env=environment(), timeout=120, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout


def check_gdb_steps(checks, name, treadle, recording, n_steps):
    """gdb goes to each step of the report, forwards and back, and stops at its line with no frame of the runtime."""
    listed = re.findall(r"^(?:\(gdb\) )?[ =>]{3} *(\d+)  (\w+) +(\S+):(\d+)  ", call_gdb(treadle, recording, ["treadle-list"]), re.M)
    checks.check(f"{name}: gdb lists {n_steps} steps", [int(l[0]) for l in listed] == list(range(1, n_steps + 1)), str(listed))
    order = listed + listed[:1]
    out = call_gdb(treadle, recording, [w for step in order for w in (f"treadle-step {step[0]}", "bt", "echo .END.\\n")])
    parts = out.split(".END.")
    wrong = []
    for (number, thread, file, line), part in zip(order, parts):
        said = f"step {number} of {n_steps}, {thread} at {file}:{line}"
        shown = re.search(rf"^{line}\t", part[part.find(said):], re.M)
        frames = [l for l in part[part.find(said):].splitlines() if re.match(r"(\(gdb\) )?#\d", l)]
        if said not in part or not shown or not frames or any("rt_" in f or "__treadle" in f for f in frames):
            wrong.append(part)
    checks.check(f"{name}: gdb goes to each step", len(parts) == len(order) + 1 and not wrong, (wrong or [out])[0][-600:])


def check_gdb(checks, name, treadle, recording, finding, out):
    """gdb stops in the thread that fails, in a frame of the program; its threads have the names of the report."""
    if not shutil.which("gdb"):
        return
    text = call_gdb(treadle, recording)
    place = f"{os.path.basename(finding['file'])}:{finding['line']}"
    checks.check(f"{name}: gdb stops at {place}", place in text, text[-600:])
    inside = [l for l in text.splitlines() if re.match(r"#\d", l) and ("rt_" in l or "__treadle" in l)]
    checks.check(f"{name}: gdb shows no frame of the runtime", re.search(r"^#\d", text, re.M) and not inside, str(inside[:1]))
    checks.check(f"{name}: gdb shows the threads", re.search(r"^[ *] T1 ", text, re.M), text[-600:])
    numbers = [int(n) for n in re.findall(r"^(?=.{3} ) {0,2}(\d+) ", out.partition("\nWHY")[0].partition(" Hidden")[0], re.M)]
    if numbers:
        check_gdb_steps(checks, name, treadle, recording, max(numbers))


def check_rebuilt(checks, name, treadle, other, source, recording):
    """The same path, another compiler."""
    program, error = other.cc(source, base=harness.CFLAGS)
    if error:
        checks.check(f"{name}: builds with the other LLVM", False, error.splitlines()[-1])
        return
    shutil.copy(program, os.path.join(treadle.dir, name))
    for tool in (treadle, other):
        result = treadle.call([tool.path, "replay", "--quiet", recording], 60)
        which = "this" if tool is treadle else "the other"
        checks.check(f"{name}: replayed after a rebuild, by {which} treadle", result.code == 1,
                     f"exit {result.code} {result.tail()}")


def check_fixed(checks, name, treadle, source, recording):
    program, error = treadle.cc(source)
    if error:
        checks.check(f"{name}: builds", False, error.splitlines()[-1])
        return
    result = treadle.run(program, harness.example_args(name), ["--goal=states"])
    ok = result.code == 0 and result.report.get("verdict") == "complete"
    checks.check(f"{name}: COMPLETE, {result.report.get('runs')} runs in {result.seconds:.1f} s",
                 ok, f"exit {result.code} {result.tail()}")
    if recording:
        shutil.copy(program, os.path.join(treadle.dir, name[:-len("_fixed")]))
        again = treadle.call([treadle.path, "replay", "--quiet", recording], 60)
        checks.check(f"{name}: the recording does not reproduce", again.code == 4,
                     f"exit {again.code} {again.tail()}")


def test(checks, treadle, other, name, bad, good):
    program, error = treadle.cc(bad)
    if error:
        checks.check(f"{name}: builds", False, error.splitlines()[-1])
        return
    result = treadle.run(program, harness.example_args(name), ["--goal=states"], env=environment())
    recording = check_found(checks, name, result)
    check_screen(checks, name, result.out)
    if recording:
        recording = os.path.join(treadle.dir, recording)
        check_replays(checks, name, treadle, recording)
        check_same_report(checks, name, treadle, result.out, recording)
        check_other_build(checks, name, treadle, result.out, recording)
        check_modes(checks, name, treadle, recording)
        check_gdb(checks, name, treadle, recording, result.report["findings"][0], result.out)
    if recording and other:
        check_rebuilt(checks, name, treadle, other, bad, recording)
    if good:
        check_fixed(checks, name + "_fixed", treadle, good, recording)


def test_causes(checks, treadle):
    """Deadlocks of one run are findings of their own, and each recording shows its own."""
    source = os.path.join(harness.HERE, "deadlock_causes.c")
    program, error = treadle.cc(source)
    result = treadle.run(program, [], ["--search=all", "-k"]) if not error else None
    findings = result.report.get("findings", []) if result else []
    checks.check("deadlock_causes: 2 findings", len(findings) == 2, error or result.tail())
    for finding in findings:
        recording = os.path.join(treadle.dir, finding["recording"])
        again = treadle.call([treadle.path, "replay", "--quiet", recording], 60, environment())
        checks.check(f"deadlock_causes: replayed {finding['id']}",
                     again.code == 1 and f"BUG {finding['id']} " in again.out, again.tail())


def last_choices(recording):
    """Threads of the last two choices of a recording, and whether it promotes anything."""
    with open(recording, encoding="utf-8") as f:
        lines = [line.split() for line in f]
    steps = [s.split(":") for line in lines if line[0] == "schedule" for s in line[1:]]
    last = [thread for thread, count in steps for _ in range(int(count))][-2:]
    return last, any(line[0] == "promote" for line in lines)


def test_promoted(checks, treadle):
    """What the order of accesses that race causes, and the races themselves."""
    program, error = treadle.cc(os.path.join(harness.HERE, "promote_null.c"))
    result = treadle.run(program, [], ["-k"], env=environment()) if not error else None
    findings = result.report.get("findings", []) if result else []
    checks.check("promote_null: 3 findings", len(findings) == 3, error or result.tail())
    checks.check("promote_null: COMPLETE", result and result.report.get("stopped") == "" and
                 not result.report.get("ledger") and "COMPLETE:" in result.out)
    check_screen(checks, "promote_null", result.out if result else "")
    for finding in findings:
        recording = os.path.join(treadle.dir, finding["recording"])
        check_replays(checks, finding["id"], treadle, recording, 5)
        check_modes(checks, finding["id"], treadle, recording)
        check_gdb(checks, finding["id"], treadle, recording, finding, "")
        last, promotes = last_choices(recording)
        if finding["kind"] == "race":
            checks.check(f"{finding['id']}: ends with its two accesses",
                         promotes and sorted(last) == ["T1", "main"], str(last))


def test_free_first(checks, treadle):
    """Of a free and an access that nothing orders, the run is shown in which the free comes first, if there is
    one: in the report, its JSON, the recording and its replays."""
    for name, is_first in (("mem_free_race", True), ("mem_free_race_copy", True),
                           ("mem_free_race_relaxed", False)):
        program, error = treadle.cc(os.path.join(harness.HERE, name + ".c"), base=harness.CFLAGS)
        result = treadle.run(program, env=environment()) if not error else None
        findings = result.report.get("findings", []) if result else []
        checks.check(f"{name}: a race", [f["kind"] for f in findings] == ["race"], error or result.tail())
        for finding in findings:
            recording = os.path.join(treadle.dir, finding["recording"])
            check_replays(checks, name, treadle, recording, 5)
            check_same_report(checks, name, treadle, result.out, recording)
            check_modes(checks, name, treadle, recording)
            check_gdb(checks, name, treadle, recording, finding, result.out)
            lines = [l for l in finding_text(result.out) if "free(" in l or "not ordered" in l]
            first = len(lines) == 2 and "free(" in lines[0]
            checks.check(f"{name}: the free comes {'first' if is_first else 'last'}",
                         len(lines) == 2 and first == is_first, str(lines))


POINTERS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *first, *second, *now;
static void *change(void *arg)
{
    pthread_mutex_lock(&m);
    now = second;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;
    first = calloc(1, sizeof *first);
    second = calloc(1, sizeof *second);
    *second = 1;
    now = first;
    pthread_create(&t, NULL, change, NULL);
    pthread_mutex_lock(&m);
    int value = *now;
    pthread_mutex_unlock(&m);
    assert(value == 0);
    pthread_join(t, NULL);
    return 0;
}
"""


def test_numbers(checks, treadle):
    """The page calls an address what the text calls it, though it has acts that the text hides."""
    source = os.path.join(treadle.dir, "pointers.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(POINTERS)
    program, error = treadle.cc(source)
    result = treadle.run(program, env=environment()) if not error else None
    findings = result.report.get("findings", []) if result else []
    session = os.path.dirname(os.path.join(treadle.dir, findings[0]["recording"])) if findings else ""
    pages = [json.loads(row[0]) for row in sqlite3.connect(os.path.join(session, "session.db")).execute(
        "SELECT page FROM finding")] if session else []
    acts = [a["text"] for p in pages for step in p["steps"] for a in step["acts"]]
    shown = re.findall(r"now -> P\d", result.out if result else "")
    checks.check("pointers: one number for an address", shown and set(shown) <= set(acts) and
                 any(a.startswith("first = P") for a in acts), str((shown, acts)))


def test_elsewhere(checks, treadle):
    """From another folder the program is found above the recording; an id is found in every session."""
    def call(words, folder):
        return subprocess.run([treadle.path, *words], cwd=folder, env=environment(), timeout=60, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    folder = os.path.join(treadle.dir, "elsewhere")
    os.mkdir(folder)
    examples = {name: bad for name, bad, _ in harness.examples()}
    for name, args in (("dining", []), ("bank", ["30", "71"])):
        program, _ = treadle.cc(examples[name])
        shutil.copy(program, os.path.join(folder, name))
        call(["run", "./" + name] + args, folder)
    out = os.path.join(folder, "treadle-out", "dining.1")
    ids = [f[:-len(".treadle")] for f in os.listdir(out) if f.endswith(".treadle")]
    here = call(["show", ids[0]], folder)
    checks.check("the id of an earlier session is found", here.returncode == 0 and finding_text(here.stdout), here.stderr)
    there = call(["show", os.path.join(out, ids[0] + ".treadle")], "/")
    same = [l for l in finding_text(here.stdout) if not l.startswith(("Share", "Replay", "Debug", "Web"))]
    checks.check("a recording is shown from another folder", same and same == [
        l for l in finding_text(there.stdout) if not l.startswith(("Share", "Replay", "Debug", "Web"))], there.stderr)


def main():
    treadle = harness.Treadle(sys.argv[1])
    other = harness.Treadle(sys.argv[2]) if len(sys.argv) > 2 else None
    checks = harness.Checks()
    try:
        for name, bad, good in harness.examples():
            test(checks, treadle, other, name, bad, good)
        test_causes(checks, treadle)
        test_promoted(checks, treadle)
        test_free_first(checks, treadle)
        test_numbers(checks, treadle)
        test_elsewhere(checks, treadle)
    finally:
        treadle.close()
        if other:
            other.close()
    checks.finish()


if __name__ == "__main__":
    main()
