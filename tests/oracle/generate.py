# SPDX-License-Identifier: Apache-2.0
"""Draws random programs. The same seed and number give the same program, everywhere.

Each program is drawn with a random part of the features, so that many programs have much of a
few things rather than a little of all. Statements are put at random places as long as the rules
of program.py hold and the bound on the interleavings stays below a random limit."""
import math
import random

import library
from program import (CALCS, CALLERS, COMPARISONS, HANDLERS, MAX_INPUTS, N_REGISTERS, PASSED,
                     RECURSIVE, ROW, SPIN, STREAM, Program, Stmt, log_interleavings, log_runs, walk,
                     why_invalid)

# Feature: share of the programs that have it.
FEATURES = {
    "atomic": 0.85,     # loads and stores
    "rmw": 0.45,        # fetch_add, exchange
    "cas": 0.4,         # compare_exchange, branches on success
    "branch": 0.75,     # if on what was read
    "mutex": 0.65,
    "nested": 0.5,      # mutexes in mutexes, in any order
    "keep": 0.12,       # mutexes never released
    "trylock": 0.3,
    "recursive": 0.1,   # a recursive mutex
    "guarded": 0.55,    # plain variables under their mutex, and branches on them
    "racy": 0.4,        # plain variables anywhere
    "reaccess": 0.5,    # of these, more than one racy variable access in a row
    "assert": 0.55,
    "probe": 0.3,       # assertions that fail when they are reached
    "dynamic": 0.35,    # threads that create threads, also in branches
    "twin": 0.25,       # two threads with one function
    "join": 0.85,
    "fetch": 0.35,      # results of threads, used by the joiner
    "out": 0.45,        # plain variables handed over by a join
    "cross": 0.2,       # threads that join threads of others
    "joinmain": 0.06,   # threads that join main
    "section": 0.15,    # __VERIFIER_atomic_begin and _end
    "loop": 0.25,
    "leave": 0.15,      # threads that end early
    "exit": 0.06,
    "relaxed": 0.15,    # weaker orders: less synchronisation for the race check
    "detach": 0.08,
    "yield": 0.05,
    "abort": 0.03,
    "misuse": 0.05,     # mutexes and threads used wrongly
}
# With inputs; "+inputs" or "inputs" alone adds them to the usual ones.
INPUT_FEATURES = {
    "inputs": 1.0,      # 1 to 3 of 2 to 4 bits, in any thread
    "branch": 0.95,
    "arith": 0.7,       # expressions of them
    "compare": 0.6,     # conditions other than == and != a number
    "switch": 0.35,
    "table": 0.3,       # an element chosen by a register
    "cells": 0.3,       # an atomic chosen by a register
    "assume": 0.1,
}
# Beside mutexes and atomics; "+cond" adds one, "all" adds all of them to the usual ones.
PRIMITIVES = {
    "cond": 0.4,        # wait in a loop or not, signal and broadcast with and without the mutex
    "sem": 0.35,
    "rwlock": 0.35,
    "barrier": 0.25,
    "once": 0.25,
    "spin": 0.2,        # a mutex that is a spin lock
    "timed": 0.25,      # waits with a timeout, which may give up
    "raced": 0.12,      # values that are read in a race decide what happens next
    "spurious": 0.2,    # a wait at a condition variable may end for no reason
    "meet": 0.15,       # two readers of a lock meet at a barrier while both hold it, another thread writes
}
# With "+loops" or "loops": loops that other threads must end.
LOOP_FEATURES = {
    "loops": 1.0,
    "loop lock": 0.6,
}
# With "+rounds": loops that end, in which a thread counts what it decides and forgets what it read.
ROUND_FEATURES = {"rounds": 1.0}
# With "+same": three threads with one function.
SAME_FEATURES = {"same": 1.0}
# With "+endless": loops that do not end, and threads that create others without end; for --depth.
ENDLESS_FEATURES = {
    "endless": 1.0,
    "spawn": 0.25,
}
# With "+retry" as well: rounds of these loops take a mutex, or wait with a timeout.
RETRY_FEATURES = {"retry": 1.0}
# With "+tries": loops around a compare-exchange, in which a round may be left out.
TRY_FEATURES = {"tries": 1.0}
# With "+stretch": long stretches of plain accesses between operations.
STRETCH_FEATURES = {"stretch": 1.0}
# With "+borders" or "borders": what lies at the edge of what a tool sees.
BORDER_FEATURES = {
    "borders": 1.0,
    "structs": 0.35,    # passed by value, copied
    "callbacks": 0.35,  # function pointers, and functions that the C library calls
    "library": 0.4,     # calls with in and out parameters
    "handlers": 0.25,   # run at exit
    "plain waits": 0.2, # loops over plain and volatile variables
    "cas loops": 0.25,
    "deep": 0.2,        # threads that create threads, four deep, and joins
    "crowd": 0.05,      # more than 64 threads, one after another
    "row": 0.06,        # more than 16 races
    "exits": 0.1,       # several threads call exit, and register handlers
    "keys": 0.15,       # values of threads, with destructors
    "constructor": 0.12,
    "jumps": 0.15,      # longjmp
    "gotos": 0.1,       # computed
    "random": 0.1,      # rand()
    "system": 0.1,      # what the system keeps for the process: alarm, signal actions
    "blocks": 0.1,      # malloc, free, and whether it is the same address
    "clocks": 0.08,
    "streams": 0.1,     # flockfile
    "gates": 0.5,       # of read-write locks, those that prefer writers
    "unasked": 0.5,     # of waits, those that treadle ends for no reason unasked
    "divide": 0.5,      # of inputs, crashes
    "rwlock": 0.12, "inputs": 0.1, "arith": 0.3,
    "cond": 0.15, "timed": 0.08, "detach": 0.12, "relaxed": 0.25, "fetch": 0.25, "misuse": 0.0,
    "section": 0.0, "joinmain": 0.0, "keep": 0.05,
}
SMALLEST, LARGEST = 100.0, 1e6  # limits on the bound of log_interleavings
WAITING = 100.0                 # times more with primitives, where threads wait for others
MOST_INPUT_RUNS = 2e5           # ... of log_runs: most programs have far fewer
ORDERS = {"load": ("relaxed", "acquire"), "store": ("relaxed", "release"),
          "add": ("relaxed", "acq_rel"), "swap": ("relaxed", "acq_rel")}


