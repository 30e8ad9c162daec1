# SPDX-License-Identifier: Apache-2.0
"""What a program can do, by the words of POSIX and without treadle.

Both searches of treadle run the same code inside the program, so that an error in what a
primitive does shows in neither. Here the tree of a program is carried out in every order by a few
lines of Python for each statement. They share nothing with the runtime, and differ in how they
see things: a signal chooses whom it wakes, a wait with a timeout waits and may give up later.

What is compared: which assertions can fail, which threads can end with a lock, and whether there
is a deadlock or livelock: nobody can go on, or a run ends although some wait for each other. With
races=True also which variables are in a data race, by what happens before what (C17 5.1.2.4) in
every run. Where racy values decide, every racy access is an operation."""
import ctypes
import functools
import re

import library
from program import (CELLS, GLOBALS, N_MUTEXES, N_RWLOCKS, RECURSIVE, STREAM, TABLE, flag_of,
                     shared_of)

MOST_TOLD_RUNS, MOST_RUNS = 2000, 20000  # of treadle, of ours
TABLE_VALUES = (3, 1, 4, 1, 5, 0, 2, 6)
KINDS = {"assert": "assert", "abort": "abort", "deadlock": "deadlock", "livelock": "deadlock",
         "mutex": "left", "misuse": "left", "crash": "crash"}
KEY_ROUNDS = 4  # PTHREAD_DESTRUCTOR_ITERATIONS
NAMES = {name for name, _ in GLOBALS}
NO_RACES = {"section"}  # statements of which it is not said here what they order


class TooMany(Exception):
    """There are more runs than asked for."""


class RunOver(Exception):
    """The run ends; found: what it shows."""

    def __init__(self, found=None):
        super().__init__()
        self.found = found


class Leave(Exception):
    """A thread ends early, with a result."""

    def __init__(self, value):
        super().__init__()
        self.value = value


class Jump(Exception):
    """longjmp; number: to which buffer."""

    def __init__(self, number):
        super().__init__()
        self.number = number


@functools.lru_cache(maxsize=None)
def random_numbers(seed):
    """The first ones of the C library's sequence."""
    libc = ctypes.CDLL(None)
    libc.srand(seed)
    return [libc.rand() for _ in range(64)]


def divided(x, y):
    """Quotient and remainder in C."""
    q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return q, x - q * y


CALC = {"+": lambda x, y: (x + y) & 15, "-": lambda x, y: (x - y) & 15,
        "*": lambda x, y: (x * y) & 15, "&": lambda x, y: x & y, "|": lambda x, y: (x | y) & 15,
        "^": lambda x, y: (x ^ y) & 15, "<<": lambda x, y: (x << (y & 3)) & 15,
        ">>": lambda x, y: (x & 15) >> (y & 3), "/": lambda x, y: divided(x, y | 1)[0],
        "%": lambda x, y: divided(x, y | 1)[1],
        "i8": lambda x, y: ((x & 15) ^ 8) - 8 + y, "?": lambda x, y: x if x < y else y + 1}


def always():
    return True


def nobody():
    return None


class Clock(dict):
    """What of each thread happened before: {number of a thread: how much of it}."""

    def meet(self, other):
        for thread, time in other.items():
            if self.get(thread, 0) < time:
                self[thread] = time


class Memory:
    """Accesses so far; racy: (variable, the statements) of two that are not ordered."""

    def __init__(self):
        self.accesses, self.racy = {}, set()

    def access(self, thread, place, is_write):
        """place: a name, or (name, element)."""
        mine = thread.clock[thread.number]
        before = self.accesses.setdefault(place, set())
        here = id(thread.at)
        for other, time, wrote, there in before:
            if (is_write or wrote) and thread.clock.get(other, 0) < time:
                name = place if isinstance(place, str) else place[0]
                self.racy.add((name, frozenset((here, there))))
        before.add((thread.number, mine, is_write, here))


class Object:
    """A lock, a semaphore, ...: what was done before it was left happens before what follows."""

    def __init__(self):
        self.clock = Clock()


class Thread:
    """steps: a generator that yields, before each operation, a function that says whether it is
    possible now."""

    def __init__(self, number, slot):
        self.number, self.slot = number, slot
        self.steps, self.can = None, None
        self.holder = nobody  # who lets it go on, where that can only be one
        self.result, self.has_ended = 0, False
        self.held = []  # statements that took a lock, with the lock
        self.spurious, self.at = 0, None  # at: the statement it carries out
        self.woken = set()  # waits that ended for no reason
        self.specific = {}  # {key: value}
        self.clock = Clock({number: 1})
        self.released, self.seen = Clock(), Clock()  # by a fence; by relaxed loads before one

    def acquire(self, clock):
        self.clock.meet(clock)

    def release(self):
        """What others learn; what comes later is not in it."""
        now = Clock(self.clock)
        self.clock[self.number] += 1
        return now


