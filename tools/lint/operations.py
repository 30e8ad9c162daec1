# SPDX-License-Identifier: Apache-2.0
"""docs/developers.md lists the places that name kinds of operations."""
import re

from common import ROOT, files, name

TABLE = ROOT / "src/wire/ops.def"
PAGE = ROOT / "docs/developers.md"
HEADING = "### Adding an operation"


def kinds():
    """The names of the table's rows."""
    return re.findall(r"^OP\((\w+),", TABLE.read_text(), re.MULTILINE)


def folder(path):
    return path.relative_to(ROOT / "src").parts[0]


def naming_files():
    """Files of src that name a kind, each with the first line that does."""
    pattern = re.compile(r"\bWIRE_(?:" + "|".join(kinds()) + r")\b")
    for path in files(["src"], "*.c", "*.h"):
        text = path.read_text()
        match = pattern.search(text)
        if match:
            yield path, text.count("\n", 0, match.start()) + 1


def section():
    """The part of the page under the heading, and its first line."""
    text = PAGE.read_text()
    start = text.find(HEADING)
    if start < 0:
        return "", 1
    end = re.compile(r"^#", re.MULTILINE).search(text, start + len(HEADING))
    return text[start:end.start() if end else len(text)], text.count("\n", 0, start) + 1


def check_page(problems, found):
    """The page names every file that names kinds, but for the functions of the threads library in
    the runtime, each of which makes its own; and nothing that is not there."""
    text, line = section()
    listed = re.findall(r"`((?:src|tests|docs|tools)/[\w./-]+)`", text)
    for path in listed:
        if not (ROOT / path).exists():
            problems.add(PAGE, line, f"no such file: {path}")
    for path, _ in found:
        if folder(path) != "runtime" and name(path) not in listed:
            problems.add(PAGE, line, f'"Adding an operation" does not name {name(path)}')
    if name(TABLE) not in listed:
        problems.add(PAGE, line, f'"Adding an operation" does not name {name(TABLE)}')


def check_rows(problems):
    """The runtime makes each kind, and the unit test has it."""
    runtime = "".join(p.read_text() for p in files(["src/runtime"], "*.c"))
    test = ROOT / "tests/unit/test_model.c"
    for kind in kinds():
        if not re.search(rf"\bWIRE_{kind}\b", runtime):
            problems.add(TABLE, 1, f"the runtime does not know {kind}")
        if not re.search(rf"\bWIRE_{kind}\b", test.read_text()):
            problems.add(test, 1, f"does not name {kind}")


def check(problems, build):
    found = list(naming_files())
    check_page(problems, found)
    check_rows(problems)
