# SPDX-License-Identifier: Apache-2.0
"""Who may include whom (layers.txt), homes of third-party headers, no include cycles."""
import pathlib
import re

from common import ROOT, files

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
IMPURE = re.compile(r"^(sys/|unistd\.h|time\.h|fcntl\.h|spawn\.h|signal\.h|pthread\.h)")


def read_rules(problems):
    allowed, homes, pure, never = {}, {}, set(), {}
    path = ROOT / "layers.txt"
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "home":
            homes[words[1]] = words[2]
        elif words[0] == "pure":
            pure.update(words[1:])
        elif words[0] == "never":
            never[words[1]] = words[2:]
            check_never(path, number, words[2:], problems)
        else:
            for lower in words[1:]:
                if lower not in allowed:
                    problems.add(path, number, f"{lower} does not stand below {words[0]}")
            allowed[words[0].rstrip(":")] = set(words[1:])
    return allowed, homes, pure, never


def check_never(path, number, targets, problems):
    """A name that is no file or folder would forbid nothing."""
    for target in targets:
        if not (ROOT / "src" / target).exists():
            problems.add(path, number, f"there is no src/{target}")


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1] == '"', match[2]


def may_include(allowed, here, there):
    """Folders below src. A rule that names a folder means its subfolders too, but not those beside a
    subfolder that names its parent."""
    tops = {there, *there.parents} - set(here.parents) | {there}
    return here == there or bool({str(top) for top in tops} & allowed[str(here)])


def check_file(path, rules, problems):
    """Returns the files of ours that path includes."""
    allowed, homes, pure, never = rules
    here = path.relative_to(ROOT / "src").parent
    folder = here.parts[0]
    if str(here) not in allowed:
        problems.add(path, 1, f"folder {here} is not in layers.txt")
        return []
    ours = []
    for number, quoted, target in includes(path):
        top = target.split("/")[0]
        if (ROOT / "src" / target).is_file():
            ours.append((number, ROOT / "src" / target))
            if not may_include(allowed, here, pathlib.PurePath(target).parent):
                problems.add(path, number, f"{here} may not include {target}")
            if any(f"{target}/".startswith(f"{other}/") for other in never.get(folder, ())):
                problems.add(path, number, f"{folder} is never to include {target}")
        elif quoted:
            problems.add(path, number, f"no such file below src: {target}")
        elif homes.get(top, folder) != folder:
            problems.add(path, number, f"the home of <{target}> is {homes[top]}")
        elif folder in pure and IMPURE.match(target):
            problems.add(path, number, f"{folder} is pure and may not include <{target}>")
    return ours


def check_cycles(graph, problems):
    state = {}

    def visit(path):
        state[path] = "open"
        for number, target in graph.get(path, []):
            if state.get(target) == "open":
                problems.add(path, number, "include cycle")
            elif target not in state:
                visit(target)
        state[path] = "done"

    for path in graph:
        if path not in state:
            visit(path)


def check(problems, build):
    rules = read_rules(problems)
    sources = files(["src"], "*.c", "*.h", "*.S")
    check_cycles({path: check_file(path, rules, problems) for path in sources}, problems)
