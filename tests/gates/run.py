#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Crossings between the runtime and the program: each kind has one gate, and nothing goes past it.

Usage: run.py TREADLE

The sources of the runtime are compiled to LLVM's text, where every call shows what it is:

- a call through a pointer is one of the gate (rt_user_call), or goes through a table or a pointer of the runtime's own, which
  is listed below by type or by function;
- a system call that changes what addresses mean is made in posix/mapping.c, which checks it as an access, or is the runtime's
  own, for memory of its own, and listed below.

And of the C library: a function that a header declares with a function among its parameters says so in its row
(F, src/wire/library.h), is not watched (x), or is treadle's own, which calls through the gate."""
import concurrent.futures
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCE = os.path.join(ROOT, "src")

GATE = "rt_user_call"

# Tables of the runtime's own, by the type that the pointer is loaded from: const, or filled by the runtime alone.
TABLES = {
    "rt_above": "what core calls of the folders above it",
    "rt_type_calls": "what is done to a type of object",
    "rt_fd_call": "a call on a descriptor, as it is carried out",
    "lin_host": "what linearize.c needs of its user",
}

# Calls through other pointers of the runtime's own: file and function.
OWN = {
    "core/footprint.c open_range": "one of two functions of its own",
    "core/run_end.c rt_run_end": "the list of what happens when a run ends",
    "libc/format.c format": "a function beside it",
    "libc/sort.c merge": "in code that treadle cc builds: hooked (instrument/linked.c)",
    "libc/sort.c __treadle_bsearch": "the same",
    "cxx/exceptions.c drop_share": "built by treadle cc as programs are: hooked",
    "cxx/exceptions.c __once_proxy": "the same",
    "cxx/libcxx_threads.c _ZNSt3__119__shared_weak_count14__release_weakEv": "the same",
    "cxx/libcxx_threads.c call_it": "the same",
    "cxx/libcxx_threads.c drop_state": "the same",
    "cxx/terminate.c _ZSt9terminatev": "the same",
    "cxx/thread_exit.c drop_strong": "the same",
    "cxx/thread_exit.c drop_weak": "the same",
    "cxx/thread_exit.c keep_promises": "a function beside it",
    "memory/leak.c each_block": "a visitor of its own",
    "memory/race.c each_granule": "a visitor of its own",
    "memory/snapshot.c each_page": "a visitor of its own",
    "memory/snapshot.c visit_page": "a visitor of its own",
    "posix/by_number.c call_function": "a table of functions of the C library",
    "posix/cancel.c rt_cleanup_unwind": "a handler of rt_cleanup_push, which only the runtime calls",
    "posix/cancel.c run_handlers": "the same; those of the program are jumped to",
    "posix/cxx_exceptions.c __treadle_call_behind": "a function of libstdc++, for cxx/",
    "posix/cxx_exceptions.c __treadle_throw_behind": "the same",
    "posix/fd.c rt_fd_do": "a step of its own",
    "posix/fileattr.c call_change": "a function of its own",
    "posix/fileattr.c call_change_fd": "a function of its own",
    "posix/filecall.c rt_file_call": "a table of its own",
    "posix/returns.c rt_returns_prepare": "what real.c looks names up with",
    "posix/returns.c walk_stack": "the unwinder of the compiler's library",
    "posix/returns.c has_stayed": "the same",
    "posix/returns.c step": "the same",
    "posix/returns.c find": "the same",
    "process/start.c __treadle_start": "main, of a program that treadle does not control",
    "posix/signal_actions.c set_handler": "signal or __sysv_signal of the C library",
    "symbolic/labels.c rt_labels_spell": "a function of argv_inputs.c",
}

# Functions of the system that change what addresses mean, and their numbers on x86-64.
CHANGES = {
    "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "mremap": 25, "madvise": 28, "shmat": 30, "shmdt": 67,
    "remap_file_pages": 216, "pkey_mprotect": 329, "process_madvise": 440, "sbrk": None, "mmap64": None,
    "posix_madvise": None,
}
CHECKED = "posix/mapping.c"
# Files that do so to memory that no program knows of: shadow, arena, snapshots, files that are looked at.
OWN_MEMORY = {
    "core/carrier.c": "guards of stacks and memory of parked threads",
    "core/sys.c": "mapping of the arena and the planes",
    "memory/heap.c": "pages of freed blocks, which are checked when they are freed",
    "memory/race.c": "shadow",
    "memory/snapshot.c": "copies of pages",
    "posix/foreign.c": "files that are looked at",
    "process/start.c": "shadow, and the marks of coverage",
    "process/zygote.c": "shadow, between runs",
    "process/image.c": "shadow of an image",
    "symbolic/labels.c": "labels",
}

# Functions with a parameter of such a type that call nothing of the program, or that the runtime refuses by name.
NO_ROW = {
    "clone": "refused", "pthread_atfork": "fork is refused", "makecontext": "not watched",
}


def clang():
    for name in ("clang-19", "clang-18", "clang-17", "clang-16", "clang"):
        if shutil.which(name):
            return name
    sys.exit("no clang")


def sources():
    for folder in ("core", "symbolic", "memory", "posix", "process", "libc", "cxx"):
        path = os.path.join(SOURCE, "runtime", folder)
        for name in sorted(os.listdir(path)):
            if name.endswith(".c"):
                yield folder + "/" + name


