# SPDX-License-Identifier: Apache-2.0
"""Phrases that read as translated, or as riddles, and must not come back: phrases.txt has them."""
import re

from common import ROOT, files, name

LIST = ROOT / "tools/lint/phrases.txt"
FOLDERS = ["src", "include", "tests", "tools", "examples", "bench", "docs", "man"]
SUFFIXES = ["*.c", "*.cc", "*.cpp", "*.h", "*.hpp", "*.py", "*.js", "*.sh", "*.sql", "*.def", "*.md", "*.[1-9]",
            "meson.build"]
COMMENT = re.compile(r"/\*.*?\*/", re.S)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Between two words: blanks, the edge of a comment's line, or the border of two strings.
GAP = r'(?:\s+(?:(?:\*|#|//)\s+)?|\s*"\s*")'


class Phrase:
    def __init__(self, words, instead):
        self.words, self.instead = " ".join(words), instead
        self.pattern = re.compile(r"(?<![\w-])" + GAP.join(map(re.escape, words)) + r"(?![\w-])")


def read_list(problems):
    """{scope: [Phrase]}; a line is `phrase: what to write, or why not`."""
    scopes, scope = {"text": [], "everywhere": []}, None
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            scope = scopes[line.strip("[]")]
            continue
        phrase, colon, instead = line.partition(": ")
        if not colon or not instead.strip() or scope is None or phrase != phrase.lower():
            problems.add(LIST, number, "needs `phrase in lower case: what to write instead`")
            continue
        scope.append(Phrase(phrase.split(), instead.strip()))
    return scopes


def user_text(path, text):
    """What of a file a user reads: of a source its strings, at their lines."""
    if path.suffix not in (".c", ".h"):
        return text
    text = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    kept, at = [], 0
    for m in STRING.finditer(text):
        kept += [re.sub(r"[^\n]", " ", text[at:m.start(1)]), m[1]]
        at = m.end(1)
    return "".join(kept)


def is_user_file(path):
    top = path.relative_to(ROOT).parts[0]
    return top in ("docs", "man") or (top == "src" and path.suffix in (".c", ".h")) or \
        (path.suffix == ".md" and (top == "examples" or path.parent == ROOT))


def check_file(problems, path, text, phrases):
    text = text.lower()
    flat = re.sub(GAP, " ", text)
    for phrase in phrases:
        if phrase.words not in flat:
            continue
        for match in phrase.pattern.finditer(text):
            problems.add(path, text.count("\n", 0, match.start()) + 1,
                         f"'{phrase.words}' (tools/lint/phrases.txt): {phrase.instead}")


def check(problems, build):
    scopes = read_list(problems)
    paths = set(files(FOLDERS, *SUFFIXES)) | set(ROOT.glob("*.md"))
    for path in sorted(paths):
        if "mkdocs-site" in name(path):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        check_file(problems, path, text, scopes["everywhere"])
        if is_user_file(path) and path.name != "CHANGELOG.md":
            check_file(problems, path, user_text(path, text), scopes["text"])
