# SPDX-License-Identifier: Apache-2.0
"""Small multithreaded programs as trees: what is valid, how large it is, its text in C.

A program has bodies, lists of statements: body 0 is main, the others are thread functions. A
create statement has a slot of its own, so that a slot is at most one thread; a function is
started by at most two create statements. Registers r0..r3 are local to a thread and start at 0.

Shared variables come in classes, and the class says who may touch them and what may depend on
the value. A value that is read in a race decides what happens next only by "racy get", because
then the search has to begin again with what races as operations:

    a0..  atomic        anywhere; branches and assertions on what was read
    g0..  guarded       g1 only with m1 held, or by main before the first create or after it
                        joined everybody; branches and assertions on what was read
    out[] handed over   written by the thread of that slot, read by who joined it
    d0..  racy          anywhere; what is read goes into a sink, or (get) into a register
    cells[] atomic      like a0.., chosen by a register; plain[] is racy
    w0..  read-write    w1 read with l1 held to read or to write, written with it held to write
    v0..  initialised   v1 written in a routine of o1, read by who called pthread_once of o1

Mutexes m0..m2 are normal ones, m3 is recursive, m4 is a spin lock. Inputs of a few bits go into
registers, and from there anywhere but into racy variables. An operand is a number, or a register
as text: "r1". Main begins with the initialisation of semaphores s0.. and barriers b0.. that are
used; starts says with which numbers. Condition variables c0.. wait with any mutex that is held.

Where the sight of a tool may end there are further classes:

    k0..  structures    racy, passed by value and copied; u1 the same, guarded by m1
    text0.. texts        racy, in and out of calls of the C library (library.py); note1 guarded by m1
    q[]   row           racy, one line for each element: many races in one program
    f0..  flags         racy, plain or volatile; a loop waits for them

A call has a block of its own, that a function pointer or the C library calls; a handler has one
that is run at exit, a key one that is run when a thread ends that has a value for it, and the
constructor is what main does before main. l2 and l3 are read-write locks that prefer writers, m5
is the lock of stdout. A jump is a block that ends early where it says so, or what it calls does.
"""
import math
import re

import library

N_REGISTERS = 4
RECURSIVE, SPIN, STREAM = 3, 4, 5  # numbers of mutexes
N_MUTEXES, N_RWLOCKS = 6, 4
MAX_SLOTS = 6
CELLS, TABLE = 2, 8  # elements, powers of two
MAX_INPUTS = 3
STARTS = {"s0": 0, "s1": 0, "b0": 2, "b1": 2}  # counts that programs begin with
MAX_RACY = 6  # plain accesses without protection: treadle looks at 16 findings of a run

# Statement: fields, names of its blocks, operations of its own.
OPS = {
    "load": (("a", "r", "order"), (), 1),
    "store": (("a", "e", "order"), (), 1),
    "add": (("a", "n", "r", "order"), (), 1),
    "swap": (("a", "e", "r", "order"), (), 1),
    "cas": (("a", "n", "e", "r"), ("cas succeeded", "cas failed"), 1),
    "await": (("a", "n", "times", "r"), (), 0),
    "until": (("a", "cmp", "n", "r", "pause"), (), 1),
    "until two": (("a", "n", "a2", "n2", "pause"), (), 2),
    "loop lock": (("l", "way", "pause"), ("lock",), 3),
    "if": (("cond",), ("then", "else"), 0),
    "loop": (("times",), ("loop",), 0),  # times 0: without end
    "rounds": (("times",), ("round",), 0),  # registers are 0 again after each
    "tally": (("where",), (), 0),           # a counter of the thread goes up: a local variable, or memory
    "tallied": (("where", "n"), ("tallied",), 0),  # it is that number
    "spawn": (("a",), (), 2),            # creates threads without end
    "lock": (("m", "keep"), ("lock",), 2),
    "cross": (("m", "m2"), ("lock", "lock", "lock"), 4),
    "try": (("m", "keep"), ("trylock got it", "trylock busy"), 2),
    "section": ((), ("section",), 1),
    "guarded read": (("g", "r"), (), 0),
    "guarded write": (("g", "e"), (), 0),
    "out write": (("e",), (), 0),
    "out read": (("slot", "r"), (), 0),
    "input": (("r", "bits", "name"), (), 0),
    "calc": (("r", "x", "how", "y"), (), 0),
    "switch": (("x", "cases"), ("case", "case", "default"), 0),
    "table": (("r", "x"), (), 0),
    "cell load": (("r", "x"), (), 1),
    "cell store": (("x", "e"), (), 1),
    "assume": (("cond",), (), 1),
    "racy read": (("d",), (), 0),
    "racy get": (("d", "r"), (), 1),
    "racy write": (("d", "n"), (), 0),
    "racy add": (("d", "n"), (), 0),
    "racy cell": (("x", "n"), (), 0),
    "assert": (("cond",), (), 0),
    "probe": ((), (), 0),
    "abort": ((), (), 0),
    "create": (("f", "slot"), (), 1),
    "join": (("slot", "r"), (), 0),  # it waits, mostly
    "join main": ((), (), 1),
    "detach": (("slot",), (), 0),
    "leave": (("e",), (), 0),
    "exit": ((), (), 1),
    "yield": ((), (), 0),
    "fence": ((), (), 0),
    "stretch": (("n",), (), 0),
    "wait": (("c", "m"), (), 2),  # four of them, which wait for others mostly
    "wait until": (("c", "m", "until"), (), 3),
    "signal": (("c",), (), 1),
    "broadcast": (("c",), (), 1),
    "sem wait": (("s",), (), 1),
    "sem post": (("s",), (), 1),
    "sem try": (("s",), ("sem_trywait got it", "sem_trywait busy"), 1),
    "sem value": (("s", "r"), (), 1),
    "read": (("l", "keep"), ("read lock",), 2),
    "write": (("l",), ("write lock",), 2),
    "try read": (("l",), ("try read got it", "try read busy"), 2),
    "try write": (("l",), ("try write got it", "try write busy"), 2),
    "rw get": (("l", "r"), (), 0),
    "rw set": (("l", "e"), (), 0),
    "barrier": (("b", "r"), (), 2),
    "once": (("o",), ("once",), 2),
    "once set": (("o", "e"), (), 0),
    "once get": (("o", "r"), (), 0),
    "timed wait": (("c", "m", "r"), (), 2),
    "timed lock": (("m",), ("timed lock got it", "timed lock gave up"), 2),
    "sem timed": (("s",), ("sem_timedwait got it", "sem_timedwait gave up"), 1),
    "timed read": (("l",), ("timed read got it", "timed read gave up"), 2),
    "timed write": (("l",), ("timed write got it", "timed write gave up"), 2),
    "destroy": (("what",), (), 1),
    "cas add": (("a", "n", "r"), (), 3),  # a loop that tries again
    "cas put": (("a", "a2", "n", "r"), (), 4),  # one that stores elsewhere in each round
    "struct pass": (("k", "way"), (), 0),
    "struct copy": (("k", "k2"), (), 0),
    "struct set": (("k", "n"), (), 0),
    "guarded pass": (("g", "r", "way"), (), 0),
    "guarded copy": (("g", "e"), (), 0),
    "library": (("how", "d", "t"), (), 0),
    "guarded put": (("g", "e", "how"), (), 0),
    "guarded get": (("g", "r", "how"), (), 0),
    "call": (("how",), ("called",), 0),
    "handler": (("how",), ("at exit",), 0),
    "plain until": (("f", "volatile", "pause"), (), 2),
    "plain flag": (("f", "volatile", "n"), (), 1),
    "crowd": (("n", "a"), (), 0),  # nobody else is there
    "row": (("n",), (), 0),
    "key": (("key",), ("at the end",), 0),
    "key set": (("key", "n"), (), 0),
    "key get": (("key", "r"), (), 0),
    "constructor": ((), ("before main",), 0),
    "jump": (("j", "r"), ("setjmp",), 0),
    "long jump": (("j",), (), 0),
    "goto": (("x",), ("goto first", "goto second"), 0),
    "rand": (("r",), (), 1),
    "srand": (("n",), (), 1),
    "alarm": (("r", "n"), (), 1),
    "action": (("n",), (), 1),
    "action get": (("r",), (), 1),
    "block": (("r",), ("allocated",), 3),
    "clock": (("g",), (), 0),
    "divide": (("r", "x", "how", "y"), (), 0),
    "init": (("what",), (), 1),
    "bad wait": (("c", "m"), (), 1),
    "bad rwunlock": (("l",), (), 1),
    "bad unlock": (("m",), (), 1),
    "bad destroy": (("m",), (), 1),
    "bad join": (("slot",), (), 1),
}
TALLIES = {"local": "tally", "thread": "kept_tally"}
ENDLESS = 3  # rounds that a loop without end counts as
IN_SECTION = {"racy get", "load", "store", "add", "swap", "cas", "if", "loop", "racy read", "racy write",
              "racy add", "racy cell", "guarded read", "guarded write", "out write", "assert", "probe",
              "input", "calc", "switch", "table", "cell load", "cell store", "struct pass",
              "struct copy", "struct set", "guarded pass", "guarded copy", "library", "guarded put",
              "guarded get"}
