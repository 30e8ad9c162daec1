#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The task of docs/editors.md, run as an editor would: its problem matcher finds the bug and its place.

Usage: editors.py TREADLE
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    with open(f"{ROOT}/docs/editors.md", encoding="utf-8") as f:
        page = f.read()
    block = re.search(r"```json file=\.vscode/tasks\.json\n(.*?)```", page, re.S)[1]
    task = json.loads(block)["tasks"][0]
    matcher = task["problemMatcher"]["pattern"]
    with tempfile.TemporaryDirectory(prefix="editors-") as folder:
        shutil.copy(f"{ROOT}/examples/bank/bank.c", folder)
        env = {**os.environ, "PATH": os.path.dirname(os.path.abspath(sys.argv[1])) + ":" + os.environ["PATH"]}
        done = subprocess.run(task["command"], shell=True, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        found = [m for m in map(re.compile(matcher["regexp"]).match, done.stdout.split("\n")) if m]
        places = [(m[matcher["file"]], int(m[matcher["line"]]), m[matcher["severity"]]) for m in found]
        wanted = [("bank.c", 41, "error")]
        assert places == wanted and os.path.exists(os.path.join(folder, places[0][0])), (places, done.stdout)
        assert "assertion 'balance >= 0' failed" in found[0][matcher["message"]], found[0]
    print("ok")


main()
