# SPDX-License-Identifier: Apache-2.0
"""Makes a program smaller as long as a test still fails on it."""
from program import N_REGISTERS, SPIN, Stmt, copy_block, walk, why_invalid

CHUNK = 12  # candidates compiled together


# What a kind of statement costs; simple kinds are cheaper.
COSTS = {"load": 0, "store": 1, "add": 2, "swap": 3, "await": 4, "cas": 5, "lock": 0, "try": 1,
         "cross": 2, "input": 1, "calc": 1, "switch": 1, "table": 2, "cell load": 3,
         "cell store": 4, "assume": 1, "racy cell": 1, "racy get": 1, "wait until": 1, "broadcast": 1,
         "timed lock": 2, "timed wait": 2, "sem try": 1, "sem value": 1, "sem timed": 2, "write": 1,
         "try read": 2, "try write": 3, "timed read": 4, "timed write": 5, "once": 1, "barrier": 1,
         "cas add": 6, "cas put": 7, "struct pass": 2, "struct copy": 3, "struct set": 1, "guarded pass": 1,
         "guarded copy": 1, "guarded put": 2, "guarded get": 2, "library": 4, "call": 1, "handler": 2,
         "row": 8}


NAMES = ("a", "m", "m2", "g", "d", "r", "x", "c", "s", "l", "b", "o", "k", "k2", "t", "f")


def measure(p):
    """Decreases with every step, so that shrinking ends."""
    n = cost = 0
    names = set()
    for s in p.statements():
        n += 1
        cost += COSTS.get(s.op, 0)
        for key, value in s.at.items():
            cost += field_cost(value)
            if key in NAMES and value is not None and (key != "f" or "volatile" in s.at):
                names.add((key[0], value))
    cost += sum(field_cost(e) for e in p.results if e) + (p.end == "pthread_exit")
    cost += sum(p.starts.values()) + (1 if p.spurious is None else p.spurious) + p.reuse
    return (len(p.creates()), n, len(names), sum(i for _, i in names), cost)


def field_cost(value):
    if value is None or value is False:
        return 0
    if isinstance(value, tuple):
        if len(value) == 2:  # an expression
            return value[1] + (3 if value[0] is not None else 0)
        return field_cost(value[2]) + (value[1] != "==")
    if isinstance(value, str):
        return 0 if value == "+" else 3
    return int(value)


def blocks(p):
    """Every block."""
    for body in p.bodies:
        yield body
        for s in walk(body):
            yield from s.kids


def nth_block(p, n):
    return next(b for i, b in enumerate(blocks(p)) if i == n)


def drop_functions(p):
    """Removes functions that nobody starts."""
    while True:
        started = {0} | {s.at["f"] for s in p.creates()}
        unused = [f for f in range(len(p.bodies)) if f not in started]
        if not unused:
            return p
        f = unused[-1]
        del p.bodies[f], p.results[f]
        for s in p.creates():
            s.at["f"] -= s.at["f"] > f


def filtered(p, keep):
    """A copy without the statements that keep refuses."""
    q = p.copy()
    for block in list(blocks(q)):
        block[:] = [s for s in block if keep(s)]
    return drop_functions(q)


def without_slots(p):
    """Without one thread, and without joining it."""
    for slot in sorted(s.at["slot"] for s in p.creates()):
        yield filtered(p, lambda s: s.at.get("slot") != slot)
    for slot in sorted(s.at["slot"] for s in p.creates()):
        yield filtered(p, lambda s: s.op == "create" or s.at.get("slot") != slot)


def inlined(p):
    """What a thread does is done by its creator, at the create or where it was joined."""
    for create in p.creates():
        slot, f = create.at["slot"], create.at["f"]
        body = [s for s in p.bodies[f] if s.op not in ("out write", "leave")]
        for place in ("create", "join"):
            q = p.copy()
            for block in list(blocks(q)):
                kept = [s for s in block if s.at.get("slot") != slot or s.op == place]
                block[:] = [c for s in kept for c in
                            (copy_block(body) if s.at.get("slot") == slot else [s])]
            yield drop_functions(q)


def without_kinds(p):
    """Without all statements of one kind."""
    for op in sorted(p.ops() - {"create"}):
        yield filtered(p, lambda s: s.op != op)