ENDS = {"leave", "exit", "abort", "probe", "long jump"}
ONCE = {"create", "join", "join main", "detach", "bad join"}
RACY = {"racy read", "racy get", "racy write", "racy add", "racy cell", "struct pass",
        "struct copy", "struct set", "library"}
ROUTINES = {"once", "call", "handler", "key", "constructor"}  # their block is a function of its own
CALLERS = ("pointer", "qsort", "bsearch", "lfind", "tsearch", "variadic")
HANDLERS = ("atexit", "on_exit", "destructor")
STRUCT, ROW = 6, 20  # elements
LOCKS = {"lock", "try", "cross", "timed lock"}
# One of their blocks is run.
CHOICES = {"if", "cas", "try", "switch", "sem try", "try read", "try write", "timed lock",
           "sem timed", "timed read", "timed write", "goto"}
TIMED = {"timed wait", "timed lock", "sem timed", "timed read", "timed write"}
RWLOCKS = {"read", "write", "try read", "try write", "timed read", "timed write"}


class Stmt:
    """One statement. at: its fields; kids: its blocks, lists of statements."""
    __slots__ = ("op", "at", "kids")

    def __init__(self, op, kids=None, **at):
        self.op, self.at = op, at
        self.kids = kids if kids is not None else [[] for _ in OPS[op][1]]

    def copy(self):
        s = Stmt.__new__(Stmt)
        s.op, s.at, s.kids = self.op, dict(self.at), [copy_block(k) for k in self.kids]
        return s


def copy_block(block):
    return [s.copy() for s in block]


def walk(block):
    """Every statement of a block and of the blocks inside."""
    for s in block:
        yield s
        for kid in s.kids:
            yield from walk(kid)


class Program:
    """bodies[0] is main. results[f] is what function f returns. end: how main ends. starts: see
    STARTS. spurious: wake-ups for no reason that are looked at; None: what treadle does unasked.
    reuse: whether freed memory is everybody's."""

    def __init__(self, bodies, results, end, starts=None, spurious=0, reuse=False):
        self.bodies, self.results, self.end = bodies, results, end
        self.starts, self.spurious, self.reuse = dict(starts or STARTS), spurious, reuse

    def copy(self):
        return Program([copy_block(b) for b in self.bodies], list(self.results), self.end,
                       self.starts, self.spurious, self.reuse)

    def statements(self):
        for body in self.bodies:
            yield from walk(body)

    def ops(self):
        return {s.op for s in self.statements()}

    def options(self):
        """Options of treadle that the program is meant for."""
        return ([] if self.spurious is None else [f"--spurious={self.spurious}"]) + \
            (["--reuse"] if self.reuse else [])

    def has_loops(self):
        """Some wait for other threads, without a bound."""
        return not self.ops().isdisjoint(("until", "until two", "loop lock", "plain until", "cas add",
                                          "cas put"))

    def handlers(self):
        return [s for s in self.statements() if s.op == "handler"]

    def creates(self):
        return [s for s in self.statements() if s.op == "create"]


# ---- validity ----


class Invalid(Exception):
    """The program breaks a rule."""


class State:
    """What holds at a point of a body on every path to it."""
    __slots__ = ("held", "created", "joined", "alone", "section", "loop")

    def __init__(self, held=frozenset(), created=frozenset(), joined=frozenset(), alone=False):
        self.held, self.created, self.joined = held, created, joined
        self.alone = alone  # main, and nobody else was created yet
        self.section, self.loop = False, False

    def having(self, **changes):
        s = State(self.held, self.created, self.joined, self.alone)
        s.section, s.loop = self.section, self.loop
        for key, value in changes.items():
            setattr(s, key, value)
        return s


def merge(a, b):
    """The state after two paths meet; None is a path that does not come here."""
    if a is None or b is None:
        return a or b
    return a.having(held=a.held & b.held, created=a.created & b.created,
                    joined=a.joined & b.joined, alone=a.alone and b.alone)


