# SPDX-License-Identifier: Apache-2.0
"""A comment names files, functions, parameters and members that exist.

Names of others that no code of ours uses stand in double quotes; a file with a line (bank.c:7) is an example,
and so is one named by a single letter or in capitals."""
import re

from common import ROOT, files, name

FOLDERS = ["src", "include", "tests", "bench"]
SOURCES = ["*.c", "*.h", "*.S", "*.cpp", "*.cc", "*.hpp", "*.def"]
# Code, apart from C, that may define what a comment names.
OTHERS = ["*.py", "*.sh", "*.js", "*.sql", "*.css", "meson.build", "*.1", "*.3"]
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
WORD = re.compile(r"[A-Za-z_]\w*")

QUOTED = re.compile(r'"[^"\n]*"|<[\w./+-]+>|\bstd::\w+|\w+://\S+|https?:\S+')
FILE = re.compile(r"(?<![\w./*])((?:[\w*][\w*-]*/)*[\w*][\w*-]+\.(?:c|h|cpp|S|def|py|sh|js|md))(?![\w/]|\.\w|:\d)")
CALL = re.compile(r"(?<![\w.>])([A-Za-z_]\w+)\(\)")
TICKED = re.compile(r"`([A-Za-z_]\w*)(?:\(\))?`")
MEMBER = re.compile(r"(?<![\w./])([A-Za-z_]\w*)(?:\.|->)([A-Za-z_]\w*)\b(?!\.\w|[/(])")
NAME = re.compile(r"(?<![\w./%=-])([A-Za-z]\w*?_\w*)(\*?)(?![\w/]|\.\w|-\w)")
MADE = re.compile(r"_(?:push|at|clear|fini|find|free|vec|map|copy|init|ptr)\w*$")


def split(text):
    """(comments with their lines, code): a comment is replaced by a blank."""
    comments, code, at = [], [], 0
    for match in TOKEN.finditer(text):
        if match[0][0] == "/":
            comments.append((text.count("\n", 0, match.start()) + 1, match[0]))
            code += [text[at:match.start()], " "]
            at = match.end()
    return comments, "".join(code) + text[at:]


class Tree:
    """What the comments of a tree may name."""

    def __init__(self, sources, others, paths):
        self.comments, self.own, self.words = {}, {}, set()
        for path, text in sources.items():
            self.comments[path], code = split(text)
            self.own[path] = set(WORD.findall(code))
            self.words |= self.own[path]
        for text in others.values():
            self.words.update(WORD.findall(text))
        self.paths = paths
        self.words.update(part for p in paths for part in WORD.findall(p))

    def has_file(self, path, said):
        """A name without a folder is that of a file of src, of an installed header or of the folder itself."""
        tops = ("",) if "/" in said else ("src/", "include/", path.rpartition("/")[0] + "/")
        pattern = re.compile(".*/" + re.escape(said).replace(r"\*", r"[^/]*"))
        return any(pattern.fullmatch("/" + p) for p in self.paths if p.startswith(tops))

    def has_word(self, word, is_start=False):
        if is_start:
            return any(w.startswith(word) for w in self.words)
        made = MADE.search(word)
        return word in self.words or bool(made and word[:made.start()] in self.words) or \
            word[:-1].isupper() and word[-1] == "s" and word[:-1] in self.words

    def unknown(self, path):
        """(line, what is wrong) for each name of a comment that nothing has."""
        for line, comment in self.comments[path]:
            text = QUOTED.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), comment)
            for start, problem in sorted(set(self.unknown_in(path, text))):
                yield line + text.count("\n", 0, start), problem

    def unknown_in(self, path, text):
        for m in FILE.finditer(text):
            if not m[1].split(".")[0].isupper() and not self.has_file(path, m[1]):
                yield m.start(), f"the comment names the file {m[1]}, which does not exist"
        for m in CALL.finditer(text):
            if not self.has_word(m[1]):
                yield m.start(), f"the comment names the function {m[1]}(), which does not exist"
        for m in TICKED.finditer(text):
            is_far = "_" in m[1] or m[0][-2] == ")"
            if m[1] not in self.own[path] and not (is_far and self.has_word(m[1])):
                yield m.start(), f"the comment names `{m[1]}`, which the code of the file does not have"
        for m in MEMBER.finditer(text):
            if m[1] in self.own[path] and not FILE.match(m[0]) and not self.has_word(m[2]):
                yield m.start(), f"the comment names {m[0]}, but nothing is called {m[2]}"
        for m in NAME.finditer(text):
            if not self.has_word(m[1], bool(m[2]) or m[1][-1] == "_"):
                yield m.start(), f"the comment names {m[1]}{m[2]}, which does not exist"


def check(problems, _build):
    sources = {name(p): p.read_text(errors="replace") for p in files(FOLDERS, *SOURCES)}
    others = {p: p.read_text(errors="replace") for p in files(FOLDERS + ["tools", "man"], *OTHERS)}
    paths = [name(p) for p in files(FOLDERS + ["tools", "man", "docs", ".ci"], "*.*")]
    tree = Tree(sources, others, paths + [p.name for p in ROOT.glob("*.*")])
    for path in sources:
        for line, problem in tree.unknown(path):
            problems.add(ROOT / path, line, problem)