class World:
    """One run. The choices are a list of numbers, which is made longer as it goes."""

    def __init__(self, program, choices):
        self.p, self.choices, self.at = program, choices, 0
        self.limits = []
        self.threads, self.by_slot = [], {}
        self.atomics, self.guarded, self.racy = [0] * 3, [0] * N_MUTEXES, [0] * 2
        self.is_raced = "racy get" in program.ops()
        self.cells, self.out = [0] * CELLS, [0] * 8
        self.found = set()  # failures after which the run went on
        self.mutexes = {}  # number: [owner, depth]
        self.conds = {0: [], 1: []}  # [thread, whether it was woken]
        self.sems = {k: program.starts[f"s{k}"] for k in (0, 1)}
        self.writer, self.readers = {}, {k: [] for k in range(N_RWLOCKS)}
        self.closed = {}  # read-write lock that prefers writers: the writer that waits or takes it
        self.rw, self.once_values, self.onces = [0] * N_RWLOCKS, [0] * 2, {}
        self.barriers = {0: [0, 0], 1: [0, 0]}  # arrived, rounds
        self.memory, self.objects = Memory(), {}
        self.heads = {}  # {atomic: {thread: clock}}, release sequences
        self.structs, self.texts, self.flags = [0] * 5, [0] * 5, {}
        self.keys, self.exiting = {}, None
        self.alarm = self.action = 0
        self.random, self.drawn = 1, 0  # seed, numbers since
        self.n_blocks, self.free, self.last_block = 0, [], None
        self.handlers = []
        self.late = [s for s in program.handlers() if s.at["how"] == "destructor"]

    def clock_of(self, *name):
        return self.objects.setdefault(name, Object()).clock

    def choose(self, n):
        """A number below n."""
        if n <= 1:
            return 0
        if self.at == len(self.choices):
            self.choices.append(0)
        self.limits[self.at:] = [n]
        self.at += 1
        return self.choices[self.at - 1]

    # ---- threads ----

    def start(self, slot, f, creator=None):
        t = Thread(len(self.threads), slot)
        if creator:
            t.acquire(creator.release())
        self.threads.append(t)
        self.by_slot[slot] = t
        t.steps = Steps(self, t, f).body()
        self.go_on(t)

    def go_on(self, t):
        """Up to its next operation."""
        t.can = always  # it is under way
        t.can = next(t.steps, None)
        if t.can is not None:
            return
        t.has_ended = True

    def start_exit(self):
        """Main has left, and everybody else has: a thread of its own ends the process."""
        t = Thread(len(self.threads), None)
        for other in self.threads:
            t.acquire(other.clock)
        self.threads.append(t)
        t.steps = Steps(self, t, 0).exit()
        self.go_on(t)

    def ready(self):
        return [t for t in self.threads if not t.has_ended and t.can()]

    def is_stuck(self, t):
        """It waits for ever, whatever the others do: a cycle of waits begins here, or one that
        ends at somebody who has ended and has what is waited for."""
        for i in range(len(self.threads)):
            if t is not None and t.has_ended and i > 0:
                return True
            if t is None or t.has_ended or t.can is None or t.can():
                return False
            t = t.holder()
        return t is not None

    def run(self):
        """What the run shows: ("deadlock", None) and (kind, statement)."""
        found = self.found
        try:
            self.start(0, 0)
            while ready := self.ready():
                self.go_on(ready[self.choose(len(ready))])
                if self.p.handlers() and all(t.has_ended for t in self.threads):
                    self.start_exit()
            if any(not t.has_ended for t in self.threads):
                found.add(("deadlock", None))
        except RunOver as over:
            found |= {over.found} - {None}
        if any(self.is_stuck(t) for t in self.threads):
            found.add(("deadlock", None))
        return found | {("race", race) for race in self.memory.racy}