def parse_features(text):
    """"a,b": only these; "-a,+b": the usual ones without a and with b; "inputs": "+inputs";
    "all" at the start: the usual ones and all of PRIMITIVES."""
    words = [w for w in text.split(",") if w]
    usual = FEATURES
    if words[:1] == ["all"]:
        usual, words = dict(FEATURES, **dict(PRIMITIVES, misuse=0.1)), words[1:]
    known = {**usual, **PRIMITIVES, **INPUT_FEATURES, **LOOP_FEATURES, **RETRY_FEATURES, **TRY_FEATURES,
             **STRETCH_FEATURES, **ENDLESS_FEATURES, **ROUND_FEATURES, **SAME_FEATURES,
             **{f: share for f, share in BORDER_FEATURES.items() if f not in usual}}
    for w in words:
        if w.lstrip("+-") not in known:
            raise ValueError(f"no such feature: {w} (there are: all, {', '.join(known)})")
    words = ["+" + words[0]] if words in (["inputs"], ["loops"], ["borders"]) \
        else words
    if any(w[0] not in "+-" for w in words):
        return {w.lstrip("+"): known[w.lstrip("+")] for w in words if w[0] != "-"}
    chosen = dict(usual)
    chosen.update(INPUT_FEATURES if "+inputs" in words else {})
    chosen.update(LOOP_FEATURES if "+loops" in words else {})
    chosen.update(BORDER_FEATURES if "+borders" in words else {})
    chosen.update(ENDLESS_FEATURES if "+endless" in words else {})
    for w in words:
        if w[0] == "-":
            chosen.pop(w[1:], None)
        elif w[1:] not in ENDLESS_FEATURES:
            chosen[w[1:]] = 1.0
    return chosen