class Checker:
    """Walks the bodies in order; a function's state at its start is that of its creates."""

    def __init__(self, program):
        self.p = program
        self.entries = {0: State(alone=True)}
        self.starts = {}
        self.all_slots = set()
        self.ends = set()  # slots that are joined or detached somewhere
        self.keys = set()
        self.main_joined = False
        for s in program.creates():
            self.starts[s.at["f"]] = self.starts.get(s.at["f"], 0) + 1
            if s.at["slot"] in self.all_slots or not 0 < s.at["slot"] < MAX_SLOTS:
                raise Invalid("slot")
            self.all_slots.add(s.at["slot"])

    def run(self):
        if sum(s.op in RACY for s in self.p.statements()) > MAX_RACY:
            raise Invalid("too many racy accesses")
        if sum(s.op == "input" for s in self.p.statements()) > MAX_INPUTS:
            raise Invalid("too many inputs")
        self.check_handlers()
        for f, body in enumerate(self.p.bodies):
            if f not in self.entries or self.starts.get(f, 1) > 2:
                raise Invalid("function not started, or too often")
            self.f = f
            self.locks = {m for s in walk(body) for m in (s.at.get("m"), s.at.get("m2"))
                          if s.op in LOCKS}
            self.rwlocks = {s.at["l"] for s in walk(body) if s.op in RWLOCKS}
            self.block(body, self.entries[f])

    def check_handlers(self):
        """A destructor is not a statement that can be skipped."""
        late = [s for s in self.p.handlers() if s.at["how"] == "destructor"]
        if len(late) > 1 or any(s not in self.p.bodies[0] for s in late):
            raise Invalid("where a destructor may not be")

    def block(self, block, st):
        for s in block:
            if st is None:
                raise Invalid("dead code")
            st = self.statement(s, st)
        return st

    def statement(self, s, st):
        if st.section and s.op not in IN_SECTION:
            raise Invalid("not in a section")
        if s.op in ONCE and (st.loop or self.starts.get(self.f, 1) != 1):
            raise Invalid("done twice")
        check = getattr(self, "on_" + s.op.replace(" ", "_"), None)
        if check:
            return check(s, st)
        for kid in s.kids:
            self.block(kid, st)
        return st

    def on_if(self, s, st):
        return merge(self.block(s.kids[0], st), self.block(s.kids[1], st))

    on_cas = on_sem_try = on_sem_timed = on_if

    def on_switch(self, s, st):
        if s.at["cases"][0] == s.at["cases"][1]:
            raise Invalid("two cases are one")
        ends = [self.block(kid, st) for kid in s.kids]
        return merge(merge(ends[0], ends[1]), ends[2])

    def on_loop(self, s, st):
        if self.block(s.kids[0], st.having(loop=True)) is None:
            raise Invalid("an invalid loop")
        return st

    on_rounds = on_loop

    def on_lock(self, s, st):
        after = self.block(s.kids[0], st.having(held=st.held | {s.at["m"]}))
        if after is None:
            return None
        return after if s.at["keep"] else after.having(held=st.held)

    def on_try(self, s, st):
        got = self.block(s.kids[0], st.having(held=st.held | {s.at["m"]}))
        busy = self.block(s.kids[1], st)
        return merge(got.having(held=st.held) if got else None, busy)

    def on_timed_lock(self, s, st):
        if s.at["m"] in (SPIN, STREAM):
            raise Invalid("a lock without a timeout")
        return self.on_try(s, st)

    def on_cross(self, s, st):
        m, m2 = s.at["m"], s.at["m2"]
        if m == m2:
            raise Invalid("cross needs two mutexes")
        after = st
        for kid, held in zip(s.kids, ({m}, {m, m2}, {m2})):
            after = self.block(kid, after.having(held=st.held | held))
            if after is None:
                return None
        return after.having(held=st.held)

    def on_section(self, s, st):
        after = self.block(s.kids[0], st.having(section=True))
        if after is None or not s.kids[0]:
            raise Invalid("an empty section")
        return after.having(section=False)

    def on_guarded_read(self, s, st):
        everybody_ended = self.f == 0 and st.joined >= self.all_slots
        if s.at["g"] not in st.held and not st.alone and not everybody_ended:
            raise Invalid("not guarded")
        return st

    on_guarded_write = on_guarded_pass = on_guarded_copy = on_guarded_put = on_guarded_get = \
        on_clock = on_guarded_read

    # Condition variables, read-write locks, once. What is held of the last two is a pair.

    def on_wait(self, s, st):
        if s.at["m"] not in st.held or s.at["m"] in (SPIN, STREAM):
            raise Invalid("waits without the mutex")
        return self.on_barrier(s, st)

    def on_barrier(self, s, st):
        if st.alone:
            raise Invalid("waits alone")  # dull
        return st

    on_wait_until = on_timed_wait = on_wait

    def on_bad_wait(self, s, st):
        if s.at["m"] in self.locks or s.at["m"] in (SPIN, STREAM):
            raise Invalid("perhaps a good wait")
        return st

    def on_read(self, s, st):
        if ("write", s.at["l"]) in st.held:
            raise Invalid("fails, and what follows is not protected")
        kind = "read" if s.op == "read" else "write"
        after = self.block(s.kids[0], st.having(held=st.held | {(kind, s.at["l"])}))
        if after is None:
            return None
        return after if s.at.get("keep") else after.having(held=st.held)

    on_write = on_read

    def on_try_read(self, s, st):
        kind = "read" if s.op.endswith("read") else "write"
        got = self.block(s.kids[0], st.having(held=st.held | {(kind, s.at["l"])}))
        return merge(got.having(held=st.held) if got else None, self.block(s.kids[1], st))

    on_try_write = on_timed_read = on_timed_write = on_try_read

    def on_bad_rwunlock(self, s, st):
        if s.at["l"] in self.rwlocks:
            raise Invalid("perhaps a good unlock")
        return st

    def on_rw_set(self, s, st):
        if ("write", s.at["l"]) not in st.held:
            raise Invalid("not held to write")
        return st

    def on_rw_get(self, s, st):
        return st if ("read", s.at["l"]) in st.held else self.on_rw_set(s, st)

    def on_once(self, s, st):
        held = {h for h in st.held if not isinstance(h, tuple) or h[0] != "jump"}
        inside = st.having(held=held | {("in once", s.at["o"])}, loop=True, alone=False)
        self.block(s.kids[0], inside)
        return st.having(held=st.held | {("once", s.at["o"])})

    def on_call(self, s, st):
        inside = st.having(held=st.held | {("in once", s.op)}, loop=True, alone=False)
        self.block(s.kids[0], inside)
        return st

    def on_handler(self, s, st):
        if any(t.op in ("exit", "handler") for t in walk(s.kids[0])):
            raise Invalid("an invalid handler")
        inside = State(frozenset({("in once", s.op)}))
        inside.loop = True
        self.block(s.kids[0], inside)
        return st

    def on_key(self, s, st):
        if not st.alone or st.loop or self.f or s.at["key"] in self.keys:
            raise Invalid("a key is made once, first")
        self.keys.add(s.at["key"])
        if any(t.op in ("exit", "key") for t in walk(s.kids[0])):
            raise Invalid("an odd destructor of a key")
        return self.on_handler(s, st)

    def on_key_set(self, s, st):
        if s.at["key"] not in self.keys:
            raise Invalid("no such key")
        return st

    on_key_get = on_key_set

    def on_constructor(self, s, st):
        if self.f or self.p.bodies[0][0] is not s:
            raise Invalid("a constructor comes first")
        mark = ("in once", s.op)
        after = self.block(s.kids[0], st.having(held=st.held | {mark}))
        return after.having(held=after.held - {mark}) if after else None

    def on_jump(self, s, st):
        mark = ("jump", s.at["j"])
        if mark in st.held:
            raise Invalid("a jump buffer is used twice")
        after = self.block(s.kids[0], st.having(held=st.held | {mark}))
        if not any(t.op == "long jump" for t in walk(s.kids[0])):
            return after.having(held=after.held - {mark}) if after else None
        creates = any(t.op == "create" for t in walk(s.kids[0]))
        early = st.having(alone=st.alone and not creates)
        return merge(after.having(held=after.held - {mark}) if after else None, early)

    def on_long_jump(self, s, st):
        if ("jump", s.at["j"]) not in st.held:
            raise Invalid("jumps nowhere")
        return None

    on_goto = on_if

    def on_spawn(self, s, st):
        if st.section or st.held or st.loop:
            raise Invalid("creates threads without end in a loop or with a mutex")
        return st.having(alone=False)

    def on_crowd(self, s, st):
        if not st.alone or st.loop or self.f:
            raise Invalid("too many at a time")
        return st

    def on_once_set(self, s, st):
        if ("in once", s.at["o"]) not in st.held:
            raise Invalid("not in the routine")
        return st

    def on_once_get(self, s, st):
        if ("once", s.at["o"]) not in st.held:
            raise Invalid("perhaps not initialised")
        return st

    def on_out_write(self, s, st):
        if any(h[0] == "in once" for h in st.held if isinstance(h, tuple)):
            raise Invalid("a routine has no slot")
        if self.f == 0:
            raise Invalid("main has no slot")
        return st

    def on_out_read(self, s, st):
        if s.at["slot"] not in st.joined:
            raise Invalid("not joined")
        return st

    def on_create(self, s, st):
        f = s.at["f"]
        if not self.f < f < len(self.p.bodies):
            raise Invalid("functions start later ones only")
        after = st.having(created=st.created | {s.at["slot"]}, alone=False)
        entry = State(created=st.created, joined=st.joined)
        self.entries[f] = merge(self.entries[f], entry) if f in self.entries else entry
        return after

    def on_join(self, s, st):
        slot = s.at["slot"]
        if slot not in st.created or slot in self.ends:
            raise Invalid("joined twice or not created")
        self.ends.add(slot)
        return st.having(joined=st.joined | {slot})

    def on_detach(self, s, st):
        self.on_join(s, st)
        return st

    def on_bad_join(self, s, st):
        if s.at["slot"] not in st.joined:
            raise Invalid("not joined")
        return st

    def on_join_main(self, s, st):
        if self.f == 0 or self.main_joined:
            raise Invalid("main joined twice")
        self.main_joined = True
        return st

    def on_bad_unlock(self, s, st):
        if s.at["m"] in self.locks:
            raise Invalid("perhaps a good unlock")
        return st

    def on_leave(self, s, st):
        if any(h[0] == "in once" for h in st.held if isinstance(h, tuple)):
            raise Invalid("leaves the routine")
        return None

    def on_exit(self, s, st):
        return None

    on_probe = on_abort = on_exit


def why_invalid(program):
    """"" if the program follows the rules."""
    try:
        Checker(program).run()
    except Invalid as e:
        return str(e)
    return ""


# ---- size ----


def path_ops(block):
    """Most operations on a path through a block."""
    n = 0
    for s in block:
        own = OPS[s.op][2]
        if s.op in CHOICES:
            own += max(path_ops(k) for k in s.kids)
        elif s.op in ("loop", "rounds"):
            own += (s.at["times"] or ENDLESS) * path_ops(s.kids[0])
        elif s.op == "spawn":
            own *= ENDLESS
        elif s.op == "await":
            own += s.at["times"]
        elif s.op != "section":
            own += sum(path_ops(k) for k in s.kids)
        n += own
    return n


