#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The result as JSON is what docs/json-schema.json says.

Usage: schema.py TREADLE

Sessions that have every field at least once are compared with the schema, in which nothing else is
allowed here; then results with one field removed or of another type must be refused."""
import copy
import json
import os
import subprocess
import sys
import tempfile

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# source, options, arguments
SESSIONS = [
    ("tests/cxx/bug_deadlock.cpp", [], []),
    ("tests/cxx/bug_library_latch.cpp", ["-k"], []),
    ("examples/bank/bank.c", ["--sym-arg=1:u8", "--sym-arg=2:u8"], ["30", "50"]),
    ("examples/bank/bank_fixed.c", ["--sym-arg=1:u8", "--goal=branches"], ["30", "50"]),
    ("examples/counter/counter.c", ["-k"], []),
    ("examples/counter/counter.c", ["--goal=auto", "-k"], []),
    ("examples/cache/cache.c", ["-k", "--goal=traces"], []),
    ("examples/dining/dining.c", ["--preemptions=1"], []),
    ("examples/linear-stack/linear-stack.c", [], []),
    ("examples/order/order.c", ["--search=guided", "--runs=50", "-k"], []),
    ("tests/programs/endless_create.c", ["--depth=16"], []),
    ("tests/programs/mem_leak.c", ["--leaks", "-k", "--time=2s"], []),
    ("tests/programs/exit_always.c", [], []),
    ("tests/programs/exit_nonzero.c", [], []),
    ("examples/spinlock/spinlock_fixed.c", ["--model=rc11"], []),
]
# What these sessions need not have: a farm, a session that was resumed, a weaker model after the first.
ELSEWHERE = {"farm", "earlier_runs", "weaker", "k", "pairs", "large"}


def strict(schema):
    """Every object has the fields that are named, and no others."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema = {**schema, "additionalProperties": False}
        return {k: strict(v) for k, v in schema.items()}
    return [strict(v) for v in schema] if isinstance(schema, list) else schema


def fields(schema, found):
    """Names of all fields of a schema."""
    for name, value in schema.get("properties", {}).items():
        if name not in ELSEWHERE:
            found.add(name)
            fields(value, found)
    if "items" in schema:
        fields(schema["items"], found)
    return found


def names(value, found):
    """Names of all fields of a result."""
    if isinstance(value, dict):
        found.update(value)
        for v in value.values():
            names(v, found)
    elif isinstance(value, list):
        for v in value:
            names(v, found)
    return found


def session(treadle, folder, source, options, args):
    program = os.path.join(folder, "program")
    compiler = ["c++", "-std=c++20"] if source.endswith(".cpp") else ["cc"]
    subprocess.run([treadle, *compiler, "-w", "-g", "-O1", "-pthread", os.path.join(ROOT, source), "-o", program], check=True)
    path = os.path.join(folder, "result.json")
    done = subprocess.run([treadle, "run", "-q", "--no-known", f"--json={path}", f"--out={folder}/session", "--time=10s", *options, program, *args],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"{source}: exit {done.returncode}: {done.stderr}")
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def damaged(result):
    """Results that are none."""
    for name in ("verdict", "findings", "ledger", "digest", "left"):
        broken = copy.deepcopy(result)
        del broken[name]
        yield f"without {name}", broken
    for name, value in (("verdict", "fine"), ("runs", -1), ("runs", "1"), ("digest", "x"), ("findings", {}), ("new", 1)):
        yield f"{name} = {value}", {**copy.deepcopy(result), name: value}


def main():
    treadle = os.path.abspath(sys.argv[1])
    with open(os.path.join(ROOT, "docs", "json-schema.json"), encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(strict(schema))
    problems, seen = 0, set()
    result = {}
    for source, options, args in SESSIONS:
        with tempfile.TemporaryDirectory(prefix="schema-") as folder:
            result = session(treadle, folder, source, options, args)
        names(result, seen)
        for error in validator.iter_errors(result):
            problems += 1
            print(f"{source} {' '.join(options)}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
    for what, broken in damaged(result):
        if validator.is_valid(broken):
            problems += 1
            print(f"a result {what} is not refused")
    for name in sorted(fields(schema, set()) - seen):
        problems += 1
        print(f"no session has the field {name}")
    print(f"{len(SESSIONS)} results, {len(seen)} fields, {problems} problems")
    return 1 if problems else 0


sys.exit(main())
