# SPDX-License-Identifier: Apache-2.0
"""Tests of the generator, the printer, the comparison and the shrinker."""
import copy
import itertools
import os
import subprocess
import sys
import tempfile

import compare
import generate
import library
import program as prog
import shrink
import simulate
from compare import harness
from program import Program, Stmt

MANY = 1500
INPUTS = generate.parse_features("inputs")
ALL = generate.parse_features("all")
BORDERS = generate.parse_features("borders")
BORDER_OPS = ({"struct pass"}, {"struct copy"}, {"guarded pass"}, {"library"}, {"guarded get"}, {"call"},
              {"handler"}, {"plain until"}, {"cas add"}, {"row"}, {"crowd"}, {"detach"}, {"wait"},
              {"timed wait", "timed lock"})
PRIMITIVE_OPS = ({"wait", "wait until"}, {"signal", "broadcast"}, {"sem wait", "sem try"}, {"read"},
                 {"write"}, {"barrier"}, {"once"}, {"racy get"}, prog.TIMED)
PLANTED = 4  # statements of the smallest program with the planted property


def texts(n):
    return [prog.put_alone(generate.draw("test", k, generate.FEATURES)[0]) for k in range(n)]


def test_determinism(checks):
    code = ("import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); "
            "import selftest; print('\\n'.join(selftest.texts(20)))")
    here = os.path.dirname(os.path.abspath(__file__))
    seen = set()
    for hash_seed in ("1", "2"):
        done = subprocess.run([sys.executable, "-c", code, here], capture_output=True, text=True,
                              env=dict(os.environ, PYTHONHASHSEED=hash_seed), check=False)
        seen.add(done.stdout)
    checks.check("the same seed gives the same programs", len(seen) == 1 and len(seen.pop()) > 5000)
    checks.check("another number gives another program", len(set(texts(50))) > 45)


