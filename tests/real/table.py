# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/real-programs.md: rows of the subjects that were run are renewed, others stay.

A block stands between <!-- NAME --> and <!-- end NAME -->; its rows begin with the name of a subject."""
import datetime
import os
import re
import subprocess

import subject as subjects

PAGE = os.path.join(subjects.ROOT, "docs", "real-programs.md")
PLAIN_FAILURES = 20    # enough to know how often; each hang costs its time limit
PLAIN_S = 10           # a plain run that takes longer hangs
SAMPLES = ("random", "pct", "pos", "surw", "guided")    # searches that have no goal


# A shell starts processes faster than Python does.
LOOP = """i=0; f=0
while [ $i -lt {runs} ] && [ $f -lt {failures} ]; do
    timeout -s KILL {seconds} "$@" >/dev/null 2>&1 </dev/null || f=$((f + 1))
    i=$((i + 1))
done
echo $f $i"""


def plain_runs(command, subject, n_runs):
    """(failures, runs) without treadle: a status that is not 0, a signal, no end in time."""
    cpus = 1 if subject.alone == "yes" else os.cpu_count()
    text = LOOP.format(runs=n_runs // cpus, failures=PLAIN_FAILURES // cpus,
                       seconds=subject.plain or PLAIN_S)
    loops = [subprocess.Popen(["sh", "-c", text, "sh"] + command, cwd=os.path.dirname(command[0]),
                              stdout=subprocess.PIPE, text=True) for _ in range(cpus)]
    try:
        told = [[int(n) for n in loop.communicate()[0].split()] for loop in loops]
    finally:
        for loop in loops:
            loop.kill()
    return sum(f for f, _ in told), sum(n for _, n in told)


def _block(text, name):
    """(before, rows, after) of a block."""
    m = re.search(rf"(?s)(.*<!-- {name} -->\n)(.*?)(<!-- end {name} -->.*)", text)
    return m.group(1), m.group(2).splitlines(), m.group(3)


def _replace(text, name, subject, fresh):
    """The text with the rows of a subject in a block renewed, in order of subjects."""
    before, lines, after = _block(text, name)
    head, rows = lines[:2], lines[2:]
    rows = [r for r in rows if not r.startswith(f"| {subject} |")] + fresh
    return before + "\n".join(head + sorted(rows)) + "\n" + after


def _bug_text(report):
    parts = [f"{f['kind']} {os.path.basename(f['file'])}:{f['line']}" for f in report["findings"]]
    return ", ".join(parts)


def _pct_text(report):
    if report["findings"]:
        return f"run {min(f['run'] for f in report['findings']):,}"
    return f"none in {report['runs']:,}"


def _row(subject, report, seconds, compared):
    (failed, plain), pct = compared
    bug = report["verdict"] == "bug"
    runs = report["findings"][0]["run"] if bug else report["runs"]
    how = report["search"] if report["search"] in SAMPLES else report["goal"]
    how += f", {report['model']}" if report["search"] == "graphs" else ""
    cells = [subject.name, f"{subject.package} {subject.version[:12]}", how,
             report["verdict"].upper() + (": " + _bug_text(report) if bug else ""),
             f"{runs:,}", f"{seconds if bug else report['seconds']:.1f}", f"{failed} of {plain:,}",
             _pct_text(pct), str(datetime.date.today())]
    return "| " + " | ".join(cells) + " |"


def _ledger_rows(subject, report):
    rows = []
    for line in report["ledger"]:
        where = f"{os.path.basename(line['file'])}:{line['line']}" if line["file"] else ""
        cells = [subject.name, line["kind"], where, line["text"].replace("|", "\\|"), str(line["count"])]
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def _reasons(text):
    """The ten kinds of ledger lines that most subjects have."""
    seen = {}
    for row in _block(text, "ledger")[1][2:]:
        cells = [c.strip() for c in row.split(" | ")]
        seen.setdefault(cells[1], set()).add(cells[0].lstrip("| "))
    ranked = sorted(seen.items(), key=lambda item: (-len(item[1]), item[0]))[:10]
    return [f"| {kind} | {len(who)} | {', '.join(sorted(who))} |" for kind, who in ranked]


def renew(subject, result, seconds, compared):
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    report = result.report
    text = _replace(text, "rows", subject.name, [_row(subject, report, seconds, compared)])
    text = _replace(text, "ledger", subject.name, _ledger_rows(subject, report))
    before, lines, after = _block(text, "reasons")
    text = before + "\n".join(lines[:2] + _reasons(text)) + "\n" + after
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)


def renew_suite(name, rows):
    """The rows of a project's own tests."""
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(_replace(text, "suites", name, rows))
