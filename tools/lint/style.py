# SPDX-License-Identifier: Apache-2.0
"""Format, licence lines, words that do not belong, a README in each folder."""
import re
import shutil
import subprocess

from common import C_FOLDERS, ROOT, Skip, files, name

SCRIPTS = ["src", "tests", "tools", "examples", "bench", "man", ".ci"]

# The brackets keep these lines from matching themselves.
UNWANTED = [
    (re.compile(r"/wor[k]/|/tmp/[b][a-z]|/roo[t]/"), "a path of one machine"),
    (re.compile(r"\bTOD[O]\b|\bFIXM[E]\b|\bXX[X]\b"), "unfinished business"),
]


def check_format(problems, build):
    tool = shutil.which("clang-format-14")
    if not tool:
        raise Skip("clang-format-14 is not installed")
    sources = files(C_FOLDERS, "*.c", "*.h")
    command = [tool, "--dry-run", "-Werror", "--ferror-limit=1"]
    done = subprocess.run(command + [name(p) for p in sources], cwd=ROOT,
                          capture_output=True, text=True)
    for line in done.stderr.splitlines():
        match = re.match(r"(.+?):(\d+):\d+: error:", line)
        if match:
            problems.add(ROOT / match[1], match[2], "is not as clang-format-14 writes it")
    if done.returncode != 0 and problems.count == 0:
        problems.add(ROOT / ".clang-format", 1, done.stderr)


def licensed_files():
    sources = files(C_FOLDERS, "*.c", "*.h", "*.S")
    sources += files(SCRIPTS, "*.py", "*.sh", "meson.build", "*.[1-9]")
    return sources + [p for p in (ROOT / ".ci/run", ROOT / "meson.build") if p.exists()]


def check_spdx(problems, build):
    for path in licensed_files():
        head = path.read_text(errors="replace").splitlines()[:2]
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in head):
            problems.add(path, 1, "no SPDX line")


def check_words(problems, build):
    documents = [p for p in ROOT.glob("*") if p.suffix in (".md", ".txt", ".build")]
    documents += files(["docs", "src"], "*.md")
    for path in sorted(set(licensed_files() + documents)):
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            for pattern, text in UNWANTED:
                if pattern.search(line):
                    problems.add(path, number, text)


# gcc 14.2 takes `b ? *p + 1 : 1` for `b * *p + 1`, with any constant, and reads *p whatever b is.
READ_ANYWAY = re.compile(r"\?([^?:;]*(?:->|\[|\*\w)[^?:;]*)\s[-+|^]\s(\w+)\s*:\s*\2\b")


def check_compilers(problems, build):
    """Expressions that some compiler in use translates wrongly."""
    for path in files(C_FOLDERS, "*.c", "*.h"):
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), path.read_text(errors="replace"), flags=re.S)
        for match in READ_ANYWAY.finditer(text):
            problems.add(path, text.count("\n", 0, match.start()) + 1,
                         f"`? x + {match[2]} : {match[2]}` is read by gcc 14.2 even if the condition is false: write an if")


def check_readmes(problems, build):
    with_sources = {p.parent for p in files(["src"], "*.c", "*.h", "*.S")}
    for folder in sorted(with_sources):
        readme = folder / "README.md"
        if not readme.exists():
            problems.add(readme, 1, "missing")
            continue
        text = readme.read_text()
        for source in sorted(p for p in folder.iterdir() if p.suffix in (".c", ".h", ".S")):
            if source.stem not in text:
                problems.add(readme, 1, f"does not mention {source.name}")
