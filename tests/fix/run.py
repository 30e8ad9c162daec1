#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: run.py TREADLE [--some] [NAME...]

--some: every fifth program, and all else.

Programs with a bug; a comment says what treadle fix is to print: "fix: KIND", the kind of the change, or none.

drops: ANSWER       some candidate is dropped by this guard, and by no other
traces              with -DFIXED the program is changed as the repair is, by hand: everything is explored, and has as many
                    traces as the program with the virtual repair
idea:               what a maintainer would do; for people

edit                treadle fix --diff prints an edit; patched, the program ends COMPLETE
edit: WORDS         ... prints none, and these words say why

A recording of a run with a repair has to replay. The report of treadle run has the same change, with time enough, and so have
treadle show, the page and the JSON; nothing that happens to the search for a change costs the finding."""
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"


class Failures(list):
    def check(self, what, got, want):
        if got != want:
            print(f"FAILED {what}: {got}, not {want}", flush=True)
            self.append(what)


def header(source, word):
    match = re.search(rf"^(?:/\*| \*) {word}:? ?(.*?)(?: \*/)?$", source.read_text(), re.M)
    return match.group(1).strip() if match else None


def build(treadle, source, out, *flags):
    cc = "c++" if source.suffix == ".cpp" else "cc"
    subprocess.run([treadle, cc, "-g", "-O1", "-pthread", *flags, source, "-o", out], check=True)


def recordings(folder):
    return sorted(folder.glob("*.treadle"))


def fixed_traces(treadle, source, work):
    build(treadle, source, work / "fixed", "-DFIXED")
    subprocess.run([treadle, "run", "-q", "--goal=traces", f"--json={work}/fixed.json", f"--out={work}/fixed.s",
                    work / "fixed"], capture_output=True)
    result = json.loads((work / "fixed.json").read_text())
    return result["verdict"], result["traces"]


def check_replay(treadle, name, tried, work, failures):
    """A candidate with a schedule that fails left a recording."""
    for number, candidate in enumerate(tried):
        found = recordings(work / "fix" / str(number + 2))
        if candidate["answer"] != "a schedule fails" or candidate["kind"] == "memory-order" or not found:
            continue
        if "\nrepair " not in found[0].read_text():
            failures.check(f"{name}: {found[0]}", "no repair", "a line repair")
        done = subprocess.run([treadle, "replay", "-q", found[0]], capture_output=True, text=True)
        failures.check(f"{name}: replay of {candidate['text']}", done.returncode, 1)
        return


def check_edit(treadle, source, recording, work, failures):
    """The diff is taken by patch, and the patched program is explored to its end; or there is none, with a sentence."""
    want, name = header(source, "edit"), source.stem
    if want is None:
        return
    done = subprocess.run([treadle, "fix", "--time=2m", "--diff", f"--out={work}/edit", recording], capture_output=True, text=True)
    if want:
        failures.check(f"{name}: edit", (done.returncode, done.stdout, want in done.stderr), (3, "", True))
        return
    failures.check(f"{name}: edit", (done.returncode, done.stderr), (0, ""))
    folder = work / "patched"
    copy = folder / re.search(r"^\+\+\+ b/(.*)$", done.stdout, re.M).group(1)
    copy.parent.mkdir(parents=True)
    shutil.copy(source, copy)
    patched = subprocess.run(["patch", "-p1", "--fuzz=0"], cwd=folder, input=done.stdout, capture_output=True, text=True)
    failures.check(f"{name}: patch", (patched.returncode, copy.read_text() != source.read_text()), (0, True))
    build(treadle, copy, work / "patched.p")
    run = subprocess.run([treadle, "run", "-q", "--no-known", f"--out={work}/patched.s", work / "patched.p"], capture_output=True, text=True)
    failures.check(f"{name}: run of the patched program", (run.returncode, "COMPLETE" in run.stdout), (0, True))


def check_program(treadle, source, work, failures):
    name = source.stem
    build(treadle, source, work / "p")
    run = subprocess.run([treadle, "run", "-q", "--first", "--explain-time=4m", f"--out={work}/s", f"--json={work}/run.json",
                          work / "p"], capture_output=True, text=True)
    found = recordings(work / "s")
    failures.check(f"{name}: is there a finding", len(found) > 0, True)
    if not found:
        return
    done = subprocess.run([treadle, "fix", "--time=2m", f"--out={work}/fix", f"--json={work}/fix.json", found[0]],
                          capture_output=True, text=True)
    failures.check(f"{name}: stderr", done.stderr, "")
    result = json.loads((work / "fix.json").read_text())
    held = [t for t in result["tried"] if t["answer"] == "holds"]
    kind = held[0]["kind"] if held else "none"
    print(f"{name}: {done.stdout.split('Explored')[0].strip()}", flush=True)
    failures.check(f"{name}: kind", kind, header(source, "fix"))
    failures.check(f"{name}: exit status", done.returncode, 0 if held else 3)
    check_report(treadle, name, run.stdout, done.stdout if held else None, found[0], work, failures)
    failures.check(f"{name}: words", re.findall(r"\b(?:fixed|correct)\b", done.stdout), [])
    failures.check(f"{name}: columns", [x for x in done.stdout.splitlines() if len(x) > 80], [])
    drops = header(source, "drops")
    if drops:
        failures.check(f"{name}: is a candidate dropped ({drops})", [drops] in [t["rejected_by"] for t in result["tried"]], True)
    if header(source, "traces") is not None and held:
        failures.check(f"{name}: traces", ("complete", held[0]["traces"]), fixed_traces(treadle, source, work))
    check_replay(treadle, name, result["tried"], work, failures)
    check_edit(treadle, source, found[0], work, failures)


NONE = r"FIX {8}(?:None found yet; try|\d+ changes? tried, none holds): treadle fix .*\n"


def section(report):
    """FIX of a report."""
    match = re.search(r"^FIX .*\n(?: {11}.*\n)*", report, re.M)
    return match.group(0) if match else None


def check_report(treadle, name, report, fix, recording, work, failures):
    """fix: what treadle fix printed, None: it found nothing."""
    shown = subprocess.run([treadle, "show", recording], capture_output=True, text=True).stdout
    said = json.loads((work / "run.json").read_text())["findings"][0].get("fix")
    if section(report) is None:  # every schedule fails, or there is nothing to try
        failures.check(f"{name}: no FIX", (fix, said, section(shown)), (None, None, None))
        return
    subprocess.run([treadle, "show", "--html", f"--output={work}/page.html", recording], capture_output=True)
    page = (work / "page.html").read_text()
    if fix is None:
        line = section(report)
        failures.check(f"{name}: is FIX one line", bool(re.fullmatch(NONE, line)), True)
    else:
        failures.check(f"{name}: FIX of the report", section(report), fix)
        failures.check(f"{name}: text in the JSON", " ".join(said["text"].split()) in " ".join(fix.split()), True)
        failures.check(f"{name}: text in the page", json.dumps(said["text"])[1:-1] in page, True)
        failures.check(f"{name}: is it behind WHY", -1 < report.find("\nWHY ") < report.find("\nFIX "), True)
    failures.check(f"{name}: FIX of show", section(shown), section(report))
    failures.check(f"{name}: found in the JSON", said["is_found"], fix is not None)


JUMP = """#include <stdatomic.h>
static atomic_int a;
__attribute__((noinline)) void inner(void) { atomic_fetch_add(&a, 1); }
__attribute__((noinline)) void outer(void) { atomic_load(&a); inner(); }
int main(void) { outer(); return 0; }
"""
SEVERAL = """#include <pthread.h>
static int a, b;
static void *work(void *x)
{
    a++;
    b++;
    return x;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return a + b == 4 ? 0 : 1;
}
"""
RECORDING = """treadle-recording 6
program {program}
repair section new 0000000000000000 once jump.c:{line}:{line} outer
schedule main:1
"""


def check_not_made(treadle, work, failures):
    """The runtime refuses lines without code, and a call that leaves no frame, as it has become a jump."""
    (work / "jump.c").write_text(JUMP)
    build(treadle, work / "jump.c", work / "jump.o", "-O2", "-c")
    subprocess.run([treadle, "cc", "-pthread", work / "jump.o", "-o", work / "jump"], check=True)
    for line, message in (4, "is compiled as a jump"), (90, "no code at"), (3, None):
        (work / "r.treadle").write_text(RECORDING.format(program=work / "jump", line=line))
        done = subprocess.run([treadle, "replay", "-q", work / "r.treadle"], capture_output=True, text=True)
        failures.check(f"line {line}: exit status", done.returncode, 2 if message else 0)
        failures.check(f"line {line}: message", (message or "") in done.stderr, True)


def check_not_lost(treadle, work, failures):
    """The report comes whatever happens to the search for a change: no time for it, its folder is taken, an interrupt."""
    build(treadle, PROGRAMS / "push_all.c", work / "p")
    for what, options, taken, interrupt in (("no time", ["--explain-time=20ms"], False, False),
                                            ("a folder in its place", [], True, False),
                                            ("interrupted", ["--explain-time=5m"], False, True)):
        out = work / what.replace(" ", "-")
        if taken:
            (out / "fix").mkdir(parents=True)
        process = subprocess.Popen([treadle, "run", "-q", "--no-known", f"--out={out}", *options, work / "p"], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        started = time.monotonic()
        while interrupt and not (out / "fix").exists() and time.monotonic() < started + 60:
            time.sleep(0.01)
        if interrupt:
            process.send_signal(signal.SIGINT)
            started = time.monotonic()
        text = process.communicate(timeout=100)[0]
        failures.check(f"{what}: exit status", process.returncode, 1)
        failures.check(f"{what}: reports", text.count("\nSUMMARY: "), 1)
        failures.check(f"{what}: FIX", section(text).startswith("FIX        None found yet; try: treadle fix "), True)
        failures.check(f"{what}: recordings", len(recordings(out)), 1)
        failures.check(f"{what}: is the folder left", (out / "fix").exists(), taken)
        if interrupt:
            failures.check(f"{what}: does it end in time", time.monotonic() < started + 10, True)


def check_several(treadle, work, failures):
    """The second finding names the change of the first one; with -k the change comes behind all reports."""
    (work / "several.c").write_text(SEVERAL)
    build(treadle, work / "several.c", work / "p")
    for options, reports, behind in ([], 3, False), (["-k"], 3, True):
        done = subprocess.run([treadle, "run", "-q", "--no-known", "--explain-time=4m", f"--out={work}/s{len(options)}", *options,
                               work / "p"], capture_output=True, text=True)
        text = done.stdout
        failures.check(f"several {options}: changes", text.count("FIX        Hold "), 1)
        failures.check(f"several {options}: reports", text.count("\nSUMMARY: "), reports)
        failures.check(f"several {options}: are they named", text.count("FIX        The change of ") > 0, not behind)
        failures.check(f"several {options}: behind", text.rfind("\nSUMMARY: ") < text.find("FIX "), behind)


HOSTILE = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define SET(x) if (atomic_load(&x)) return 0; atomic_store(&x, 1)
static atomic_int is_made, n_made;
static void *user(void *arg)
{
    %s
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, user, 0);
    pthread_create(&t[1], 0, user, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(n_made == 1);
    return 0;
}
"""
PLAIN = "if (!atomic_load(&is_made)) { atomic_store(&is_made, 1); atomic_fetch_add(&n_made, 1); }"