class Steps:
    """What a thread does. Statements are generators; the registers are those of a function."""

    def __init__(self, world, thread, f):
        self.w, self.t, self.f = world, thread, f
        self.r, self.loops = [0] * 4, 0  # loops of the function around a statement
        self.in_section = False
        self.tallies = {"local": 0, "thread": 0}

    def body(self):
        w = self.w
        try:
            yield from self.block(w.p.bodies[self.f])
        except Leave as left:
            self.t.result = left.value
            yield from self.end()
            return
        if self.f:
            self.t.result = self.value(w.p.results[self.f])
        if self.f or w.p.end != "return":
            yield from self.end()
        else:
            yield always
            yield from self.exit()

    def exit(self):
        """Handlers in the opposite order; others go on meanwhile. A second one waits for the end."""
        w = self.w
        if w.p.handlers():
            yield from self.op(lambda: w.exiting is None)
            w.exiting = self.t
            yield from self.run_handlers()
            for s in w.late:
                yield from self.routine(s)
            if w.late:
                yield from self.run_handlers()
            yield from self.op()
        raise RunOver()

    def run_handlers(self):
        """What is registered meanwhile is run as well."""
        while True:
            yield from self.op()
            self.take_object("handlers")
            self.leave_object("handlers")
            if not self.w.handlers:
                return
            yield from self.routine(self.w.handlers.pop())

    def routine(self, s):
        outer, self.r, self.loops = (self.r, self.loops), [0] * 4, 0
        try:
            yield from self.block(s.kids[0])
        finally:
            self.r, self.loops = outer

    def end(self):
        """Values of keys are destroyed, which may give others. A thread that ends while it holds
        something has failed, and ends all the same."""
        values = self.t.specific
        for _ in range(KEY_ROUNDS):
            for key in [k for k in self.w.keys if k in values]:  # as they were made
                if values[key]:
                    values[key] = 0
                    yield from self.routine(self.w.keys[key])
        if self.t.held:
            yield from self.op()
            self.w.found.add(("left", self.t.held[-1][0]))

    def block(self, block):
        for s in block:
            self.t.at = s
            yield from getattr(self, "do_" + s.op.replace(" ", "_"))(s, s.at)

    def op(self, can=always, holder=nobody):
        """The place of an operation: between two of them nobody else moves."""
        self.t.holder = holder
        if not self.in_section:
            yield can

    def fail(self, found):
        """Others may move before it comes to that."""
        yield from self.op()
        raise RunOver(found)

    def value(self, e):
        return e[1] + (self.r[e[0]] if e[0] is not None else 0)

    def operand(self, n):
        return self.r[int(n[1:])] if isinstance(n, str) else n

    def holds(self, cond):
        r, op, n = cond
        x, y = self.r[r], self.operand(n)
        if op == "<u":
            return (x & 0xffffffff) < (y & 0xffffffff)
        return {"==": x == y, "!=": x != y, "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y,
                "&": x & y}[op]

    # ---- registers and control ----

    def do_if(self, s, at):
        yield from self.block(s.kids[0 if self.holds(at["cond"]) else 1])

    def do_loop(self, s, at):
        self.loops += 1
        try:
            for _ in range(at["times"]):
                yield from self.block(s.kids[0])
        finally:
            self.loops -= 1

    def do_rounds(self, s, at):
        self.loops += 1
        try:
            for _ in range(at["times"]):
                yield from self.block(s.kids[0])
                self.r = [0] * len(self.r)
        finally:
            self.loops -= 1

    def do_tally(self, s, at):
        self.tallies[at["where"]] += 1
        yield from ()

    def do_tallied(self, s, at):
        if self.tallies[at["where"]] == at["n"]:
            yield from self.block(s.kids[0])

    def do_goto(self, s, at):
        yield from self.block(s.kids[self.r[at["x"]] & 1])

    def do_jump(self, s, at):
        try:
            yield from self.block(s.kids[0])
        except Jump as jump:
            if jump.number != at["j"]:
                raise
            self.r[at["r"]] = 1

    def do_long_jump(self, s, at):
        raise Jump(at["j"])
        yield

    def do_switch(self, s, at):
        cases = list(at["cases"])
        x = self.r[at["x"]]
        yield from self.block(s.kids[cases.index(x) if x in cases else 2])

    def do_input(self, s, at):
        self.r[at["r"]] = self.w.choose(1 << at["bits"])
        yield from ()

    def do_calc(self, s, at):
        self.r[at["r"]] = CALC[at["how"]](self.r[at["x"]], self.operand(at["y"]))
        yield from ()

    def do_assume(self, s, at):
        if not self.holds(at["cond"]):
            yield from self.op()
            raise RunOver()

    def do_divide(self, s, at):
        x, y = self.r[at["x"]], self.r[at["y"]]
        if y == 0:
            yield from self.fail(("crash", s))
        self.r[at["r"]] = divided(x, y)[at["how"] == "%"]

    def do_table(self, s, at):
        self.r[at["r"]] = TABLE_VALUES[self.r[at["x"]] & (TABLE - 1)]
        yield from ()

    def do_assert(self, s, at):
        if not self.holds(at["cond"]):
            yield from self.fail(("assert", s))

    def do_probe(self, s, at):
        yield from self.fail(("assert", s))

    def do_abort(self, s, at):
        yield from self.fail(("abort", s))

    def do_leave(self, s, at):
        raise Leave(self.value(at["e"]) if self.f else 0)
        yield

    def do_exit(self, s, at):
        yield from self.op()
        yield from self.exit()

    def do_section(self, s, at):
        yield from self.op()
        self.in_section = True
        yield from self.block(s.kids[0])
        self.in_section = False

    def nothing(self, s, at):
        yield from ()

    do_yield = do_detach = do_stretch = nothing

    def do_fence(self, s, at):
        yield from self.op()
        self.t.acquire(self.t.seen)
        self.t.released = self.t.release()

    # ---- what is ordered ----

    def read(self, *places):
        for place in places:
            self.w.memory.access(self.t, place, False)

    def write(self, *places):
        for place in places:
            self.w.memory.access(self.t, place, True)

    def leave_object(self, *name):
        self.w.clock_of(*name).meet(self.t.release())

    def take_object(self, *name):
        self.t.acquire(self.w.clock_of(*name))

    def saw(self, a, order=None):
        """An atomic was read."""
        for clock in self.w.heads.get(a, {}).values():
            self.t.seen.meet(clock)
            if order in (None, "acquire", "acq_rel"):
                self.t.acquire(clock)

    def wrote(self, a, order=None, is_rmw=False):
        """It was written: release sequences of others go on only with a read-modify-write."""
        heads = self.w.heads.setdefault(a, {})
        mine = Clock(heads.get(self.t.number, {}))
        if not is_rmw:
            heads.clear()
        mine.meet(self.t.released)
        if order in (None, "release", "acq_rel"):
            mine.meet(self.t.release())
        if mine:
            heads[self.t.number] = mine

    # ---- atomics and plain variables ----

    def do_load(self, s, at):
        yield from self.op()
        self.saw(at["a"], at["order"])
        self.r[at["r"]] = self.w.atomics[at["a"]]

    def do_store(self, s, at):
        value = self.value(at["e"])
        yield from self.op()
        self.wrote(at["a"], at["order"])
        self.w.atomics[at["a"]] = value

    def do_add(self, s, at):
        n = self.operand(at["n"])
        yield from self.op()
        self.changed(at["a"], at["order"])
        self.r[at["r"]] = self.w.atomics[at["a"]]
        self.w.atomics[at["a"]] += n

    def changed(self, a, order=None):
        self.saw(a, order)
        self.wrote(a, order, is_rmw=True)

    def do_swap(self, s, at):
        value = self.value(at["e"])
        yield from self.op()
        self.changed(at["a"], at["order"])
        self.r[at["r"]], self.w.atomics[at["a"]] = self.w.atomics[at["a"]], value

    def do_cas(self, s, at):
        expected = self.operand(at["n"])
        self.r[at["r"]] = expected
        value = self.value(at["e"])
        yield from self.op()
        seen = self.w.atomics[at["a"]]
        if seen == expected:
            self.changed(at["a"])
            self.w.atomics[at["a"]] = value
        else:
            self.saw(at["a"])
            self.r[at["r"]] = seen
        yield from self.block(s.kids[0 if seen == expected else 1])

    def do_cas_add(self, s, at):
        a, r = at["a"], at["r"]
        yield from self.op()
        self.saw(a)
        self.r[r] = self.w.atomics[a]
        while True:
            yield from self.op()
            if self.w.atomics[a] == self.r[r]:
                break
            self.saw(a)
            self.r[r] = self.w.atomics[a]
        self.changed(a)
        self.w.atomics[a] += at["n"]

    def do_cas_put(self, s, at):
        a, r = at["a"], at["r"]
        while True:
            yield from self.op()
            self.saw(a)
            self.r[r] = seen = self.w.atomics[a]
            yield from self.op()
            self.changed(at["a2"])
            self.w.atomics[at["a2"]] = seen + at["n"]
            yield from self.op()
            if self.w.atomics[a] == seen:
                break
            self.saw(a)
            self.r[r] = self.w.atomics[a]
        self.changed(a)
        self.w.atomics[a] = seen + at["n"]

    def do_await(self, s, at):
        for _ in range(at["times"]):
            yield from self.op()
            self.saw(at["a"])
            self.r[at["r"]] = self.w.atomics[at["a"]]
            if self.r[at["r"]] == at["n"]:
                break

    def do_cell_load(self, s, at):
        yield from self.op()
        cell = self.r[at["x"]] & (CELLS - 1)
        self.saw(("cell", cell))
        self.r[at["r"]] = self.w.cells[cell]

    def do_cell_store(self, s, at):
        cell, value = self.r[at["x"]] & (CELLS - 1), self.value(at["e"])
        yield from self.op()
        self.wrote(("cell", cell))
        self.w.cells[cell] = value

    def do_guarded_read(self, s, at):
        self.read(f"g{at['g']}")
        self.r[at["r"]] = self.w.guarded[at["g"]]
        yield from ()

    def do_guarded_write(self, s, at):
        self.write(f"g{at['g']}")
        self.w.guarded[at["g"]] = self.value(at["e"])
        yield from ()

    def do_out_write(self, s, at):
        self.write(("out", self.t.slot))
        self.w.out[self.t.slot] = self.value(at["e"])
        yield from ()

    def do_out_read(self, s, at):
        self.read(("out", at["slot"]))
        self.r[at["r"]] = self.w.out[at["slot"]]
        yield from ()

    def plain(self):
        """The place of a racy access."""
        if self.w.is_raced:
            yield from self.op()

    def do_racy_read(self, s, at):
        yield from self.plain()
        self.read(f"d{at['d']}")

    def do_racy_get(self, s, at):
        yield from self.plain()
        self.read(f"d{at['d']}")
        self.r[at["r"]] = self.w.racy[at["d"]]

    def do_racy_write(self, s, at):
        yield from self.plain()
        self.write(f"d{at['d']}")
        self.w.racy[at["d"]] = at["n"]

    def do_racy_cell(self, s, at):
        self.write(("plain", self.r[at["x"]] & (CELLS - 1)))
        yield from ()

    def do_racy_add(self, s, at):
        yield from self.plain()
        self.read(f"d{at['d']}")
        value = self.w.racy[at["d"]] + at["n"]
        yield from self.plain()
        self.write(f"d{at['d']}")
        self.w.racy[at["d"]] = value

    # ---- structures, the library, calls ----

    def do_struct_pass(self, s, at):
        self.read(f"k{at['k']}")
        yield from ()

    def do_struct_copy(self, s, at):
        self.read(f"k{at['k2']}")
        self.write(f"k{at['k']}")
        yield from ()

    def do_struct_set(self, s, at):
        self.write(f"k{at['k']}")
        yield from ()

    def do_guarded_pass(self, s, at):
        self.read(f"u{at['g']}")
        self.r[at["r"]] = self.w.structs[at["g"]]
        yield from ()

    def do_guarded_copy(self, s, at):
        self.write(f"u{at['g']}")
        self.w.structs[at["g"]] = self.value(at["e"])
        yield from ()

    def do_guarded_put(self, s, at):
        self.write(f"note{at['g']}")
        self.w.texts[at["g"]] = self.value(at["e"]) & 7
        yield from ()

    def do_guarded_get(self, s, at):
        self.read(f"note{at['g']}")
        self.r[at["r"]] = self.w.texts[at["g"]]
        yield from ()

    def do_library(self, s, at):
        reads, writes, values = library.names(at["how"], shared_of(at))
        for name in reads:
            yield from self.plain()
            self.read(name)
        for name in writes:
            yield from self.plain()
            self.write(name)
            if name in values:
                self.w.racy[int(name[1:])] = values[name]

    def do_call(self, s, at):
        yield from self.routine(s)

    def do_handler(self, s, at):
        if at["how"] != "destructor":
            yield from self.op()
            self.take_object("handlers")
            self.leave_object("handlers")
            self.w.handlers.append(s)

    def do_constructor(self, s, at):
        yield from self.routine(s)

    def do_key(self, s, at):
        self.w.keys[at["key"]] = s
        yield from ()

    def do_key_set(self, s, at):
        self.t.specific[at["key"]] = at["n"]
        yield from ()

    def do_key_get(self, s, at):
        self.r[at["r"]] = self.t.specific.get(at["key"], 0)
        yield from ()

    # ---- one world ----

    def do_rand(self, s, at):
        w = self.w
        yield from self.op()
        self.take_object("random")
        self.leave_object("random")
        self.r[at["r"]] = random_numbers(w.random)[w.drawn] & 1
        w.drawn += 1

    def do_srand(self, s, at):
        yield from self.op()
        self.take_object("random")
        self.leave_object("random")
        self.w.random, self.w.drawn = at["n"], 0

    def do_alarm(self, s, at):
        yield from self.op()
        self.r[at["r"]], self.w.alarm = self.w.alarm, at["n"]

    def do_action(self, s, at):
        yield from self.op()
        self.w.action = at["n"]

    def do_action_get(self, s, at):
        yield from self.op()
        self.r[at["r"]] = self.w.action

    def do_clock(self, s, at):
        self.write(f"last{at['g']}")
        yield from ()

    def do_block(self, s, at):
        """The block freed last is taken first."""
        w = self.w
        yield from self.op()
        if w.free:
            block = w.free.pop()
        else:
            block, w.n_blocks = w.n_blocks, w.n_blocks + 1
        self.take_object("block", block)
        yield from self.block(s.kids[0])
        yield from self.op()
        self.changed("block")
        self.r[at["r"]] = int(w.last_block == block)
        w.last_block = block
        yield from self.op()
        self.leave_object("block", block)
        w.free.append(block)

    def do_row(self, s, at):
        self.write(*(("q", i) for i in range(at["n"])))
        yield from ()

    def do_plain_flag(self, s, at):
        yield from self.op()
        self.write(flag_of(at))
        self.w.flags[flag_of(at)] = at["n"]

    def do_plain_until(self, s, at):
        """It may look before there is anything to see, and is in a race already then."""
        yield from self.op()
        self.read(flag_of(at))
        if not self.w.flags.get(flag_of(at)):
            yield from self.op(lambda: self.w.flags.get(flag_of(at)))
            self.read(flag_of(at))

    def do_crowd(self, s, at):
        """They come one after another, and only leave their head of a release sequence."""
        for _ in range(at["n"]):
            t = Thread(len(self.w.threads), None)
            t.has_ended = True
            self.w.threads.append(t)
            t.acquire(self.t.release())
            self.w.heads[at["a"]] = {t.number: t.release()}
            self.w.atomics[at["a"]] = 0
            self.t.acquire(t.clock)
        yield from ()

    # ---- threads ----

    def do_create(self, s, at):
        yield from self.op()
        self.w.start(at["slot"], at["f"], self.t)

    def do_join(self, s, at):
        other = self.w.by_slot[at["slot"]]
        yield from self.op(lambda: other.has_ended, lambda: other)
        self.t.acquire(other.clock)
        if at["r"] is not None:
            self.r[at["r"]] = other.result

    def do_join_main(self, s, at):
        yield from self.op(lambda: self.w.threads[0].has_ended, lambda: self.w.threads[0])
        self.t.acquire(self.w.threads[0].clock)

    # ---- mutexes ----

    def is_free(self, m):
        owner = self.w.mutexes.get(m)
        return owner is None or (owner[0] is self.t and m in (RECURSIVE, STREAM))

    def take(self, m, s):
        owner = self.w.mutexes.setdefault(m, [self.t, 0])
        owner[1] += 1
        if owner[1] == 1:
            self.take_object("m", m)
            self.t.held.append((s, ("m", m)))

    def give(self, m):
        owner = self.w.mutexes[m]
        owner[1] -= 1
        if owner[1] == 0:
            self.leave_object("m", m)
            del self.w.mutexes[m]
            self.t.held = [h for h in self.t.held if h[1] != ("m", m)]

    def lock(self, m, s):
        yield from self.op(lambda: self.is_free(m), lambda: self.w.mutexes[m][0])
        self.take(m, s)

    def unlock(self, m):
        yield from self.op()
        self.give(m)

    def do_lock(self, s, at):
        yield from self.lock(at["m"], s)
        yield from self.block(s.kids[0])
        if not at["keep"]:
            yield from self.unlock(at["m"])

    def do_cross(self, s, at):
        yield from self.lock(at["m"], s)
        yield from self.block(s.kids[0])
        yield from self.lock(at["m2"], s)
        yield from self.block(s.kids[1])
        yield from self.unlock(at["m"])
        yield from self.block(s.kids[2])
        yield from self.unlock(at["m2"])

    def do_try(self, s, at):
        m = at["m"]
        yield from self.op()
        if not self.is_free(m):
            yield from self.block(s.kids[1])
            return
        self.take(m, s)
        yield from self.block(s.kids[0])
        if not at.get("keep"):
            yield from self.unlock(m)

    do_timed_lock = do_try  # it may give up if the mutex is not free, at any time

    # ---- condition variables ----

    def wait(self, at, s, can_give_up):
        """True if it gave up."""
        entry = [self.t, False, Clock()]
        yield from self.op()
        self.give(at["m"])  # of a recursive one, once
        self.w.conds[at["c"]].append(entry)
        yield from self.op(lambda: entry[1] or can_give_up)
        self.w.conds[at["c"]].remove(entry)
        self.t.acquire(entry[2])
        yield from self.lock(at["m"], s)
        return not entry[1]

    def do_wait(self, s, at):
        if self.may_wake(s) and self.w.choose(2):
            yield from self.wake_for_nothing(s, at)
        else:
            yield from self.wait(at, s, False)

    def wake_for_nothing(self, s, at):
        self.t.spurious += 1
        self.t.woken.add(id(s))
        yield from self.unlock(at["m"])
        yield from self.lock(at["m"], s)

    def may_wake(self, s):
        """For no reason: as often as was asked for; else where no loop looks again, once."""
        asked = self.w.p.spurious
        if asked is not None:
            return self.t.spurious < asked
        return s.op in ("wait", "timed wait") and not self.loops and id(s) not in self.t.woken

    def do_wait_until(self, s, at):
        op, n = at["until"]
        compare = {"==": lambda x: x == n, "!=": lambda x: x != n, ">=": lambda x: x >= n}[op]
        while not compare(self.w.guarded[at["m"]]):
            yield from self.do_wait(s, at)

    def do_timed_wait(self, s, at):
        gave_up = False
        if self.may_wake(s) and self.w.choose(2):
            yield from self.wake_for_nothing(s, at)
        else:
            gave_up = yield from self.wait(at, s, True)
        self.r[at["r"]] = int(gave_up)

    def do_signal(self, s, at):
        yield from self.op()
        blocked = [e for e in self.w.conds[at["c"]] if not e[1]]
        if blocked:
            self.wake(blocked[self.w.choose(len(blocked))])

    def wake(self, entry):
        entry[1] = True
        entry[2].meet(self.t.release())

    def do_broadcast(self, s, at):
        yield from self.op()
        for e in self.w.conds[at["c"]]:
            self.wake(e)

    # ---- semaphores ----

    def do_sem_wait(self, s, at):
        yield from self.op(lambda: self.w.sems[at["s"]] > 0)
        self.take_object("s", at["s"])
        self.w.sems[at["s"]] -= 1

    def do_sem_post(self, s, at):
        yield from self.op()
        self.leave_object("s", at["s"])
        self.w.sems[at["s"]] += 1

    def do_sem_value(self, s, at):
        yield from self.op()
        self.r[at["r"]] = self.w.sems[at["s"]]

    def do_sem_try(self, s, at):
        yield from self.op()
        got = self.w.sems[at["s"]] > 0
        self.w.sems[at["s"]] -= got
        if got:
            self.take_object("s", at["s"])
        yield from self.block(s.kids[0 if got else 1])

    do_sem_timed = do_sem_try

    # ---- read-write locks ----

    def can_read(self, k):
        return k not in self.w.writer and k not in self.w.closed

    def can_write(self, k):
        return k not in self.w.writer and not self.w.readers[k]

    def rw_take(self, k, to_write, s):
        self.take_object("w", k)
        if to_write:
            self.take_object("readers", k)
            self.w.writer[k] = self.t
            self.t.held.append((s, ("l", k)))
        else:
            self.w.readers[k].append(self.t)

    def rw_unlock(self, k):
        yield from self.op()
        if self.w.writer.get(k) is self.t:
            self.leave_object("w", k)
            del self.w.writer[k]
            self.t.held = [h for h in self.t.held if h[1] != ("l", k)]
        else:
            self.leave_object("readers", k)
            self.w.readers[k].remove(self.t)

    def do_read(self, s, at):
        k, to_write = at["l"], s.op == "write"
        can = self.can_write if to_write else self.can_read
        if to_write and k >= 2:  # from now on readers wait
            yield from self.op(lambda: k not in self.w.closed, lambda: self.w.closed.get(k))
            self.w.closed[k] = self.t
        yield from self.op(lambda: can(k),
                           lambda: self.w.writer.get(k) or self.closed_by_other(k))
        if to_write:
            self.w.closed.pop(k, None)
        self.rw_take(k, to_write, s)
        yield from self.block(s.kids[0])
        if not at.get("keep"):
            yield from self.rw_unlock(k)

    do_write = do_read

    def closed_by_other(self, k):
        other = self.w.closed.get(k)
        return None if other is self.t else other

    def do_try_read(self, s, at):
        k, to_write = at["l"], s.op.endswith("write")
        yield from self.op()
        if not (self.can_write if to_write else self.can_read)(k):
            yield from self.block(s.kids[1])
            return
        self.rw_take(k, to_write, s)
        yield from self.block(s.kids[0])
        yield from self.rw_unlock(k)

    do_try_write = do_timed_read = do_timed_write = do_try_read

    def do_rw_get(self, s, at):
        self.read(f"w{at['l']}")
        self.r[at["r"]] = self.w.rw[at["l"]]
        yield from ()

    def do_rw_set(self, s, at):
        self.write(f"w{at['l']}")
        self.w.rw[at["l"]] = self.value(at["e"])
        yield from ()

    # ---- barriers and once ----

    def do_barrier(self, s, at):
        b = self.w.barriers[at["b"]]
        yield from self.op()
        b[0] += 1
        self.leave_object("b", at["b"])
        is_last = b[0] == self.w.p.starts[f"b{at['b']}"]
        if is_last:
            b[0] = 0
            b[1] += 1
        else:
            now = b[1]
            yield from self.op(lambda: b[1] > now)
        self.take_object("b", at["b"])
        if at["r"] is not None:
            self.r[at["r"]] = int(is_last)

    def do_once(self, s, at):
        k, state = at["o"], self.w.onces
        yield from self.op(lambda: state.get(k, "done") == "done", lambda: state.get(k))
        if k in state:
            self.take_object("o", k)
            return
        state[k] = self.t
        outer, self.r = self.r, [0] * 4
        yield from self.block(s.kids[0])
        self.r = outer
        yield from self.op()
        self.leave_object("o", k)
        state[k] = "done"

    def do_once_get(self, s, at):
        self.read(f"v{at['o']}")
        self.r[at["r"]] = self.w.once_values[at["o"]]
        yield from ()

    def do_once_set(self, s, at):
        self.write(f"v{at['o']}")
        self.w.once_values[at["o"]] = self.value(at["e"])
        yield from ()


