#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every faulty example is found, fits on a screen and replays; every fixed one is COMPLETE.

Usage: run.py TREADLE [OTHER]

OTHER is a treadle built with another LLVM: the program is built again with it, and the recording
made before must fail again.

An example: the report has at most 45 lines of at most 80 columns and ends with a SUMMARY, which is whole; treadle
replay fails the same way in 100 of 100 calls and prints the same bytes each time; from the fixed
program, the recording does not reproduce (exit 4). The report of a replay is that of the session, WHY and
the point of no return with it; of another build of the program it has no cause that experiments found. Of a run with several deadlocks, each recording
shows its own. Recordings with promoted accesses replay in every mode, and those of races end with the
two accesses."""
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
import harness  # noqa: E402

REPLAYS = 100
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
    checks.check(f"{name}: report of {len(lines)} lines", 0 < len(lines) <= LINES,
                 f"not 1 to {LINES}")
    wide = [l for l in out.splitlines() if len(l) > COLUMNS and not l.startswith("SUMMARY:")]
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


def check_gdb(checks, name, treadle, recording, finding):
    """gdb stops in the thread that fails; its threads have the names of the report. Threads that wait
    for ever are seen when the last of the others has ended: gdb may stop there."""
    if not shutil.which("gdb"):
        return
    result = treadle.call([treadle.path, "replay", "--gdb", recording], 60, environment())
    place = f"{os.path.basename(finding['file'])}:{finding['line']}"
    stops = place in result.out or (finding["kind"] in ("deadlock", "livelock") and
                                    "rt_thread_leave" in result.out)
    checks.check(f"{name}: gdb stops at {place}", stops, result.tail())
    checks.check(f"{name}: gdb shows the threads", '"T1"' in result.out, result.tail())


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
    result = treadle.run(program, harness.example_args(name))
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
    result = treadle.run(program, harness.example_args(name), env=environment())
    recording = check_found(checks, name, result)
    check_screen(checks, name, result.out)
    if recording:
        recording = os.path.join(treadle.dir, recording)
        check_replays(checks, name, treadle, recording)
        check_same_report(checks, name, treadle, result.out, recording)
        check_other_build(checks, name, treadle, result.out, recording)
        check_modes(checks, name, treadle, recording)
        check_gdb(checks, name, treadle, recording, result.report["findings"][0])
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
        check_gdb(checks, finding["id"], treadle, recording, finding)
        last, promotes = last_choices(recording)
        if finding["kind"] == "race":
            checks.check(f"{finding['id']}: ends with its two accesses",
                         promotes and sorted(last) == ["T1", "main"], str(last))


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
        test_elsewhere(checks, treadle)
    finally:
        treadle.close()
        if other:
            other.close()
    checks.finish()


if __name__ == "__main__":
    main()
