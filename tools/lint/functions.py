# SPDX-License-Identifier: Apache-2.0
"""Length of functions. In our format a body stands between braces in the first column."""
import re

from common import files

WARN, FAIL = 40, 70
EXCUSE = "/* long: "


def bodies(lines):
    """(line of the opening brace, lines between the braces) of each function."""
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield start, lines[start:number - 1]
            start = None


def function_name(lines, start):
    """The word before the first parenthesis of the lines above the brace."""
    first = start - 2
    while first > 0 and re.match(r"\s", lines[first]):
        first -= 1
    match = re.search(r"(\w+)\s*\(", " ".join(lines[first:start - 1]))
    return match[1] if match else "?"


def check(problems, build):
    for path in files(["src"], "*.c", "*.h"):
        lines = path.read_text().splitlines()
        for start, body in bodies(lines):
            if len(body) <= WARN or any(EXCUSE in line for line in body):
                continue
            text = f"{function_name(lines, start)} has {len(body)} lines"
            report = problems.add if len(body) > FAIL else problems.warn
            report(path, start, text)
