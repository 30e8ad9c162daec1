#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the interleavings, traces and events of a small program from its list of operations.

It shares nothing with treadle: the expectations under tests/programs are checked against it,
and treadle is checked against the expectations. A model has one line per thread:

    main: create A, create B, join A, join B, exit
    A: lock m, do a = n, unlock m, lock m, do n = a + 1, unlock m
    B: 3* rmw x x+1

Visible operations, each of them a choice of the scheduler:

    create T        join T          exit           (of the process)
    lock m          unlock m        trylock m [v]  (v: 1 if it got m)
    init m          destroy m
    load x [v]      store x [E]     rmw x E [v]    (E sees the old value as x; v: old value)
    cas x E E [v]   (v: 1 if it succeeded)
    begin           end             (an atomic section: no choices inside, end is none)

Between two of them, at no cost: `do v = E`, `skip N unless E`, `check E` (ends the run when E
is false) and `fail`. E is an expression without commas. `N*` repeats an operation. A thread
that comes to the end of its list ends; so main without `exit` leaves by pthread_exit.

Usage: model.py FILE.c...   prints the counts of the models in the head comments.
       model.py -           reads one model from standard input.
"""
import re
import sys

SHARED = {"load", "trylock busy", "cas failed"}
NO_OBJECT = {"create", "join", "end", "exit"}


class State:
    """Where every thread is. Copied before every step."""

    def __init__(self):
        self.at = {}         # thread -> index of its next operation
        self.last = {}       # thread -> its newest event
        self.ended = {}      # thread -> its end event
        self.env = {}        # values of variables
        self.owner = {}      # mutex -> (thread, depth); none: free
        self.writer = {}     # object -> newest exclusive event
        self.readers = {}    # object -> shared events since then
        self.names = {}      # thread -> name that does not depend on the schedule
        self.n_created = {}  # thread -> threads it has created
        self.section = None  # thread inside begin/end
        self.over = None     # why the run is over: "exit", "fail"

    def copy(self):
        s = State.__new__(State)
        for key, value in self.__dict__.items():
            setattr(s, key, dict(value) if isinstance(value, dict) else value)
        return s


def parse(text):
    """{thread: [operation as list of words]} of a model, in order of appearance."""
    threads = {}
    for line in text.strip().splitlines():
        if not line.strip():
            continue
        name, _, rest = line.partition(":")
        ops = []
        for part in rest.split(","):
            part = part.strip()
            if not part:
                continue
            times = re.match(r"(\d+)\*\s*", part)
            n = int(times.group(1)) if times else 1
            body = part[times.end():] if times else part
            ops += [body.split(None, 1)[:1] + [body.split(None, 1)[1:]]] * n
        threads[name.strip()] = [[op[0]] + list(op[1]) for op in ops]
    return threads


class Model:
    """Steps of one program. Events are numbered by what they are and what they depend on."""

    def __init__(self, text, recursive=()):
        self.threads = parse(text)
        self.recursive = set(recursive)
        self.numbers = {}

    def event(self, s, thread, kind, obj, extra=()):
        deps = tuple(extra)
        if obj is not None:
            deps += (s.writer.get(obj, 0),)
            if kind not in SHARED:
                deps += tuple(sorted(s.readers.get(obj, ())))
        key = (s.names[thread], kind, obj, s.last[thread], deps)
        number = self.numbers.setdefault(key, len(self.numbers) + 1)
        s.last[thread] = number
        if obj is not None and kind in SHARED:
            s.readers[obj] = s.readers.get(obj, ()) + (number,)
        elif obj is not None:
            s.writer[obj] = number
            s.readers[obj] = ()
        return number

    def value(self, s, text):
        return eval(text, {"__builtins__": {}}, _Zero(s.env))

    def next_op(self, s, thread):
        ops = self.threads[thread]
        return ops[s.at[thread]] if s.at[thread] < len(ops) else None

    def enabled(self, s, thread):
        op = self.next_op(s, thread)
        if op is None or s.over:
            return False
        if s.section not in (None, thread):
            return False
        if op[0] == "join":
            return op[1].strip() in s.ended
        if op[0] == "lock":
            owner = s.owner.get(op[1].strip())
            return owner is None or (owner[0] == thread and op[1].strip() in self.recursive)
        return True

    def glide(self, s, thread, events):
        """Runs a thread to its next visible operation."""
        ops = self.threads[thread]
        while s.at[thread] < len(ops) and not s.over:
            op = ops[s.at[thread]]
            rest = op[1].strip() if len(op) > 1 else ""
            if op[0] == "do":
                name, _, expr = rest.partition("=")
                s.env[name.strip()] = self.value(s, expr.strip())
            elif op[0] == "skip":
                n, _, expr = rest.partition(" unless ")
                if not self.value(s, expr):
                    s.at[thread] += int(n)
            elif op[0] == "check":
                if not self.value(s, rest):
                    s.over = "fail"
                    return
            elif op[0] == "fail":
                s.over = "fail"
                return
            elif op[0] == "end" and s.section == thread:
                events.append(self.event(s, thread, "atomic end", "#atomic"))
                s.section = None
            else:
                return
            s.at[thread] += 1
        if s.at[thread] >= len(ops) and thread not in s.ended:
            s.ended[thread] = self.event(s, thread, "end", None)
            events.append(s.ended[thread])

    def step(self, s, thread):
        """One operation of a thread and what follows for free; returns its events."""
        op = self.next_op(s, thread)
        kind, words = op[0], (op[1].split() if len(op) > 1 else [])
        events = []
        s.at[thread] += 1
        getattr(self, "do_" + kind)(s, thread, words, events)
        if not s.over:
            self.glide(s, thread, events)
        while s.section == thread and not s.over and self.enabled(s, thread):
            events += self.step(s, thread)
        return events

    def do_create(self, s, thread, words, events):
        child = words[0]
        events.append(self.event(s, thread, "create", None))
        k = s.n_created.get(thread, 0)
        s.n_created[thread] = k + 1
        s.names[child] = (s.names[thread], k)
        s.at[child], s.last[child] = 0, s.last[thread]
        self.glide(s, child, events)

    def do_join(self, s, thread, words, events):
        events.append(self.event(s, thread, "join", None, (s.ended[words[0]],)))

    def do_exit(self, s, thread, words, events):
        events.append(self.event(s, thread, "exit", None))
        s.over = "exit"

    def do_lock(self, s, thread, words, events):
        depth = s.owner.get(words[0], (thread, 0))[1]
        s.owner[words[0]] = (thread, depth + 1)
        events.append(self.event(s, thread, "lock", words[0]))

    def do_unlock(self, s, thread, words, events):
        owner, depth = s.owner[words[0]]
        assert owner == thread, "the model unlocks what it does not hold"
        if depth > 1:
            s.owner[words[0]] = (thread, depth - 1)
        else:
            del s.owner[words[0]]
        events.append(self.event(s, thread, "unlock", words[0]))

    def do_trylock(self, s, thread, words, events):
        owner = s.owner.get(words[0])
        got = owner is None or (owner[0] == thread and words[0] in self.recursive)
        events.append(self.event(s, thread, "trylock" if got else "trylock busy", words[0]))
        if got:
            s.owner[words[0]] = (thread, (owner[1] if owner else 0) + 1)
        if len(words) > 1:
            s.env[words[1]] = int(got)

    def do_init(self, s, thread, words, events):
        events.append(self.event(s, thread, "init", words[0]))

    def do_destroy(self, s, thread, words, events):
        events.append(self.event(s, thread, "destroy", words[0]))

    def do_load(self, s, thread, words, events):
        events.append(self.event(s, thread, "load", words[0]))
        if len(words) > 1:
            s.env[words[1]] = s.env.get(words[0], 0)

    def do_store(self, s, thread, words, events):
        events.append(self.event(s, thread, "store", words[0]))
        if len(words) > 1:
            s.env[words[0]] = self.value(s, words[1])

    def do_rmw(self, s, thread, words, events):
        events.append(self.event(s, thread, "rmw", words[0]))
        old = s.env.get(words[0], 0)
        if len(words) > 1:
            s.env[words[0]] = self.value(s, words[1])
        if len(words) > 2:
            s.env[words[2]] = old

    def do_cas(self, s, thread, words, events):
        ok = s.env.get(words[0], 0) == self.value(s, words[1])
        events.append(self.event(s, thread, "cas" if ok else "cas failed", words[0]))
        if ok:
            s.env[words[0]] = self.value(s, words[2])
        if len(words) > 3:
            s.env[words[3]] = int(ok)

    def do_begin(self, s, thread, words, events):
        events.append(self.event(s, thread, "atomic begin", "#atomic"))
        s.section = thread

    def start(self):
        s = State()
        s.names["main"], s.at["main"], s.last["main"] = (), 0, 0
        events = []
        self.glide(s, "main", events)
        return s, events

    def explore(self):
        """Counts over all interleavings. Runs that have executed the same set of events are in
        the same state, so sets of events are visited once each, with the number of ways."""
        state, events = self.start()
        layer = {frozenset(events): (1, state)}
        out = {"runs": 0, "traces": 0, "deadlocks": 0, "failures": 0}
        seen = set()
        while layer:
            following = {}
            for config, (ways, s) in layer.items():
                threads = [t for t in s.at if self.enabled(s, t)]
                if not threads:
                    self.finish(out, s, ways)
                    seen |= config
                for t in threads:
                    successor = s.copy()
                    key = config | frozenset(self.step(successor, t))
                    before = following.get(key)
                    following[key] = (ways + (before[0] if before else 0), successor)
            layer = following
        out["events"] = len(seen)
        return out

    def finish(self, out, s, ways):
        out["runs"] += ways
        out["traces"] += 1
        if s.over == "fail":
            out["failures"] += ways
        elif s.over is None and len(s.ended) < len(s.at):
            out["deadlocks"] += ways


class _Zero(dict):
    """Variables are zero until they are set."""

    def __missing__(self, key):
        return 0


def of_source(path):
    """The model in the head comment of a program and its recursive mutexes, or None."""
    lines, recursive = [], []
    with open(path, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"\s*\*\s*model:\s*(.*?)\s*(\*/)?\s*$", line)
            if m:
                lines.append(m.group(1))
            m = re.match(r"\s*\*\s*recursive:\s*(.*?)\s*(\*/)?\s*$", line)
            if m:
                recursive += m.group(1).split()
    return (("\n".join(lines)), recursive) if lines else None


def counts(path):
    found = of_source(path)
    return Model(*found).explore() if found else None


def main():
    for path in sys.argv[1:]:
        got = Model(sys.stdin.read()).explore() if path == "-" else counts(path)
        print(path, got)


if __name__ == "__main__":
    main()
