#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the programs of this folder with treadle cc, runs them and compares what treadle
says with what their head comments expect. Counts are compared with model.py as well.

Usage: run.py TREADLE [--firsts|--first] [--part=K/N] [--explained] [--table=FILE] [PROGRAM...]
--firsts: only the first case of each program. --first: the same, of every third program of those whose names start
with the same word. --part: every Nth program from the Kth. --explained: findings are explained as in a session of a user;
nothing looks at that, but it must not change the answer. --table: writes the answer to each case as JSON, for tools/matrix --compare.

A head comment has one block per case, which starts at `treadle:` (options of treadle run):

    args: WORDS        arguments of the program       cflags: WORDS   for treadle cc
    arch: NAME         only on this machine           hand: N         exit code by hand
    output: TEXT       what it prints by hand         model: LINE     see model.py
    agree: WORDS       options of another search, which must find the same events
    suppress: LINE     of a file for --suppressions
    gcc: FILE          of folder foreign/, an object that gcc builds; library: FILE, a shared one
    expect: runs N | events N | traces N | verdict WORD | seconds N (at most)
    expect: depth N                       the last bound of a growing depth that was completed
    expect: sides TAKEN/ALL | degrees N/N... (--goal=branches: sides by interferences)
    expect: never FILE:LINE SIDE          a side that is never taken; all of them, if there is one
    expect: finding KIND [FILE:LINE...]   the place is one of these; of a race, both are
    expect: ledger KIND [FILE:LINE [TEXT]]
    expect: says TEXT                     this is part of the message of a finding

