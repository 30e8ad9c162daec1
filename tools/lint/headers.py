# SPDX-License-Identifier: Apache-2.0
"""Each header compiles alone; treadle.h as C++ too."""
import concurrent.futures
import os
import shutil
import subprocess

from common import ROOT, files

WARNINGS = ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]


def llvm_include():
    """Where llvm-c/ is: any version will do."""
    for version in (19, 22, 21, 20, 18, 17, 16):
        tool = shutil.which(f"llvm-config-{version}")
        if tool:
            found = subprocess.run([tool, "--includedir"], capture_output=True, text=True)
            return ["-isystem", found.stdout.strip()]
    return []


def libpq_include():
    """Where libpq-fe.h is; None where it is not installed."""
    found = subprocess.run(["pkg-config", "--cflags", "libpq"], capture_output=True, text=True)
    return found.stdout.split() if found.returncode == 0 else None


LLVM = llvm_include()
LIBPQ = libpq_include()


def compile_alone(header, language, standard):
    root = ROOT / "include" if header.is_relative_to(ROOT / "include") else ROOT / "src"
    command = os.environ.get("CC", "cc").split()
    command += ["-x", language, f"-std={standard}", "-fsyntax-only", "-D_GNU_SOURCE"]
    command += WARNINGS + ["-I", str(root)] + LLVM + (LIBPQ or []) + ["-"]
    text = f'#include "{header.relative_to(root)}"\n'
    done = subprocess.run(command, input=text, text=True, capture_output=True)
    return header, done.returncode, done.stderr


def check(problems, build):
    # Those of libc++ are a part of its headers.
    all_headers = [h for h in files(["src", "include"], "*.h") if not h.is_relative_to(ROOT / "include/libc++")]
    headers = [h for h in all_headers if LIBPQ is not None or "libpq" not in h.name]
    jobs = [(h, "c", "gnu17") for h in headers]
    jobs += [(h, "c++", "c++11") for h in all_headers if h.is_relative_to(ROOT / "include")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, code, errors in pool.map(lambda job: compile_alone(*job), jobs):
            if code != 0:
                problems.add(header, 1, "does not compile alone\n" + errors)
