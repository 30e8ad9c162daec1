# SPDX-License-Identifier: Apache-2.0
"""Every kind of ledger entry has a next step in src/detect/gap_kinds.c and a row in docs/faq.md."""
import re

from common import ROOT, files, name

TABLE = ROOT / "src/detect/gap_kinds.c"
PAGE = ROOT / "docs/faq.md"
GAPS = "#define WIRE_GAPS(X)"
# Where sources name a kind: a call that adds an entry, a row of a search's gaps, the table of the runtime's gaps.
NAMED = [
    ("src", r'\b(?:det_ledger_add|det_ledger_add_many|add_at|bound)\([^";]*?"([a-z ,]+)"'),
    ("src/explore", r'^\s*\{"([a-z ]+)",\s*\n?\s*"'),
    ("src/wire", r'^    X\([A-Z]+, "([a-z ,]+)"\)\s*(?:/\*.*\*/)?\s*\\?$'),
]


def table():
    """Kinds, and what their next step is."""
    text = TABLE.read_text()
    rows = re.findall(r'\{("[^"]+"|DET_\w+), (\w+),\s*"([^"]*)"\}', text)
    header = (ROOT / "src/detect/detect.h").read_text()
    names = {macro: kind for macro, kind in re.findall(r'#define (DET_\w+) ("[^"]+")', header)}
    return {names.get(kind, kind).strip('"'): (effect, step) for kind, effect, step in rows}


def named():
    """Kinds that sources name, with the place."""
    for folder, pattern in NAMED:
        for path in files([folder], "*.c", "*.h"):
            text = path.read_text()
            start = text.find(GAPS) if folder == "src/wire" else 0
            end = text.find("\n\n", start) if folder == "src/wire" else len(text)
            for match in re.compile(pattern, re.MULTILINE).finditer(text, start, end) if start >= 0 else ():
                yield match.group(1), path, text.count("\n", 0, match.start()) + 1


def check(problems, _build):
    known = table()
    rows = " ".join(re.findall(r"^\| (`[^|]*`) \|", PAGE.read_text(), re.MULTILINE))
    found = set()
    for kind, path, line in named():
        found.add(kind)
        if kind not in known:
            problems.add(path, line, f"the ledger kind '{kind}' is not in {name(TABLE)}")
    if len(found) < 30:
        problems.add(TABLE, 1, f"only {len(found)} of the kinds were found in the sources")
    for kind, (effect, step) in known.items():
        if effect in ("GAP", "LIMIT") and not step:
            problems.add(TABLE, 1, f"'{kind}' has no next step")
        if f"`{kind}`" not in rows:
            problems.add(PAGE, 1, f"the table of 'INCOMPLETE, what now?' has no row for '{kind}'")
