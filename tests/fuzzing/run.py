#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""treadle fuzz: a target whose bug needs an input and a schedule.

Usage: run.py TREADLE
"""
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    treadle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="fuzzing-") as folder:
        def run(*words):
            done = subprocess.run([treadle, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=280)
            return done.returncode, done.stdout

        def expect(code, part, *words):
            got, text = run(*words)
            assert got == code and part in text, f"{words}: exit {got}, not {code}, or no '{part}':\n{text[-3000:]}"
            return text

        expect(0, "", "cc", "-include", "treadle_fuzz.h", "-g", "-O1", "-pthread", f"{HERE}/target.c", "-o", "target")
        os.mkdir(f"{folder}/corpus")
        for name, text in (("a", "no threads"), ("b", "TA234567")):
            with open(f"{folder}/corpus/{name}", "w", encoding="ascii") as f:
                f.write(text)
        # Inputs of the corpus alone: no bug, and two kinds of behaviour.
        text = expect(3, "2 inputs", "fuzz", "--inputs=2", "--each=20s", "--time=200s", "--out=one", "./target", "corpus")
        assert "2 inputs with events that no other has, 0 findings" in text, text
        # As for libFuzzer, in C, and in C++ by objects; a main of the program goes first.
        bad = ("--inputs=1", "--each=20s", "--time=200s")
        with open(f"{folder}/bad", "w", encoding="ascii") as f:
            f.write("TX2345")
        expect(0, "", "cc", "-fsanitize=fuzzer,address", "-fsanitize-coverage=trace-pc-guard", "-g", "-O1", "-pthread", f"{HERE}/target.c", "-o", "as_c")
        expect(1, "SUMMARY: treadle: assertion failed target.c", "fuzz", *bad, "--out=as-c", "./as_c", "bad")
        with open(f"{HERE}/target.c", encoding="utf-8") as f, open(f"{folder}/target.cpp", "w", encoding="utf-8") as out:
            out.write(f.read().replace("int LLVMFuzzer", 'extern "C" int LLVMFuzzer'))
        with open(f"{folder}/main.c", "w", encoding="utf-8") as f:
            f.write("int main(void)\n{\n    return 7;\n}\n")
        expect(0, "", "c++", "-std=c++17", "-fsanitize=fuzzer-no-link", "-g", "-O1", "-c", "target.cpp")
        expect(0, "", "c++", "-fsanitize=fuzzer", "-pthread", "target.o", "-o", "as_cpp")
        expect(1, "SUMMARY: treadle: assertion failed target.cpp", "fuzz", *bad, "--out=as-cpp", "./as_cpp", "bad")
        expect(0, "", "c++", "-fsanitize=fuzzer", "-pthread", "target.o", "-x", "c", "main.c", "-o", "with_main")
        assert subprocess.run([f"{folder}/with_main"]).returncode == 7
        # An input that fails, in one schedule: found, and replayed from its file.
        with open(f"{folder}/bad", "w", encoding="ascii") as f:
            f.write("TX2345")
        expect(1, "SUMMARY: treadle: assertion failed target.c", "fuzz", "--inputs=1", "--each=20s", "--time=200s", "--out=two", "./target", "bad")
        recordings = glob.glob(f"{folder}/two/session.0/*.treadle")
        assert len(recordings) == 1, recordings
        expect(1, "", "replay", recordings[0])
        # The same seed makes the same inputs.
        for out in ("three", "four"):
            expect(3, "6 inputs", "fuzz", "--inputs=6", "--each=20s", "--time=200s", "--seed=7", f"--out={out}", "./target", "corpus/a")
        for i in range(6):
            pair = [open(f"{folder}/{out}/input.{i}", "rb").read() for out in ("three", "four")]
            assert pair[0] == pair[1], pair
        # Every input of six bytes at once: the solver finds the two that matter.
        expect(0, "", "cc", "--inputs", "-include", "treadle_fuzz.h", "-g", "-O1", "-pthread", f"{HERE}/target.c", "-o", "target")
        expect(1, "SUMMARY: treadle: assertion failed target.c", "fuzz", "--sym-bytes=6", "--inputs=1", "--each=60s", "--time=200s", "--out=five", "./target")
        # What is no target, no corpus, no option.
        expect(2, "treadle: ", "fuzz", "--inputs=1", "./missing")
        expect(2, "treadle: ", "fuzz", "./target", "missing-corpus")
        expect(2, "requires a program", "fuzz")
    print("ok")


main()
