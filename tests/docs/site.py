#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the site with mkdocs and checks what came out.

Usage: site.py [TREADLE]         (the argument is not used: every test gets it)

mkdocs must have nothing to warn about. Every link and picture of a built page leads to a file of the site, with the anchor
that it names; every page can be reached from the first one; nothing is loaded from elsewhere; no fence or list is left as
text; the search knows every page. Exit: 0 if so, 77 (skipped) without mkdocs."""
import html.parser
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Page(html.parser.HTMLParser):
    """Anchors, links, what is loaded, and the text outside of code."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.text, self.code = set(), [], [], [], 0
        self.feed(open(path, encoding="utf-8").read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get("id") or attrs.get("name"))
        self.code += tag in ("pre", "code", "script", "style")
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        for name in ("src",) if tag != "link" else ("href",):
            if attrs.get(name):
                self.loads.append(attrs[name])

    def handle_endtag(self, tag):
        self.code -= tag in ("pre", "code", "script", "style")

    def handle_data(self, data):
        if self.code == 0:
            self.text.append(data)


def build(out):
    """What mkdocs said, or None if it said nothing."""
    done = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "-f", os.path.join(ROOT, "mkdocs.yml"), "-d", out],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout if done.returncode or done.stdout.strip() else None


def read_pages(out):
    found = {}
    for folder, _, names in os.walk(out):
        for name in names:
            if name.endswith(".html") and name != "404.html":
                found[os.path.join(folder, name)] = Page(os.path.join(folder, name))
    return found


def is_outside(link):
    return bool(urllib.parse.urlparse(link).scheme) or link.startswith("//")


def resolve(path, link):
    """(file, anchor)"""
    file, _, anchor = urllib.parse.unquote(link).partition("#")
    return (os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path), anchor


def check_page(pages, path, page, out):
    name, wrong = os.path.relpath(path, out), []
    for link in page.links + page.loads:
        if is_outside(link):
            if link in page.loads:
                wrong.append(f"{name}: loads {link}")
            continue
        to, anchor = resolve(path, link)
        if not os.path.isfile(to):
            wrong.append(f"{name}: dead link {link}")
        elif anchor and (to not in pages or anchor not in pages[to].ids):
            wrong.append(f"{name}: dead anchor {link}")
    text = "".join(page.text)
    if "```" in text:
        wrong.append(f"{name}: a fence is left as text")
    if "\n- " in text or "| --- |" in text:
        wrong.append(f"{name}: a list or table is left as text")
    return wrong


def reached(pages, start):
    seen, todo = set(), [start]
    while todo:
        path = todo.pop()
        if path in pages and path not in seen:
            seen.add(path)
            todo += [resolve(path, link)[0] for link in pages[path].links if not is_outside(link)]
    return seen


def check_search(pages, out):
    index = json.load(open(os.path.join(out, "search", "search_index.json"), encoding="utf-8"))
    known = {doc["location"].partition("#")[0] for doc in index["docs"]}
    return [f"{os.path.relpath(p, out)}: the search does not know it" for p in pages
            if os.path.relpath(p, out) not in known and os.path.relpath(p, out) != "index.html"]


def check(out):
    pages = read_pages(out)
    wrong = [] if len(pages) > 30 else [f"{len(pages)} pages, which cannot be all"]
    for path, page in sorted(pages.items()):
        wrong += check_page(pages, path, page, out)
    seen = reached(pages, os.path.join(out, "index.html"))
    wrong += [f"{os.path.relpath(p, out)} cannot be reached" for p in pages if p not in seen]
    return pages, wrong + check_search(pages, out)


def main():
    if not shutil.which("mkdocs"):
        print("skipped: no mkdocs")
        return 77
    out = tempfile.mkdtemp(prefix="treadle-site.")
    try:
        said = build(out)
        pages, wrong = check(out) if said is None else ({}, [said])
    finally:
        shutil.rmtree(out, ignore_errors=True)
    for text in wrong:
        print(text)
    print(f"{len(pages)} pages of the site, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
