#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ids of findings, traces and digests do not depend on lines of the C++ library: programs are built once with its headers and
once with a copy of them in which every line has moved. Findings and runs are also those of a program that is built in two steps.

Usage: headers.py TREADLE [PROGRAM...]"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOME = ["bug_deadlock", "bug_map", "bug_use_after_delete", "bug_last_call", "mutex_guard"]
MOVED = 7  # lines


def folders_of(treadle):
    """Where the headers are, in the order of the search."""
    done = subprocess.run([treadle, "c++", "-v", "-fsyntax-only", "-x", "c++", "/dev/null"], capture_output=True, text=True,
                          check=True)
    listed = done.stderr.split("search starts here:")[-1].split("End of search")[0].split()
    return [os.path.realpath(d) for d in listed if re.search(r"/c\+\+/", d) and os.path.isdir(d)]


def move(source, target):
    """A copy in which each file begins with empty lines."""
    shutil.copytree(source, target, symlinks=False)
    for folder, _, names in os.walk(target):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                text = f.read()
            with open(path, "wb") as f:
                f.write(b"\n" * MOVED + text)


def build(treadle, words):
    done = subprocess.run([treadle, "c++", *words], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def result(treadle, folder, name, flags, by_object=False):
    program = os.path.join(folder, name)
    words = ["-std=c++20", "-g", "-O1", "-pthread", *flags, os.path.join(HERE, name + ".cpp"), "-o"]
    if by_object:
        build(treadle, words + [program + ".o", "-c"])
        build(treadle, ["-pthread", program + ".o", "-o", program])
    else:
        build(treadle, words + [program])
    subprocess.run([treadle, "run", "--quiet", "-k", "--no-known", "--time=60s", f"--out={program}.out", f"--json={program}.json",
                    program], capture_output=True, timeout=120, check=False)
    with open(program + ".json", encoding="utf-8") as f:
        session = json.load(f)
    return session, session["verdict"], sorted(f["id"] for f in session["findings"]), session["runs"], session.get("digest")


def main():
    treadle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="headers-") as top:
        flags = ["-nostdinc++"]
        for i, source in enumerate(folders_of(treadle)):
            target = f"{top}/{i}/include/c++/moved"
            if not any(source.startswith(before + "/") for before in folders_of(treadle)[:i]):
                move(source, target)
            else:
                parent = next(n for n, d in enumerate(folders_of(treadle)) if source.startswith(d + "/"))
                target = f"{top}/{parent}/include/c++/moved" + source[len(folders_of(treadle)[parent]):]
            flags += ["-isystem", target]
        n_formerly = 0
        for name in sys.argv[2:] or SOME:
            session, *plain = result(treadle, top, name, [])
            moved_session, *moved = result(treadle, top, name, flags)
            assert plain == moved, f"{name}: {plain} is {moved} with moved lines"
            _, *object_plain = result(treadle, top, name, [], by_object=True)
            assert plain[:-1] == object_plain[:-1], f"{name}: {plain} is {object_plain} as an object"
            both = zip(session["findings"], moved_session["findings"])
            n_formerly += sum("formerly" in a and a["formerly"] != b.get("formerly") for a, b in both)
            print("ok", name, *plain)
        # Else the copy was not used, and nothing was shown.
        assert n_formerly > 0, "no finding has a place in a header that moved"


main()