def path_bits(block):
    """Most bits of inputs made on a path through a block; a timeout is one."""
    n = 0
    for s in block:
        inside = [path_bits(k) for k in s.kids]
        n += s.op in TIMED
        if s.op == "input":
            n += s.at["bits"]
        elif s.op in CHOICES:
            n += max(inside)
        else:
            n += (s.at.get("times", 1) or ENDLESS) * sum(inside)
    return n


def per_thread(program, count):
    """A count of a block, for main and every thread."""
    return [count(program.bodies[0])] + [count(program.bodies[s.at["f"]])
                                         for s in program.creates()]


def log_interleavings(program):
    """Logarithm of a bound on the interleavings, as if all threads ran from the start on."""
    counts = per_thread(program, path_ops)
    return math.lgamma(sum(counts) + 1) - sum(math.lgamma(n + 1) for n in counts)


def log_runs(program):
    """... and on their number for all values of the inputs."""
    unasked = sum(s.op == "wait" for s in program.statements())
    bits = sum(per_thread(program, path_bits)) + \
        (unasked if program.spurious is None else program.spurious)
    return log_interleavings(program) + math.log(2) * bits


# ---- text ----

PRELUDE = """\
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
"""
HEADER = "#include <treadle.h>"
PREFERS_WRITERS = "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP"
NORMAL = "static pthread_mutex_t m{} = PTHREAD_MUTEX_INITIALIZER;"
GLOBALS = ([(f"a{i}", f"static atomic_int a{i};") for i in range(3)] +
           [(f"taken{i}", f"static atomic_int taken{i};") for i in range(2)] +
           [(f"m{i}", NORMAL.format(i)) for i in range(3)] +
           [("m3", "static pthread_mutex_t m3 = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;")] +
           [("m4", "static pthread_spinlock_t m4;")] +
           [(f"c{i}", f"static pthread_cond_t c{i} = PTHREAD_COND_INITIALIZER;")
            for i in range(2)] +
           [(f"s{i}", f"static sem_t s{i};") for i in range(2)] +
           [(f"l{i}", f"static pthread_rwlock_t l{i} = PTHREAD_RWLOCK_INITIALIZER;")
            for i in range(2)] +
           [(f"l{i}", f"static pthread_rwlock_t l{i} = {PREFERS_WRITERS};") for i in (2, 3)] +
           [(f"b{i}", f"static pthread_barrier_t b{i};") for i in range(2)] +
           [(f"o{i}", f"static pthread_once_t o{i} = PTHREAD_ONCE_INIT;") for i in range(2)] +
           [("until", "static const struct timespec until = {1000, 0};")] +
           [("retry_m", "static pthread_mutex_t retry_m = PTHREAD_MUTEX_INITIALIZER;"),
            ("retry_c", "static pthread_cond_t retry_c = PTHREAD_COND_INITIALIZER;")] +
           [(f"w{i}", f"static int w{i};") for i in range(N_RWLOCKS)] +
           [(f"v{i}", f"static int v{i};") for i in range(2)] +
           [(f"g{i}", f"static int g{i};") for i in range(N_MUTEXES)] +
           [(f"own{i}", f"static pthread_key_t own{i};") for i in range(2)] +
           [(f"jump{i}", f"static _Thread_local jmp_buf jump{i};") for i in range(2)] +
           [(f"last{i}", f"static struct timespec last{i};") for i in range(N_MUTEXES)] +
           [("kept_tally", "static _Thread_local int kept_tally;")] +
           [("block", "static _Atomic(void *) block;")] +
           [(f"d{i}", f"static int d{i};") for i in range(2)] +
           [("plain", f"static int plain[{CELLS}];"),
            ("cells", f"static atomic_int cells[{CELLS}];"),
            ("table", f"static const int table[{TABLE}] = {{3, 1, 4, 1, 5, 0, 2, 6}};")] +
           [("out", f"static int out[{MAX_SLOTS}];"),
            ("handle", f"static pthread_t handle[{MAX_SLOTS}];")] +
           [(f"k{i}", f"static struct big k{i};") for i in range(2)] +
           [(f"u{i}", f"static struct big u{i};") for i in range(5)] +
           [(f"text{i}", f'static char text{i}[16] = "1";') for i in range(2)] +
           [(f"note{i}", f'static char note{i}[16] = "0";') for i in range(5)] +
           [(f"f{i}", f"static int f{i};") for i in range(2)] +
           [(f"vf{i}", f"static volatile int vf{i};") for i in range(2)] +
           [("q", f"static int q[{ROW}];"), ("e0", "static char *e0;"), ("x0", "static double x0;"),
            ("when", "static time_t when;"), ("now", "static struct timespec now;"),
            ("parts", "static struct tm parts;"),
            ("digits", 'static const char digits[] = "0\\0001\\0002\\0003\\0004\\0005\\0006\\0007";'),
            ("size", "static const size_t size = 2;")])
BIG = f"struct big {{\n    int x[{STRUCT}];\n}};"
# Functions that programs share, with what uses them: name, text.
HELPERS = (
    ("last_of", """\
static int last_of(struct big b)
{
    return b.x[0] + b.x[STRUCT - 1];
}
"""),
    ("last_through", """\
static int (*last_through)(struct big) = last_of;
"""),
    ("last_at", """\
static int last_at(const struct big *b)
{
    return last_of(*b);
}
"""),
    ("last_of_these", """\
static int last_of_these(int n, ...)
{
    va_list list;
    va_start(list, n);
    struct big b = va_arg(list, struct big);
    va_end(list);
    return b.x[0] + b.x[STRUCT - 1];
}
"""),
    ("get_line", """\
static int get_line(char *text)
{
    char *line = NULL;
    size_t n = 0;
    FILE *f = fmemopen(text, 16, "r");
    if (!f || getline(&line, &n, f) < 0)
        abort();
    fclose(f);
    int value = atoi(line);
    free(line);
    return value;
}
"""),
    ("call_through", """\
static void call_through(void (*f)(void))
{
    f();
}
"""),
    ("call_sorted", """\
static void call_sorted(int (*f)(const void *, const void *))
{
    int pair[2] = {1, 2};
    qsort(pair, 2, sizeof pair[0], f);
}
"""),
    ("call_searched", """\
static void call_searched(int (*f)(const void *, const void *))
{
    int key = 1, all[1] = {1};
    bsearch(&key, all, 1, sizeof key, f);
}
"""),
    ("call_found", """\
static void call_found(int (*f)(const void *, const void *))
{
    int key = 1, all[1] = {1};
    size_t n = 1;
    lfind(&key, all, &n, sizeof key, f);
}
"""),
    ("call_tree", """\
static void no_more(void *key)
{
    (void)key;
}

static void call_tree(int (*f)(const void *, const void *))
{
    static int one, two;
    void *root = NULL;
    tsearch(&one, &root, f);
    tsearch(&two, &root, f);
    tdestroy(root, no_more);
}
"""),
    ("call_variadic", """\
static void call_variadic(int n, ...)
{
    va_list list;
    va_start(list, n);
    void (*f)(void) = va_arg(list, void (*)(void));
    va_end(list);
    f();
}
"""),
    ("format_text", """\
static void format_text(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(to, 16, format, list);
    va_end(list);
}
"""),
    ("stream_text", """\
static void stream_text(char *to, const char *from)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f || fputs(from, f) < 0)
        abort();
    fclose(f);
    strcpy(to, text);
    free(text);
}
"""),
    ("spawned", """\
static void *spawned(void *atomic)
{
    atomic_fetch_add((atomic_int *)atomic, 1);
    return NULL;
}
"""),
    ("read_clock", """\
static void read_clock(struct timespec *last)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    assert(t.tv_sec > last->tv_sec || (t.tv_sec == last->tv_sec && t.tv_nsec >= last->tv_nsec));
    *last = t;
}
"""),
    ("on_signal_1", """\
static void on_signal_1(int n)
{
    (void)n;
}
"""),
    ("on_signal_2", """\
static void on_signal_2(int n)
{
    (void)n;
}
"""),
    ("action_of_signal", """\
static int action_of_signal(void)
{
    struct sigaction now;
    sigaction(SIGUSR1, NULL, &now);
    return now.sa_handler == on_signal_1 ? 1 : now.sa_handler == on_signal_2 ? 2 : 0;
}
"""),
    ("stretch", """\
static void stretch(int n)
{
    static _Thread_local struct {
        int used, gap[3];
    } here[1024];
    for (int i = 0; i < n; i++)
        here[i * 179 % 1024].used++;
}
"""),
    ("crowd", """\
static void *one_of_crowd(void *arg)
{
    atomic_store_explicit((atomic_int *)arg, 0, memory_order_release);
    return NULL;
}

static void crowd(int n, atomic_int *a)
{
    for (int i = 0; i < n; i++) {
        pthread_t t;
        pthread_create(&t, NULL, one_of_crowd, a);
        pthread_join(t, NULL);
    }
}
"""),
)
PASSED = {"direct": "last_of({})", "pointer": "last_through({})", "at": "last_at(&{})",
          "variadic": "last_of_these(1, {})"}
