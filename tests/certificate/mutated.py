#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches with mistakes built in are not certified where they miss something.

    tests/certificate/mutated.py TREADLE TREADLE-CHECK [--count=N]

Each mistake is put into a copy of one file, and treadle is linked with it. Where the certificate of the right treadle
is certified, that of the changed one must not be, or have as many traces (states: events) as the right one. With
each mistake some session must have fewer. A session that says itself that something is missing, and so writes no
certificate, counts too.
Exit: 0 fine, 1 not, 77 the build has no compile_commands.json.
"""
import importlib.util
import pathlib
import shlex
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True


def load(name, path):
    """A module by its path: there are several of the name run."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mutations = load("mutations_run", ROOT / "tests/mutations/run.py")
certificate = load("certificate_run", HERE / "run.py")
generate, prog = certificate.generate, certificate.prog

# what is wrong, search, file, text to replace (it occurs once), replacement
MUTATIONS = [
    ("readers that block together are no race", "dpor", "src/trace/order.c",
     "if (c == CAN_NOT && mdl_waits_for_readers(s->asked) &&", "if (false && mdl_waits_for_readers(s->asked) &&"),
    ("the first race of a run is dropped", "dpor", "src/explore/baselines/dpor.c",
     "for (size_t i = 0; i < x->races.len; i++)", "for (size_t i = 1; i < x->races.len; i++)"),
    ("threads that wait at the end have no races", "dpor", "src/explore/baselines/dpor.c",
     "    trc_order_last_races(x->order, &x->races);\n", ""),
    ("reads are independent of all", "dpor", "src/trace/order.c",
     "        if (!trc_depends(op, &s->wanted))\n            continue;\n        bool is_end",
     "        if (!trc_depends(op, &s->wanted) || mdl_only_looks(op->kind))\n            continue;\n        bool is_end"),
    ("an order is turned round for the first two threads only", "dpor", "src/explore/baselines/dpor.c",
     "    uint32_t node = x->path.at[race->first];\n",
     "    uint32_t node = x->path.at[race->first];\n    if (race->thread > 2)\n        return;\n"),
    ("no target after a read that comes later", "unfold", "src/unfold/target.c",
     "                propose_after(u, c, read);\n", "                (void)propose_after;\n"),
    ("no target for the third thread in a new state", "unfold", "src/unfold/target.c",
     "            ask_group(u, g, (unf_state){state});\n",
     "            if (u->groups.at[g].thread != 3)\n                ask_group(u, g, (unf_state){state});\n"),
    ("no target where what is new is an exclusive event", "unfold", "src/unfold/target.c",
     "            as_state(u, event);\n", "            (void)as_state;\n"),
    ("no target for a history in the states below", "unfold", "src/unfold/target.c",
     "        if (u->groups.at[g].thread == thread)\n            continue;\n        uint32_t n_misses = 0;\n        for (uint32_t s",
     "        if (u->groups.at[g].thread >= thread)\n            continue;\n        uint32_t n_misses = 0;\n        for (uint32_t s"),
    ("traces are the same if few bits of their ids are", "optimal", "src/explore/unfold/unfold.c",
     "if (!td_id_set_has(&x->seen, unf_cfg_trace(x->trace)) && plan_trace(x))",
     "if (unf_cfg_trace(x->trace).lo % 4 && !td_id_set_has(&x->seen, unf_cfg_trace(x->trace)) && plan_trace(x))"),
]
SEED = "mutated"


class Builder(mutations.Builder):
    def treadle_with(self, object_file):
        """treadle with the object file, among links to what is beside the right one."""
        for name in ("src", "include", "treadle-cc", "treadle-check"):
            (self.folder / name).symlink_to(self.build / name)
        out = self.folder / "treadle"
        found = self.run(["ninja", "-C", self.build, "-t", "commands", "treadle"])
        words = shlex.split(found.stdout.splitlines()[-1])
        at = words.index("treadle")
        words[at] = str(out)
        words.insert(at + 1, str(object_file))
        self.must(words)
        return out


class Programs:
    """Some of the oracle's and those of this folder, compiled once."""

    def __init__(self, tester, count):
        generated = [generate.draw(SEED, k, generate.parse_features("all,-section,-spurious,-timed"))[0]
                     for k in range(count)]
        text, _ = prog.put_batch(generated)
        batch = tester.compile(text, "batch")
        self.all = [(tester.compile((HERE / file).read_text(), file.removesuffix(".c")), [], [])
                    for file in certificate.OWN]
        self.all += [(batch, [str(i)], p.options()) for i, p in enumerate(generated)]


def outcome(tester, treadle, binary, args, options):
    """What treadle-check says of a session; None if it broke off."""
    tester.treadle, tester.said = treadle, ""
    try:
        tester.session(binary, args, options)
    except RuntimeError:  # an assert of treadle's own
        return None
    return tester.check(binary, tester.path, reorder=0) if tester.path.exists() else None


def covered(search, checked):
    return checked.events if search == "unfold" else checked.traces


def right_ones(tester, treadle, programs):
    """By search and program, what the certificates of the right treadle cover, where they are certified."""
    found = {}
    for search in certificate.SEARCHES:
        for i, (binary, args, more) in enumerate(programs.all):
            checked = outcome(tester, treadle, binary, args, [*certificate.SEARCHES[search], *more])
            if checked and checked.code == certificate.CERTIFIED:
                found[search, i] = covered(search, checked)
    return found


def judge(tester, changed, search, programs, right):
    """How many certificates were refused, how many sessions had none, and what was certified although it covers less."""
    n_refused, n_none, believed = 0, 0, []
    for i, (binary, args, more) in enumerate(programs.all):
        if (search, i) not in right:
            continue
        checked = outcome(tester, changed, binary, args, [*certificate.SEARCHES[search], *more])
        if not checked:
            n_none += certificate.NO_CERTIFICATE in tester.said
            continue
        n_refused += checked.code == certificate.NOT_CERTIFIED
        if checked.code == certificate.CERTIFIED and covered(search, checked) != right[search, i]:
            believed.append(f"{binary.name} {' '.join(args)}")
    return n_refused, n_none, believed


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    treadle, checker = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    count = int(sys.argv[3].removeprefix("--count=")) if len(sys.argv) > 3 else 40
    if not (treadle.parent / "compile_commands.json").exists():
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        tester = certificate.Tester(treadle, checker, place)
        programs = Programs(tester, count)
        right = right_ones(tester, treadle, programs)
        print(f"{len(right)} certificates of the right treadle", flush=True)
        for what, search, file, old, new in MUTATIONS:
            text = (ROOT / file).read_text()
            if text.count(old) != 1:
                sys.exit(f"{file} has {old.strip()!r} {text.count(old)} times")
            with tempfile.TemporaryDirectory() as folder:
                builder = Builder(treadle, pathlib.Path(folder))
                changed = builder.treadle_with(builder.compile(file, text.replace(old, new)))
                n_refused, n_none, believed = judge(tester, changed, search, programs, right)
            is_fine = n_refused + n_none > 0 and not believed
            failed += not is_fine
            wrong = f", BELIEVED: {', '.join(believed)}" if believed else ""
            print(f"{'ok' if is_fine else 'FAIL'}    {what}: {n_refused} not certified, {n_none} without a certificate{wrong}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