def text_of(source):
    real = [] if source.startswith(("libc/", "cxx/")) else ["-include", "runtime/process/real.h"]
    words = [clang(), "-std=gnu17", "-O0", "-S", "-emit-llvm", "-w", "-D_GNU_SOURCE", "-I" + SOURCE, *real,
             os.path.join(SOURCE, "runtime", source), "-o", "-"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def functions(text):
    """(name, lines) of each function."""
    name, lines = None, []
    for line in text.splitlines():
        start = re.match(r"define .*?@\"?([\w.$]+)\"?\(", line)
        if start:
            name, lines = start.group(1), []
        elif line == "}" and name:
            yield name, lines
            name = None
        elif name:
            lines.append(line)


def table_of(value, made):
    """The type whose member the value was loaded from; "" if it is not so."""
    for _ in range(6):
        how = made.get(value, "")
        if "getelementptr" in how:
            type_name = re.search(r"%(?:struct|union)\.([\w.]+)", how)
            return type_name.group(1) if type_name else ""
        inner = re.search(r"load ptr, ptr (%[\w.]+)", how)
        if not inner:
            return ""
        value = inner.group(1)
    return ""


def calls(source):
    """What is wrong in a file, as texts."""
    wrong, used = [], set()
    for name, lines in functions(text_of(source)):
        made = dict(m.groups() for m in (re.match(r"\s+(%[\w.]+) = (.*)", line) for line in lines) if m)
        where = f"{source} {name}"
        for line in lines:
            pointer = re.search(r"\b(?:call|invoke)\b[^@\"]*?\s(%[\w.]+)\(", line)
            if pointer and " asm " not in line and name != GATE:
                if where in OWN:
                    used.add(where)
                elif table_of(pointer.group(1), made) not in TABLES:
                    wrong.append(f"{where}: a call through a pointer that is not the gate's")
            wrong += changes(source, where, line)
    return wrong, used


def changes(source, where, line):
    named = re.search(r"\bcall\b.*?@(?:__real_)?(\w+)\(", line)
    if not named or source == CHECKED or source in OWN_MEMORY:
        return []
    if named.group(1) in CHANGES:
        return [f"{where}: {named.group(1)} past {CHECKED}"]
    number = re.match(r"rt_sys\w*\(i64 noundef (\d+)", line[named.start(1):])
    if number and platform.machine() == "x86_64" and int(number.group(1)) in CHANGES.values():
        return [f"{where}: system call {number.group(1)} past {CHECKED}"]
    return []


# ---- headers ----

HEADERS = """aliases.h argp.h argz.h arpa/inet.h dirent.h dlfcn.h err.h error.h fcntl.h fenv.h fmtmsg.h fnmatch.h fts.h ftw.h
glob.h grp.h iconv.h ifaddrs.h langinfo.h libintl.h link.h locale.h malloc.h math.h mcheck.h mqueue.h netdb.h nl_types.h
obstack.h poll.h printf.h pthread.h pwd.h regex.h resolv.h sched.h search.h semaphore.h setjmp.h signal.h spawn.h stdio.h
stdlib.h string.h strings.h sys/epoll.h sys/mman.h sys/resource.h sys/select.h sys/shm.h sys/socket.h sys/stat.h sys/time.h
sys/uio.h sys/wait.h syslog.h termios.h threads.h time.h ucontext.h unistd.h utmp.h wchar.h wctype.h wordexp.h""".split()


def given():
    """{function: [numbers of parameters that are functions]} of the headers."""
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "all.c")
        with open(path, "w", encoding="utf-8") as f:
            f.write("#define _GNU_SOURCE\n" + "".join(f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n" for h in HEADERS))
        done = subprocess.run([clang(), "-std=gnu17", "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", path],
                              capture_output=True, text=True, check=True)
    found = {}
    for node in json.loads(done.stdout)["inner"]:
        if node["kind"] != "FunctionDecl":
            continue
        parameters = [p["type"] for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
        types = [t.get("desugaredQualType", t["qualType"]) for t in parameters]
        numbers = [i for i, t in enumerate(types) if re.search(r"\(\*(?: ?\w+)?\)\(", t)]
        if numbers:
            found[node["name"]] = numbers
    return found


def read(name):
    with open(os.path.join(SOURCE, "wire", name), encoding="utf-8") as f:
        return f.read()


def rows():
    return dict(re.findall(r'X\((\w+), "([^"]*)', read("library.h")))


def taken():
    """Functions that are treadle's own."""
    named = set()
    for folder in ("posix", "libc"):
        path = os.path.join(SOURCE, "runtime", folder)
        for name in os.listdir(path):
            with open(os.path.join(path, name), encoding="utf-8") as f:
                named |= set(re.findall(r"(?:__treadle_|OURS\()(\w+)", f.read()))
    return named


def callbacks():
    wrong, own, known = [], taken(), rows()
    for name, numbers in sorted(given().items()):
        row = known.get(name) or known.get(re.sub("64$", "", name))
        if name in own or name in NO_ROW or row is None:
            continue  # without a row a call is a ledger line
        if row == "x" or row.startswith("x "):
            continue
        words = [w for w in row.split() if w[0] not in "ruOSWxct"]
        for i in numbers:
            if i >= len(words) or words[i] != "F":
                wrong.append(f"{name}: parameter {i + 1} is a function, and its row does not say F: {row}")
    return wrong


def mappings():
    """Functions that change what addresses mean are treadle's own or not watched."""
    own, known = taken(), rows()
    harmless = {"posix_madvise": "glibc leaves POSIX_MADV_DONTNEED out", "mmap64": "another name of mmap"}
    return [f"{name} is passed on: its row is {known[name]}" for name in CHANGES
            if name in known and name not in own and name not in harmless and known[name][0] != "x"]


def main():
    wrong, used = callbacks() + mappings(), set()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for texts, own in pool.map(calls, sources()):
            wrong += texts
            used |= own
    wrong += [f"{where}: has no such call any more" for where in OWN if where not in used]
    for text in wrong:
        print("FAIL " + text)
    print(f"{len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
