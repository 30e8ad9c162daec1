#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What docs/limits.md promises is still there: options, exit statuses, fields of --json.

Usage: promises.py TREADLE

options.txt and fields.txt are what 1.0 has. Lines may be added; one that is taken away breaks scripts of users."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STATUSES = {0: "no bug found, and everything was covered (COMPLETE)", 1: "bug found, or recorded failure reproduced",
            2: "usage error, or the program cannot be run", 3: "no bug found, but not everything was covered",
            4: "recorded failure not reproduced", 70: "internal error"}


def lines(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [line.split() for line in f if line.strip()]


def fields(schema, prefix, found):
    for name, value in schema.get("properties", {}).items():
        kind = value.get("type", "any")
        found[prefix + name] = kind if isinstance(kind, str) else "|".join(kind)
        fields(value, prefix + name + ".", found)
        if "items" in value:
            fields(value["items"], prefix + name + "[].", found)
    return found


def main():
    treadle = os.path.abspath(sys.argv[1])

    def call(*words, cwd=None):
        done = subprocess.run([treadle, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd,
                              timeout=60, check=False)
        return done.returncode, done.stdout

    helps = {}
    for command, option in lines("options.txt"):
        if command not in helps:
            helps[command] = call(command, "--help-all")[1]
        assert re.search(rf"(?m)^ +(-\w, )?{option}(?![a-z0-9-])", helps[command]), f"treadle {command} has no {option}"
    short = call("run", "--help")[1]
    assert 1 <= len(re.findall(r"(?m)^ +(?:-\w, )?--[a-z]", short)) <= 15, "the help of run is for beginners"
    assert "--help-all" in short and "Searches:" not in short and "Searches:" in helps["run"]
    for number, text in STATUSES.items():
        assert re.search(rf"(?m)^  {number} +{re.escape(text)}$", helps["run"]), f"exit status {number}"
    with open(f"{ROOT}/docs/json-schema.json", encoding="utf-8") as f:
        there = fields(json.load(f), "", {})
    for name, kind in lines("fields.txt"):
        assert there.get(name) == kind, f"the field {name} was {kind}, is {there.get(name)}"
    # Statuses as they are met.
    with tempfile.TemporaryDirectory(prefix="promises-") as folder:
        for name, body in (("good", "return 0;"), ("bad", "__builtin_trap();"), ("alone", "return 0;")):
            thread = "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);" if name == "good" else ""
            with open(f"{folder}/{name}.c", "w", encoding="utf-8") as f:
                f.write("#include <pthread.h>\nvoid *f(void *a) { return a; }\n")
                f.write(f"int main(void) {{ {thread} {body} }}\n")
            assert call("cc", "-pthread", f"{name}.c", "-o", name, cwd=folder)[0] == 0
        for wanted, words in ((0, ["run", "./good"]), (3, ["run", "./alone"]), (1, ["run", "--out=s", "./bad"]), (2, ["run", "--nothing", "./good"]),
                              (2, ["run", "./missing"]), (2, ["replay", "missing.treadle"])):
            code, text = call(*words, cwd=folder)
            assert code == wanted, f"{words}: {code}, not {wanted}\n{text}"
        recording = [n for n in os.listdir(f"{folder}/s") if n.endswith(".treadle")][0]
        assert call("replay", f"s/{recording}", cwd=folder)[0] == 1
        code, text = call("replay", "--program=./good", f"s/{recording}", cwd=folder)
        assert code == 4, text
    print("ok")


main()
