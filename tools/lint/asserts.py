# SPDX-License-Identifier: Apache-2.0
"""How many asserts a folder has for its size. Those of one file are worth little if they are many:
the number only shows where nobody wrote down what must hold."""
import re

from common import ROOT, files
from cycles import DEBTS, debts

ASSERT = re.compile(r"\b(?:(?:TD|RT)_(?:D?ASSERT|AUDIT)|static_assert)\(")
DEFINED = re.compile(r"^#\s*define\b.*$", re.MULTILINE)
DENSE = {"unfold", "explore", "trace", "session", "runtime/core"}
MOST, LEAST = 15, 8  # per 1,000 lines: in those, elsewhere
# Compiled by treadle cc, as a part of the program under test: it has no assert to call.
EXEMPT = {"runtime/libc", "runtime/cxx"}


def room(path):
    """The folder of src/ that a file counts for: the subfolders of the runtime are rooms of their own."""
    parts = path.relative_to(ROOT / "src").parts
    return "/".join(parts[:2]) if parts[0] == "runtime" else parts[0]


def table():
    """{folder: [lines, asserts]}."""
    found = {}
    for path in files(["src"], "*.c", "*.h"):
        text = path.read_text()
        row = found.setdefault(room(path), [0, 0])
        row[0] += text.count("\n")
        row[1] += len(ASSERT.findall(DEFINED.sub("", text)))
    return found


def wanted(folder, n_lines):
    return -(-n_lines * (MOST if folder in DENSE else LEAST) // 1000)


def check(problems, build):
    owed = {where: int(words[0]) for where, words in debts("asserts").items()}
    print(f"{'asserts':18} lines  seen wanted  per 1,000")
    for where, (n_lines, n) in sorted(table().items()):
        least = 0 if where in EXEMPT else wanted(where, n_lines)
        print(f"{where:18} {n_lines:5} {n:5} {least:6} {1000 * n / n_lines:10.1f}")
        if n < min(least, owed.get(where, least)):
            problems.add(ROOT / "src" / where, 1, f"{n} asserts in {n_lines} lines, {least} are wanted")
        if where in owed and n >= least:
            problems.add(DEBTS, 1, f"asserts {where}: there are enough now")
