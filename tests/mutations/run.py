#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asserts can fail: each mistake below, put into a copy of one file, trips the assert that stands beside it.

    tests/mutations/run.py TREADLE

TREADLE is that of a build with unit tests. A changed file is compiled as the build compiles it and linked
in front of the library that has the right one; then a unit test runs, or treadle explores a program with the
changed runtime. The same is done once without the change: then nothing fails.
Exit: 0 fine, 1 not, 77 the build has no compile_commands.json.
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests/suite/rare.c"

# file, text to replace (it occurs once), replacement, unit test (None: PROGRAM), the assert
MUTATIONS = [
    ("src/session/loop.c", "    s->staged = true;\n", "", "session",
     "s->staged && ses_flight_len(s) < SES_SLOTS"),
    ("src/session/verdict.c", "    if (first)\n", "    if (first && complete)\n", "session",
     "complete || s->n_lost > 0"),
    ("src/explore/interfere/interfere.c", "    x->is_open = true;\n", "", "interfere",
     "x->is_open && t->job == x->n_jobs"),
    ("src/trace/order.c", "        if (move == NONE)\n            continue;\n        o->moves.at[move].n++;\n",
     "        if (move == NONE)\n            continue;\n        o->clocks.len--;\n", "order",
     "o->move_of.len == t->ops.len"),
    ("src/runtime/core/enabled.c", "    rt_enabled_set(t, false);\n", "", None, "rt->n_enabled <= rt->n_live"),
]


class Builder:
    """Compiles and links as the build directory does."""

    def __init__(self, treadle, folder):
        self.treadle, self.folder = treadle, folder
        self.build = treadle.parent
        commands = json.loads((self.build / "compile_commands.json").read_text())
        self.commands = {(self.build / c["file"]).resolve(): c for c in commands}

    def run(self, command, **how):
        return subprocess.run(command, capture_output=True, text=True, errors="replace", **how)

    def must(self, command):
        done = self.run(command, cwd=self.build)
        if done.returncode != 0:
            sys.exit(f"{shlex.join(map(str, command))}\n{done.stderr}")

    def compile(self, file, text):
        """The object file of another text of a source file."""
        source, out = self.folder / pathlib.Path(file).name, self.folder / "changed.o"
        source.write_text(text)
        entry = self.commands[ROOT / file]
        words = shlex.split(entry["command"])
        words[words.index(entry["output"], words.index("-o"))] = str(out)
        words[words.index(entry["file"])] = str(source)
        for flag in ("-MD", "-MQ", "-MF"):
            at = words.index(flag)
            del words[at:at + (1 if flag == "-MD" else 2)]
        self.must(words + ["-w"])
        return out

    def unit_test(self, name, object_file):
        """What a unit test with the object file says."""
        target, out = f"tests/unit/test_{name}", self.folder / "test"
        last = self.run(["ninja", "-C", self.build, "-t", "commands", target]).stdout.splitlines()[-1]
        words = shlex.split(last)
        at = words.index(target)
        words[at] = str(out)
        words.insert(at + 1, str(object_file))
        self.must(words)
        return self.run([out], cwd=self.folder, timeout=120, env=self.environment())

    def environment(self):
        return {**os.environ, "TREADLE": str(self.treadle), "CMOCKA_MESSAGE_OUTPUT": "tap"}

    def as_one(self, file, object_file):
        """The object file, or with those that it is compiled with as one."""
        target, out = "src/runtime/hot.o", self.folder / "hot.o"
        found = self.run(["ninja", "-C", self.build, "-t", "commands", target])
        words = shlex.split(found.stdout.splitlines()[-1]) if found.returncode == 0 else []
        output = self.commands[ROOT / file]["output"]
        if output not in words:
            return object_file
        words[words.index(output)] = str(object_file)
        words[words.index(target)] = str(out)
        self.must(words)
        return out

    def program(self, file, object_file):
        """What treadle says of a program with the object file in its runtime."""
        object_file = self.as_one(file, object_file)
        out = self.folder / "program"
        self.must([self.treadle, "cc", "-g", PROGRAM, object_file, "-Wl,-z,muldefs", "-o", out])
        return self.run([self.treadle, "run", "--runs=20", out], cwd=self.folder, timeout=120)


def outcome(builder, file, text, test):
    """All that was said, and whether it was fine."""
    object_file = builder.compile(file, text)
    done = builder.unit_test(test, object_file) if test else builder.program(file, object_file)
    said = done.stdout + done.stderr
    if test:
        return said, done.returncode == 0
    return " ".join(line.removeprefix("treadle:").strip() for line in said.splitlines()), "lost run" not in said


def judge(builder, file, old, new, test, wanted):
    text = (ROOT / file).read_text()
    if text.count(old) != 1:
        return f"{file} has {old.strip()!r} {text.count(old)} times"
    said, is_fine = outcome(builder, file, text, test)
    if not is_fine:
        return f"{file} fails as it is: {said[-400:]}"
    said, is_fine = outcome(builder, file, text.replace(old, new), test)
    if is_fine or "internal error" not in said or wanted not in said:
        return f"{file}: another end: {said[-600:]}"
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    treadle = pathlib.Path(sys.argv[1]).resolve()
    if not (treadle.parent / "compile_commands.json").exists():
        sys.exit(77)
    failed = 0
    for file, old, new, test, wanted in MUTATIONS:
        with tempfile.TemporaryDirectory() as folder:
            why = judge(Builder(treadle, pathlib.Path(folder)), file, old, new, test, wanted)
        print(f"{'FAIL' if why else 'ok'}    {file}: {why or wanted}", flush=True)
        failed += why is not None
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