Findings and lines of the ledger that are not expected fail the case. The exit code follows from
the verdict. Searches that are complete must agree on the digest."""
import concurrent.futures
import json
import os
import platform
import subprocess
import sys

sys.dont_write_bytecode = True
import harness  # noqa: E402
import model  # noqa: E402


def place(entry, prefix=""):
    return os.path.basename(entry.get(prefix + "file") or ""), entry.get(prefix + "line") or 0


def finding_matches(expected, finding):
    kind, places = expected
    if finding.get("kind") != kind:
        return False
    here, other = place(finding), place(finding, "other_")
    if not places:
        return True
    if other[1] and kind == "race":
        return sorted({here, other}) == sorted(set(places))
    return here in places


def ledger_matches(expected, line):
    kind, where, text = expected
    return (line.get("kind") == kind and (where is None or place(line) == where) and
            (text is None or line.get("text") == text))


def pair_up(expected, seen, matches):
    """(expectations without a match, what nobody expected)"""
    missing = [e for e in expected if not any(matches(e, s) for s in seen)]
    return missing, [s for s in seen if not any(matches(e, s) for e in expected)]


def coverage_differs(case, seen):
    told = {"sides": f"{seen.get('covered')}/{seen.get('branches')}",
            "degrees": "/".join(str(n) for n in seen.get("by_interferences", []))}
    wrong = [f"{what} {text}, got {told[what]}" for what, text in case.coverage.items()
             if told[what] != text]
    never = sorted(f"{os.path.basename(n['file'])}:{n['line']} {n['side']}"
                   for n in seen.get("never", []))
    if case.never and never != sorted(case.never):
        wrong.append(f"never taken {sorted(case.never)}, got {never}")
    return wrong


def compare(case, result):
    """What differs, as texts."""
    wrong = []
    report = result.report
    if result.problem:
        return [f"no JSON ({result.problem}), exit {result.code}: {result.tail()}"]
    verdict = report.get("verdict")
    # A program without threads and inputs has one schedule; where it was run to its end, that is all there is.
    one_schedule = verdict == "nothing-explored" and case.verdict == "complete" and not report.get("stopped")
    if verdict != case.verdict and not one_schedule:
        wrong.append(f"verdict {case.verdict}, got {verdict}")
    if result.code != harness.EXIT_OF.get(verdict):
        wrong.append(f"exit {harness.EXIT_OF.get(verdict)}, got {result.code}")
    for what, number in case.counts.items():
        if report.get(what) != number:
            wrong.append(f"{what} {number}, got {report.get(what)}")
    wrong += coverage_differs(case, report.get("coverage", {}))
    missing, extra = pair_up(case.findings, report.get("findings", []), finding_matches)
    wrong += [f"finding {m} missing" for m in missing]
    wrong += ["finding not expected: {} {}:{} [{}:{}] {}".format(
        e.get("kind"), *place(e), *place(e, "other_"), e.get("message")) for e in extra]
    messages = [f.get("message") for f in report.get("findings", [])]
    wrong += [f"no message says '{t}': {messages}" for t in case.says
              if not any(t in m for m in messages)]
    missing, extra = pair_up(case.ledger, report.get("ledger", []), ledger_matches)
    wrong += [f"ledger {m} missing" for m in missing]
    wrong += ["ledger not expected: {} {}:{} {}".format(
        e.get("kind"), *place(e), e.get("text")) for e in extra]
    if case.seconds and result.seconds > case.seconds:
        wrong.append(f"at most {case.seconds} s, took {result.seconds:.1f}")
    return wrong


def against_model(case):
    if not case.model:
        return []
    counted = model.Model("\n".join(case.model), case.recursive).explore()
    return [f"the model says {what} {counted[what]}, the program {number}"
            for what, number in case.counts.items() if counted[what] != number]


def by_hand(case, program):
    if case.hand is None:
        return []
    done = subprocess.run([program] + case.args, capture_output=True, text=True, timeout=60)
    wrong = []
    if done.returncode != case.hand:
        wrong.append(f"by hand: exit {case.hand}, got {done.returncode}")
    if case.output is not None and done.stdout.strip() != case.output:
        wrong.append(f"by hand: prints '{case.output}', got '{done.stdout.strip()}'")
    return wrong


def against_search(case, treadle, program, result, more):
    """Another search finds the same events and the same kinds of findings."""
    if case.agree is None or result.problem:
        return []
    other = treadle.run(program, case.args, case.agree + list(more))
    if other.problem:
        return [f"{' '.join(case.agree)}: no JSON ({other.problem})"]
    kinds = [sorted({f["kind"] for f in r.report["findings"]}) for r in (result, other)]
    wrong = [] if kinds[0] == kinds[1] else [f"findings {kinds[0]}, with {case.agree} {kinds[1]}"]
    if result.report["digest"] != other.report["digest"]:
        wrong.append(f"the digest is another one with {' '.join(case.agree)}")
    return wrong


def suppressions(treadle, name, case):
    """The option for the lines of the case, if there are any."""
    if not case.suppress:
        return []
    path = os.path.join(treadle.dir, name + ".suppressions")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(case.suppress) + "\n")
    return ["--suppressions=" + path]


def agree(case, result, digests):
    """Compares with the complete searches of this program before."""
    if case.verdict != "complete" or any("--search" not in o for o in case.options):
        return []
    key = tuple(case.cflags + [""] + case.args)
    first = digests.setdefault(key, result.report.get("digest"))
    return [] if first == result.report.get("digest") else ["another digest than the search before"]


def answer(result):
    """What must not depend on the system that treadle was built on."""
    report = result.report
    return {"verdict": report.get("verdict"), "runs": report.get("runs"),
            "findings": sorted(f.get("id") or "" for f in report.get("findings", []))}


def test(treadle, path, most=None, answers=None, more=()):
    """[(name of the case, what is wrong)] of one program, of its first cases. more: options of each session."""
    results = []
    answers = {} if answers is None else answers
    base = os.path.splitext(os.path.basename(path))[0]
    built, digests = {}, {}
    for i, case in enumerate(harness.cases(path)[:most]):
        name = " ".join([base] + case.options + case.args)
        if case.arch and case.arch != platform.machine():
            continue
        key = (tuple(case.cflags), tuple(case.foreign))
        if key not in built:
            others = [w for how, source in case.foreign for w in treadle.foreign(how, source)]
            built[key] = treadle.cc(path, f"{base}.{i}", case.cflags + others)
        program, error = built[key]
        if error:
            results.append((name, ["does not build: " + error.splitlines()[-1]]))
            continue
        wrong = against_model(case)
        options = case.options + suppressions(treadle, f"{base}.{i}", case)
        quiet = [] if case.says else list(more)  # the cause may be part of a message
        result = treadle.run(program, case.args, harness.alone(options) + quiet)
        answers[name] = answer(result)
        wrong += compare(case, result) + agree(case, result, digests)
        wrong += against_search(case, treadle, program, result, quiet)
        results.append((name, wrong + by_hand(case, program)))
    return results


def some(paths, each=3):
    """Every third path of those whose file names have the same first word, the first of them included."""
    seen, chosen = {}, []
    for path in paths:
        word = os.path.splitext(os.path.basename(path))[0].split("_")[0]
        if seen.setdefault(word, 0) % each == 0:
            chosen.append(path)
        seen[word] += 1
    return chosen


def no_rules(cases):
    return []


def main(here=harness.HERE, rules=no_rules):
    """Tests the programs named on the command line, or all of a folder. rules(cases) says what
    is wrong with the expectations of a program, as texts."""
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    most = 1 if "--first" in sys.argv or "--firsts" in sys.argv else None
    table = next((w[len("--table="):] for w in sys.argv if w.startswith("--table=")), None)
    answers, more = {}, [] if "--explained" in sys.argv else [harness.UNEXPLAINED]
    treadle = harness.Treadle(words[0])
    everything = harness.programs(here)
    which, each = next((map(int, w[len("--part="):].split("/")) for w in sys.argv if w.startswith("--part=")), (0, 1))
    wanted = [os.path.abspath(p) for p in words[1:]] or (
        some(everything) if "--first" in sys.argv else everything[which::each])
    checks = harness.Checks()

    def judge(path):
        wrong = rules(harness.cases(path))
        return [(os.path.basename(path), wrong)] if wrong else test(treadle, path, most, answers, more)

    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for results in pool.map(judge, wanted):
                for name, wrong in results:
                    checks.check(name, not wrong, "; ".join(wrong))
    finally:
        treadle.close()
    if table:
        with open(table, "w", encoding="utf-8") as f:
            json.dump(answers, f, indent=1, sort_keys=True)
    checks.finish()


if __name__ == "__main__":
    main()