CALLED = {"pointer": "call_through({})", "qsort": "call_sorted({})",
          "bsearch": "call_searched({})", "lfind": "call_found({})", "tsearch": "call_tree({})",
          "variadic": "call_variadic(1, {})"}


def helpers(joined):
    """Lines of the helpers that some text uses, and of what these use."""
    chosen = []
    for name, text in reversed(HELPERS):
        if re.search(rf"\b{name}\b", joined):
            chosen[:0] = text.replace("STRUCT", str(STRUCT)).splitlines() + [""]
            joined += text
    return chosen


def expression(e):
    """e: (None, n), or (register, n)."""
    r, n = e
    if r is None:
        return str(n)
    return f"r{r} + {n}" if n else f"r{r}"


# Values stay small and what is undefined does not happen.
CALCS = {"+": "({x} + {y}) & 15", "-": "({x} - {y}) & 15", "*": "({x} * {y}) & 15",
         "&": "{x} & {y}", "|": "({x} | {y}) & 15", "^": "({x} ^ {y}) & 15",
         "<<": "({x} << ({y} & 3)) & 15", ">>": "({x} & 15) >> ({y} & 3)",
         "/": "{x} / ({y} | 1)", "%": "{x} % ({y} | 1)",
         "i8": "(int8_t)(({x} & 15) << 4) / 16 + {y}", "?": "{x} < {y} ? {x} : {y} + 1"}
GIVE_UP = "pthread_cond_timedwait(&retry_c, &retry_m, &until);"
LOCKED = "{{ pthread_mutex_lock(&retry_m); {} pthread_mutex_unlock(&retry_m); }}"
CLOCK = "struct timespec until; clock_gettime(CLOCK_REALTIME, &until); "
PAUSES = {"nothing": ";", "yield": "sched_yield();", "sleep": "usleep(1);",
          "poll": LOCKED.format(""), "timed": LOCKED.format(GIVE_UP),
          "clock": LOCKED.format(CLOCK + GIVE_UP), "until held": LOCKED.format(GIVE_UP)}
COMPARISONS = ("==", "!=", "<", ">", "<=", ">=", "<u", "&")


def init_text(what, starts):
    """The call that initialises an object."""
    if what == f"m{SPIN}":
        return f"pthread_spin_init(&{what}, PTHREAD_PROCESS_PRIVATE);"
    if what[0] == "s":
        return f"sem_init(&{what}, 0, {starts[what]});"
    if what[0] == "b":
        return f"pthread_barrier_init(&{what}, NULL, {starts[what]});"
    return f"pthread_{'cond' if what[0] == 'c' else 'rwlock'}_init(&{what}, NULL);"


def inits(program):
    """Calls at the start of main, for what has no initialiser."""
    used = {f"s{s.at['s']}" for s in program.statements() if "s" in s.at}
    used |= {f"b{s.at['b']}" for s in program.statements() if "b" in s.at}
    used |= {s.at["what"] for s in program.statements() if "what" in s.at}
    used |= {f"m{s.at[m]}" for s in program.statements() for m in ("m", "m2") if m in s.at}
    return [init_text(what, program.starts) for what in sorted(used)
            if what[0] in "sb" or what == f"m{SPIN}"]


def routines(program):
    """{id of a statement with a routine: number of the routine}, inner ones first."""
    found = [s for body in program.bodies for s in walk(body) if s.op in ROUTINES]
    return {id(s): len(found) - 1 - i for i, s in enumerate(found)}


