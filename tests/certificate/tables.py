#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A wrong table of operations is found by executing runs in another order, also where the search has the same mistake.

    tests/certificate/tables.py TREADLE TREADLE-CHECK [--count=N]

treadle-check is linked with a table that calls some operations independent that are not. It is its own search: what it
says is missing is the next run, until it misses nothing. So search and checker share the mistake. With --reorder the
result must not be certified, if the right treadle-check says that a run is missing. The right table does the same first:
then nothing is missing, and there are as many traces as --search=optimal finds.
Exit: 0 fine, 1 not, 77 the build has no compile_commands.json.
"""
import pathlib
import re
import shlex
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import mutated  # noqa: E402

certificate, generate, prog = mutated.certificate, mutated.generate, mutated.prog
CERTIFIED, NOT_CERTIFIED = certificate.CERTIFIED, certificate.NOT_CERTIFIED
TABLE = "src/certify/ops_table.c"
INCLUDE = '#include "wire/ops.def"'
MOST_RUNS = 60
REORDER = 300

# kind, effect in place of the right one
MUTATIONS = [("STORE", "S"), ("RMW", "S"), ("CAS", "S"), ("CAS_FAIL", "N"), ("LOAD", "N"), ("LOCK", "S"), ("UNLOCK", "S"),
             ("TRYLOCK", "S"), ("TRYLOCK_BUSY", "N"), ("SEM_WAIT", "S"), ("SEM_POST", "S"), ("COND_WAIT", "S"),
             ("SIGNAL", "S"), ("BROADCAST", "S"), ("RDLOCK", "N"), ("RDUNLOCK", "N"), ("WRLOCK", "S"), ("WRUNLOCK", "S"),
             ("BARRIER", "S"), ("ONCE", "S"), ("ONCE_DONE", "N")]


class Builder(mutated.mutations.Builder):
    def checker_with(self, kind, effect):
        """treadle-check with another effect of an operation."""
        text, n = re.subn(rf'(OP\({kind},\s+"[^"]*",\s*)[NSE]', rf"\g<1>{effect}", (ROOT / "src/wire/ops.def").read_text())
        if n != 1:
            sys.exit(f"ops.def has {n} rows of {kind}")
        table = self.folder / "ops.def"
        table.write_text(text)
        object_file = self.compile(TABLE, (ROOT / TABLE).read_text().replace(INCLUDE, f'#include "{table}"'))
        out = self.folder / "treadle-check"
        words = shlex.split(self.run(["ninja", "-C", self.build, "-t", "commands", out.name]).stdout.splitlines()[-1])
        at = words.index(out.name)
        words[at] = str(out)
        words.insert(at + 1, str(object_file))
        self.must(words)
        return out


def steps_of(recording):
    """The schedule of a recording as a certificate has it."""
    words = " ".join(re.findall(r"^schedule (.*)$", recording, re.M)).split()
    return " ".join(word.replace("main:", "0:").removeprefix("T") for word in words)


def explore(tester, binary, whole):
    """Runs that the checker misses, until it misses none. What it says in the end; None if it asks for the same twice."""
    runs, missing = [], tester.folder / "missing"
    while True:
        whole.write(tester.part, runs)
        checked = tester.check(binary, tester.part, reorder=0)
        if checked.code != NOT_CERTIFIED or len(runs) >= MOST_RUNS:
            return checked
        run = f"run {steps_of(missing.read_text())}"
        if run in runs:
            return None
        runs.append(run)


def right_programs(tester, programs):
    """Those of which the right table finds every trace as well, and all of them do so."""
    found = []
    for binary, args, more in programs:
        if not tester.session(binary, args, ["--goal=traces", *more]):
            continue
        whole, all_runs = certificate.Certificate(tester.path), tester.check(binary, tester.path)
        if all_runs.code != CERTIFIED or all_runs.traces > MOST_RUNS:
            continue
        checked = explore(tester, binary, whole)
        if not checked or checked.code != CERTIFIED or checked.traces != all_runs.traces:
            tester.problem(f"{binary.name} {' '.join(args)}", "explored by the checker", checked.text if checked else "stuck")
        found.append((binary, args, whole))
    return found


def judge(tester, right, programs):
    """How often the mistake was found, and where it was not although a run is missing."""
    n_found, believed, wrong = 0, [], tester.checker
    for binary, args, whole in programs:
        tester.checker = wrong
        checked = explore(tester, binary, whole)
        if checked and checked.code == CERTIFIED:
            checked = tester.check(binary, tester.part, reorder=REORDER)
        n_found += not checked or checked.code != CERTIFIED
        if checked and checked.code == CERTIFIED:
            tester.checker = right
            if tester.check(binary, tester.part, reorder=0).code != CERTIFIED:
                believed.append(f"{binary.name} {' '.join(args)}".strip())
    return n_found, believed


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    treadle, right = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    count = int(sys.argv[3].removeprefix("--count=")) if len(sys.argv) > 3 else 20
    if not (treadle.parent / "compile_commands.json").exists():
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        tester = certificate.Tester(treadle, right, place)
        programs = right_programs(tester, mutated.Programs(tester, count).all)
        print(f"{len(programs)} programs are explored by treadle-check itself", flush=True)
        for kind, effect in MUTATIONS:
            with tempfile.TemporaryDirectory() as folder:
                tester.checker = Builder(treadle, pathlib.Path(folder)).checker_with(kind, effect)
                n_found, believed = judge(tester, right, programs)
            is_fine = n_found > 0 and not believed
            failed += not is_fine
            wrong = f", BELIEVED: {', '.join(believed)}" if believed else ""
            print(f"{'ok' if is_fine else 'FAIL'}    {kind} has effect {effect}: found with {n_found} programs{wrong}", flush=True)
    sys.exit(1 if failed or tester.problems or not programs else 0)


if __name__ == "__main__":
    main()
