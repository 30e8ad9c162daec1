# SPDX-License-Identifier: Apache-2.0
"""What the checks share: the files of the tree and how a problem is printed."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
C_FOLDERS = ["src", "include", "tests", "examples", "bench"]


class Skip(Exception):
    """The check cannot be made here; its text says why."""


def files(folders, *patterns):
    """Sorted files below the folders whose names match one of the patterns."""
    found = set()
    for folder in folders:
        for pattern in patterns:
            found.update(p for p in (ROOT / folder).rglob(pattern) if p.is_file())
    return sorted(p for p in found if "treadle-out" not in p.parts)


def name(path):
    """The path as people type it."""
    return str(path.relative_to(ROOT))


class Problems:
    """Counts and prints what a check finds."""

    def __init__(self):
        self.count = 0

    def add(self, path, line, text):
        print(f"{name(path)}:{line}: {text}")
        self.count += 1

    def warn(self, path, line, text):
        print(f"{name(path)}:{line}: warning: {text}", file=sys.stderr)