def check_hostile(treadle, work, failures):
    """No edit is written in doubt, and --apply leaves a file that has changed as it is."""
    for what, code, why in (("macro", "SET(is_made); atomic_fetch_add(&n_made, 1);", "macro"),
                            ("return inside", "if (atomic_load(&is_made)) return 0;\n    atomic_store(&is_made, 1); atomic_fetch_add(&n_made, 1);", "return"),
                            ("file changed", PLAIN, "has changed since the program was built"),
                            ("several statements on a line", PLAIN, None)):
        folder = work / what.replace(" ", "-")
        folder.mkdir()
        source = folder / "h.c"
        source.write_text(HOSTILE % code)
        build(treadle, source, folder / "p")
        subprocess.run([treadle, "run", "-q", "--first", f"--out={folder}/s", folder / "p"], capture_output=True)
        if what == "file changed":
            source.write_text("/* changed */\n" + source.read_text())
        before = source.read_text()
        done = subprocess.run([treadle, "fix", "--time=2m", "--apply", f"--sarif={folder}/f.sarif", f"--out={folder}/e", recordings(folder / "s")[0]],
                              capture_output=True, text=True)
        result = json.loads((folder / "f.sarif").read_text())["runs"][0]["results"][0]
        failures.check(f"{what}: exit status", done.returncode, 3 if why else 0)
        failures.check(f"{what}: reason", (why or "") in done.stderr, True)
        failures.check(f"{what}: is the file changed", source.read_text() != before, why is None)
        failures.check(f"{what}: fixes", "fixes" in result, why is None)


