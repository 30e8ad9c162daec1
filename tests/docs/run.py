#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command of the documentation and compares what it prints.

Usage: run.py TREADLE [--update] [--slow] [FILE.md...]

In a fenced block marked `console` a line that starts with "$ " is a command, and the lines below it
are what it prints, on both outputs; the last of them may be "[exit N]", else the exit code is 0. A
line "..." stands for any lines. Times and sizes of what is measured, and the section FIX of reports, are not compared. All blocks of
a page are run by one shell, in a copy of the repository's files that has `treadle` in its PATH; after
a line `<!-- new folder -->` in another such shell, in a fresh copy.
A block `c file=NAME` (or another language) is written to NAME first. A block `console slow` is run
with --slow only. --update writes what was printed into the page, but for blocks with "..." lines.
Commands elsewhere in a page, in indented blocks or other fences, are an error: nothing is told that
is not run. Exit: 0 if all agree."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FENCE = re.compile(r"^```(\S*)(.*)$")
COMMAND = re.compile(r"^(    )?(\$ |treadle (cc|run|replay|show|report|test|minimize|weaken|doctor) )")
MEASURED = [(re.compile(r"\b\d+\.\d+ s\b"), "0.00 s"), (re.compile(r"\(text, \d+ bytes\)"), "(text, 0 bytes)"),
            (re.compile(r"\d[\d,]*/s\b"), "0/s"),
            # Where the linker puts the program's variables is part of a digest.
            (re.compile(r"\bdigest [0-9a-f]{16}\b"), "digest 0000000000000000")]
MARK = "treadle-docs-end-of-command"
NEW_FOLDER = "<!-- new folder -->"


def pages():
    found = [os.path.join(ROOT, "README.md")]
    for top in ("docs", "examples"):
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, top))):
            found += [os.path.join(folder, n) for n in sorted(names) if n.endswith(".md")]
    return found


class Block:
    """A fenced block: its words, and the numbers of its first and last inner line."""

    def __init__(self, language, words, first):
        self.language, self.words, self.first, self.end = language, words.split(), first, None

    def commands(self, lines):
        """[(command, [lines it prints])]"""
        found = []
        for line in lines[self.first:self.end]:
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found and not found[-1][1] and found[-1][0].endswith("\\"):
                found[-1] = (found[-1][0] + "\n" + line, [])
            elif found:
                found[-1][1].append(line)
        return found


def blocks_of(lines):
    found, open_block, stray = [], None, []
    for i, line in enumerate(lines):
        m = FENCE.match(line)
        if m and open_block is None:
            open_block = Block(m.group(1), m.group(2), i + 1)
        elif m:
            open_block.end = i
            found.append(open_block)
            open_block = None
        elif COMMAND.match(line) and (open_block.language != "console" if open_block
                                      else line.startswith("    ")):
            stray.append(i + 1)
    return found, stray


class Shell:
    """One shell for all commands of a page."""

    def __init__(self, treadle, folder, slow):
        self.dir = tempfile.mkdtemp(prefix="treadle-docs.")
        if slow:  # builds treadle
            shutil.copytree(ROOT, self.dir, dirs_exist_ok=True, symlinks=True, ignore=lambda at, names: [
                n for n in names if n == ".git" or at == ROOT and n.startswith("build")])
        else:
            for name in ("examples", "docs", "include"):
                shutil.copytree(os.path.join(ROOT, name), os.path.join(self.dir, name))
        env = dict(os.environ, PATH=os.path.dirname(treadle) + ":" + os.environ["PATH"], NO_COLOR="1",
                   COLUMNS="80", LC_ALL="C.UTF-8")
        env.pop("TREADLE_OUT", None)
        self.process = subprocess.Popen(["sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, env=env, errors="replace",
                                        cwd=os.path.join(self.dir, os.path.relpath(folder, ROOT)))

    def write(self, name, text):
        path = os.path.join(f"/proc/{self.process.pid}/cwd", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)

    def run(self, command):
        """(lines, exit code)"""
        self.process.stdin.write(f"{{ {command}\n}} </dev/null\ncode=$?; echo; echo {MARK} $code\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.startswith(MARK):
                if lines and lines[-1] == "":
                    lines.pop()
                return lines, int(line.split()[1])
            lines.append(line.rstrip("\n"))
        return lines, -1

    def close(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.dir, ignore_errors=True)


def plain(line):
    for pattern, instead in MEASURED:
        line = pattern.sub(instead, line)
    return line.rstrip()


def agrees(expected, printed):
    """Line by line; "..." matches any number of lines."""
    if not expected:
        return not printed
    if expected[0].strip() == "...":
        return any(agrees(expected[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and plain(expected[0]) == plain(printed[0]) and agrees(expected[1:], printed[1:])


def without_fix(lines):
    """Reports without the section FIX: a change may take longer to find than there is time on a busy machine."""
    if not any(line.startswith("SUMMARY: treadle") for line in lines):
        return lines
    left, inside = [], False
    for line in lines:
        inside = line.startswith(("FIX  ", "      FIX: ")) or (inside and line.startswith(" " * 11))
        left += [] if inside else [line]
    return left


def run_command(shell, command, expected):
    """(None or what is wrong, lines to write instead)"""
    printed, code = shell.run(command)
    end = [f"[exit {code}]"] if code != 0 else []
    # No "..." stands for an exit code: a command that fails must say so.
    has_end = bool(expected) and re.fullmatch(r"\[exit \d+\]", expected[-1].strip())
    said, said_end = (expected[:-1], [expected[-1].strip()]) if has_end else (expected, [])
    agreed = agrees(without_fix(said), without_fix(printed)) and said_end == end
    printed += end
    wrong = None
    if not agreed:
        wrong = "\n".join([f"$ {command}"] + ["+ " + line for line in printed] +
                          ["- " + line for line in expected])
    return wrong, printed


def run_block(shell, block, lines, update):
    """(what is wrong, the block's new lines)"""
    wrong, new = [], []
    for command, expected in block.commands(lines):
        error, printed = run_command(shell, command, expected)
        open_ended = any(line.strip() == "..." for line in expected)
        if error and not (update and not open_ended):
            wrong.append(error)
        new += [f"$ {command}"] + (printed if update and not open_ended else expected)
    return wrong, new


def run_page(treadle, path, args):
    lines = open(path).read().split("\n")
    blocks, stray = blocks_of(lines)
    name = os.path.relpath(path, ROOT)
    wrong = [f"{name}:{i}: a command outside of a console block" for i in stray]
    todo = [b for b in blocks if b.language == "console" and ("slow" not in b.words or args.slow)]
    n, shift, last = 0, 0, 0
    shell = Shell(treadle, os.path.dirname(path), args.slow) if todo else None
    for block in blocks:
        if shell and NEW_FOLDER in lines[last:block.first + shift]:
            shell.close()
            shell = Shell(treadle, os.path.dirname(path), args.slow)
        last = block.first + shift
        named = [w[5:] for w in block.words if w.startswith("file=")]
        if named and shell:
            shell.write(named[0], "\n".join(lines[block.first + shift:block.end + shift]) + "\n")
        if block not in todo:
            continue
        block.first, block.end = block.first + shift, block.end + shift
        errors, new = run_block(shell, block, lines, args.update)
        n += len(block.commands(lines))
        wrong += [f"{name}:{block.first}:\n{e}" for e in errors]
        shift += len(new) - (block.end - block.first)
        lines[block.first:block.end] = new
    if shell:
        shell.close()
    if args.update:
        with open(path, "w") as f:
            f.write("\n".join(lines))
    return n, wrong


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("treadle")
    p.add_argument("files", nargs="*")
    p.add_argument("--update", action="store_true")
    p.add_argument("--slow", action="store_true")
    args = p.parse_args()
    n, wrong = 0, []
    for path in [os.path.abspath(f) for f in args.files] or pages():
        done, errors = run_page(os.path.abspath(args.treadle), path, args)
        n, wrong = n + done, wrong + errors
    for text in wrong:
        print(text)
    print(f"{n} commands, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
