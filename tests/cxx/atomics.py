#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What libstdc++.so does by atomic instructions, fences or system calls of its own.

Usage: atomics.py TREADLE [--list] [LIBRARY]

Lists the exported functions whose code has such an instruction, as objdump shows it; code without a name counts for the
function before it. Each is
- modelled: src/runtime/cxx or the runtime has a function of that name, which takes its place, or
- unseen: no table of src/wire has it, so a call is "not watched", and a run that makes it claims no data race.
A function that a table declares harmless must be in HARMLESS, with the reason; else the table can cause a wrong verdict."""
import bisect
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HARMLESS = {
    "_ZNSt8ios_base4InitC1Ev": "counts users of the streams, before main",
    "_ZNSt8ios_base4InitD1Ev": "the same, at exit",
    "_ZNKSt6locale2id5_M_idEv": "gives a part of locales its number, which only locales use",
    "_ZNSt6locale5_Impl16_M_install_cacheEPKNS_5facetEm": "counts shares of a part that only the library reads",
    "_ZNSt8ios_base20_M_dispose_callbacksEv": "counts shares of callbacks; register_callback is not watched",
    "_ZSt13set_terminatePFvvE": "exchanges the handler, which says nothing of other memory",
    "__cxa_throw_bad_array_new_length": "throws; the atomic instruction is of code behind it",
    "_ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE":
        "sleeps; the atomic instruction is of code behind it",
}
# Count shares of a locale, which is the library's and never changes; that orders no memory of the program.
HARMLESS |= dict.fromkeys(["_ZNSt6localeaSERKS_"] + ["_ZNSt6locale" + name for name in
                          ("C1ERKS_", "C1Ev", "C2ERKS_", "C2Ev", "D1Ev", "D2Ev")], "counts shares of a locale")
# Those of libstdc++ 14 and 16 are followed by cold code of other functions, as objdump shows.
HARMLESS |= dict.fromkeys(["_ZSt19__throw_ios_failurePKci", "_ZSt20__throw_future_errori", "_ZSt20__throw_system_errori"],
                          "throws; the atomic instruction is of code behind it")
ATOMIC = re.compile(r"lock |xchg .*\(|mfence|syscall\s*$|ldaxr|stlxr|ldar|stlr|svc\s")


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, errors="replace").stdout


def library_of(treadle):
    path = output(treadle, "c++", "-print-file-name=libstdc++.so.6").strip()
    return os.path.realpath(path)


def with_atomics(library):
    """Names of the exported functions, with how many such instructions."""
    at = {}
    for line in output("readelf", "-W", "--dyn-syms", library).splitlines():
        words = line.split()
        if len(words) >= 8 and words[3] in ("FUNC", "IFUNC") and words[6] != "UND":
            at.setdefault(int(words[1], 16), set()).add(words[7].split("@")[0])
    starts, found = sorted(at), {}
    for line in output("objdump", "-d", "--no-show-raw-insn", "-j", ".text", library).splitlines():
        parts = re.match(r"\s+([0-9a-f]+):\t(.*)", line)
        if not parts or not ATOMIC.match(parts[2]):
            continue
        place = bisect.bisect(starts, int(parts[1], 16)) - 1
        for name in at[starts[place]] if place >= 0 else ():
            found[name] = found.get(name, 0) + 1
    return found


def texts(*folders):
    text = ""
    for folder in folders:
        for where, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                if name.endswith((".c", ".h", ".S")):
                    with open(os.path.join(where, name), encoding="utf-8") as f:
                        text += f.read()
    return text


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("-")]
    library = words[1] if len(words) > 1 else library_of(os.path.abspath(words[0]))
    ours = set(re.findall(r"\w+", texts("src/runtime")))
    tables = set(re.findall(r"\w+", texts("src/wire")))
    found, wrong, counts = with_atomics(library), [], {"modelled": 0, "harmless": 0, "unseen": 0}
    for name in sorted(found):
        kind = "modelled" if name in ours else "harmless" if name in tables else "unseen"
        counts[kind] += 1
        if kind == "harmless" and name not in HARMLESS:
            wrong.append(name)
        if "--list" in sys.argv:
            print(f"{kind:9} {found[name]:4} {name}")
    print(f"{os.path.basename(library)}: {len(found)} functions with atomic instructions:",
          ", ".join(f"{n} {kind}" for kind, n in counts.items()))
    for name in wrong:
        print(f"FAIL {name}: a table of src/wire says that it is harmless, and it has atomic instructions")
    assert found, "no function was found: objdump writes something else"
    sys.exit(bool(wrong))


main()
