# SPDX-License-Identifier: Apache-2.0
"""Files of one folder of src/ that call each other in a circle, from the symbols of the build; names of
files that repeat. debts.txt has what is still allowed: it only shrinks."""
import collections
import re
import subprocess

from common import ROOT, files
from symbols import libraries

DEBTS = ROOT / "tools/lint/debts.txt"


def debts(kind):
    """{what: words behind it} of one kind of line in debts.txt."""
    lines = [line.split("#")[0].split() for line in DEBTS.read_text().splitlines()]
    return {words[1]: words[2:] for words in lines if words and words[0] == kind}


def symbols(objects):
    """{object: (defined, wanted)} of object files, by names that other files can see."""
    found = {}
    done = subprocess.run(["nm", "-A", "-P", *map(str, objects)], capture_output=True, text=True,
                          check=True)
    for line in done.stdout.splitlines():
        path, name, kind, *_ = re.sub(r": ", " ", line, count=1).split()
        defined, wanted = found.setdefault(path, (set(), set()))
        if kind in "Uwv":
            wanted.add(name)
        elif kind.isupper():
            defined.add(name)
    return found


def source_of(path):
    """The file that meson compiled: src/unfold/libunfold.a.p/event.c.o, or .../posix_mutex.c.o of
    a subfolder."""
    return path.rsplit("/", 1)[1][:-2]


def circles(graph):
    """Strongly connected components with more than one node, by Tarjan's algorithm."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in order:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == order[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return found


def calls(library):
    """({file: files it calls}, {(file, file): names}) of a library."""
    objects = sorted(library.parent.glob(library.name + ".p/*.o"))
    found = symbols(objects) if objects else {}
    home = {name: source_of(path) for path, (defined, _) in found.items() for name in defined}
    graph, why = {}, collections.defaultdict(set)
    for path, (_, wanted) in found.items():
        here = source_of(path)
        graph[here] = {home[name] for name in wanted if name in home} - {here}
        for name in wanted & home.keys():
            why[here, home[name]].add(name)
    return graph, why


def check(problems, build):
    most = {folder: int(words[0]) for folder, words in debts("circle").items()}
    largest = collections.Counter()
    for library in libraries(build):
        folder = library.relative_to(build / "src").parts[0]
        graph, why = calls(library)
        for circle in circles(graph):
            largest[folder] = max(largest[folder], len(circle))
            if len(circle) <= most.get(folder, 0):
                continue
            print(f"{folder}: {len(circle)} files call each other in a circle:")
            for a in circle:
                for b in sorted(graph[a] & set(circle)):
                    names = sorted(why[a, b])
                    print(f"    {a} -> {b}: {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}")
            problems.count += 1
    for folder, n in most.items():
        if largest[folder] < n:
            problems.add(DEBTS, 1, f"{folder}: at most {largest[folder]} files are in a circle now")


def check_files(problems, build):
    names, repeated = collections.defaultdict(list), debts("name")
    for path in files(["src"], "*.c", "*.h", "*.S"):
        names[path.name].append(path)
    for name, paths in sorted(names.items()):
        owed = repeated.pop(name, None) is not None
        if len(paths) == 1 and owed:
            problems.add(DEBTS, 1, f"{name} stands for one file now")
        if len(paths) > 1 and not owed:
            where = ", ".join(str(p.parent.relative_to(ROOT / "src")) for p in paths)
            problems.add(paths[0], 1, f"{name} is the name of {len(paths)} files: {where}")
    for what in repeated:
        problems.add(DEBTS, 1, f"{what} is not there any more")
