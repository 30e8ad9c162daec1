#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the pages without running anything: links, what the site has, names.

Usage: pages.py [TREADLE]        (the argument is not used: every test gets it)

links      a link leads to a file of the repository, and its anchor to a heading of that page
reach      every page of docs can be reached from docs/index.md and from README.md by links
nav        mkdocs.yml lists every page of docs, each once
names      every file and function that docs/papers.md names exists: `path/file.c`, and behind it `function()`
kinds      docs/findings.md has a section for each kind of finding in src/detect/detect.h, and no other
mentions   a page of docs that names another one (`loops.md`) links it

Exit: 0 if nothing is wrong."""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = re.compile(r"!?\[(?:[^\]\\]|\\.)*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
HEADING = re.compile(r"^#{1,6} +(.*?) *$")
FUNCTION = re.compile(r"^(\w+)\(\)$")
PATH = re.compile(r"^(?:src|tests|bench|docs|tools|examples|man|include|cmake)/[\w./-]+$")
# The first line of a definition, or of a declaration in a header.
DEFINED = r"^(?!\s|#|/|.*;\s*$)[^=\n]*\b{0}\(|^(?:\w+ )*\*?{0}\($|^[\w *]+\b{0}\(.*;"


def pages():
    found = [os.path.join(ROOT, n) for n in ("README.md", "SECURITY.md", "CHANGELOG.md")]
    for top in ("docs", "examples", "bench", "src", "tests", "tools", "cmake", "debian", "man", "pkgconfig"):
        found += sorted(glob.glob(os.path.join(ROOT, top, "**", "*.md"), recursive=True))
    return found


def site_pages():
    return sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))


def short(path):
    return os.path.relpath(path, ROOT)


def text_lines(path):
    """[(number, line)] outside of fenced blocks."""
    found, is_code = [], False
    for i, line in enumerate(open(path, encoding="utf-8").read().split("\n"), 1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code:
            found.append((i, line))
    return found


def without_code(line):
    return CODE.sub(lambda m: " " * len(m.group()), line)


def anchors(path):
    """The anchors that a reader of the repository and the built site both have."""
    repository, site = set(), set()
    for _, line in text_lines(path):
        m = HEADING.match(line)
        if not m:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", m.group(1)).replace("`", "")
        plain = re.sub(r"[^\w\s-]", "", text.lower())
        repository.add(re.sub(r"\s", "-", plain.strip()))
        site.add(re.sub(r"[-\s]+", "-", plain.strip()))
    return repository & site


def links_of(path):
    """[(line, path it leads to, anchor or None)] of links inside the repository."""
    found = []
    for i, line in text_lines(path):
        for target in LINK.findall(without_code(line)) + LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            found.append((i, to, anchor or None))
    return sorted(set(found), key=str)


def check_links():
    wrong = []
    for path in pages():
        for i, to, anchor in links_of(path):
            where = f"{short(path)}:{i}"
            if not os.path.exists(to):
                wrong.append(f"{where}: {short(to)} does not exist")
            elif anchor and (not to.endswith(".md") or anchor not in anchors(to)):
                wrong.append(f"{where}: {short(to)} has no heading '{anchor}'")
            elif not to.startswith(ROOT + os.sep) and to != ROOT:
                wrong.append(f"{where}: {to} is not in the repository")
            elif "/docs/" in path and os.path.isdir(to):
                wrong.append(f"{where}: a link to a folder, which the site does not have")
    return wrong


def reached_from(start):
    seen, todo = set(), [start]
    while todo:
        path = todo.pop()
        if path in seen or not path.endswith(".md") or not os.path.isfile(path):
            continue
        seen.add(path)
        todo += [to for _, to, _ in links_of(path)]
    return seen


def check_reach():
    wrong = []
    for start in ("docs/index.md", "README.md"):
        seen = reached_from(os.path.join(ROOT, start))
        wrong += [f"{short(p)} cannot be reached from {start}" for p in site_pages() if p not in seen]
    return wrong


def check_nav():
    listed = re.findall(r"^\s+- (?:[^:\n]+: )?([\w/-]+\.md)$", open(os.path.join(ROOT, "mkdocs.yml")).read(), re.M)
    have = [os.path.relpath(p, os.path.join(ROOT, "docs")) for p in site_pages()]
    wrong = [f"mkdocs.yml does not list docs/{p}" for p in have if p not in listed]
    wrong += [f"mkdocs.yml lists docs/{p}, which does not exist" for p in listed if p not in have]
    return wrong + [f"mkdocs.yml lists docs/{p} twice" for p in sorted(set(listed)) if listed.count(p) > 1]


def defines(path, function):
    text = open(path, encoding="utf-8").read()
    return re.search(DEFINED.format(function), text, re.M) is not None


def check_names():
    """`file` and, in the same cell, `function()` that it defines."""
    path, wrong, n = os.path.join(ROOT, "docs", "papers.md"), [], 0
    for i, line in text_lines(path):
        for cell in line.split("|"):
            file = None
            for code in CODE.findall(cell):
                word = code.split()[0]
                if PATH.match(word):
                    file, n = word, n + 1
                    if not os.path.exists(os.path.join(ROOT, word)):
                        wrong.append(f"docs/papers.md:{i}: {word} does not exist")
                        file = None
                m = FUNCTION.match(code)
                if not m:
                    continue
                n += 1
                if file is None:
                    wrong.append(f"docs/papers.md:{i}: {code} without a file before it")
                elif not defines(os.path.join(ROOT, file), m.group(1)):
                    wrong.append(f"docs/papers.md:{i}: {file} has no function {m.group(1)}")
        for name in re.findall(r"tests? `([\w-]+)`", line):
            if f"['{name}'," not in open(os.path.join(ROOT, "tests", "meson.build")).read():
                wrong.append(f"docs/papers.md:{i}: tests/meson.build has no test {name}")
    if n < 100:
        wrong.append(f"docs/papers.md: {n} names were found, which cannot be all")
    return wrong


def check_kinds():
    source = open(os.path.join(ROOT, "src", "detect", "detect.h"), encoding="utf-8").read()
    table = source[source.index("#define DET_KINDS"):source.index("typedef enum det_kind")]
    kinds = dict(re.findall(r'X\(\w+, "([^"]+)", "([^"]+)"\)', table))
    path = os.path.join(ROOT, "docs", "findings.md")
    have = dict(re.findall(r"^## (.+) \(`(\w+)`\)$", open(path, encoding="utf-8").read(), re.M))
    have = {kind: title for title, kind in have.items()}
    wrong = [] if kinds else ["src/detect/detect.h: no DET_KINDS"]
    for kind in sorted(set(kinds) | set(have)):
        if kinds.get(kind, "").lower() != have.get(kind, "").lower():
            wrong.append(f"docs/findings.md: kind {kind} is '{kinds.get(kind)}' in the source, "
                         f"'{have.get(kind)}' on the page")
    return wrong


def check_mentions():
    """`loops.md` in a page of docs is a link, unless it is the page itself."""
    wrong = []
    for path in site_pages():
        for i, line in text_lines(path):
            for code in CODE.findall(LINK.sub("", line)):
                tos = [os.path.join(os.path.dirname(path), code), os.path.join(ROOT, code)]
                if code.endswith(".md") and path not in tos and any(short(to).startswith("docs/") and os.path.isfile(to)
                                                                    for to in tos):
                    wrong.append(f"{short(path)}:{i}: {code} is named, not linked")
    return wrong


def main():
    wrong = (check_links() + check_reach() + check_nav() + check_names() + check_kinds() + check_mentions())
    for text in wrong:
        print(text)
    print(f"{len(pages())} pages, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