def check_by_id(treadle, work, failures):
    """A finding is asked for by its id, time and again: sessions of changed programs are not the latest one."""
    source = work / "h.c"
    source.write_text(HOSTILE % PLAIN)
    build(treadle, source, work / "p")
    subprocess.run([treadle, "run", "-q", "--first", "./p"], cwd=work, capture_output=True)
    found = recordings(work / "treadle-out" / "latest")[0]
    for options in (["--diff"], ["--apply"]):
        done = subprocess.run([treadle, "fix", "--time=2m", *options, Path(found).stem], cwd=work, capture_output=True, text=True)
        failures.check(f"by id, {options[0]}: exit status, {done.stderr}", done.returncode, 0)
    failures.check("by id: the latest session", (work / "treadle-out" / "latest").resolve().name, "p.1")


def main():
    words = [w for w in sys.argv[1:] if w != "--some"]
    treadle, names = Path(words[0]).resolve(), words[1:]
    each = 5 if "--some" in sys.argv else 1
    failures = Failures()
    for source in sorted(PROGRAMS.glob("*.c*"))[::each]:
        if names and source.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            check_program(treadle, source, Path(folder), failures)
    if not names:
        for check in check_by_id, check_hostile, check_not_made, check_not_lost, check_several:
            with tempfile.TemporaryDirectory() as folder:
                check(treadle, Path(folder), failures)
    print(f"{len(failures)} failed")
    return len(failures) > 0


sys.exit(main())