class Generator:
    """Draws one program."""

    def __init__(self, rng, features):
        self.rng = rng
        self.has = {f for f, share in features.items() if rng.random() < share}
        some = [f for f in PRIMITIVES if f in features]
        if some and not self.has & set(some) and "borders" not in features:
            self.has.add(rng.choice(some))
        if not self.has & {"atomic", "mutex"} and not some:
            self.has |= set(features) & {rng.choice(("atomic", "mutex"))}
        self.n_atomics = rng.choices((1, 2, 3), (5, 4, 1))[0]
        self.n_mutexes = rng.choices((1, 2, 3), (3, 5, 2))[0]
        if "nested" in self.has:
            self.n_mutexes = max(2, self.n_mutexes)
        self.limit = math.log(SMALLEST) + rng.random() * math.log(LARGEST / SMALLEST)
        self.limit += math.log(WAITING) if self.has & set(PRIMITIVES) else 0
        self.n_inputs = self.depth = 0
        self.p = None

    # Small choices.

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, weighted):
        names = [n for n, _ in weighted]
        return self.rng.choices(names, [w for _, w in weighted])[0]

    def register(self):
        return self.rng.randrange(N_REGISTERS)

    def atomic(self):
        return self.rng.randrange(self.n_atomics)

    def mutex(self):
        if "spin" in self.has and self.chance(0.5):
            return SPIN
        if "streams" in self.has and self.chance(0.4):
            return STREAM
        if "recursive" in self.has and self.chance(0.3):
            return RECURSIVE
        return self.rng.randrange(self.n_mutexes)

    def other_mutex(self, m):
        """Mostly another one: a thread that waits for itself is soon told."""
        m2 = self.mutex()
        return m2 if m2 != m or self.chance(0.15) else self.mutex()

    def number(self):
        return self.rng.choices((0, 1, 2), (1, 4, 2))[0]

    def value(self, known):
        if known and self.chance(0.7 if "inputs" in self.has else 0.25):
            return (self.rng.choice(known), self.rng.randint(0, 1))
        return (None, self.number())

    def order(self, op):
        if "relaxed" in self.has and self.chance(0.6):
            return self.rng.choice(ORDERS[op])
        return None

    def operand(self, known):
        """A number or a register, as text."""
        if known and self.chance(0.35):
            return f"r{self.rng.choice(known)}"
        return self.rng.randint(1, 7)

    def comparison(self, r, known):
        return (r, self.rng.choice(COMPARISONS), self.operand(known))

    def condition(self, r, known=()):
        if "compare" in self.has and self.chance(0.6):
            return self.comparison(r, known)
        return (r, "==" if self.chance(0.75) else "!=", self.rng.choices((0, 1, 2), (3, 4, 2))[0])

    def claim(self, r, known=()):
        if "compare" in self.has and self.chance(0.5):
            return self.comparison(r, known)
        return (r, "!=" if self.chance(0.8) else "==", self.rng.choices((0, 1, 2), (1, 3, 3))[0])

    def rwlock(self):
        return self.one() + (2 if "gates" in self.has and self.chance(0.6) else 0)

    def one(self):
        """The number of a condition variable, semaphore, read-write lock, barrier or once."""
        return int(self.chance(0.25))

    def mutex_of(self, c):
        """Mostly the same one for a condition variable: otherwise its use is not allowed."""
        if "misuse" in self.has and self.chance(0.2):
            return self.rng.randrange(self.n_mutexes)
        return RECURSIVE if "recursive" in self.has and c else 0

    # Statements. Each returns a list, to be inserted as it is.

    def small(self, known):
        """Something without blocks, for the inside of a block."""
        kinds = [("racy", 2.0 if "racy" in self.has else 0),
                 ("load", 1.5 if "atomic" in self.has else 0),
                 ("store", 2.5 if "atomic" in self.has else 0),
                 ("rmw", 1 if "rmw" in self.has else 0),
                 ("probe", 0.7 if "probe" in self.has else 0),
                 ("assert", 0.7 if "assert" in self.has and known else 0),
                 ("leave", 0.8 if "leave" in self.has else 0),
                 ("exit", 0.8 if "exit" in self.has else 0),
                 ("abort", 0.8 if "abort" in self.has else 0),
                 ("out", 0.6 if "out" in self.has else 0),
                 ("nothing", 0.4)] + self.input_kinds(known, 0.5) + self.primitive_kinds(0.6) + \
            self.border_kinds(known, 0.6)
        return getattr(self, "make_" + self.pick(kinds))(known)

    def input_kinds(self, known, scale):
        """Kinds of statements about inputs and what they take part in."""
        kinds = [("calc", "arith", 1.0), ("table", "table", 1.0), ("cell", "cells", 1.6),
                 ("switch", "switch", 1.2), ("assume", "assume", 0.6)]
        made = [(n, w * scale) for n, f, w in kinds if known and f in self.has]
        if "inputs" in self.has and self.n_inputs < MAX_INPUTS:
            made.append(("input", 0.8 * scale))
        return made

    def primitive_kinds(self, scale):
        kinds = [("cond_wait", "cond", 1.5), ("wake", "cond", 4.0), ("sem", "sem", 5.0),
                 ("read", "rwlock", 3.0), ("write", "rwlock", 2.5), ("barrier", "barrier", 0.6),
                 ("once", "once", 3.0), ("spin", "spin", 1.5), ("racy", "raced", 2.0)]
        made = [(n, w * scale) for n, f, w in kinds if f in self.has and self.depth < 3]
        if "timed" in self.has and self.depth < 3:
            made.append(("timed", 2.5 * scale))
        if "misuse" in self.has and len(made) > 0:
            made.append(("misuse_more", 0.7 * scale))
        return made

    def border_kinds(self, known, scale):
        kinds = [("structure", "structs", 1.6), ("library", "library", 1.8), ("call", "callbacks", 1.6),
                 ("plain_wait", "plain waits", 0.8), ("cas_add", "cas loops", 1.0),
                 ("key", "keys", 1.4), ("jump", "jumps", 1.2), ("rand", "random", 1.4), ("system", "system", 1.4),
                 ("block", "blocks", 1.4), ("clock", "clocks", 1.2), ("handler", "exits", 0.6)]
        kinds += [("goto", "gotos", 1.2), ("divide", "divide", 1.2)] if known else []
        return [(n, w * scale) for n, f, w in kinds if f in self.has and self.depth < 3]

    def nested(self, make, known):
        """Statements for a block, not too deep."""
        self.depth += 1
        made = make(known)
        self.depth -= 1
        return made

    # Condition variables.

    def make_wait(self, c, m, known):
        """Statements with m held that wait at c."""
        if "timed" in self.has and self.chance(0.4):
            r = self.register()
            return [Stmt("timed wait", c=c, m=m, r=r)] + self.nested(lambda k: self.use(r, k), known)
        if self.chance(0.65):
            return [Stmt("wait until", c=c, m=m, until=self.rng.choice(
                (("==", 1), ("!=", 0), ("!=", 0), (">=", 1), ("==", 2))))]
        return [Stmt("wait", c=c, m=m)]

    def make_cond_wait(self, known):
        c = self.one()
        m = self.mutex_of(c)
        inside = self.make_wait(c, m, known)
        if self.chance(0.4):
            inside += self.nested(lambda k: self.protected(m, k), known)
        elif self.chance(0.5):
            inside.append(Stmt("guarded write", g=m, e=(None, self.rng.randint(0, 1))))
        return [Stmt("lock", [inside], m=m, keep=False)]

    def make_wake(self, known):
        c = self.one()
        m = self.mutex_of(c)
        wake = Stmt("signal" if self.chance(0.65) else "broadcast", c=c)
        way = self.rng.random()
        if way < 0.25:
            return [wake]
        change = [Stmt("guarded write", g=m, e=(None, self.rng.choices((0, 1, 2), (1, 6, 1))[0]))]
        if way < 0.35:
            change = []
        if way < 0.65:
            return [Stmt("lock", [change + [wake]], m=m, keep=False)]
        return [Stmt("lock", [change], m=m, keep=False), wake]

    # Semaphores.

    def make_sem(self, known):
        k = self.one()
        kind = self.pick([("wait", 2), ("post", 3), ("try", 1.5), ("value", 1), ("region", 1.5)])
        if kind == "value":
            r = self.register()
            return [Stmt("sem value", s=k, r=r)] + self.nested(lambda n: self.use(r, n), known)
        if kind == "region":
            return [Stmt("sem wait", s=k)] + self.nested(self.inside, known) + \
                [Stmt("sem post", s=k)]
        if kind != "try":
            return [Stmt("sem " + kind, s=k)]
        return [self.attempt(Stmt("sem try", s=k), known, [Stmt("sem post", s=k)])]

    def attempt(self, s, known, more=()):
        """Fills the blocks of what may fail."""
        s.kids[0] = self.nested(self.inside, known) + (list(more) if self.chance(0.5) else [])
        if self.chance(0.5):
            s.kids[1] = self.nested(self.inside, known)
        return s

    # Read-write locks.

    def shared(self, k, kind, known):
        """The inside of a read-write lock."""
        r, made = self.register(), []
        if self.chance(0.6):
            made = [Stmt("rw get", l=k, r=r)] + self.nested(lambda n: self.use(r, n), known)
        if kind == "write" and self.chance(0.7):
            made.append(Stmt("rw set", l=k, e=(r, 1) if made and self.chance(0.5) else
                             self.value(known)))
        return made or self.nested(self.inside, known)

    def make_rw(self, kind, known):
        k = self.rwlock()
        if "trylock" in self.has and self.chance(0.3):
            s = self.attempt(Stmt("try " + kind, l=k), known)
        elif kind == "read":
            s = Stmt("read", l=k, keep="keep" in self.has and self.chance(0.3))
        else:
            s = Stmt("write", l=k)
        s.kids[0] = self.shared(k, kind, known)
        if self.depth < 2 and self.chance(0.25):
            s.kids[0] += self.nested(self.make_read if self.chance(0.6) else self.make_write, known)
        return [s]

    def make_read(self, known):
        return self.make_rw("read", known)

    def make_write(self, known):
        return self.make_rw("write", known)

    # Barriers and once.

    def make_barrier(self, known):
        r = self.register() if self.chance(0.5) else None
        more = self.nested(lambda n: self.use(r, n), known) if r is not None else []
        return [Stmt("barrier", b=self.one(), r=r)] + more

    def make_once(self, known):
        k, r = self.one(), self.register()
        s = Stmt("once", o=k)
        if self.chance(0.6):
            s.kids[0].append(Stmt("once set", o=k, e=(None, self.rng.randint(1, 2))))
        if self.chance(0.6):
            s.kids[0] += self.nested(self.inside, [])
        if self.chance(0.4):
            return [s, Stmt("once get", o=k, r=r)] + self.nested(lambda n: self.use(r, n), known)
        return [s]

    def make_spin(self, known):
        s = Stmt("lock", m=SPIN, keep=False)
        s.kids[0] = self.nested(lambda n: self.protected(SPIN, n), known)
        return [s]

    # Timeouts, and what is wrong.

    def make_timed(self, known):
        kinds = [("timed lock", "mutex"), ("sem timed", "sem"), ("timed read", "rwlock"),
                 ("timed write", "rwlock"), ("timed wait", "cond")]
        kind = self.rng.choice([n for n, f in kinds if f in self.has] or ["timed lock"])
        if kind == "timed wait":
            r, c = self.register(), self.one()
            m = self.mutex_of(c)
            inside = [Stmt("timed wait", c=c, m=m, r=r)]
            inside += self.nested(lambda n: self.use(r, n), known)
            return [Stmt("lock", [inside], m=m, keep=False)]
        if kind == "sem timed":
            k = self.one()
            return [self.attempt(Stmt(kind, s=k), known, [Stmt("sem post", s=k)])]
        if kind == "timed lock":
            m = self.rng.randrange(self.n_mutexes)
            s = self.attempt(Stmt(kind, m=m), known)
            s.kids[0] = self.nested(lambda n: self.protected(m, n), known)
            return [s]
        k = self.rwlock()
        s = self.attempt(Stmt(kind, l=k), known)
        s.kids[0] = self.shared(k, kind.split()[1], known)
        return [s]

    def make_misuse_more(self, known):
        letters = [x for x, f in (("c", "cond"), ("s", "sem"), ("l", "rwlock"), ("b", "barrier"))
                   if f in self.has]
        if "cond" in self.has and self.chance(0.3):
            return [Stmt("bad wait", c=self.one(), m=self.rng.randrange(self.n_mutexes))]
        if "rwlock" in self.has and self.chance(0.2):
            return [Stmt("bad rwunlock", l=self.one())]
        if not letters:
            return []
        what = f"{self.rng.choice(letters)}{self.one()}"
        return [Stmt("destroy" if self.chance(0.7) else "init", what=what)]

    def make_input(self, known):
        self.n_inputs += 1
        r = self.register()
        s = Stmt("input", r=r, bits=self.rng.choices((2, 3, 4), (4, 3, 2))[0],
                 name=self.n_inputs)
        if "atomic" in self.has and self.chance(0.3):
            return [s, Stmt("store", a=self.atomic(), e=(r, 0), order=self.order("store"))]
        return [s] + self.use(r, known)

    def make_calc(self, known):
        r = self.register()
        s = Stmt("calc", r=r, x=self.rng.choice(known), how=self.rng.choice(sorted(CALCS)),
                 y=self.operand(known))
        return [s] + (self.use(r, known) if self.chance(0.5) else [])

    def make_table(self, known):
        r = self.register()
        return [Stmt("table", r=r, x=self.rng.choice(known))] + self.use(r, known)

    def make_cell(self, known):
        x = self.rng.choice(known)
        if "racy" in self.has and self.chance(0.3):
            return [Stmt("racy cell", x=x, n=self.rng.randint(1, 3))]
        if self.chance(0.5):
            return [Stmt("cell store", x=x, e=self.value(known))]
        r = self.register()
        return [Stmt("cell load", r=r, x=x)] + self.use(r, known)

    def make_switch(self, known):
        s = Stmt("switch", x=self.rng.choice(known),
                 cases=tuple(sorted(self.rng.sample(range(6), 2))))
        for i in range(3):
            if self.chance(0.6) and self.depth < 3:
                self.depth += 1
                s.kids[i] = self.inside(known)
                self.depth -= 1
        return [s]

    def make_assume(self, known):
        return [Stmt("assume", cond=self.claim(self.rng.choice(known), known))]

    def make_nothing(self, known):
        return []

    def make_load(self, known):
        return [Stmt("load", a=self.atomic(), r=self.register(), order=self.order("load"))]

    def make_store(self, known):
        return [Stmt("store", a=self.atomic(), e=self.value(known), order=self.order("store"))]

    def make_rmw(self, known):
        op = self.rng.choice(("add", "swap"))
        at = {"a": self.atomic(), "r": self.register(), "order": self.order(op)}
        if op == "add":
            n = self.operand(known) if "inputs" in self.has else self.rng.randint(1, 2)
            return [Stmt("add", n=n, **at)]
        return [Stmt("swap", e=self.value(known), **at)]

    def make_racy(self, known):
        d = self.rng.randrange(2)
        if "raced" in self.has and self.chance(0.5):
            r = self.register()
            return [Stmt("racy get", d=d, r=r)] + self.nested(lambda k: self.use(r, k), known)
        n = 2 if "reaccess" in self.has and self.chance(0.35) else 1
        made = []
        for _ in range(n):
            op = self.rng.choice(("racy read", "racy write", "racy write", "racy add"))
            at = {} if op == "racy read" else {"n": self.rng.randint(1, 3)}
            made.append(Stmt(op, d=d, **at))
        return made

    # What lies at the borders.

    def guarded(self, made):
        """Statements about what a mutex guards, with the mutex held."""
        return [Stmt("lock", [made], m=made[0].at["g"], keep=False)]

    def make_structure(self, known):
        k, way = self.one(), self.rng.choice(sorted(PASSED))
        kind = self.pick([("pass", 2), ("copy", 1.5), ("set", 2), ("guarded", 3)])
        if kind == "pass":
            return [Stmt("struct pass", k=k, way=way)]
        if kind == "copy":
            return [Stmt("struct copy", k=k, k2=1 - k)]
        if kind == "set":
            return [Stmt("struct set", k=k, n=self.rng.randint(1, 3))]
        g, r = self.rng.randrange(self.n_mutexes), self.register()
        made = [Stmt("guarded copy", g=g, e=self.value(known))] if self.chance(0.6) else []
        if not made or self.chance(0.5):
            made.append(Stmt("guarded pass", g=g, r=r, way=way))
            made += self.nested(lambda n: self.use(r, n), known)
        return self.guarded(made)

    def make_library(self, known):
        if self.chance(0.55):
            return [Stmt("library", how=self.rng.choice(sorted(library.CALLS)), d=self.one(),
                         t=self.rng.randrange(2))]
        g, r = self.rng.randrange(self.n_mutexes), self.register()
        made = []
        if self.chance(0.6):
            made.append(Stmt("guarded put", g=g, e=self.value(known),
                             how=self.rng.choice(sorted(library.PUTS))))
        if not made or self.chance(0.6):
            made.append(Stmt("guarded get", g=g, r=r, how=self.rng.choice(sorted(library.GETS))))
            made += self.nested(lambda n: self.use(r, n), known)
        return self.guarded(made)

    def make_call(self, known):
        s = Stmt("call", how=self.rng.choice(CALLERS))
        s.kids[0] = self.nested(self.inside, []) or self.make_racy([])
        return [s]

    def make_plain_wait(self, known):
        f, volatile = self.rng.randrange(2), self.chance(0.5)
        if self.chance(0.6):
            return [Stmt("plain flag", f=f, volatile=volatile, n=1)]
        return [Stmt("plain until", f=f, volatile=volatile,
                     pause=self.rng.choices(("nothing", "yield"), (3, 1))[0])]

    def make_cas_add(self, known):
        r = self.register()
        return [Stmt("cas add", a=self.atomic(), n=self.rng.randint(1, 2), r=r)] + \
            (self.use(r, known) if self.chance(0.4) else [])

    def make_cas_put(self, known):
        r, a = self.register(), self.atomic()
        others = [i for i in range(self.n_atomics) if i != a]
        if not others:
            return self.make_cas_add(known)
        return [Stmt("cas put", a=a, a2=self.rng.choice(others), n=self.rng.randint(1, 2), r=r)] + \
            (self.use(r, known) if self.chance(0.4) else [])

    def make_key(self, known):
        key, r = self.one(), self.register()
        if self.chance(0.65):
            return [Stmt("key set", key=key, n=self.number())]
        return [Stmt("key get", key=key, r=r)] + self.nested(lambda n: self.use(r, n), known)

    def make_jump(self, known):
        j, r = self.one(), self.register()
        s = Stmt("jump", j=j, r=r)
        early = self.nested(self.inside, known) + [Stmt("long jump", j=j)]
        way = self.rng.randrange(4)
        if way == 0:
            early = [Stmt("call", [early], how=self.rng.choice(CALLERS))]
        elif way == 1:
            m = self.mutex()
            early = [Stmt("lock", [early], m=m, keep=False)]
        elif way == 2 and known:
            early = [Stmt("if", [early, []], cond=self.condition(self.rng.choice(known)))]
        s.kids[0] = self.nested(self.inside, known) + early
        return [s] + self.nested(lambda n: self.use(r, n), known)

    def make_goto(self, known):
        s = Stmt("goto", x=self.rng.choice(known))
        s.kids = [self.nested(self.inside, known) for _ in range(2)]
        return [s]

    def make_divide(self, known):
        r = self.register()
        return [Stmt("divide", r=r, x=self.rng.choice(known), y=self.rng.choice(known),
                     how=self.rng.choice("/%"))]

    def make_rand(self, known):
        r = self.register()
        if self.chance(0.2):
            return [Stmt("srand", n=self.rng.randint(1, 3))]
        return [Stmt("rand", r=r)] + self.nested(lambda n: self.use(r, n), known)

    def make_system(self, known):
        r, way = self.register(), self.rng.randrange(3)
        if way == 0:
            return [Stmt("action", n=self.rng.randint(1, 2))]
        s = Stmt("alarm", r=r, n=self.rng.randint(0, 2)) if way == 1 else Stmt("action get", r=r)
        return [s] + self.nested(lambda n: self.use(r, n), known)

    def make_block(self, known):
        r = self.register()
        s = Stmt("block", r=r)
        s.kids[0] = self.nested(self.inside, known) if self.chance(0.3) else []
        return [s] + self.nested(lambda n: self.use(r, n), known)

    def make_clock(self, known):
        m = self.mutex()
        return [Stmt("lock", [[Stmt("clock", g=m)]], m=m, keep=False)]

    def make_handler(self, known):
        s = Stmt("handler", how=self.rng.choice(HANDLERS[:2]))
        s.kids[0] = self.nested(self.inside, [])
        return [s]

    def draw_edges(self):
        """What runs before main and at the end of threads and of the process."""
        main = self.p.bodies[0]
        if "keys" in self.has:
            for key in range(2):
                s = Stmt("key", key=key)
                s.kids[0] = self.nested(self.inside, [])
                if self.chance(0.3):
                    s.kids[0].append(Stmt("key set", key=key, n=1))
                if not self.insert(0, [s], main, 0):
                    self.insert(0, [Stmt("key", key=key)], main, 0)
        if "exits" in self.has:
            for f in self.rng.sample(range(len(self.p.bodies)), self.rng.randint(1, 2)):
                body = self.p.bodies[f]
                self.insert(f, [Stmt("exit")], body, len(body))
        if "constructor" in self.has:
            n = self.rng.randint(1, 1 + len(main))
            s = Stmt("constructor", [main[:n]])
            self.p.bodies[0] = [s] + main[n:]
            if why_invalid(self.p):
                self.p.bodies[0] = main
        if "unasked" in self.has:
            self.p.spurious = None
        if "blocks" in self.has:
            self.p.reuse = self.chance(0.7)

    def draw_borders(self):
        """What has its place: handlers and a crowd in main, rows in two threads, a flag and who
        waits for it."""
        n = len(self.p.bodies)
        if "handlers" in self.has:
            self.p.end = "return"
            for how in self.rng.sample(HANDLERS, self.rng.choices((1, 2), (3, 1))[0]):
                s = Stmt("handler", how=how)
                s.kids[0] = self.nested(self.inside, []) or self.make_racy([])
                self.insert(0, [s], self.p.bodies[0], 0)
        if "crowd" in self.has:
            s = Stmt("crowd", n=self.rng.randint(60, 70), a=self.atomic())
            self.insert(0, [s], self.p.bodies[0], 0)
        if "row" in self.has:
            for f in self.rng.sample(range(n), 2):
                self.insert(f, [Stmt("row", n=self.rng.randint(ROW - 3, ROW))], self.p.bodies[f])
        if "plain waits" in self.has and self.chance(0.7):
            some = self.rng.sample(range(n), 2)
            f, volatile = self.rng.randrange(2), self.chance(0.5)
            self.insert(some[0], [Stmt("plain until", f=f, volatile=volatile, pause="nothing")],
                        self.p.bodies[some[0]])
            self.insert(some[1], [Stmt("plain flag", f=f, volatile=volatile, n=1)],
                        self.p.bodies[some[1]])

    def draw_chain(self):
        """Threads that create threads, four deep."""
        self.p = Program([[]], [None], "return")
        for slot in range(1, self.rng.randint(3, 4) + 1):
            self.p.bodies.append([])
            self.p.results.append((None, 0))
            self.p.bodies[slot - 1].append(Stmt("create", f=slot, slot=slot))

    def make_probe(self, known):
        return [Stmt("probe")]

    def make_abort(self, known):
        return [Stmt("abort")]

    def make_exit(self, known):
        return [Stmt("exit")]

    def make_leave(self, known):
        return [Stmt("leave", e=self.value(known))]

    def make_yield(self, known):
        return [Stmt("yield" if self.chance(0.6) else "fence")]

    def make_stretch(self, known):
        return [Stmt("stretch", n=self.rng.choice((70, 300, 3000)))]

    def make_out(self, known):
        return [Stmt("out write", e=self.value(known))]

    def make_assert(self, known):
        return [Stmt("assert", cond=self.claim(self.rng.choice(known), known))]

    def inside(self, known):
        made = self.small(known)
        if self.chance(0.3):
            made += self.small(known)
        return made

    def use(self, r, known):
        """What is done with a value that was just read."""
        if "assert" in self.has and self.chance(0.35):
            return [Stmt("assert", cond=self.claim(r, known))]
        if "branch" in self.has and self.chance(0.6):
            return self.make_if([r])
        if "switch" in self.has and self.chance(0.3):
            return self.make_switch([r])
        return []

    def make_if(self, known):
        s = Stmt("if", cond=self.condition(self.rng.choice(known), known))
        if self.depth > 3:
            return [s]
        self.depth += 1
        s.kids[0] = self.inside(known)
        if self.chance(0.4):
            s.kids[1] = self.inside(known)
        self.depth -= 1
        return [s]

    def make_look(self, known):
        made = self.make_load(known) if "rmw" not in self.has or self.chance(0.7) else \
            self.make_rmw(known)
        return made + self.use(made[0].at["r"], known)

    def make_cas(self, known):
        s = Stmt("cas", a=self.atomic(), n=self.rng.choices((0, 1, 2), (4, 3, 1))[0],
                 e=self.value(known), r=self.register())
        if "inputs" in self.has and self.chance(0.4):
            s.at["n"] = self.operand(known)
        for i, share in enumerate((0.5, 0.6)):
            if self.chance(share):
                s.kids[i] = self.inside(known + [s.at["r"]])
        return [s]

    def make_await(self, known):
        return [Stmt("await", a=self.atomic(), n=self.rng.randint(1, 2), times=2,
                     r=self.register())]

    def pause(self):
        if "retry" in self.has:
            return self.rng.choice(("sleep", "poll", "timed", "clock", "until held"))
        return self.rng.choices(("nothing", "yield", "sleep"), (4, 2, 1))[0]

    def make_until(self, known):
        if self.chance(0.25):
            return [Stmt("until two", a=self.atomic(), n=self.rng.randint(0, 1), a2=self.atomic(),
                         n2=self.rng.randint(0, 2), pause=self.pause())]
        op = self.rng.choices(("!=", "==", "<"), (5, 4, 2))[0]
        n = self.rng.choices((0, 1, 2), (4, 3, 1))[0] if op == "==" else self.rng.randint(1, 2)
        r = self.register()
        return [Stmt("until", a=self.atomic(), cmp=op, n=n, r=r, pause=self.pause())] + \
            (self.use(r, known) if self.chance(0.4) else [])

    def make_loop_lock(self, known):
        way = self.rng.choices(("exchange", "cas", "read first", "trylock"), (3, 2, 2, 1))[0]
        s = Stmt("loop lock", l=self.rng.randrange(2), way=way, pause=self.pause())
        s.kids[0] = self.inside(known)
        return [s]

    def make_loop(self, known):
        s = Stmt("loop", times=2)
        s.kids[0] = self.small(known) or self.make_look(known)
        return [s]

    def make_rounds(self, known):
        """What was decided in a round has a say in a later one, or behind the loop, by a counter or not at all."""
        s = Stmt("rounds", times=self.rng.randint(2, 3))
        where = self.rng.choice(("local", "thread"))
        made = self.make_look([])
        counts = Stmt("if", cond=self.condition(made[0].at["r"]))
        counts.kids[self.rng.randrange(2)] = [Stmt("tally", where=where)] if self.chance(0.7) else self.inside([])
        s.kids[0] = made + [counts]
        when = Stmt("tallied", where=where, n=self.rng.randint(1, 2))
        when.kids[0] = self.inside([])
        if self.chance(0.5):
            s.kids[0].append(when)
            return [s]
        return [s, when]

    def make_endless(self, known):
        s = Stmt("loop", times=0)
        s.kids[0] = self.inside(known) + (self.small(known) or self.make_look(known))
        return [s]

    def make_spawn(self, _known):
        return [Stmt("spawn", a=self.atomic())]

    def protected(self, m, known):
        """The inside of a lock."""
        if "guarded" in self.has and self.chance(0.6):
            r = self.register()
            made = [Stmt("guarded read", g=m, r=r)] if self.chance(0.7) else []
            made += self.use(r, known) if made else []
            if not made or self.chance(0.6):
                e = (r, 1) if made and self.chance(0.6) else self.value(known)
                made.append(Stmt("guarded write", g=m, e=e))
            return made
        return self.inside(known)

    def make_lock(self, known):
        m = self.mutex()
        s = Stmt("lock", m=m, keep="keep" in self.has and self.chance(0.3))
        s.kids[0] = self.protected(m, known)
        if "nested" in self.has and self.chance(0.6):
            m2 = self.other_mutex(m)
            inner = Stmt("lock", m=m2, keep=False)
            inner.kids[0] = self.protected(m2, known)
            s.kids[0].append(inner)
        return [s]

    def make_cross(self, known):
        m = self.mutex()
        s = Stmt("cross", m=m, m2=self.other_mutex(m))
        i = self.rng.randrange(3)
        s.kids[i] = self.protected(s.at["m2"] if i else s.at["m"], known)
        return [s]

    def make_try(self, known):
        m = self.mutex()
        s = Stmt("try", m=m, keep="keep" in self.has and self.chance(0.3))
        s.kids[0] = self.protected(m, known)
        if self.chance(0.75):
            s.kids[1] = self.inside(known)
        return [s]

    def make_section(self, known):
        s = Stmt("section")
        s.kids[0] = self.make_look(known) + self.small(known)
        return [s]

    def make_guarded(self, known):
        """Valid where main is alone or has joined everybody."""
        r = self.register()
        return [Stmt("guarded read", g=self.mutex(), r=r)] + self.use(r, known)

    def make_misuse(self, known):
        op = self.rng.choice(("bad unlock", "bad destroy"))
        return [Stmt(op, m=self.mutex())]

    def top(self, known):
        """A statement of any kind."""
        has = self.has
        kinds = [("look", 3 if "atomic" in has else 0), ("store", 2 if "atomic" in has else 0),
                 ("rmw", 1 if "rmw" in has else 0), ("cas", 1.5 if "cas" in has else 0),
                 ("await", 0.3 if "loop" in has and "atomic" in has else 0),
                 ("until", 2 if "loops" in has and "atomic" in has else 0),
                 ("loop_lock", 2 if "loop lock" in has else 0),
                 ("cas_add", 1.5 if "tries" in has and "atomic" in has else 0),
                 ("cas_put", 4 if "tries" in has and "atomic" in has else 0),
                 ("if", 0.7 if "branch" in has and known else 0),
                 ("loop", 0.8 if "loop" in has else 0),
                 ("rounds", 4 if "rounds" in has and "atomic" in has else 0),
                 ("endless", 1.5 if "endless" in has else 0),
                 ("spawn", 0.6 if "spawn" in has else 0),
                 ("lock", 3 if "mutex" in has else 0),
                 ("cross", 0.5 if "mutex" in has and "nested" in has else 0),
                 ("try", 2 if "trylock" in has else 0),
                 ("racy", 1.5 if "racy" in has else 0),
                 ("section", 1.5 if "section" in has else 0),
                 ("guarded", 0.6 if "guarded" in has else 0),
                 ("out", 1 if "out" in has else 0),
                 ("assert", 0.4 if "assert" in has and known else 0),
                 ("yield", 0.7 if "yield" in has else 0),
                 ("leave", 0.15 if "leave" in has else 0),
                 ("misuse", 0.7 if "misuse" in has else 0),
                 ("nothing", 0.05),
                 ("stretch", 2 if "stretch" in has else 0)] + self.input_kinds(known, 1.0) + self.primitive_kinds(2.0) + \
            self.border_kinds(known, 1.5)
        return getattr(self, "make_" + self.pick(kinds))(known)

    # Placing.

    def blocks(self, f):
        """Every block of a function; the outermost one three times."""
        body = self.p.bodies[f]
        return [body, body, body] + [k for s in walk(body) for k in s.kids]

    def is_small(self):
        has_inputs = self.has & {"inputs", "timed", "spurious", "unasked"}
        if has_inputs and log_runs(self.p) > math.log(MOST_INPUT_RUNS):
            return False
        return log_interleavings(self.p) <= self.limit

    def insert(self, f, made, block=None, at=None):
        """Puts statements at a place; takes them back if a rule breaks. True: they are in."""
        if not made:
            return False
        if block is None:
            block = self.rng.choice(self.blocks(f))
        at = self.rng.randint(0, len(block)) if at is None else at
        block[at:at] = made
        if self.is_small() and not why_invalid(self.p):
            return True
        del block[at:at + len(made)]
        return False

    def known(self, f):
        made = [s for s in walk(self.p.bodies[f]) if s.at.get("r") is not None]
        often = [s.at["r"] for s in made if s.op == "input"] * 2
        return sorted({s.at["r"] for s in made}) + often

    def draw_threads(self):
        """Main and functions, with their creates."""
        n_slots = 3 if "same" in self.has else self.rng.choices((1, 2, 3), (3, 5, 3))[0]
        self.p = Program([[]], [None], self.rng.choice(("return", "return", "pthread_exit")))
        if self.has & {"sem", "barrier"}:
            for what in sorted(self.p.starts):
                self.p.starts[what] = self.rng.choices((0, 1, 2), (4, 5, 2))[0] \
                    if what[0] == "s" else self.rng.choices((1, 2, 3), (1, 8, 4))[0]
        slot = 1
        while slot <= n_slots:
            f = len(self.p.bodies)
            self.p.bodies.append([])
            self.p.results.append((None, 0))
            twice = "twin" in self.has and slot < n_slots and self.chance(0.6)
            for _ in range(3 if "same" in self.has else 2 if twice else 1):
                parent = self.rng.randrange(f) if "dynamic" in self.has else 0
                create = Stmt("create", f=f, slot=slot)
                if not self.insert(parent, [create], self.p.bodies[parent]):
                    self.insert(0, [create], self.p.bodies[0])
                slot += 1

    def place_create(self, s):
        """Moves a create into a branch of the function it is in."""
        for f, body in enumerate(self.p.bodies):
            if s in body:
                at = body.index(s)
                del body[at]
                if not self.insert(f, [s]):
                    body.insert(at, s)

    def draw_joins(self):
        """Joins, mostly by the creator at its end; some by others, some in the middle."""
        share = self.rng.choice((1.0, 1.0, 0.5)) if "join" in self.has else 0
        for create in self.p.creates():
            if self.chance(share):
                self.draw_join(create)
            elif "detach" in self.has:
                self.place_somewhere([Stmt("detach", slot=create.at["slot"])])
        if "joinmain" in self.has:
            self.place_somewhere([Stmt("join main")])

    def place_somewhere(self, made):
        for _ in range(4):
            if self.insert(self.rng.randrange(len(self.p.bodies)), made):
                return True
        return False

    def draw_join(self, create):
        slot, f = create.at["slot"], create.at["f"]
        fetch = "fetch" in self.has and self.chance(0.6)
        r = self.register()
        made = [Stmt("join", slot=slot, r=r if fetch else None)]
        if fetch:
            self.p.results[f] = self.value(self.known(f))
            made += self.use(r, [])
        if "out" in self.has and self.chance(0.6):
            made += [Stmt("out read", slot=slot, r=r)] + self.use(r, [])
        if "misuse" in self.has and self.chance(0.3):
            made.append(Stmt("bad join", slot=slot, r=None))
        if "cross" in self.has and self.chance(0.5) and self.place_somewhere(made):
            return
        creator = next(i for i, b in enumerate(self.p.bodies) if create in list(walk(b)))
        body = self.p.bodies[creator]
        home = next(b for b in [body] + [k for s in walk(body) for k in s.kids] if create in b)
        if not self.insert(creator, made, home, len(home)):
            for _ in range(4):
                if self.insert(creator, made, home):
                    return

    def draw_partners(self):
        """What waits in one thread, and in another one what ends the wait."""
        n = len(self.p.bodies)
        some = self.rng.sample(range(n), min(n, 2 + self.chance(0.3)))
        pairs = {"cond": (self.make_cond_wait, self.make_wake),
                 "sem": (lambda k: [Stmt("sem wait", s=0)], lambda k: [Stmt("sem post", s=0)]),
                 "barrier": (self.make_barrier, self.make_barrier),
                 "rwlock": (self.make_read, self.make_write),
                 "once": (self.make_once, self.make_once)}
        for feature, (first, second) in pairs.items():
            if feature not in self.has or self.chance(0.3):
                continue
            self.insert(some[0], first(self.known(some[0])), self.p.bodies[some[0]])
            for f in some[1:]:
                self.insert(f, second(self.known(f)), self.p.bodies[f])

    def draw_meeting(self):
        """Two readers block a writer together: each alone would let it in."""
        n = len(self.p.bodies)
        if n < 3:
            return
        self.p.starts["b1"] = 2
        one, two, other = sorted(self.rng.sample(range(n), 3))
        for f in (one, two):
            read = Stmt("read", l=1, keep=False)
            read.kids[0] = [Stmt("barrier", b=1, r=None)]
            self.insert(f, [read], self.p.bodies[f])
        write = Stmt("write", l=1)
        write.kids[0] = self.shared(1, "write", [])
        self.insert(other, [write], self.p.bodies[other])

    def draw_inputs(self):
        """Some at the start of threads, where what comes later uses them."""
        for _ in range(self.rng.choices((1, 2), (3, 2))[0]):
            f = self.rng.randrange(len(self.p.bodies))
            self.insert(f, self.make_input([])[:1], self.p.bodies[f], 0)

    def draw(self):
        self.draw_chain() if "deep" in self.has else self.draw_threads()
        n = len(self.p.bodies)
        if "borders" in self.has:
            self.draw_borders()
            self.draw_edges()
        if "inputs" in self.has:
            self.draw_inputs()
        if self.has & set(PRIMITIVES):
            self.draw_partners()
        if "meet" in self.has:
            self.draw_meeting()
        for _ in range(2):  # every thread does something
            for f in range(1, n):
                self.insert(f, self.top(self.known(f)))
        if "dynamic" in self.has:
            for create in self.p.creates():
                if self.chance(0.4):
                    self.place_create(create)
        failed = 0
        size = self.rng.randint(2, 14) + (4 if "inputs" in self.has else 0)
        for _ in range(size // 2):
            f = self.rng.randrange(n)
            self.insert(f, self.top(self.known(f)))
        self.draw_joins()
        for _ in range(size):
            f = self.rng.randrange(n)
            failed += not self.insert(f, self.top(self.known(f)))
            if failed > 6:
                break
        if "spurious" in self.has and self.p.ops() & {"wait", "wait until"}:
            self.p.spurious = 1
        return self.p


def draw(seed, number, features):
    """Program number of a seed: (program, features it was drawn with)."""
    rng = random.Random(f"{seed}:{number}")
    while True:
        g = Generator(rng, features)
        p = g.draw()
        if p.creates() and not why_invalid(p):
            return p, g.has