def test_generator(checks):
    drawn = [generate.draw("test", k, generate.FEATURES)[0] for k in range(MANY)]
    drawn += [generate.draw("test", k, INPUTS)[0] for k in range(MANY // 3)]
    drawn += [generate.draw("test", k, ALL)[0] for k in range(MANY)]
    borders = [generate.draw("test", k, BORDERS)[0] for k in range(MANY)]
    wrong = [prog.why_invalid(p) for p in drawn + borders if prog.why_invalid(p)]
    checks.check("programs follow the rules", not wrong, str(wrong[:3]))
    loops = [generate.draw("test", k, generate.parse_features(f))[0]
             for f in ("loops", "+endless,+spawn", "+stretch") for k in range(100)]
    missing = set(prog.OPS) - set().union(*(p.ops() for p in drawn + borders + loops))
    checks.check("every kind of statement is drawn", not missing, str(missing))
    only = generate.parse_features("atomic,join")
    ops = set().union(*(generate.draw("test", k, only)[0].ops() for k in range(100)))
    checks.check("features can be chosen", ops == {"load", "store", "create", "join"}, str(ops))
    without = generate.parse_features("-section")
    ops = set().union(*(generate.draw("test", k, without)[0].ops() for k in range(300)))
    checks.check("a feature can be left out", "section" not in ops and "cas" in ops)
    usual, inputs, others = drawn[:MANY], drawn[MANY:-MANY], drawn[-MANY:]
    sizes = [sum(s.op == "input" for s in p.statements()) for p in inputs]
    checks.check("programs have 1 to 3 inputs", min(sizes) >= 1 and max(sizes) == 3)
    checks.check("and others have none", all("input" not in p.ops() for p in usual + others))
    used = [sum(bool(p.ops() & kinds) for p in others) for kinds in PRIMITIVE_OPS]
    checks.check("every primitive is in many programs", min(used) > MANY // 20, str(used))
    checks.check("and only if it is asked for",
                 not any(p.ops() & kinds for p in usual + inputs for kinds in PRIMITIVE_OPS))
    test_borders(checks, borders, usual + inputs + others)
    return usual, inputs, others, borders


def depth(p, f=0):
    """How deep threads create threads."""
    return max((1 + depth(p, s.at["f"]) for s in prog.walk(p.bodies[f]) if s.op == "create"), default=0)


def test_borders(checks, borders, rest):
    used = [sum(bool(p.ops() & kinds) for p in borders) for kinds in BORDER_OPS]
    checks.check("every border is in many programs", min(used) > MANY // 100, str(used))
    only = {"library", "call", "handler", "plain until", "struct pass", "row", "crowd"}
    checks.check("and only if it is asked for", not any(p.ops() & only for p in rest))
    for field, op, all_of in (("how", "library", library.CALLS), ("how", "guarded put", library.PUTS),
                              ("how", "guarded get", library.GETS), ("way", "struct pass", prog.PASSED),
                              ("how", "call", prog.CALLERS), ("how", "handler", prog.HANDLERS)):
        drawn = {s.at[field] for p in borders for s in p.statements() if s.op == op}
        checks.check(f"every kind of {op} is drawn", drawn == set(all_of), str(set(all_of) - drawn))
    checks.check("threads are created four deep", max(depth(p) for p in borders) >= 4)
    crowds = [s.at["n"] for p in borders for s in p.statements() if s.op == "crowd"]
    checks.check("more than 64 threads", max(crowds) > 64)
    rows = [s.at["n"] for p in borders for s in p.statements() if s.op == "row"]
    checks.check("more than 16 races", min(rows) > 16)


def thread_program(main, thread):
    return Program([[Stmt("create", f=1, slot=1)] + main, thread], [None, (None, 0)], "return")


def test_rules(checks):
    read = Stmt("guarded read", g=0, r=0)
    join = Stmt("join", slot=1, r=None)
    out = Stmt("out read", slot=1, r=0)
    lock = Stmt("lock", [[read]], m=0, keep=False)
    other = Stmt("lock", [[read]], m=1, keep=False)
    choice = Stmt("if", [[join], []], cond=(0, "==", 1))
    wait = Stmt("wait", c=0, m=0)
    get, put = Stmt("rw get", l=0, r=0), Stmt("rw set", l=0, e=(None, 1))
    cases = [("guarded read with its mutex", [lock], True),
             ("guarded read with another mutex", [other], False),
             ("guarded read without a mutex", [read], False),
             ("guarded read after the join", [join, read], True),
             ("handed over", [join, out], True),
             ("handed over without a join", [out, join], False),
             ("handed over, perhaps joined", [choice, out], False),
             ("joined twice", [join, join], False),
             ("join in a loop", [Stmt("loop", [[join]], times=2)], False),
             ("lock in a section", [Stmt("section", [[lock]])], False),
             ("a thread nobody created", [Stmt("join", slot=2, r=None)], False),
             ("wait with the mutex", [Stmt("lock", [[wait]], m=0, keep=False)], True),
             ("wait with another mutex", [Stmt("lock", [[wait]], m=1, keep=False)], False),
             ("wait with a spin lock",
              [Stmt("lock", [[Stmt("wait", c=0, m=prog.SPIN)]], m=prog.SPIN, keep=False)], False),
             ("read with a read lock", [Stmt("read", [[get]], l=0, keep=False)], True),
             ("read with a write lock", [Stmt("write", [[get]], l=0)], True),
             ("write with a read lock", [Stmt("read", [[put]], l=0, keep=False)], False),
             ("read lock in a read lock",
              [Stmt("read", [[Stmt("read", [[get]], l=0, keep=False)]], l=0, keep=False)], True),
             ("read lock in a write lock",
              [Stmt("write", [[Stmt("read", [[get]], l=0, keep=False)]], l=0)], False),
             ("set in the routine", [Stmt("once", [[Stmt("once set", o=0, e=(None, 1))]], o=0)],
              True),
             ("set outside", [Stmt("once set", o=0, e=(None, 1))], False),
             ("got after the call", [Stmt("once", o=0), Stmt("once get", o=0, r=0)], True),
             ("got before the call", [Stmt("once get", o=0, r=0), Stmt("once", o=0)], False),
             ("left in the routine", [Stmt("once", [[Stmt("leave", e=(None, 0))]], o=0)], False)]
    for name, main, is_valid in cases:
        why = prog.why_invalid(thread_program(main, []))
        checks.check(f"rule: {name}", (why == "") == is_valid, why)


def test_text(checks, drawn, path):
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, "batch.c")
        for i in (0, 50, 100, 150, MANY, MANY + 50, 2 * MANY, 2 * MANY + 50, len(drawn) - 100,
                  len(drawn) - 50):
            text, places = prog.put_batch(drawn[i:i + 50])
            with open(source, "w", encoding="utf-8") as f:
                f.write(text)
            done = subprocess.run(["cc", "-fsyntax-only", "-std=gnu17", "-Wall", "-Wextra",
                                   "-Wno-unused-but-set-variable", "-Wno-tautological-compare",
                                   "-Wno-unused-variable", "-Wno-unused-result",
                                   "-Werror", "-I" + harness.INCLUDE, source],
                                  capture_output=True, text=True, check=False)
            checks.check(f"programs {i} to {i + 49} are C", done.returncode == 0, done.stderr[:500])
            lines = text.splitlines()
            lost = [line for where in places for line, (s, _) in where.items()
                    if s.op == "create" and "pthread_create" not in lines[line - 1]]
            checks.check(f"programs {i} to {i + 49}: lines of statements", not lost, str(lost[:3]))
    if path:
        treadle = harness.Treadle(path)
        try:
            some = drawn[:30] + drawn[MANY:MANY + 20] + drawn[-40:]
            binary = compare.Tester(path, [], []).compile(treadle, prog.put_batch(some)[0])
            checks.check("treadle cc takes them", os.path.exists(binary))
        finally:
            treadle.close()


REPORT = {"goal": "states", "blocked_runs": 0, "solver": {"queries": 0},
          "verdict": "bug", "stopped": "", "ledger": [], "search": "all", "runs": 9, "traces": 4,
          "events": 7, "digest": "0" * 32,
          "findings": [{"kind": "assert", "id": "assert-0001", "file": "a.c", "line": 3,
                        "message": "one"}]}


def test_comparison(checks):
    same = dict(copy.deepcopy(REPORT), search="unfold", runs=4)
    checks.check("equal reports agree", compare.differences(REPORT, same) == [])
    race = {"kind": "race", "id": "race-0002", "file": "a.c", "line": 5, "other_line": 7,
            "message": "on d0"}
    idle = {"kind": "deadlock", "id": "deadlock-0005", "file": "a.c", "line": 5,
            "message": "deadlock: T1 waits for 's0'"}
    cycle = dict(idle, message="deadlock: 2 threads wait for each other")
    nondet = {"kind": "nondet", "id": "nondet-0003", "file": "a.c", "line": 5, "message": "differs"}
    changes = [({"digest": "1" * 32}, {"digest"}), ({"verdict": "complete"}, {"verdict"}),
               ({"ledger": [{"kind": "time"}]}, {"verdict"}), ({"runs": 5}, {"runs"}),
               ({"findings": []}, {"assert"}),
               ({"findings": REPORT["findings"] + [race]}, {"race"}),
               ({"findings": REPORT["findings"] + [nondet]}, {"nondet"}),
               ({"findings": REPORT["findings"] + [idle]}, {"idle"}),
               ({"findings": REPORT["findings"] + [cycle]}, {"deadlock"})]
    twice = [dict(same, findings=[dict(race, id=i)]) for i in ("race-0002", "race-0004")]
    checks.check("races by pair differ", compare.differences(*twice) != [])
    checks.check("races by variable agree", compare.differences(*twice, by_variable=True) == [])
    for change, expected in changes:
        kinds = {what for what, _ in compare.differences(REPORT, dict(same, **change))}
        checks.check(f"a difference in {', '.join(change)}", expected <= kinds, str(kinds))


def test_simulation(checks):
    """Small programs of which it is known what they can do."""
    def kinds(main, thread, **starts):
        p = thread_program(main, thread)
        p.starts.update(starts)
        return {kind for kind, _ in simulate.outcomes(p, 10000)}

    def locked(*inside):
        return Stmt("lock", [list(inside)], m=0, keep=False)

    wait, signal = Stmt("wait", c=0, m=0), Stmt("signal", c=0)
    until = Stmt("wait until", c=0, m=0, until=("==", 1))
    put = Stmt("guarded write", g=0, e=(None, 1))
    join = Stmt("join", slot=1, r=None)
    serial = [Stmt("barrier", b=0, r=0), Stmt("assert", cond=(0, "==", 0))]
    timed = locked(Stmt("timed wait", c=0, m=0, r=0), Stmt("assert", cond=(0, "==", 0)))
    post, down = Stmt("sem post", s=0), Stmt("sem wait", s=0)
    write = Stmt("write", [[Stmt("probe")]], l=0)
    cases = [("a signal that comes too early is lost", [locked(signal), join], [locked(wait)], {},
              {"deadlock"}),
             ("unless it is remembered", [locked(put, signal), join], [locked(until)], {}, set()),
             ("one post for two waits", [down, join], [post, down], {}, {"deadlock"}),
             ("and one at the start", [down, join], [post, down], {"s0": 1}, set()),
             ("the last one at a barrier knows it", serial + [join], serial, {}, {"assert"}),
             ("too few at a barrier", serial + [join], serial, {"b0": 3}, {"deadlock"}),
             ("a timeout", [join], [timed], {}, {"assert"}),
             ("a writer waits for readers", [Stmt("read", [[join]], l=0, keep=False)], [write], {},
              {"deadlock", "assert"}),
             ("a thread ends with a lock", [join], [Stmt("lock", m=0, keep=True)], {}, {"left"}),
             ("once in once", [join], [Stmt("once", [[Stmt("once", o=0)]], o=0)], {}, {"deadlock"})]
    cases += race_cases()
    for name, main, thread, starts, expected in cases:
        seen = kinds(main, thread, **starts)
        checks.check(f"simulation: {name}", seen == expected, str(seen))


def race_cases():
    """What races, by what happens before what."""
    join, put = Stmt("join", slot=1, r=None), Stmt("racy write", d=0, n=1)
    store = Stmt("store", a=0, e=(None, 1), order="release")
    weak = Stmt("store", a=0, e=(None, 1), order="relaxed")
    load = Stmt("load", a=0, r=0, order="acquire")
    get = Stmt("if", [[Stmt("racy read", d=0)], []], cond=(0, "==", 1))
    more = Stmt("add", a=0, n=0, r=1, order="relaxed")
    fence = Stmt("fence")

    def called(*block):
        return Stmt("call", [list(block)], how="qsort")

    def at_exit(how):
        return Stmt("handler", [[put.copy()]], how=how)

    sets, waits = Stmt("plain flag", f=0, volatile=True, n=1), Stmt("plain until", f=0, volatile=True,
                                                                    pause="nothing")
    passed, kept = Stmt("struct pass", k=0, way="at"), Stmt("struct set", k=0, n=1)
    text = Stmt("library", how="strcpy", d=0, t=0)
    read_text = Stmt("library", how="strlen", d=0, t=1)
    return [("two writes race", [put, join], [put], {}, {"race"}),
            ("a join orders them", [join, put], [put], {}, set()),
            ("released and acquired", [put, store, join], [load, get], {}, set()),
            ("a release sequence", [put, store, more, join], [load, get], {}, set()),
            ("too weak", [put, weak, join], [load, get], {}, {"race"}),
            ("a fence", [put, fence, weak, join], [load, get], {}, set()),
            ("in a callback", [called(put), join], [put], {}, {"race"}),
            ("at exit", [at_exit("atexit")], [put], {}, {"race"}),
            ("at exit, after the join", [at_exit("destructor"), join], [put], {}, set()),
            ("a structure by value", [passed, join], [kept], {}, {"race"}),
            ("texts", [text, join], [text], {}, {"race"}),
            ("texts that are read", [text, join], [read_text], {}, set()),
            ("a plain flag", [sets, join], [waits], {}, {"race"}),
            ("a plain flag nobody sets", [join], [waits], {}, {"deadlock"})]


def has_planted(p):
    """A stand-in for a disagreement: a store in a thread that somebody joins, and a lock."""
    joined = {s.at["slot"] for s in p.statements() if s.op == "join"}
    functions = {s.at["f"] for s in p.creates() if s.at["slot"] in joined}
    stores = any(s.op == "store" for f in functions for s in prog.walk(p.bodies[f]))
    return stores and "lock" in p.ops()


def has_planted_input(p):
    """Another one: an input in a thread, and a decision on a register it may be in."""
    return any({"input", "calc"} <= {s.op for s in prog.walk(body)} and
               any("cond" in s.at or s.op == "switch" for s in prog.walk(body))
               for body in p.bodies[1:])


def has_planted_wait(p):
    """And one with primitives: a wait in one function, and what wakes it in another."""
    waits = [any(s.op in ("wait", "wait until") for s in prog.walk(body)) for body in p.bodies]
    wakes = [any(s.op in ("signal", "broadcast") for s in prog.walk(body)) for body in p.bodies]
    return any(w and any(wakes[:i] + wakes[i + 1:]) for i, w in enumerate(waits))


def has_planted_call(p):
    """And at the borders: a call in a thread, and a call of the library."""
    return "library" in p.ops() and any(s.op == "call" for body in p.bodies[1:] for s in prog.walk(body))


def test_shrinker(checks, drawn, has, smallest):
    planted = [p for p in drawn if has(p)][:12]
    checks.check("there are programs with the planted property", len(planted) == 12)
    for i, p in enumerate(planted):
        before = sum(1 for _ in p.statements())

        def first_failing(programs):
            return next((k for k, q in enumerate(programs) if has(q)), None)

        small = shrink.shrink(p, first_failing)
        n = sum(1 for _ in small.statements())
        fine = n == smallest and has(small) and not prog.why_invalid(small)
        checks.check(f"planted {i}: {before} statements shrink to {n}", fine)


def fixed_copies(p):
    """The program with each combination of values in place of its inputs."""
    n_bits = [s.at["bits"] for s in p.statements() if s.op == "input"]
    for values in itertools.product(*(range(1 << n) for n in n_bits)):
        q = p.copy()
        for s, value in zip([s for s in q.statements() if s.op == "input"], values):
            s.at["value"] = value
        yield q


def is_plain(p):
    """Every input is made once in every run."""
    inner = any(s.op == "input" for body in p.bodies for t in body for k in t.kids
                for s in prog.walk(k))
    functions = [s.at["f"] for s in p.creates()]
    top = {id(s) for s in p.bodies[0]}
    joined = {s.at["slot"] for s in p.bodies[0] if s.op == "join"}
    # The end of main cuts the others short.
    ends = all(s.at["slot"] in joined for s in p.creates())
    return (not inner and ends and len(set(functions)) == len(functions) and
            all(id(s) in top for s in p.creates()) and not p.ops() & (prog.ENDS | {"assume"}) and
            sum(s.at["bits"] for s in p.statements() if s.op == "input") <= 5)


def told(program, verdict):
    """{(kind, number of the statement)} of findings."""
    numbers = {id(s): i for i, s in enumerate(program.statements())}
    return {(f["kind"], numbers.get(id(verdict.places.get(f["line"], (None,))[0])))
            for f in verdict.reference["findings"] if f["kind"] != "race"}


def test_values(checks, path):
    """Every value of inputs is run: the same programs with numbers in their place."""
    tester = compare.Tester(path, ["--search=all"], ["--search=all"], runs=5000)
    drawn = (generate.draw("values", k, INPUTS)[0] for k in itertools.count())
    chosen = list(itertools.islice((p for p in drawn if is_plain(p)), 6))
    for i, (p, whole) in enumerate(zip(chosen, tester.batch(chosen))):
        copies = list(fixed_copies(p))
        parts = list(tester.batch(copies))
        if whole.skipped:
            continue
        expected = set().union(*(told(q, v) for q, v in zip(copies, parts)))
        checks.check(f"values {i}: findings", told(p, whole) == expected,
                     f"{told(p, whole)} {expected}")
        runs = sum(v.reference["runs"] for v in parts)
        seen = whole.reference["runs"]
        checks.check(f"values {i}: {seen} runs of {runs}",
                     seen == runs if not expected else seen <= runs)




def test_whole(checks, path):
    """A search that leaves things out is caught, and the program reduced."""
    tester = compare.Tester(path, ["--search=all"], ["--search=all", "--preemptions=0"],
                            ["verdict"])
    features = generate.parse_features("atomic,branch,assert,join")
    drawn = [generate.draw("test", k, generate.FEATURES)[0] for k in range(20)]
    failing = [p for p, v in zip(drawn, tester.batch(drawn)) if "digest" in v.kinds()]
    checks.check("a search with a bound on preemptions is caught", failing)
    if not failing:
        return

    def first_failing(programs):
        verdicts = enumerate(tester.batch(programs))
        return next((i for i, v in verdicts if "digest" in v.kinds()), None)

    small = shrink.shrink(failing[0], first_failing)
    n = sum(1 for _ in small.statements())
    checks.check(f"and its program shrinks to {n} statements", n <= 4, prog.put_alone(small))


def run(path):
    checks = harness.Checks()
    test_determinism(checks)
    usual, inputs, others, borders = test_generator(checks)
    test_rules(checks)
    test_text(checks, usual + inputs + others + borders, path)
    test_comparison(checks)
    test_simulation(checks)
    test_shrinker(checks, usual, has_planted, PLANTED)
    test_shrinker(checks, inputs, has_planted_input, PLANTED)
    test_shrinker(checks, others, has_planted_wait, PLANTED)
    test_shrinker(checks, borders, has_planted_call, 3)
    if path:
        test_whole(checks, path)
        test_values(checks, path)
    checks.finish()