def next_choices(choices, limits):
    """The next list of choices, None: that was the last one."""
    choices, limits = list(choices), list(limits)
    while choices and choices[-1] + 1 >= limits[len(choices) - 1]:
        choices.pop()
    if choices:
        choices[-1] += 1
    return choices or None


def can_simulate(program):
    """Not what is used wrongly, and not when memory is used again if that is the thread's choice."""
    if "block" in program.ops() and not program.reuse:
        return False
    return all(hasattr(Steps, "do_" + op.replace(" ", "_")) for op in program.ops())


def outcomes(program, most):
    """{(kind, statement)} of all runs. Raises TooMany."""
    found, choices, n = set(), [], 0
    while choices is not None:
        n += 1
        if n > most:
            raise TooMany
        w = World(program, choices)
        found |= w.run()
        del choices[w.at:]
        choices = next_choices(choices, w.limits[:w.at])
    return found


def differences(program, verdict, races=False):
    """[(what, text)] between what treadle told and what can happen; None: that is not known."""
    report = verdict.reference
    if not report or report["runs"] > MOST_TOLD_RUNS or not can_simulate(program):
        return None
    try:
        seen = outcomes(program, MOST_RUNS)
    except TooMany:
        return None
    found = race_differences(program, verdict, seen) if races else []
    expected = {(kind, id(s) if s else None) for kind, s in seen if kind != "race"}
    told = {}
    for f in report["findings"]:
        kind = KINDS.get(f["kind"])
        s = verdict.places.get(f["line"], (None,))[0]
        if kind:
            told[kind, id(s) if s and kind != "deadlock" else None] = f
    lines = {id(s): n for n, (s, _) in verdict.places.items()}
    found += [("model", f"only treadle: {f['id']} in line {f['line']}")
              for key, f in told.items() if key not in expected]
    return found + [("model", f"treadle has no {kind} in line {lines.get(s, '?')}")
                    for kind, s in sorted(expected - told.keys(), key=str)]