def without_runs(p):
    """Without some statements in a row, long rows first."""
    lengths = [len(b) for b in blocks(p)]
    n = max(lengths)
    while n > 0:
        for b, length in enumerate(lengths):
            for at in range(0, length - n + 1, max(1, n // 2)):
                q = p.copy()
                del nth_block(q, b)[at:at + n]
                yield drop_functions(q)
        n = n // 2 if n > 3 else n - 1


def unwrapped(p):
    """A statement replaced by one of its blocks, or by all of them."""
    for b, block in enumerate(list(blocks(p))):
        for at, s in enumerate(block):
            for kids in [[k] for k in s.kids if k] + ([s.kids] if len(s.kids) > 1 else []):
                q = p.copy()
                target = nth_block(q, b)
                target[at:at + 1] = [c.copy() for k in kids for c in k]
                yield drop_functions(q)


def simpler_statements(p):
    """A statement replaced by a simpler one of the same kind."""
    for b, block in enumerate(list(blocks(p))):
        for at, s in enumerate(block):
            for other in simpler(s):
                q = p.copy()
                nth_block(q, b)[at] = other
                yield q


def simpler(s):
    at = s.at
    if s.op in ("cas", "swap", "add", "await"):
        yield Stmt("load", a=at["a"], r=at["r"], order=None)
    if s.op in ("cas", "swap"):
        yield Stmt("store", a=at["a"], e=at["e"], order=None)
    if s.op == "add":
        n = at["n"]
        e = (int(n[1:]), 0) if isinstance(n, str) else (None, n)
        yield Stmt("store", a=at["a"], e=e, order=None)
    if s.op == "racy get":
        yield Stmt("racy read", d=at["d"])
    if s.op == "racy cell":
        yield Stmt("racy write", d=0, n=at["n"])
    if s.op == "cross":
        inner = Stmt("lock", [s.kids[1]], m=at["m2"], keep=False)
        yield Stmt("lock", [s.kids[0] + [inner] + s.kids[2]], m=at["m"], keep=False).copy()
    if s.op == "try":
        yield Stmt("lock", [s.kids[0]], m=at["m"], keep=at["keep"]).copy()
    if s.op == "wait until":
        yield Stmt("wait", c=at["c"], m=at["m"])
    if s.op == "timed wait":
        yield Stmt("wait", c=at["c"], m=at["m"])
    if s.op == "broadcast":
        yield Stmt("signal", c=at["c"])
    if s.op == "timed lock":
        yield Stmt("try", s.kids, m=at["m"], keep=False).copy()
        yield Stmt("lock", [s.kids[0]], m=at["m"], keep=False).copy()
    if s.op in ("sem try", "sem timed", "sem value"):
        yield Stmt("sem wait", s=at["s"])
    if s.op == "sem timed":
        yield Stmt("sem try", s.kids, s=at["s"]).copy()
    if s.op in ("try read", "timed read", "write"):
        yield Stmt("read", [s.kids[0]], l=at["l"], keep=False).copy()
    if s.op in ("try write", "timed write"):
        yield Stmt("write", [s.kids[0]], l=at["l"]).copy()
    if s.op.startswith("timed ") and "l" in at:
        yield Stmt("try" + s.op[5:], s.kids, l=at["l"]).copy()
    if s.op == "switch":
        cond = (at["x"], "==", at["cases"][0])
        yield Stmt("if", [s.kids[0], s.kids[1]], cond=cond).copy()
        yield Stmt("if", [s.kids[0], s.kids[2]], cond=cond).copy()
    if s.op == "cas put":
        yield Stmt("cas add", a=at["a"], n=at["n"], r=at["r"])
        yield Stmt("store", a=at["a2"], e=at["n"], order=None)
    if s.op == "cas add":
        yield Stmt("add", a=at["a"], n=at["n"], r=at["r"], order=None)
    if s.op in ("struct pass", "library"):
        yield Stmt("racy read", d=at.get("d", 0))
    if s.op in ("struct copy", "library"):
        yield Stmt("racy write", d=at.get("d", 0), n=1)
    if s.op == "struct set":
        yield Stmt("racy write", d=at["k"], n=at["n"])
    if s.op in ("guarded pass", "guarded get"):
        yield Stmt("guarded read", g=at["g"], r=at["r"])
    if s.op in ("guarded copy", "guarded put"):
        yield Stmt("guarded write", g=at["g"], e=at["e"])
    if s.op in ("table", "cell load"):
        yield Stmt("calc", r=at["r"], x=at["x"], how="+", y=0)
    if s.op == "cell load":
        yield Stmt("load", a=0, r=at["r"], order=None)
    if s.op == "cell store":
        yield Stmt("store", a=0, e=at["e"], order=None)
    if s.op == "assume":
        yield Stmt("if", [[Stmt("exit")], []], cond=at["cond"])
        yield Stmt("assert", cond=at["cond"])
    if s.op == "if" and not s.kids[0] and s.kids[1]:
        r, op, n = at["cond"]
        if op in ("==", "!="):
            yield Stmt("if", [s.kids[1], []], cond=(r, "!=" if op == "==" else "==", n)).copy()
    for i, kid in enumerate(s.kids):
        if kid and len(s.kids) > 1:
            q = s.copy()
            q.kids[i] = []
            yield q
    for key in at:
        for value in simpler_fields(s.op, key, at[key]):
            q = s.copy()
            q.at[key] = value
            yield q


def simpler_fields(op, key, value):
    if key == "order" and value:
        yield None
    elif key == "keep" and value:
        yield False
    elif key == "times" and value > 1:
        yield 1
    elif key == "e" and value != (None, 1):
        yield (None, 1)
    elif key == "until" and value != ("==", 1):
        yield ("==", 1)
    elif key == "r" and op in ("join", "barrier") and value is not None:
        yield None
    elif key == "n" and op in ("crowd", "row") and value > 1:
        yield value // 2
        yield value - 1
    elif key in ("n", "y") and value not in (0, 1):
        yield 1
    elif key == "bits" and value > 1:
        yield value - 1
    elif key == "how" and op == "calc" and value != "+":
        yield "+"
    elif key == "how" and op == "call" and value != "pointer":
        yield "pointer"
    elif key == "volatile" and value:
        yield False
    elif key == "pause" and value != "nothing":
        yield "nothing"
    elif key == "cond":
        if value[2] not in (0, 1):
            yield (value[0], value[1], 1)
        if value[1] != "==":
            yield (value[0], "==", value[2])


def simpler_program(p):
    for f in range(1, len(p.results)):
        if p.results[f] != (None, 0):
            q = p.copy()
            q.results[f] = (None, 0)
            yield q
    if p.end == "pthread_exit":
        q = p.copy()
        q.end = "return"
        yield q
    if p.reuse:
        q = p.copy()
        q.reuse = False
        yield q
    if p.spurious != 0:
        q = p.copy()
        q.spurious = 0
        yield q
    for what, n in sorted(p.starts.items()):
        if n > (what[0] == "b"):
            q = p.copy()
            q.starts[what] -= 1
            yield q


def renamed(p):
    """Two variables become one. A guarded variable goes with its mutex."""
    for keys, n in ((("a",), 3), (("m", "m2", "g"), SPIN + 1), (("d",), 2),
                    (("r", "x"), N_REGISTERS), (("c",), 2), (("s",), 2), (("l",), 2), (("b",), 2),
                    (("o",), 2), (("k", "k2"), 2), (("t",), 2)):
        for old in range(1, n):
            for new in range(old):
                q = p.copy()
                for s in q.statements():
                    for key in keys:
                        if s.at.get(key) == old:
                            s.at[key] = new
                    rename_registers(s, keys, old, new)
                if "r" in keys:
                    q.results = [(new, e[1]) if e and e[0] == old else e for e in q.results]
                yield q


def rename_registers(s, keys, old, new):
    if "r" not in keys:
        return
    for key in ("n", "y"):
        if s.at.get(key) == f"r{old}":
            s.at[key] = f"r{new}"
    if s.at.get("e") and s.at["e"][0] == old:
        s.at["e"] = (new, s.at["e"][1])
    if s.at.get("cond") and s.at["cond"][0] == old:
        s.at["cond"] = (new,) + s.at["cond"][1:]
    if s.at.get("cond") and s.at["cond"][2] == f"r{old}":
        s.at["cond"] = s.at["cond"][:2] + (f"r{new}",)


def without_pairs(p):
    """Without two statements, wherever they are; only of small programs."""
    n = sum(1 for _ in p.statements())
    if n > 14:
        return
    for i in range(n):
        for j in range(i + 1, n):
            doomed = {id(s) for k, s in enumerate(p.statements()) if k in (i, j)}
            kept = {k for k, s in enumerate(p.statements()) if id(s) not in doomed}
            q = p.copy()
            wanted = {id(s) for k, s in enumerate(q.statements()) if k in kept}
            for block in list(blocks(q)):
                block[:] = [s for s in block if id(s) in wanted]
            yield drop_functions(q)


STEPS = (without_slots, inlined, without_kinds, without_runs, unwrapped, simpler_statements,
         simpler_program, renamed, without_pairs)


def candidates(p):
    """Valid programs smaller than p, each once, promising ones first."""
    size, seen = measure(p), set()
    for step in STEPS:
        for q in step(p):
            if not q.creates() or why_invalid(q) or measure(q) >= size:
                continue
            key = repr([[(s.op, sorted(s.at.items(), key=str), len(s.kids)) for s in walk(b)]
                        for b in q.bodies]) + repr([[len(k) for k in s.kids]
                                                    for s in q.statements()])
            key += repr(q.results) + q.end + repr(sorted(q.starts.items())) + str(q.spurious) + str(q.reuse)
            if key not in seen:
                seen.add(key)
                yield q


def shrink(p, first_failing, tell=lambda p: None):
    """The smallest program found. first_failing is given a list of programs and returns the
    index of the first on which the test fails, or None."""
    while True:
        smaller = next_smaller(p, first_failing)
        if smaller is None:
            return p
        p = smaller
        tell(p)


def next_smaller(p, first_failing):
    chunk = []
    for q in candidates(p):
        chunk.append(q)
        if len(chunk) == CHUNK:
            at = first_failing(chunk)
            if at is not None:
                return chunk[at]
            chunk = []
    at = first_failing(chunk) if chunk else None
    return chunk[at] if at is not None else None
