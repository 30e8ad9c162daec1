#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Families of small programs whose right answer is known by how they were made.

Usage: families.py TREADLE [--each=N] [--verbose] [FAMILY[/CASE]...]
--each=N: every N-th case of each family only.

A file of folder families/ has a head and cases. The head is C, or C++ if the file's name ends in `.cpp.cases`, and is the
beginning of each program. A case is a line `@case NAME | ANSWER | OPTIONS | CFLAGS | ARGUMENTS` with what follows it; the last
three may be missing. Cases with the same text are one program. `@with WORD = TEXT, TEXT...` before a case makes one case for each text, which stands for $WORD$ in the case and
its options; `NAME:ANSWER:TEXT` gives a text a name and the case another answer.

Answers: `complete`; `clean` (no finding: COMPLETE, or INCOMPLETE with a ledger entry); `not-complete` (a finding, or
INCOMPLETE with a ledger entry); or kinds of findings, of which one is there and no other: `race+memory`."""
import concurrent.futures
import os
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "programs"))
import harness  # noqa: E402

FOLDER = os.path.join(HERE, "families")
NO_ERROR = {"complete": 0, "bug": 1, "suspected": 1, "incomplete": 3, "nothing-explored": 3}


class Case:
    def __init__(self, family, name, answer, options, cflags, args, text):
        self.family, self.name, self.answer, self.text = family, name, answer, text
        self.options, self.cflags, self.args = options.split(), cflags.split(), args.split()

    @property
    def full(self):
        return f"{self.family}/{self.name}"


def variants(words, rows):
    """The texts that a case is made with: [(name, answer or "", {word: text})]"""
    if not rows:
        return [(words, "", {})]
    word, texts = rows[0]
    made = []
    for name, answer, replaced in variants(words, rows[1:]):
        for text in texts:
            parts = [p.strip() for p in text.split(":", 2)]
            label, other, value = parts if len(parts) == 3 else (text.strip(), "", text.strip())
            made.append((f"{name}_{label}", other or answer, {**replaced, word: value}))
    return made


def case_of(family, line, rows, head, body):
    fields = [f.strip() for f in line.split("|")] + [""] * 4
    for label, other, replaced in variants(fields[0], rows):
        parts = [head + body] + fields[2:5]
        for word, value in replaced.items():
            parts = [p.replace(f"${word}$", value) for p in parts]
        text, options, cflags, args = parts
        yield Case(family, label, other or fields[1], options, cflags, args, text)


def cases_of(path):
    family = os.path.basename(path)[:-len(".cases")]
    head, body, rows, pending, line_of_case, made = [], [], [], [], None, []
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    for line in lines + ["@case"]:
        if line.startswith("@case"):
            if line_of_case:
                made += case_of(family, line_of_case, rows, "\n".join(head) + "\n", "\n".join(body) + "\n")
            line_of_case, rows, pending, body = line[len("@case"):].strip(), pending, [], []
        elif line.startswith("@with"):
            word, texts = line[len("@with"):].split("=", 1)
            pending.append((word.strip(), texts.split(", ")))
        else:
            (body if line_of_case else head).append(line)
    return made


def wrong_answer(case, result):
    """What is wrong with treadle's answer, or nothing."""
    report = result.report
    if result.problem:
        return f"no answer, exit {result.code}: {result.tail()}"
    verdict = report.get("verdict")
    found = sorted({f.get("kind") for f in report.get("findings", [])})
    ledger = sorted({f"{e.get('kind')} {e.get('text') or ''}".strip() for e in report.get("ledger", [])})
    said = f"{verdict} {' '.join(found)} [{'; '.join(ledger)}]"
    if result.code != NO_ERROR.get(verdict):
        return f"exit {result.code}, {said}"
    if verdict == "incomplete" and not ledger:
        return "incomplete without a ledger entry"
    ends = {"complete": verdict in ("complete", "nothing-explored") and not report.get("stopped"),
            "clean": not found and verdict != "suspected",
            "not-complete": verdict not in ("complete", "nothing-explored") and "nondet" not in found}
    if case.answer in ends:
        return None if ends[case.answer] else f"{case.answer}, got {said}"
    allowed = set(case.answer.split("+"))
    return None if found and set(found) <= allowed else f"{case.answer}, got {said}"


class Programs:
    """Builds each text once, whichever cases run it."""

    def __init__(self, treadle):
        self.treadle, self.lock, self.made = treadle, threading.Lock(), {}

    def build(self, case):
        """(program, what is wrong)"""
        key = (case.family, case.text, *case.cflags)
        with self.lock:
            mine = key not in self.made
            future = self.made.setdefault(key, concurrent.futures.Future())
        if mine:
            future.set_result(self.compile(case))
        return future.result()

    def compile(self, case):
        cxx = case.family.endswith(".cpp")
        program = os.path.join(self.treadle.dir, case.full.replace("/", "."))
        source = program + (".cpp" if cxx else ".c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(case.text)
        words = [self.treadle.path, "c++" if cxx else "cc", *harness.CFLAGS, "-w"]
        words += ["-std=c++20"] if cxx else ["-D_GNU_SOURCE"]
        done = self.treadle.call(words + case.cflags + [source, "-o", program, "-lm"], 300)
        return program, "" if done.code == 0 else "does not build: " + (done.err.strip() or "?").splitlines()[0]


def judge(programs, case):
    program, error = programs.build(case)
    if error:
        return error
    result = programs.treadle.run(program, case.args, ["--time=30s", "--quiet", harness.UNEXPLAINED] + case.options, 90)
    return wrong_answer(case, result)


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    each = next((int(w.split("=")[1]) for w in sys.argv if w.startswith("--each=")), 1)
    wanted = set(words[1:])
    chosen = []
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".cases"):
            cases = cases_of(os.path.join(FOLDER, name))
            chosen += [c for c in cases[::each] if not wanted or c.family in wanted or c.full in wanted]
    treadle, checks = harness.Treadle(words[0]), harness.Checks()
    programs = Programs(treadle)
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for case, wrong in zip(chosen, pool.map(lambda c: judge(programs, c), chosen)):
                checks.check(case.full, not wrong, wrong or "")
    finally:
        treadle.close()
    checks.finish()


if __name__ == "__main__":
    main()