def variable_of(race):
    """The name of what races; where one access goes through a pointer, by the other one."""
    quoted = re.search(r"'(.*)'", race["message"])
    for name in [quoted.group(1) if quoted else ""] + [a["object"] for a in race.get("accesses", ())]:
        if re.match(r"\w*", name or "").group() in NAMES:
            return name
    return race["message"]


def covers(race, places, pair):
    """One finding tells of two lines, whatever races there; a function that programs share is none."""
    told = {id(places[n][0]) for n in (race["line"], race.get("other_line")) if n in places}
    return told and told <= pair


def race_differences(program, verdict, seen):
    """Variables that race in one of the two only; of a row, the number of its elements."""
    if program.ops() & NO_RACES:
        return []
    races = [f for f in verdict.reference["findings"] if f["kind"] == "race"]
    told = {re.match(r"\w*", variable_of(f)).group() for f in races}
    expected = {}
    for kind, race in seen:
        if kind == "race":
            expected.setdefault(race[0], set()).add(race[1])
    found = [("model", f"only treadle has a race on {name}") for name in sorted(told - expected.keys())]
    for name in sorted(expected.keys() - told):
        if not any(covers(f, verdict.places, pair) for pair in expected[name] for f in races):
            found.append(("model", f"treadle has no race on {name}"))
    rows = {f["message"] for f in races if variable_of(f).startswith("q[")}
    n = min([s.at["n"] for s in program.statements() if s.op == "row"], default=0)
    if "q" in expected and len(rows) < n:
        found.append(("model", f"treadle has {len(rows)} races in a row of {n}"))
    return found
