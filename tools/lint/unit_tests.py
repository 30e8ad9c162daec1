# SPDX-License-Identifier: Apache-2.0
"""Every unit test has an assertion: its own, or that of a helper of its file that it calls."""
import re

from common import files

ASSERTS = re.compile(r"\b(?:assert_\w+|fail|fail_msg)\s*\(")
MACRO = re.compile(r"^#define (\w+)\(.*?\)((?:.*\\\n)*.*)", re.MULTILINE)
LISTED = re.compile(r"\b(?:cmocka_unit_test(?:_\w+)?|TEST|IN_TEMP)\((\w+)")
PARAMETERS = {"name", "f"}  # of the macros that list tests
SKIPPED = {"setup", "teardown"}  # what holds for every test shows nothing of one


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


def functions_of(path):
    """{name: (line, body)} of functions and macros."""
    text = path.read_text()
    lines = text.splitlines()
    found = {m[1]: (text.count("\n", 0, m.start()) + 1, m[2]) for m in MACRO.finditer(text)}
    plain = [re.sub(r"__attribute__\(\(\w+\)\) ", "", line) for line in lines]
    for start, body in bodies(lines):
        found[function_name(plain, start)] = (start, "\n".join(body))
    return found


def asserts(name, found, seen):
    if name in seen or name not in found or name in SKIPPED:
        return False
    seen.add(name)
    body = found[name][1]
    return bool(ASSERTS.search(body)) or any(asserts(word, found, seen) for word in re.findall(r"\b\w+\b", body))


def check(problems, build):
    helpers, n = {}, 0
    for path in files(["tests/unit"], "*.h", "sim.c", "naive.c"):
        helpers.update(functions_of(path))
    for path in files(["tests/unit"], "test_*.c"):
        found = {**helpers, **functions_of(path)}
        for test in sorted(set(LISTED.findall(path.read_text())) - PARAMETERS):
            n += 1
            if test not in found:
                problems.add(path, 1, f"{test} is listed, but not found")
            elif not asserts(test, found, set()):
                problems.add(path, found[test][0], f"{test} asserts nothing")
    print(f"{n} unit tests")
