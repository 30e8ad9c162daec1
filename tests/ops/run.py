#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of operations (src/wire/ops.def) cannot be wrong unseen.

    tests/ops/run.py [TREADLE]

Of a copy of the table: a row that lacks a column, or has an empty one, must not compile; a row
with another value in one column must trip tests/unit/test_model.c. For each column, in two rows.
TREADLE is not needed. Exit: 0 fine, 1 not, 77 no compiler or no cmocka.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "src/wire/ops.def"
SOURCES = ["src/base/assert.c", "src/model/model.c", "tests/unit/test_model.c"]
# All that the test needs of the tool's own code beside.
REST = """
#include "trace/order.h"
bool trc_depends(const trc_op *op, const mdl_wanted *wanted)
{
    mdl_wanted done = {op->kind, op->size, op->object};
    return mdl_both_depend(&done, wanted);
}
"""
COLUMNS = ["text", "effect", "when", "object", "type", "does", "asked", "fails", "if", "looks",
           "drains", "learns", "leaves", "digest"]
# Another value for a column, by the one it has; else the first.
OTHERS = {"text": ['"lock"'], "effect": ["S", "E"], "when": ["O", "A"], "object": ["B", "A"],
          "type": ["FD", "COND"], "does": ["UP", "DOWN"], "asked": ["GET", "SET"],
          "fails": ["GET", "SET"], "if": ["OVER", "CLOSED"], "looks": ["Y", "N"],
          "drains": ["N", "Y"], "learns": ["A", "K"], "leaves": ["A", "K"], "digest": ["N", "Y"]}
ROWS = ["TRYLOCK", "FUTEX_AGAIN"]


def cells(row):
    return [cell.strip() for cell in row.split(",")]


def rows(text, kind):
    return re.search(rf"^OP\(({kind},[^)]*)\)", text, re.MULTILINE)


def changed(text, kind, column, value):
    """The table with another cell; None leaves it out."""
    match = rows(text, kind)
    row = cells(match[1])
    at = COLUMNS.index(column) + 1
    if value is None:
        del row[at]
    else:
        row[at] = value
    return text[:match.start(1)] + ", ".join(row) + text[match.end(1):]


def build(folder, text, how):
    """Compiles the tables and the test with another table; None, or what the compiler said."""
    (folder / "wire").mkdir()
    (folder / "wire/ops.def").write_text(text)
    (folder / "rest.c").write_text(REST)
    for header in (ROOT / "src/wire").glob("*.h"):
        shutil.copy(header, folder / "wire")
    command = os.environ.get("CC", "cc").split() + [
        "-std=gnu17", "-D_GNU_SOURCE", "-Werror=implicit", "-I", folder, "-I", ROOT / "src",
        folder / "rest.c"]
    command += [ROOT / source for source in SOURCES] + how
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr or "?" if done.returncode != 0 else None


def outcome(text, wanted):
    """"no compile", "fails" or "passes"."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        checks = wanted == "no compile"
        how = ["-fsyntax-only"] if checks else ["-o", folder / "test", "-lcmocka"]
        if build(folder, text, how):
            return "no compile"
        if checks:
            return "compiles"
        done = subprocess.run([folder / "test"], capture_output=True)
        return "passes" if done.returncode == 0 else "fails"


def cases(text):
    """(what, table, outcome that is wanted)"""
    yield "the table as it is", text, "passes"
    yield "a row less", text[:rows(text, "SET").start()] + text[rows(text, "SET").end():], "no compile"
    for kind in ROWS:
        row = cells(rows(text, kind)[1])
        for at, column in enumerate(COLUMNS, 1):
            value = next(v for v in OTHERS[column] if v != row[at])
            yield f"{kind}: {column} is {value}", changed(text, kind, column, value), "fails"
    for column in COLUMNS:
        yield f"no {column}", changed(text, ROWS[0], column, None), "no compile"
        yield f"{column} is empty", changed(text, ROWS[0], column, ""), "no compile"


def main():
    text = TABLE.read_text()
    with tempfile.TemporaryDirectory() as place:
        why = build(pathlib.Path(place), text, ["-fsyntax-only"])
    if why and "cmocka" in why:
        print("ops: no cmocka")
        return 77
    n_bad = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        work = [(what, wanted, pool.submit(outcome, table, wanted)) for what, table, wanted in cases(text)]
        for what, wanted, job in work:
            good = job.result() == wanted
            n_bad += not good
            if not good:
                print(f"FAIL  {what}: {job.result()}, not {wanted}")
    print(f"{len(work) - n_bad} passed, {n_bad} failed")
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
