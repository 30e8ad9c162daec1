#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every function of the threads headers must be in a table of docs/semantics.md, and be what it says.

Usage: run.py TREADLE [CC]

The functions of pthread.h, semaphore.h and threads.h are read from the preprocessed headers, those of
stdatomic.h from its macros. A row is `| `name` ... | modelled, limits or refused | ... |`. What is modelled
or has limits is replaced or passed through (src/wire/api.h), or compiled by us; what is refused is refused
there. `treadle doctor` must name the same functions as refused."""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = ("pthread.h", "semaphore.h", "threads.h")
STATUSES = ("modelled", "limits", "refused")
# Declared for the library's own macros, and never called by name.
INTERNAL = re.compile(r"__.*")


def preprocess(cc, header, *options):
    source = f"#define _GNU_SOURCE 1\n#include <{header}>\n"
    done = subprocess.run([cc, "-E", "-x", "c", *options, "-"], input=source, text=True,
                          capture_output=True, check=True)
    return done.stdout


def own_lines(text, header):
    """The lines that stem from the header itself."""
    lines, own = [], False
    for line in text.split("\n"):
        m = re.match(r'# \d+ "([^"]*)"', line)
        if m:
            own = os.path.basename(m.group(1)) == header
        elif own:
            lines.append(line)
    return "\n".join(lines)


def functions(cc, header):
    text = own_lines(preprocess(cc, header), header)
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    text = re.sub(r"\{[^{}]*\}", ";", text)
    names = set()
    for declaration in text.split(";"):
        if "typedef" in declaration:
            continue
        m = re.search(r"(\w+)\s*\((?!\*)", declaration)
        if m and not INTERNAL.fullmatch(m.group(1)):
            names.add(m.group(1))
    return names


def atomics(cc):
    text = preprocess(cc, "stdatomic.h", "-dM")
    names = re.findall(r"#define (atomic_\w+)", text)
    return {n for n in names if not n.startswith("atomic_is_lock_free_")} - {"atomic_var_init"}


def table():
    rows = {}
    with open(os.path.join(ROOT, "docs", "semantics.md"), encoding="utf-8") as f:
        for line in f:
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if not line.startswith("| `") or len(cells) < 2 or cells[1] not in STATUSES:
                continue
            for name in re.findall(r"`(\w+)`", cells[0]):
                rows[name] = cells[1]
    return rows


def lists():
    """Names by list of wire/api.h."""
    with open(os.path.join(ROOT, "src", "wire", "api.h"), encoding="utf-8") as f:
        text = f.read()
    found = {}
    for m in re.finditer(r"#define (WIRE_\w+)\(X\)((?:.*\\\n)*.*)", text):
        found[m.group(1)] = set(re.findall(r"X\((\w+)", m.group(2)))
    return found


def check(cc):
    rows, names, api = table(), {}, lists()
    for header in HEADERS:
        names[header] = functions(cc, header)
    names["stdatomic.h"] = atomics(cc)
    wrong = []
    for header, all_names in names.items():
        if len(all_names) < 10:
            wrong.append(f"{header}: only {len(all_names)} functions were found")
        wrong += [f"{header}: {n} is in no table" for n in sorted(all_names - set(rows))]
    replaced = set().union(*(v for k, v in api.items() if k not in ("WIRE_REFUSED", "WIRE_TAINTING")))
    for name, status in sorted(rows.items()):
        is_refused = name in api["WIRE_REFUSED"]
        if status == "refused" and name in replaced:
            wrong.append(f"{name} is called refused, but is not")
        if status != "refused" and is_refused:
            wrong.append(f"{name} is called {status}, but is refused")
        if status != "refused" and not name.startswith("atomic_") and name not in replaced | api["WIRE_TAINTING"]:
            wrong.append(f"{name} is called {status}, but wire/api.h does not know it")
    total = sum(len(v) for v in names.values())
    return total, wrong


def main(argv):
    cc = argv[2] if len(argv) > 2 else "clang-19"
    total, wrong = check(cc)
    for line in wrong:
        print(line)
    print(f"{total} functions, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
