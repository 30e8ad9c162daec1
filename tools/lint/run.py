#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what a script can check about the source.

    tools/lint/run.py [--build DIR] [CHECK...]     all checks if none is named

Exit: 0 fine, 1 problems, 2 usage, 77 the one check named cannot be made here.
"""
import argparse
import pathlib
import sys

sys.dont_write_bytecode = True
import comments
import cycles
import headers
import layers
import ledger
import operations
import phrases
import style
import symbols
import unit_tests
from common import Problems, Skip

CHECKS = {
    "layers": layers.check,
    "headers": headers.check,
    "format": style.check_format,
    "spdx": style.check_spdx,
    "words": style.check_words,
    "phrases": phrases.check,
    "comments": comments.check,
    "compilers": style.check_compilers,
    "readmes": style.check_readmes,
    "operations": operations.check,
    "ledger": ledger.check,
    "cycles": cycles.check,
    "files": cycles.check_files,
    "tests": unit_tests.check,
    "globals": symbols.check_globals,
    "symbols": symbols.check_runtime,
}


def run(check, build):
    """0 fine, 1 problems, 77 skipped."""
    problems = Problems()
    try:
        CHECKS[check](problems, build)
    except Skip as reason:
        print(f"lint {check}: skipped: {reason}")
        return 77
    print(f"lint {check}: " + (f"{problems.count} problems" if problems.count else "ok"))
    return 1 if problems.count else 0


def main():
    parser = argparse.ArgumentParser(description="Checks the source of treadle.")
    parser.add_argument("--build", type=pathlib.Path, help="build directory")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(CHECKS))
    options = parser.parse_args()
    unknown = [check for check in options.checks if check not in CHECKS]
    if unknown:
        parser.error(f"no such check: {unknown[0]}")
    results = [run(check, options.build) for check in options.checks or CHECKS]
    if 1 in results:
        return 1
    return 77 if results == [77] else 0


if __name__ == "__main__":
    sys.exit(main())