class Text:
    """Lines of C, and of every statement's line where it stands: [(statement, context)]."""

    def __init__(self, name, first_line, program):
        self.name, self.starts, self.routines = name, program.starts, routines(program)
        self.lines, self.places = [], {}
        self.first_line = first_line
        self.indent, self.context, self.f = 1, (), 0
        self.n_labels = 0

    def put(self, text, s=None):
        if s is not None:
            self.places[self.first_line + len(self.lines)] = (s, self.context)
        self.lines.append("    " * self.indent + text if text else "")

    def block(self, block, context=None):
        outer = self.context
        if context:
            self.context = outer + (context,)
        self.indent += 1
        for s in block:
            getattr(self, "put_" + s.op.replace(" ", "_"))(s, s.at)
        self.indent -= 1
        self.context = outer

    def kid(self, s, i):
        self.block(s.kids[i], OPS[s.op][1][i])

    def flat(self, s, i):
        self.indent -= 1
        self.kid(s, i)
        self.indent += 1

    # Atomics.

    def atomic(self, name, s, args, order):
        if order:
            return f"atomic_{name}_explicit({args}, memory_order_{order})"
        return f"atomic_{name}({args})"

    def put_load(self, s, at):
        self.put(f"r{at['r']} = " + self.atomic("load", s, f"&a{at['a']}", at["order"]) + ";", s)

    def put_store(self, s, at):
        args = f"&a{at['a']}, {expression(at['e'])}"
        self.put(self.atomic("store", s, args, at["order"]) + ";", s)

    def put_add(self, s, at):
        args = f"&a{at['a']}, {at['n']}"
        self.put(f"r{at['r']} = " + self.atomic("fetch_add", s, args, at["order"]) + ";", s)

    def put_swap(self, s, at):
        args = f"&a{at['a']}, {expression(at['e'])}"
        self.put(f"r{at['r']} = " + self.atomic("exchange", s, args, at["order"]) + ";", s)

    def put_cas(self, s, at):
        r = at["r"]
        self.put(f"r{r} = {at['n']};")
        call = f"atomic_compare_exchange_strong(&a{at['a']}, &r{r}, {expression(at['e'])})"
        if not s.kids[0] and not s.kids[1]:
            self.put(f"(void){call};", s)
            return
        self.branch(call, s)

    def put_await(self, s, at):
        self.put(f"for (int i = 0; i < {at['times']}; i++)")
        self.put(f"    if ((r{at['r']} = atomic_load(&a{at['a']})) == {at['n']})", s)
        self.put("        break;")

    # Loops without a bound.

    def put_until(self, s, at):
        held = at["pause"] == "until held"
        if held:
            self.put("pthread_mutex_lock(&retry_m);")
        self.put(f"while ((r{at['r']} = atomic_load(&a{at['a']})) {at['cmp']} {at['n']})", s)
        self.put("    " + (GIVE_UP if held else PAUSES[at["pause"]]))
        if held:
            self.put("pthread_mutex_unlock(&retry_m);")

    def put_until_two(self, s, at):
        self.put(f"while (atomic_load(&a{at['a']}) == {at['n']} && "
                 f"atomic_load(&a{at['a2']}) == {at['n2']})", s)
        self.put("    " + PAUSES[at["pause"]])

    def put_loop_lock(self, s, at):
        lock, pause = f"&taken{at['l']}", PAUSES[at["pause"]]
        if at["way"] == "exchange":
            self.put(f"while (atomic_exchange({lock}, 1))", s)
            self.put("    " + pause)
        elif at["way"] == "cas":
            self.put(f"for (int e = 0; !atomic_compare_exchange_weak({lock}, &e, 1); e = 0)", s)
            self.put("    " + pause)
        elif at["way"] == "trylock":
            self.put(f"while (pthread_mutex_trylock(&m{at['l']}) != 0)", s)
            self.put("    " + pause)
        else:
            self.put("do {")
            self.put(f"    while (atomic_load({lock}))", s)
            self.put("        " + pause)
            self.put(f"}} while (atomic_exchange({lock}, 1));", s)
        self.flat(s, 0)
        if at["way"] == "trylock":
            self.put(f"pthread_mutex_unlock(&m{at['l']});", s)
        else:
            self.put(f"atomic_store({lock}, 0);", s)

    # Control.

    def branch(self, cond, s):
        self.put(f"if ({cond}) {{", s)
        self.kid(s, 0)
        if s.kids[1]:
            self.put("} else {")
            self.kid(s, 1)
        self.put("}")

    def condition(self, cond):
        r, op, n = cond
        if op == "<u":
            return f"(unsigned)r{r} < (unsigned){n}"
        return f"r{r} {op} {n}"

    def put_if(self, s, at):
        self.branch(self.condition(at["cond"]), s)

    def put_loop(self, s, at):
        i = f"i{self.indent}"
        if at["times"]:
            self.put(f"for (int {i} = 0; {i} < {at['times']}; {i}++) {{", s)
        else:
            self.put("for (;;) {", s)
        self.kid(s, 0)
        self.put("}")

    def put_rounds(self, s, at):
        i = f"i{self.indent}"
        self.put(f"for (int {i} = 0; {i} < {at['times']}; {i}++) {{", s)
        self.kid(s, 0)
        self.put("    " + "".join(f"r{r} = " for r in range(N_REGISTERS)) + "0;")
        self.put("}")

    def put_tally(self, s, at):
        self.put(TALLIES[at["where"]] + "++;")

    def put_tallied(self, s, at):
        self.put(f"if ({TALLIES[at['where']]} == {at['n']}) {{", s)
        self.kid(s, 0)
        self.put("}")

    def put_spawn(self, s, at):
        self.put("for (;;) {", s)
        self.put("    pthread_t spawned_one;")
        self.put(f"    pthread_create(&spawned_one, NULL, spawned, &a{at['a']});", s)
        self.put("}")

    def put_switch(self, s, at):
        self.put(f"switch (r{at['x']}) {{", s)
        labels = [f"case {n}:" for n in at["cases"]] + ["default:"]
        for i, label in enumerate(labels):
            self.put(label)
            self.kid(s, i)
            if not s.kids[i] or s.kids[i][-1].op not in ENDS:
                self.put("    break;")
        self.put("}")

    def put_goto(self, s, at):
        self.n_labels += 3
        first, second, end = (f"at{self.n_labels - i}" for i in range(3))
        self.put(f"goto *(r{at['x']} & 1 ? &&{second} : &&{first});", s)
        self.put(first + ":;")
        self.kid(s, 0)
        self.put(f"goto {end};")
        self.put(second + ":;")
        self.kid(s, 1)
        self.put(end + ":;")

    def put_jump(self, s, at):
        self.put(f"if (setjmp(jump{at['j']}) == 0) {{", s)
        self.kid(s, 0)
        self.put("} else {")
        self.put(f"    r{at['r']} = 1;")
        self.put("}")

    def put_long_jump(self, s, at):
        self.put(f"longjmp(jump{at['j']}, 1);", s)

    def put_leave(self, s, at):
        if self.f:
            self.put(f"return (void *)(intptr_t)({expression(at['e'])});", s)
        else:
            self.put("pthread_exit(NULL);", s)

    def put_exit(self, s, at):
        self.put("exit(0);", s)

    def put_stretch(self, s, at):
        self.put(f"stretch({at['n']});", s)

    def put_yield(self, s, at):
        self.put("sched_yield();", s)

    def put_fence(self, s, at):
        self.put("atomic_thread_fence(memory_order_seq_cst);", s)

    def put_assert(self, s, at):
        self.put(f"assert({self.condition(at['cond'])});", s)

    def put_probe(self, s, at):
        self.put('assert(!"reached");', s)

    def put_abort(self, s, at):
        self.put("abort();", s)

    # Inputs.

    def put_input(self, s, at):
        if at.get("value") is not None:  # fixed, by the self-test
            self.put(f"r{at['r']} = {at['value']};", s)
            return
        self.put(f"r{at['r']} = (int)treadle_bits({at['bits']}, \"x{at['name']}\");", s)

    def put_calc(self, s, at):
        text = CALCS[at["how"]].format(x=f"r{at['x']}", y=at["y"])
        self.put(f"r{at['r']} = {text};", s)

    def put_divide(self, s, at):
        self.put(f"r{at['r']} = r{at['x']} {at['how']} r{at['y']};", s)

    def put_rand(self, s, at):
        self.put(f"r{at['r']} = rand() & 1;", s)

    def put_srand(self, s, at):
        self.put(f"srand({at['n']});", s)

    def put_alarm(self, s, at):
        self.put(f"r{at['r']} = (int)alarm({at['n']});", s)

    def put_action(self, s, at):
        self.put(f"signal(SIGUSR1, on_signal_{at['n']});", s)

    def put_action_get(self, s, at):
        self.put(f"r{at['r']} = action_of_signal();", s)

    def put_table(self, s, at):
        self.put(f"r{at['r']} = table[r{at['x']} & {TABLE - 1}];", s)

    def put_cell_load(self, s, at):
        self.put(f"r{at['r']} = atomic_load(&cells[r{at['x']} & {CELLS - 1}]);", s)

    def put_cell_store(self, s, at):
        self.put(f"atomic_store(&cells[r{at['x']} & {CELLS - 1}], {expression(at['e'])});", s)

    def put_assume(self, s, at):
        self.put(f"treadle_assume({self.condition(at['cond'])});", s)

    # Mutexes and sections.

    def mutex(self, call, m):
        if m == STREAM:
            return ("ftry" if call == "trylock" else "fun" if call == "unlock" else "f") + \
                "lockfile(stdout)"
        return f"pthread_{'spin' if m == SPIN else 'mutex'}_{call}(&m{m})"

    def put_lock(self, s, at):
        self.put(self.mutex("lock", at["m"]) + ";", s)
        self.flat(s, 0)
        if not at["keep"]:
            self.put(self.mutex("unlock", at["m"]) + ";", s)

    def put_cross(self, s, at):
        for i, (call, m) in enumerate((("lock", "m"), ("lock", "m2"), ("unlock", "m"))):
            self.put(self.mutex(call, at[m]) + ";", s)
            self.flat(s, i)
        self.put(self.mutex("unlock", at["m2"]) + ";", s)

    def attempt(self, call, unlock, s):
        """Something that may fail and is undone where it did not."""
        self.put(f"if ({call} == 0) {{", s)
        self.kid(s, 0)
        if unlock:
            self.put(f"    {unlock};", s)
        if s.kids[1]:
            self.put("} else {")
            self.kid(s, 1)
        self.put("}")

    def put_try(self, s, at):
        unlock = self.mutex("unlock", at["m"])
        self.attempt(self.mutex("trylock", at["m"]), "" if at["keep"] else unlock, s)

    def put_timed_lock(self, s, at):
        self.attempt(f"pthread_mutex_timedlock(&m{at['m']}, &until)",
                     self.mutex("unlock", at["m"]), s)

    def put_section(self, s, at):
        self.put("__VERIFIER_atomic_begin();", s)
        self.flat(s, 0)
        self.put("__VERIFIER_atomic_end();", s)

    def put_bad_unlock(self, s, at):
        self.put(self.mutex("unlock", at["m"]) + ";", s)

    def put_bad_destroy(self, s, at):
        self.put(self.mutex("destroy", at["m"]) + ";", s)

    # Condition variables, semaphores, read-write locks, barriers, once.

    def put_wait(self, s, at):
        self.put(f"pthread_cond_wait(&c{at['c']}, &m{at['m']});", s)

    put_bad_wait = put_wait

    def put_wait_until(self, s, at):
        op, n = at["until"]
        self.put(f"while (!(g{at['m']} {op} {n}))")
        self.put(f"    pthread_cond_wait(&c{at['c']}, &m{at['m']});", s)

    def put_timed_wait(self, s, at):
        self.put(f"r{at['r']} = pthread_cond_timedwait(&c{at['c']}, &m{at['m']}, &until) != 0;", s)

    def put_signal(self, s, at):
        self.put(f"pthread_cond_signal(&c{at['c']});", s)

    def put_broadcast(self, s, at):
        self.put(f"pthread_cond_broadcast(&c{at['c']});", s)

    def put_sem_wait(self, s, at):
        self.put(f"sem_wait(&s{at['s']});", s)

    def put_sem_post(self, s, at):
        self.put(f"sem_post(&s{at['s']});", s)

    def put_sem_value(self, s, at):
        self.put(f"sem_getvalue(&s{at['s']}, &r{at['r']});", s)

    def put_sem_try(self, s, at):
        self.attempt(f"sem_trywait(&s{at['s']})", "", s)

    def put_sem_timed(self, s, at):
        self.attempt(f"sem_timedwait(&s{at['s']}, &until)", "", s)

    def put_read(self, s, at):
        self.put(f"pthread_rwlock_{'rd' if s.op == 'read' else 'wr'}lock(&l{at['l']});", s)
        self.flat(s, 0)
        if not at.get("keep"):
            self.put(f"pthread_rwlock_unlock(&l{at['l']});", s)

    put_write = put_read

    def put_try_read(self, s, at):
        how, kind = s.op.split()
        name, more = f"{how}{'rd' if kind == 'read' else 'wr'}lock", ""
        if how == "timed":
            more = ", &until"
        self.attempt(f"pthread_rwlock_{name}(&l{at['l']}{more})",
                     f"pthread_rwlock_unlock(&l{at['l']})", s)

    put_try_write = put_timed_read = put_timed_write = put_try_read

    def put_bad_rwunlock(self, s, at):
        self.put(f"pthread_rwlock_unlock(&l{at['l']});", s)

    def put_rw_get(self, s, at):
        self.put(f"r{at['r']} = w{at['l']};", s)

    def put_rw_set(self, s, at):
        self.put(f"w{at['l']} = {expression(at['e'])};", s)

    def put_barrier(self, s, at):
        if at["r"] is None:
            self.put(f"pthread_barrier_wait(&b{at['b']});", s)
        else:
            self.put(f"r{at['r']} = pthread_barrier_wait(&b{at['b']}) != 0;", s)

    def put_once(self, s, at):
        self.put(f"pthread_once(&o{at['o']}, {self.name}once{self.routines[id(s)]});", s)

    def routine(self, s):
        return f"{self.name}{s.op}{self.routines[id(s)]}"

    def put_call(self, s, at):
        self.put(CALLED[at["how"]].format(self.routine(s)) + ";", s)

    def put_handler(self, s, at):
        if at["how"] == "atexit":
            self.put(f"atexit({self.routine(s)});", s)
        elif at["how"] == "on_exit":
            self.put(f"on_exit({self.routine(s)}, NULL);", s)

    def put_key(self, s, at):
        self.put(f"pthread_key_create(&own{at['key']}, {self.routine(s)});", s)

    def put_key_set(self, s, at):
        self.put(f"pthread_setspecific(own{at['key']}, (void *){at['n']});", s)

    def put_key_get(self, s, at):
        self.put(f"r{at['r']} = (int)(intptr_t)pthread_getspecific(own{at['key']});", s)

    def put_constructor(self, s, at):
        """It is not called from here."""

    def put_block(self, s, at):
        """Whether it is the block that somebody had last."""
        p = f"p{self.indent}"
        self.put("{")
        self.put(f"    void *{p} = malloc(3000);", s)
        self.kid(s, 0)
        self.put(f"    r{at['r']} = atomic_exchange(&block, {p}) == {p};", s)
        self.put(f"    free({p});", s)
        self.put("}")

    def put_clock(self, s, at):
        self.put(f"read_clock(&last{at['g']});", s)

    def put_once_get(self, s, at):
        self.put(f"r{at['r']} = v{at['o']};", s)

    def put_once_set(self, s, at):
        self.put(f"v{at['o']} = {expression(at['e'])};", s)

    def put_destroy(self, s, at):
        what = at["what"]
        name = {"s": "sem", "l": "pthread_rwlock", "b": "pthread_barrier", "c": "pthread_cond"}
        self.put(f"{name[what[0]]}_destroy(&{what});", s)

    def put_init(self, s, at):
        self.put(init_text(at["what"], self.starts), s)

    # Plain variables.

    def put_guarded_read(self, s, at):
        self.put(f"r{at['r']} = g{at['g']};", s)

    def put_guarded_write(self, s, at):
        self.put(f"g{at['g']} = {expression(at['e'])};", s)

    def put_out_write(self, s, at):
        self.put(f"out[me] = {expression(at['e'])};", s)

    def put_out_read(self, s, at):
        self.put(f"r{at['r']} = out[{at['slot']}];", s)

    def put_racy_read(self, s, at):
        self.put(f"sink += d{at['d']};", s)

    def put_racy_get(self, s, at):
        self.put(f"r{at['r']} = d{at['d']};", s)

    def put_racy_write(self, s, at):
        self.put(f"d{at['d']} = {at['n']};", s)

    def put_racy_add(self, s, at):
        self.put(f"d{at['d']} += {at['n']};", s)

    def put_racy_cell(self, s, at):
        self.put(f"plain[r{at['x']} & {CELLS - 1}] = {at['n']};", s)

    # Structures, calls of the library, plain flags.

    def put_struct_pass(self, s, at):
        self.put(f"sink += {PASSED[at['way']].format('k' + str(at['k']))};", s)

    def put_struct_copy(self, s, at):
        self.put(f"k{at['k']} = k{at['k2']};", s)

    def put_struct_set(self, s, at):
        self.put(f"k{at['k']}.x[{STRUCT - 1}] = {at['n']};", s)

    def put_guarded_pass(self, s, at):
        self.put(f"r{at['r']} = {PASSED[at['way']].format('u' + str(at['g']))};", s)

    def put_guarded_copy(self, s, at):
        u = f"u{at['g']}"
        self.put("{")
        self.put(f"    struct big b = {u};", s)
        self.put(f"    b.x[{STRUCT - 1}] = {expression(at['e'])};")
        self.put(f"    {u} = b;", s)
        self.put("}")

    def put_library(self, s, at):
        self.put(library.CALLS[at["how"]][0].format(**shared_of(at)), s)

    def put_guarded_put(self, s, at):
        self.put(library.PUTS[at["how"]].format(g=f"note{at['g']}", e=expression(at["e"])), s)

    def put_guarded_get(self, s, at):
        self.put(library.GETS[at["how"]].format(g=f"note{at['g']}", r=f"r{at['r']}"), s)

    def put_plain_until(self, s, at):
        self.put(f"while ({flag_of(at)} == 0)", s)
        self.put("    " + PAUSES[at["pause"]])

    def put_plain_flag(self, s, at):
        self.put(f"{flag_of(at)} = {at['n']};", s)

    def put_row(self, s, at):
        for i in range(at["n"]):
            self.put(f"q[{i}] = 1;", s)

    def put_crowd(self, s, at):
        self.put(f"crowd({at['n']}, &a{at['a']});", s)

    def put_cas_add(self, s, at):
        r, a = f"r{at['r']}", f"&a{at['a']}"
        self.put(f"{r} = atomic_load({a});", s)
        self.put(f"while (!atomic_compare_exchange_weak({a}, &{r}, {r} + {at['n']}))", s)
        self.put("    ;")

    def put_cas_put(self, s, at):
        r, a = f"r{at['r']}", f"&a{at['a']}"
        self.put("do {", s)
        self.put(f"    {r} = atomic_load({a});", s)
        self.put(f"    atomic_store(&a{at['a2']}, {r} + {at['n']});", s)
        self.put(f"}} while (!atomic_compare_exchange_weak({a}, &{r}, {r} + {at['n']}));", s)

    # Threads.

    def put_create(self, s, at):
        slot = at["slot"]
        self.put(f"pthread_create(&handle[{slot}], NULL, {self.name}t{at['f']}, "
                 f"(void *){slot});", s)

    def put_join(self, s, at):
        if at["r"] is None:
            self.put(f"pthread_join(handle[{at['slot']}], NULL);", s)
            return
        self.put(f"pthread_join(handle[{at['slot']}], &result);", s)
        self.put(f"r{at['r']} = (int)(intptr_t)result;")

    put_bad_join = put_join

    def put_join_main(self, s, at):
        self.put("pthread_join(handle[0], NULL);", s)

    def put_detach(self, s, at):
        self.put(f"pthread_detach(handle[{at['slot']}]);", s)


