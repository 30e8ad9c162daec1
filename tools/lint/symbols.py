# SPDX-License-Identifier: Apache-2.0
"""Symbols of the built libraries: no mutable globals in the tool, and the runtime exports
exactly what runtime-symbols.txt lists."""
import re
import subprocess

from common import ROOT, Skip

LIST = ROOT / "tools/lint/runtime-symbols.txt"
MUTABLE = re.compile(r"^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)")
CONSTANT = re.compile(r"^\.data\.rel\.ro")

# Mutable globals that have a reason to be there: "library: symbol".
ALLOWED = {"libbase: td_memory"}  # the allocator has no context


def libraries(build):
    found = sorted((build / "src").rglob("*.a")) if build else []
    if not found:
        raise Skip("nothing is built yet")
    return found


def is_runtime(library, build):
    return library.relative_to(build / "src").parts[0] == "runtime"


def table(library):
    """(section, name) of each variable in the library. objdump marks objects with an O, but
    not those of a thread."""
    done = subprocess.run(["objdump", "-t", str(library)], capture_output=True, text=True,
                          check=True)
    for line in done.stdout.splitlines():
        match = re.match(r"[0-9a-f]{16} (.{7}) (\S+)\s+[0-9a-f]+ (?:\.\w+ )?(\S+)$", line)
        if not match:
            continue
        flags, section, symbol = match.groups()
        if flags[6] == "O" or (section.startswith(".t") and flags[5:] == "  "):
            yield section, symbol


def check_globals(problems, build):
    for library in libraries(build):
        if is_runtime(library, build):
            continue
        for section, symbol in table(library):
            is_mutable = MUTABLE.match(section) and not CONSTANT.match(section)
            if is_mutable and f"{library.stem}: {symbol}" not in ALLOWED:
                print(f"{library.name}: {symbol} is a mutable global ({section})")
                problems.count += 1


def exported(library):
    done = subprocess.run(["nm", "-g", "--defined-only", "-P", str(library)],
                          capture_output=True, text=True, check=True)
    found, is_template = set(), False
    for words in map(str.split, done.stdout.splitlines()):
        if len(words) == 1:  # "library[object]:"
            is_template = "[cxx-streams_" in words[0]
        elif len(words) >= 2 and not (is_template and words[1] in "WVu"):
            found.add(words[0])  # instances of the library's templates have its names
    return found


def hidden(library):
    """Hidden symbols stay inside the runtime: they are not its interface."""
    done = subprocess.run(["objdump", "-t", str(library)], capture_output=True, text=True,
                          check=True)
    return set(re.findall(r"\.hidden (\S+)$", done.stdout, re.M))


def check_runtime(problems, build):
    if not LIST.exists():
        raise Skip("tools/lint/runtime-symbols.txt is not there yet")
    runtime = [p for p in libraries(build) if is_runtime(p, build)]
    if not runtime:
        raise Skip("the runtime is not built yet")
    lines = [line.split("#")[0].strip() for line in LIST.read_text().splitlines()]
    listed = {line for line in lines if line}
    have = set().union(*(exported(p) - hidden(p) for p in runtime))
    for symbol in sorted(have - listed):
        problems.add(LIST, 1, f"the runtime exports {symbol}, which is not listed")
    for symbol in sorted(listed - have):
        problems.add(LIST, 1, f"the runtime does not export {symbol}")