def shared_of(at):
    """Names of the shared variables that a call of the library is about."""
    return {"d": f"d{at['d']}", "t": f"text{at['t']}", "u": f"text{1 - at['t']}"}


def flag_of(at):
    return f"{'vf' if at['volatile'] else 'f'}{at['f']}"


def locals_used(text):
    """Declarations of the locals that some lines use."""
    used = [f"r{i} = 0" for i in range(N_REGISTERS) if re.search(rf"\br{i}\b", text)]
    if re.search(r"\bsink\b", text):
        used.append("sink = 0")
    if re.search(r"\btally\b", text):
        used.append("tally = 0")
    # C17, 7.13.2.1: without it longjmp leaves those that were changed since setjmp indeterminate.
    kind = "volatile int" if re.search(r"\bsetjmp\b", text) else "int"
    lines = [f"    {kind} " + ", ".join(used) + ";"] if used else []
    if re.search(r"\bresult\b", text):
        lines.append("    void *result = NULL;")
    if re.search(r"\bend\b", text):
        lines.append("    char *end = NULL;")
    return lines


HEADS = {"atexit": "void {}(void)", "on_exit": "void {}(int status, void *arg)",
         "destructor": "__attribute__((destructor)) void {}(void)", "pointer": "void {}(void)",
         "variadic": "void {}(void)", "key": "void {}(void *arg)",
         "constructor": "__attribute__((constructor)) void {}(int argc, char **argv)"}
COMPARES = "int {}(const void *a, const void *b)"


def put_routine(program, s, name, first_line):
    """(lines, places) of what a once statement, a call or a handler calls."""
    def text_at(line):
        t = Text(name, line, program)
        t.indent = 0
        t.block(s.kids[0], OPS[s.op][1][0])
        return t

    how = s.op if s.op in HEADS else s.at.get("how", "pointer")
    head = HEADS.get(how, COMPARES)
    lines = ["static " + head.format(f"{name}{s.op}{routines(program)[id(s)]}"), "{"]
    if how == "constructor":
        lines[:0] = [f"static void *{name}t{f}(void *arg);" for f in range(1, len(program.bodies))]
    lines += locals_used("\n".join(text_at(0).lines))
    lines += [f"    (void){x};" for x in re.findall(r"(status|argc|argv|arg|a|b)[,)]", head)]
    if how == "destructor" and name:
        lines += [f"    if (chosen != {name[1:-1]})", "        return;"]
    if how == "constructor":
        if name:
            lines += [f"    if (chosen != {name[1:-1]})", "        return;"]
        lines += ["    " + text for text in inits(program)]
    t = text_at(first_line + len(lines))
    last = s.kids[0][-1].op if s.kids[0] else ""
    lines += t.lines + (["    return 0;"] if head == COMPARES and last not in ENDS else [])
    return lines + ["}", ""], t.places


def put_function(program, f, name, first_line, head):
    """(lines, places) of one function with the given head lines."""
    result = f"return (void *)(intptr_t)({expression(program.results[f])});" if f else ""
    body = program.bodies[f]
    last = body[-1].op if body else ""
    ends = last in ENDS

    def text_at(line):
        t = Text(name, line, program)
        t.f = f
        t.indent = 0
        t.block(body)
        if not ends and f:
            t.indent = 1
            t.put(result)
        return t

    trial = text_at(0)
    lines = head + ["{"]
    joined = "\n".join(trial.lines)
    lines += locals_used(joined)
    if "me]" in joined:
        lines.append("    int me = (int)(intptr_t)arg;" if f else "    int me = 0;")
    elif f:
        lines.append("    (void)arg;")
    if f == 0 and any(s.op == "join main" for s in program.statements()):
        lines.append("    handle[0] = pthread_self();")
    if f == 0 and "constructor" not in program.ops():
        lines += ["    " + text for text in inits(program)]
    t = text_at(first_line + len(lines))
    lines += t.lines
    if f == 0 and program.end == "pthread_exit":
        lines.append("    pthread_exit(NULL);")
    if f == 0 and program.end == "return" and head[-1] == "int main(void)":
        lines.append("    return 0;")
    return lines + ["}", ""], t.places


def put_program(program, name, first_line, main_head):
    """(lines, places) of all functions of a program."""
    lines, places = [], {}
    numbers = routines(program)
    for s in sorted((s for s in program.statements() if s.op in ROUTINES),
                    key=lambda s: numbers[id(s)]):
        more, where = put_routine(program, s, name, first_line + len(lines))
        lines += more
        places.update(where)
    for f in reversed(range(len(program.bodies))):
        head = [f"static void *{name}t{f}(void *arg)"] if f else [main_head]
        more, where = put_function(program, f, name, first_line + len(lines), head)
        lines += more
        places.update(where)
    return lines, places


# Before all other constructors, so that nobody else runs yet.
CHOOSE = """\
static int chosen = -1;

static __attribute__((constructor(101))) void choose(int argc, char **argv)
{
    chosen = argc > 1 ? atoi(argv[1]) : -1;
}
"""


def put_batch(programs):
    """A C source with several programs, chosen by the first argument; places of each."""
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */"] + PRELUDE.splitlines()
    if any(s.op in ("input", "assume") for p in programs for s in p.statements()):
        lines.append(HEADER)
    lines += ["", *BIG.splitlines(), ""] + [text for _, text in GLOBALS] + CHOOSE.splitlines() + [""]
    lines += helpers("\n".join(line for i, p in enumerate(programs)
                               for line in put_program(p, f"p{i}_", 1, "")[0]))
    places = []
    for i, p in enumerate(programs):
        more, where = put_program(p, f"p{i}_", len(lines) + 1, f"static void p{i}_main(void)")
        lines += more
        places.append(where)
    lines += ["int main(void)", "{",
              "    switch (chosen) {"]
    for i in range(len(programs)):
        lines += [f"    case {i}:", f"        p{i}_main();", "        break;"]
    lines += ["    }", "    return 0;", "}"]
    return "\n".join(lines) + "\n", places


# Headers that a program may do without, and what shows that it needs them.
OPTIONAL = {"math.h": r"\b(frexp|modf|remquo)\b", "search.h": r"\bcall_(found|tree)\b",
            "semaphore.h": r"\bsem_", "setjmp.h": r"\bjump[01]\b", "signal.h": r"SIGUSR1", "stdarg.h": r"\bva_list\b",
            "stdio.h": r"printf|scanf|get_line|lockfile|stream_text", "string.h": r"\b(mem|str|stp|mempcpy)\w*\(",
            "time.h": r"\b(until|when|now|clock_gettime|last\d)\b"}


def put_alone(program, comment=()):
    """A C source with one program and only what it uses. The comment comes last, so that it
    does not move the lines."""
    body, _ = put_program(program, "", 1, "int main(void)")
    joined = "\n".join(body)
    more = helpers(joined)
    joined += "\n".join(more)
    prelude = PRELUDE.rstrip().splitlines()
    for header, use in OPTIONAL.items():
        if not re.search(use, joined):
            prelude.remove(f"#include <{header}>")
    if "__VERIFIER" not in joined:
        prelude = [line for line in prelude if "__VERIFIER" not in line][:-1]
    if "treadle_" in joined:
        prelude.append(HEADER)
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */"] + prelude + [""]
    if re.search(r"\b[ku][0-4]\b|struct big", joined):
        lines += BIG.splitlines() + [""]
    lines += [text for name, text in GLOBALS if re.search(rf"\b{name}\b", joined)] + [""]
    lines += more + body
    if comment:
        lines += ["/* " + comment[0]] + [" * " + c if c else " *" for c in comment[1:]]
        lines[-1] += " */"
    return "\n".join(lines).rstrip() + "\n"
